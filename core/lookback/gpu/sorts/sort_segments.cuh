// Sorting by digits inside of segments: one call for any number of them, of any lengths. Only enqueues.
//
//   short      short segments are sorted, the others listed by their length (segment_lists.cuh)
//   listed     warps and blocks sort those that fit on chip
//   tabulate   long ones get tiles; count, plan and passes as for one array, a plan for each
#pragma once
#include "../host/policy.cuh"
#include "../host/scan_launch.cuh"
#include "segment_lists.cuh"
#include "sort_parts.cuh"

namespace lookback::gpu::detail {

/// Shapes of those who sort on chip: a quarter of a warp; a warp, of which many share a multiprocessor; a block of which two or
/// more do; and one that fills it, or half of it. Items that are few enough for `few` are sorted by one block. Entries of 16 bytes
/// need more registers, so there are fewer of them a thread, and those that a function compares take K * K steps of K. Where items
/// are so large that 1024 threads would have one each, 512 have several: what a thread does not sort by itself is merged.
template <class T, class Order, class Columns>
struct chip_shapes {
  static constexpr bool wide = sizeof(typename entries<T, Order, Columns>::entry) > 8, less = for_less_memory();
  static constexpr int most_threads = wide || chip_shape<T, Order, Columns, 1024, 17, most_shared_bytes>::K < 3 ? 512 : 1024;
  using quarter = chip_shape<T, Order, Columns, 8, wide ? 9 : 17, less ? 3 * 1024 : 5 * 1024>;
  using warp = chip_shape<T, Order, Columns, 32, wide ? 9 : 33, less ? 11 * 1024 : 20 * 1024>;
  using block = chip_shape<T, Order, Columns, 256, wide ? 9 : 17, less ? 40 * 1024 : 96 * 1024>;
  using large = chip_shape<T, Order, Columns, most_threads, wide ? 11 : 17, most_shared_bytes>;
  using few = chip_shape<T, Order, Columns, most_threads, 9, most_shared_bytes>;
};

/// Who sorts segments on chip, and the lists of segments.
template <class T, class Order, class Columns>
struct listed_layout {
  using lane = lane_shape<T, Order, Columns>;
  using quarter = typename chip_shapes<T, Order, Columns>::quarter;
  using warp = typename chip_shapes<T, Order, Columns>::warp;
  using block = typename chip_shapes<T, Order, Columns>::block;
  using large = typename chip_shapes<T, Order, Columns>::large;
  static constexpr int most[by_tiles] = {quarter::items, warp::items, block::items, large::items};
  static_assert(most[0] <= most[1] && most[1] <= most[2] && most[2] <= most[3] && most[3] < 1 << 16);
  index_t room[segment_lists], tiled_room;
  scratch_layout all;
  std::size_t counts, ids[segment_lists];

  listed_layout(index_t n, index_t segments) {
    counts = all.add(sizeof(segment_counts));
    for (int l = 0; l < segment_lists; ++l) {
      room[l] = std::min(segments, n / ((l == 0 ? most_in_lane : most[l - 1]) + 1));
      ids[l] = all.add(static_cast<std::size_t>(room[l]) * 4);
    }
    tiled_room = room[by_tiles];
  }
};

/// The memory of a sort of segments by digits.
template <class T, class Order, class Columns>
struct segments_layout : listed_layout<T, Order, Columns> {
  using beside_type = typename beside_of<Columns>::type;
  using shape = scatter_shape<T, beside_type, digit_of<Order>::are_even>;
  using plan = segment_plan<static_cast<int>(sizeof(typename Order::value))>;
  index_t tiles;
  std::size_t table, plans, items = 0, more_items = 0, beside = 0;

