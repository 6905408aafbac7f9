// Compaction in place under a strategy that reads twice: the second reading must not find what was stored during it, so outputs
// that touch the input go through scratch memory.
#pragma once
#include "../../model/overlap.hpp"
#include "../../sink.hpp"
#include "../host/launch.cuh"
#include "../host/stream_memory.cuh"

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
template <class Arrays, class Then>
void columns_elsewhere(Arrays const&, columns<>&, index_t const*, index_t, cudaStream_t, Then then) {
  then();
}
/// Calls then() while columns that touch `from` go to scratch; what landed there is moved afterwards.
template <class Arrays, class Column, class... Rest, class Then>
void columns_elsewhere(Arrays const& from, columns<Column, Rest...>& all, index_t const* count, index_t n, cudaStream_t stream,
                       Then then) {
  using Out = typename Column::value_type;
  Out* const wanted = all.first.out;
  stream_memory scratch;
  if (n > 0 && lookback::detail::touches(from, wanted, n)) {
    load<&put_back_kernel<Out>>();
    scratch = stream_memory(static_cast<std::size_t>(n) * sizeof(Out), stream);
    all.first.out = static_cast<Out*>(scratch.data());
  }
  columns_elsewhere(from, all.rest, count, n, stream, then);
  if (scratch)
    enqueue_after<&put_back_kernel<Out>>(512, 256, stream, static_cast<Out const*>(scratch.data()), wanted, count, false);
}
}  // namespace detail

/// Calls compact(sink) with outputs that do not touch the n items of `from`, and moves what landed in scratch afterwards. That
/// scratch is as large as the input, and allocated in stream order even where there is a workspace.
template <class Arrays, class Sink, class Compact>
void compact_elsewhere(Arrays const& from, Sink sink, index_t n, cudaStream_t stream, Compact compact) {
  using Out = typename Sink::value_type;
  Sink const wanted = sink;
  stream_memory scratch[Sink::classes];
  for (int c = 0; c < Sink::classes; ++c) {
    if (n == 0 || !lookback::detail::touches(from, wanted, c, n)) continue;
    detail::load<&put_back_kernel<Out>>();
    scratch[c] = stream_memory(static_cast<std::size_t>(n) * sizeof(Out), stream);
    sink.outputs[c] = static_cast<Out*>(scratch[c].data()), sink.reversed[c] = false;
  }
  detail::columns_elsewhere(from, sink.beside, sink.counts, n, stream, [&] { compact(sink); });
  for (int c = 0; c < Sink::classes; ++c)
    if (scratch[c])
      detail::enqueue_after<&put_back_kernel<Out>>(512, 256, stream, static_cast<Out const*>(scratch[c].data()), wanted.outputs[c],
                                                   static_cast<index_t const*>(wanted.counts + c), wanted.reversed[c]);
}

}  // namespace lookback::gpu
