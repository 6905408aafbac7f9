// Columns beside an output on the GPU: gathered in areas of the slot behind that of the output, each at the 16-byte phase of its
// destination, and stored like it.
#pragma once
#include "../sink.hpp"
#include "shape.cuh"
#include "store_run.cuh"

namespace lookback::gpu {

/// Where the area behind that of Out begins in a slot, for tiles of `Form`.
template <class Form, class Out>
__device__ __forceinline__ constexpr int area_after(int area) {
  return area + region_bytes<Out>(Form::tile_items, Form::area_pad);
}

/// Calls put(to, payload, step) for each column: `to` is where place `rank` of the tile's output is gathered, of which place 0 goes
/// to out[before].
template <class Form, class Put>
__device__ __forceinline__ void for_each_column(columns<> const&, int, int, index_t, int, Put&&) {}
template <class Form, class Column, class... Rest, class Put>
__device__ __forceinline__ void for_each_column(columns<Column, Rest...> const& all, int slot, int area, index_t before, int rank,
                                                Put&& put) {
  using Out = typename Column::value_type;
  int const phase = static_cast<int>(detail::phase_of(all.first.out + before));
  put(slot_memory() + slot + area + phase + rank * static_cast<int>(sizeof(Out)), all.first);
  for_each_column<Form>(all.rest, slot, area_after<Form, Out>(area), before, rank, put);
}

/// Stores `count` gathered elements of each column to out[before] and on.
template <class Form>
__device__ __forceinline__ void store_columns(columns<> const&, int, int, index_t, int, int, int) {}
template <class Form, class Column, class... Rest>
__device__ __forceinline__ void store_columns(columns<Column, Rest...> const& all, int slot, int area, index_t before, int count,
                                              int thread, int threads) {
  using Out = typename Column::value_type;
  char* const begin = reinterpret_cast<char*>(all.first.out + before);
  store_run<Out>(begin, begin + count * static_cast<int>(sizeof(Out)), slot_memory() + slot + area + detail::phase_of(begin),
                 thread, threads);
  store_columns<Form>(all.rest, slot, area_after<Form, Out>(area), before, count, thread, threads);
}

}  // namespace lookback::gpu
