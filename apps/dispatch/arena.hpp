// Where peers that are built on oneTBB run: on as many threads as the library does.
#pragma once
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <cstring>

#include "scan.hpp"

namespace lookback::dispatch {

template <class F>
void in_arena(place const& on, F&& f) {
  tbb::task_arena arena(on.threads > 0 ? on.threads : tbb::task_arena::automatic);
  arena.execute(f);
}

/// A share for each thread, as the ceiling of what memory gives.
inline void copy_in_arena(place const& on, void* out, void const* in, std::size_t bytes) {
  in_arena(on, [&] {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, bytes, std::size_t{1} << 20), [&](auto const& part) {
      std::memcpy(static_cast<char*>(out) + part.begin(), static_cast<char const*>(in) + part.begin(), part.size());
    });
  });
}

}  // namespace lookback::dispatch
