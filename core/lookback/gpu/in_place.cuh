// Compaction in place under a strategy that reads twice: the second reading must not find what was stored during it, so outputs
// that touch the input go through scratch memory.
#pragma once
#include "../overlap.hpp"
#include "../sink.hpp"
#include "check.cuh"

namespace lookback::gpu {

/// One output, `*count` items: from scratch, where it lies forwards, to where it belongs.
template <class Out>
__global__ void __launch_bounds__(256) put_back_kernel(Out const* from, Out* to, index_t const* count, bool reversed) {
  index_t const n = *count;
  for (index_t i = blockIdx.x * index_t{256} + threadIdx.x; i < n; i += gridDim.x * index_t{256}) {
    if (reversed) *(to - 1 - i) = from[i];
    else to[i] = from[i];
  }
}

namespace detail {

inline bool touches(arrays<> const&, void const*, index_t, std::size_t) { return false; }
template <class T, class... Rest>
bool touches(arrays<T, Rest...> const& from, void const* out, index_t n, std::size_t out_bytes) {
  using lookback::detail::bytes;
  return lookback::detail::overlap(bytes(from.data, n),
                                   bytes(static_cast<char const*>(out), n * static_cast<index_t>(out_bytes))) ||
         touches(from.rest, out, n, out_bytes);
}

}  // namespace detail

/// Calls compact(sink) with outputs that do not touch the n items of `from`, and moves what landed in scratch afterwards.
template <class Arrays, class Sink, class Compact>
void compact_elsewhere(Arrays const& from, Sink sink, index_t n, cudaStream_t stream, Compact compact) {
  using Out = typename Sink::value_type;
  Sink const wanted = sink;
  Out* scratch[Sink::classes] = {};
  for (int c = 0; c < Sink::classes; ++c) {
    Out const* const begin = wanted.outputs[c] - (wanted.reversed[c] ? n : 0);
    if (n == 0 || !detail::touches(from, begin, n, sizeof(Out))) continue;
    void* block = nullptr;
    check(cudaMallocAsync(&block, static_cast<std::size_t>(n) * sizeof(Out), stream));
    scratch[c] = static_cast<Out*>(block);
    sink.outputs[c] = scratch[c], sink.reversed[c] = false;
  }
  auto const free_all = [&] {
    for (Out* block : scratch)
      if (block) cudaFreeAsync(block, stream);
  };
  try {
    compact(sink);
    for (int c = 0; c < Sink::classes; ++c) {
      if (!scratch[c]) continue;
      put_back_kernel<<<512, 256, 0, stream>>>(scratch[c], wanted.outputs[c], wanted.counts + c, wanted.reversed[c]);
      check(cudaGetLastError());
    }
  } catch (...) {
    free_all();
    throw;
  }
  free_all();
}

}  // namespace lookback::gpu
