// One result for each row of a matrix: where segments are rows of one length, each is a warp's and needs nothing of the others, so
// that there is nothing to look back for.
#pragma once
#include <algorithm>

#include "../../model/tile.hpp"
#include "../../segments.hpp"
#include "../device/thread_run.cuh"
#include "../device/warp.cuh"
#include "../host/choose.cuh"
#include "../host/policy.cuh"
#include "../host/scan_call.cuh"

namespace lookback::gpu {

/// Is this known from the types? Lanes fold items that are not neighbours, and some of them none.
template <class Segments, class T, class Op, class Sink>
inline constexpr bool may_fold_rows = (std::is_same_v<Segments, segments> && is_commutative<Op> && has_identity<Op> &&
                                       std::is_arithmetic_v<T> && Sink::stored::count == 1);

/// Rows that are worth a warp each.
inline bool folds_rows(segments const& s) { return s.kind == segment_kind::rows && s.count >= 128 && s.count <= 4096; }

template <class Items, class T, class Op, class Sink>
struct fold_rows_call {
  source<Items, segments, T> from;
  Op op;
  Sink sink;
  lookback::size size;
};

namespace detail {

inline constexpr int fold_rows_threads = 256, fold_rows_blocks = 8;  // of one multiprocessor

template <class Items, class T, class Op, class Sink>
__global__ void __launch_bounds__(fold_rows_threads, fold_rows_blocks)
    fold_rows_kernel(__grid_constant__ fold_rows_call<Items, T, Op, Sink> const call) {
  ptx::let_next_kernel_start();
  ptx::wait_for_kernel_before();
  index_t const n = items_in(call.size);
  index_t const row = call.from.segments.count, rows = tiles_of(n, row);
  auto const arrays = call.from.items.arrays();
  int const lane = threadIdx.x % 32;
  index_t const first = index_t{blockIdx.x} * (fold_rows_threads / 32) + threadIdx.x / 32,
                step = index_t{gridDim.x} * (fold_rows_threads / 32);
  for (index_t r = first; r < rows; r += step) {
    index_t const begin = r * row;
    int const items = static_cast<int>(min(row, n - begin));
    T folded = neutral<Op>();
    int i = lane;
    for (; i + 7 * 32 < items; i += 8 * 32) {  // all of them are asked for before any is used
      T value[8];
#pragma unroll
      for (int j = 0; j < 8; ++j) value[j] = static_cast<T>(value_in_memory(call.from.items, arrays, begin + i + j * 32));
#pragma unroll
      for (int j = 0; j < 8; ++j) folded = call.op(folded, value[j]);
    }
    for (; i < items; i += 32) folded = call.op(folded, static_cast<T>(value_in_memory(call.from.items, arrays, begin + i)));
    folded = fold_back(folded, directed<Op>{call.op, false}, 31);
    if (lane != 0) continue;
    if (call.from.initial.has) folded = call.op(call.from.initial.value, folded);
    call.sink.out[r] = static_cast<typename Sink::value_type>(call.sink.f(folded));
  }
  if (call.sink.count && blockIdx.x == 0 && threadIdx.x == 0) *call.sink.count = rows;
}

}  // namespace detail

template <class Policy, class Items, class T, class Op, class Sink>
void fold_rows(Policy const& on, size n, source<Items, segments, T> const& from, Op const& op, Sink const& sink) {
  index_t const blocks = tiles_of(tiles_of(n.bound, from.segments.count), detail::fold_rows_threads / 32);
  index_t const resident = index_t{detail::fold_rows_blocks} * detail::multiprocessors(detail::current_device());
  fold_rows_call<Items, T, Op, Sink> const call{from, op, sink, n};
  detail::observe_way(detail::way::row_per_warp, "no look-back", tiles_of(n.bound, from.segments.count), from.segments.count);
  detail::enqueue<&detail::fold_rows_kernel<Items, T, Op, Sink>>(static_cast<int>(std::clamp<index_t>(blocks, 1, resident)),
                                                                 detail::fold_rows_threads, 0, on.stream, call);
}

}  // namespace lookback::gpu
