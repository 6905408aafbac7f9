// The naive copy of bench/textbook on one thread: an item at a time, as far as the compiler lets it.
#pragma once
#include "harness.hpp"

namespace bench {

template <class T>
sampler naive_copy(device& d, T const* in, T* out, std::size_t n) {
  return d.timed(timing::single, [in, out, n] {
    for (std::size_t i = 0; i < n; ++i) out[i] = in[i];
  });
}

}  // namespace bench
