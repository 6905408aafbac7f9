// Columns beside an output on the GPU: gathered in areas behind that of the output and stored like it. In a slot each lies at the
// 16-byte phase of its destination, for the copy engine; aside of the slots, before the destination is known, at none.
#pragma once
#include "../../sink.hpp"
#include "../device/store_run.cuh"
#include "shape.cuh"

namespace lookback::gpu {

/// Where the area behind that of `count` elements of Out begins in a slot, at any phase.
template <class Out>
__device__ __forceinline__ int area_after(int area, int count) {
  return area + (count * static_cast<int>(sizeof(Out)) + 15 & ~15) + 16;
}

/// Calls put(to, column) for each column: `to` is where place `rank` of the tile's output, of `count` elements, is gathered, of
/// which place 0 goes to out[before].
template <class Put>
__device__ __forceinline__ void for_each_column(columns<> const&, int, int, int, index_t, int, Put&&) {}
template <class Column, class... Rest, class Put>
__device__ __forceinline__ void for_each_column(columns<Column, Rest...> const& all, int slot, int area, int count, index_t before,
                                                int rank, Put&& put) {
  using Out = typename Column::value_type;
  int const phase = phase_of(all.first.out + before);
  put(slot_memory() + slot + area + phase + rank * static_cast<int>(sizeof(Out)), all.first);
  for_each_column(all.rest, slot, area_after<Out>(area, count), count, before, rank, put);
}

/// Where a thread puts its next element of each column in such areas, at no phase.
template <class Columns>
struct gathered_places {
  __device__ __forceinline__ void begin_at(int, int, int) {}
  template <class Value>
  __device__ __forceinline__ void put(columns<> const&, Value const&) {}
};
template <class Column, class... Rest>
struct gathered_places<columns<Column, Rest...>> {
  using Out = typename Column::value_type;
  int to;
  gathered_places<columns<Rest...>> rest;
  __device__ __forceinline__ void begin_at(int area, int count, int rank) {
    to = area + rank * static_cast<int>(sizeof(Out));
    rest.begin_at(area_after<Out>(area, count), count, rank);
  }
  /// value(payload) of each.
  template <class Value>
  __device__ __forceinline__ void put(columns<Column, Rest...> const& all, Value const& value) {
    *slot_memory_at<Out>(to) = static_cast<Out>(value(all.first.payload));
    to += static_cast<int>(sizeof(Out));
    rest.put(all.rest, value);
  }
};

/// Calls f(column) for each.
template <class F>
__device__ __forceinline__ void for_each_column_alone(columns<> const&, F&&) {}
template <class Column, class... Rest, class F>
__device__ __forceinline__ void for_each_column_alone(columns<Column, Rest...> const& all, F&& f) {
  f(all.first);
  for_each_column_alone(all.rest, f);
}

/// Stores `count` gathered elements of each column to out[before] and on, by `threads` threads of which this is number `thread`.
/// With `of`, all of so many threads call, and each column is stored by the first ones behind those that stored the one before.
__device__ __forceinline__ void store_columns(columns<> const&, int, int, index_t, int, int, int, int = 0) {}
template <class Column, class... Rest>
__device__ __forceinline__ void store_columns(columns<Column, Rest...> const& all, int slot, int area, index_t before, int count,
                                              int thread, int threads, int of = 0) {
  using Out = typename Column::value_type;
  char* const begin = reinterpret_cast<char*>(all.first.out + before);
  if (of > 0) thread = thread < threads ? thread - threads + of : thread - threads;
  if (of == 0 || thread < threads)
    store_run<Out>(begin, begin + count * static_cast<int>(sizeof(Out)), slot_memory() + slot + area + phase_of(begin), thread,
                   threads);
  store_columns(all.rest, slot, area_after<Out>(area, count), before, count, thread, threads, of);
}

/// Stores `count` elements of each column from areas that lie side by side, by the first `threads` threads of the block.
__device__ __forceinline__ void store_by_threads(columns<> const&, int, index_t, int, int) {}
template <class Column, class... Rest>
__device__ __forceinline__ void store_by_threads(columns<Column, Rest...> const& all, int area, index_t before, int count,
                                                 int threads) {
  using Out = typename Column::value_type;
  auto const* const gathered = slot_memory_at<Out const>(area);
  for (int k = threadIdx.x; k < count; k += threads) all.first.out[before + k] = gathered[k];
  store_by_threads(all.rest, area_after<Out>(area, count), before, count, threads);
}

}  // namespace lookback::gpu
