// Sorting by digits inside of segments: one call for any number of them, of any lengths. Only enqueues.
//
//   short      short segments are sorted, the others listed by their length (segment_lists.cuh)
//   listed     blocks sort those that fit on chip
//   tabulate   long ones get tiles; count, plan and passes as for one array, a plan for each
#pragma once
#include "../host/policy.cuh"
#include "../host/scan_launch.cuh"
#include "segment_lists.cuh"
#include "sort_parts.cuh"

namespace lookback::gpu::detail {

template <class T, class Order, class Columns>
using small_chip = chip_shape<T, Order, Columns, 128, 4>;
template <class T, class Order, class Columns>
using large_chip = chip_shape<T, Order, Columns, 512, 16>;

/// The memory of a sort of segments.
template <class T, class Order, class Columns>
struct segments_layout {
  using beside_type = typename beside_of<Columns>::type;
  using shape = scatter_shape<T, beside_type>;
  using plan = segment_plan<static_cast<int>(sizeof(typename Order::value))>;
  using small = small_chip<T, Order, Columns>;
  using large = large_chip<T, Order, Columns>;
  index_t small_room, large_room, tiled_room, tiles;
  scratch_layout all;
  std::size_t counts, small_at, large_at, tiled_at, table, plans, items = 0, more_items = 0, beside = 0;

