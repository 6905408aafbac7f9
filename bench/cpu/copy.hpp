// The anchor: a copy by all threads with streaming stores, which nothing that reads n and writes n elements in memory can beat.
#pragma once
#include <emmintrin.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>

#include <algorithm>
#include <cstddef>

namespace bench {

/// `out` is aligned to 16 bytes; the last bytes that fill no vector are left out.
inline void streaming_copy(void const* in, void* out, std::size_t bytes, int threads) {
  auto const* from = static_cast<__m128i const*>(in);
  auto* to = static_cast<__m128i*>(out);
  std::size_t const vectors = bytes / sizeof(__m128i),
                    part = (vectors + static_cast<std::size_t>(threads) - 1) / static_cast<std::size_t>(threads);
  tbb::parallel_for(
      0, threads,
      [=](int k) {
        std::size_t const first = static_cast<std::size_t>(k) * part, last = std::min(vectors, first + part);
        for (std::size_t i = first; i < last; ++i) _mm_stream_si128(to + i, _mm_loadu_si128(from + i));
        _mm_sfence();
      },
      tbb::static_partitioner{});
}

}  // namespace bench