  segments_layout(index_t n, index_t segments, bool keeps_items) : listed_layout<T, Order, Columns>(n, segments) {
    auto const add = [&](index_t bytes) { return this->all.add(static_cast<std::size_t>(bytes)); };
    index_t const listed = this->tiled_room;
    // For any order of items of this type: gpu::radix_sort_scratch does not know which.
    tiles = listed > 0 ? n / scatter_shape<T, beside_type, false>::tile_items + listed : 0;
    table = add(tiles * static_cast<index_t>(sizeof(tile_entry)));
    plans = add(listed * static_cast<index_t>(sizeof(plan)));
    if (listed == 0) return;
    items = add(n * static_cast<index_t>(sizeof(T)));
    if (!keeps_items) more_items = add(n * static_cast<index_t>(sizeof(T)));
    beside = add(n * beside_type::bytes);
  }
  std::size_t words_64() const { return static_cast<std::size_t>(tiles) * scatter_classes; }
};

/// Blocks and threads of a kernel whose groups of Shape::threads threads take segments from a list. Loads it.
struct list_grid {
  int blocks, threads, bytes;
};
template <auto Kernel, class Shape>
list_grid grid_of_list(listed which, index_t room) {
  int const threads = std::max(which < by_blocks ? list_threads : 1, Shape::threads), groups = threads / Shape::threads;
  int const bytes = groups * Shape::bytes, resident = resident_blocks<Kernel, 1>(threads, bytes, 0);
  return {static_cast<int>(std::min<index_t>(tiles_of(room, groups), resident)), threads, bytes};
}
template <auto Kernel, class Call>
void enqueue_listed(list_grid const& grid, listed which, cudaStream_t stream, Call const& call) {
  if (grid.blocks > 0) enqueue<Kernel>(grid.blocks, grid.threads, grid.bytes, stream, call, which);
}

/// Loads what sorts segments that have tiles in a table.
template <class T, class Order, class Beside, int Passes>
void load_tiled() {
  load<&tabulate_kernel<Passes>>();
  load<&count_tiles_kernel<T, digits_to_count<T, Order>, Passes>>();
  load<&plan_segments_kernel<Passes>>();
  load_passes<T, Order, Beside, tile_table<Passes>>();
  load<&settle_tiles_kernel<T, Passes>>();
  if constexpr (Beside::bytes > 0) load<&settle_tiles_kernel<typename Beside::value_type, Passes>>();
}

template <class V, class Plan, int Passes>
void enqueue_settle_tiles(V const* in, V* out, V* scratch, bool makes_places, tiled_call<Passes> const& of, int grid,
                          cudaStream_t stream) {
  settle_tiles_call<V, Passes> const call{
      {const_cast<V*>(in), out, scratch}, makes_places, of.counts, of.table, of.most_tiles, of.plans};
  enqueue<&settle_tiles_kernel<V, Passes>>(grid, list_threads, 0, stream, call);
}

/// Short segments are sorted, the others listed and those that fit on chip sorted, too; then tiled(call) does the rest. load() sees
/// to it that what cannot be loaded fails while nothing has begun.
template <class Policy, class T, class Order, class Columns, class Load, class Tiled>
void sort_listed(Policy const& on, sort_job<T, Order, Columns, segment_bounds> const& job,
                 listed_layout<T, Order, Columns> const& layout, char* memory, Load const& load_tiled, Tiled const& tiled) {
  using layout_type = listed_layout<T, Order, Columns>;
  auto* const counts = reinterpret_cast<segment_counts*>(memory + layout.counts);
  segments_call<T, Order, Columns> call{
      {job.in, job.out, compared_by<Order>(job.order), job.beside}, job.segments, job.size, counts, {}, {}};
  for (int l = 0; l < segment_lists; ++l)
    call.lists[l] = {reinterpret_cast<std::uint32_t*>(memory + layout.ids[l]), static_cast<std::uint32_t>(layout.room[l])};
  for (int l = 0; l < by_tiles; ++l) call.most[l] = layout_type::most[l];
  using lane = typename layout_type::lane;
  using quarter = typename layout_type::quarter;
  using warp = typename layout_type::warp;
  using block = typename layout_type::block;
  using large = typename layout_type::large;
  constexpr auto short_kernel = &short_segments_kernel<T, Order, Columns>;
  constexpr auto quarters = &listed_for_lanes_kernel<quarter, T, Order, Columns>;
  constexpr auto warps = &listed_for_lanes_kernel<warp, T, Order, Columns>;
  constexpr auto blocks_of_256 = &listed_for_blocks_kernel<block, T, Order, Columns>;
  constexpr auto large_blocks = &listed_for_blocks_kernel<large, T, Order, Columns>;
  int const resident = resident_blocks<short_kernel, 1>(lane::threads, lane::bytes, 0);
  list_grid const grids[by_tiles] = {grid_of_list<quarters, quarter>(by_quarters, layout.room[by_quarters]),
                                     grid_of_list<warps, warp>(by_warps, layout.room[by_warps]),
                                     grid_of_list<blocks_of_256, block>(by_blocks, layout.room[by_blocks]),
                                     grid_of_list<large_blocks, large>(by_large_blocks, layout.room[by_large_blocks])};
  if (layout.tiled_room > 0) load_tiled();
  lookback::detail::observe_way("segments on chip, by their lengths",
                                layout.tiled_room > 0 ? "the longest, where there are such, in tiles of many blocks"
                                                      : "no segment can be too long for a block",
                                0, 0, 0, 0);
  half_call begun(on.scratch);
  check(cudaMemsetAsync(counts, 0, sizeof *counts, on.stream));
  enqueue<short_kernel>(static_cast<int>(std::min<index_t>(tiles_of(job.segments.count, lane::threads), 4 * resident)),
                        lane::threads, lane::bytes, on.stream, call);
  enqueue_listed<quarters>(grids[by_quarters], by_quarters, on.stream, call);
  enqueue_listed<warps>(grids[by_warps], by_warps, on.stream, call);
  enqueue_listed<blocks_of_256>(grids[by_blocks], by_blocks, on.stream, call);
  enqueue_listed<large_blocks>(grids[by_large_blocks], by_large_blocks, on.stream, call);
  if (layout.tiled_room > 0) tiled(call);
  begun.is_whole();
}

/// All columns go along. `memory` has the layout's bytes.
template <class Policy, class T, class Order, class Columns>
void sort_segments_along(Policy const& on, sort_job<T, Order, Columns, segment_bounds> const& job,
                         segments_layout<T, Order, Columns> const& layout, char* memory) {
  using layout_type = segments_layout<T, Order, Columns>;
  using beside_type = typename layout_type::beside_type;
  using plan_type = typename layout_type::plan;
  constexpr int passes_of_type = static_cast<int>(sizeof(typename Order::value));
  scratch_of_call const scratch(on.scratch, layout.words_64(), 0, 0, on.stream);
  auto const tiled_passes = [&](segments_call<T, Order, Columns> const& call) {
    bool const keeps_items = job.out != nullptr;
    T* const one = reinterpret_cast<T*>(memory + layout.items);
    T* const to = keeps_items ? job.out : reinterpret_cast<T*>(memory + layout.more_items);
    auto const beside = places_of(job.beside, memory + layout.beside);
    digits_to_count<T, Order> const digits{job.order};
    segment_counts* const counts = call.counts;
    tiled_call<passes_of_type> const tiled{job.segments,
                                           job.size,
                                           counts,
                                           call.lists[by_tiles],
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
  };
  sort_listed(
      on, job, layout, memory, [] { load_tiled<T, Order, beside_type, passes_of_type>(); }, tiled_passes);
}

}  // namespace lookback::gpu::detail