  segments_layout(index_t n, index_t segments, bool keeps_items)
      : small_room{std::min(segments, n / (most_in_warp + 1))},
        large_room{std::min(segments, n / (small::items + 1))},
        tiled_room{std::min(segments, n / (large::items + 1))},
        tiles{tiled_room > 0 ? n / shape::tile_items + tiled_room : 0},
        counts{all.add(sizeof(segment_counts))},
        small_at{all.add(static_cast<std::size_t>(small_room) * 4)},
        large_at{all.add(static_cast<std::size_t>(large_room) * 4)},
        tiled_at{all.add(static_cast<std::size_t>(tiled_room) * 4)},
        table{all.add(static_cast<std::size_t>(tiles) * sizeof(tile_entry))},
        plans{all.add(static_cast<std::size_t>(tiled_room) * sizeof(plan))} {
    if (tiled_room == 0) return;
    items = all.add(static_cast<std::size_t>(n) * sizeof(T));
    if (!keeps_items) more_items = all.add(static_cast<std::size_t>(n) * sizeof(T));
    beside = all.add(static_cast<std::size_t>(n) * beside_type::bytes);
  }
  std::size_t words_64() const { return static_cast<std::size_t>(tiles) * scatter_classes; }
};

template <class Shape, class T, class Order, class Columns>
void enqueue_listed(segments_call<T, Order, Columns> const& call, bool large, index_t room, cudaStream_t stream) {
  if (room == 0) return;
  constexpr auto kernel = &listed_segments_kernel<Shape, T, Order, Columns>;
  int const resident = resident_blocks<kernel, 1>(Shape::threads, Shape::bytes, 0);
  enqueue_overlapping<kernel>(static_cast<int>(std::min<index_t>(room, resident)), Shape::threads, Shape::bytes, stream, call,
                              large);
}

template <class V, class Plan, int Passes>
void enqueue_settle_tiles(V const* in, V* out, V* scratch, bool makes_places, tiled_call<Passes> const& of, int grid,
                          cudaStream_t stream) {
  settle_tiles_call<V, Passes> const call{
      {const_cast<V*>(in), out, scratch}, makes_places, of.counts, of.table, of.most_tiles, of.plans};
  enqueue<&settle_tiles_kernel<V, Passes>>(grid, list_threads, 0, stream, call);
}

/// All columns go along. `memory` has the layout's bytes.
template <class Policy, class T, class Order, class Columns>
void sort_segments_along(Policy const& on, sort_job<T, Order, Columns, segment_bounds> const& job,
                         segments_layout<T, Order, Columns> const& layout, char* memory) {
  using layout_type = segments_layout<T, Order, Columns>;
  using beside_type = typename layout_type::beside_type;
  using plan_type = typename layout_type::plan;
  constexpr int passes_of_type = static_cast<int>(sizeof(typename Order::value));
  bool const keeps_items = job.out != nullptr;
  scratch_of_call const scratch(on.scratch, layout.words_64(), 0, 0, on.stream);
  auto const list = [&](std::size_t at, index_t room) {
    return segment_list{reinterpret_cast<std::uint32_t*>(memory + at), static_cast<std::uint32_t>(room)};
  };
  auto* const counts = reinterpret_cast<segment_counts*>(memory + layout.counts);
  segments_call<T, Order, Columns> const call{{job.in, job.out, compared_bits<Order>(job.order), job.beside},
                                              job.segments,
                                              job.size,
                                              counts,
                                              list(layout.small_at, layout.small_room),
                                              list(layout.large_at, layout.large_room),
                                              list(layout.tiled_at, layout.tiled_room),
                                              layout_type::small::items,
                                              layout_type::large::items};
  // What cannot be loaded fails while nothing has begun.
  load<&short_segments_kernel<T, Order, Columns>>();
  if (layout.tiled_room > 0) load_sort<T, Order, beside_type, tile_table<passes_of_type>>();
  half_call begun(on.scratch);
  check(cudaMemsetAsync(counts, 0, sizeof *counts, on.stream));
  enqueue<&short_segments_kernel<T, Order, Columns>>(blocks_for(job.segments.count, list_threads), list_threads, 0, on.stream,
                                                     call);
  enqueue_listed<typename layout_type::small>(call, false, layout.small_room, on.stream);
  enqueue_listed<typename layout_type::large>(call, true, layout.large_room, on.stream);
  if (layout.tiled_room > 0) {
    T* const one = reinterpret_cast<T*>(memory + layout.items);
    T* const to = keeps_items ? job.out : reinterpret_cast<T*>(memory + layout.more_items);
    auto const beside = places_of(job.beside, memory + layout.beside);
    digits_to_count<T, Order> const digits{job.order};
    tiled_call<passes_of_type> const tiled{job.segments,
                                           job.size,
                                           counts,
                                           call.tiled,
                                           reinterpret_cast<tile_entry*>(memory + layout.table),
                                           static_cast<std::uint32_t>(layout.tiles),
                                           reinterpret_cast<plan_type*>(memory + layout.plans),
                                           layout_type::shape::tile_items,
                                           digits.passes(),
                                           job.in == job.out || is_in_place(beside),
                                           keeps_items};
    int const blocks = static_cast<int>(std::min<index_t>(layout.tiled_room, 8 * multiprocessors(current_device())));
    int const tile_blocks = static_cast<int>(std::min<index_t>(layout.tiles, 4 * multiprocessors(current_device())));
    enqueue<&tabulate_kernel<passes_of_type>>(blocks, list_threads, 0, on.stream, tiled);
    count_tiles_call<T, digits_to_count<T, Order>, passes_of_type> const count{job.in,      digits,           counts,
                                                                               tiled.table, tiled.most_tiles, tiled.plans};
    enqueue<&count_tiles_kernel<T, digits_to_count<T, Order>, passes_of_type>>(tile_blocks, count_threads, 0, on.stream, count);
    enqueue<&plan_segments_kernel<passes_of_type>>(blocks, scatter_classes, 0, on.stream, tiled);
    for (int p = 0; p < digits.passes(); ++p) {
      int const shift = job.order.begin + 8 * p;
      scatter_call<routed_items<T>, digit_of<Order>, beside_type, tile_table<passes_of_type>> const pass{
          .in = {{const_cast<T*>(job.in), to, one}},
          .out = {nullptr, to, one},
          .beside = beside,
          .class_of = {job.order, shift, std::min(8, job.order.end - shift)},
          .tiling = {counts, tiled.table, tiled.most_tiles, tiled.plans, p},
          .tiles = {descriptors_in<count_descriptors>(scratch.get())},
          .memory = scratch.get()};
      enqueue_scatter<false>(layout.tiles, pass, on.stream);
    }
    if (keeps_items) enqueue_settle_tiles<T, plan_type>(job.in, job.out, one, false, tiled, tile_blocks, on.stream);
    if constexpr (beside_type::bytes > 0) {
      using V = typename beside_type::value_type;
      enqueue_settle_tiles<V, plan_type>(beside.at[0], beside.at[1], beside.at[2], beside_type::is_generated, tiled, tile_blocks,
                                         on.stream);
    }
  }
  begun.is_whole();
}

}  // namespace lookback::gpu::detail
