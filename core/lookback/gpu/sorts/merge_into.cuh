// Sorts by comparisons on the host: which kernels, and the memory that they share. Only enqueues.
//
//   one array   tiles are sorted by blocks, then merged (merge_passes.cuh)
//   segments    short ones as in a sort by digits (sort_segments.cuh); the tiles of long ones are sorted and merged
//
// The host does not know how long segments are: it enqueues as many passes as one segment of all items needs.
#pragma once
#include "merge_passes.cuh"
#include "sort_segments.cuh"

namespace lookback::gpu::detail {

/// Tiles that are sorted by a block, and merged by one.
template <class T, class Order, class Columns>
using merge_tile_shape = chip_shape<T, Order, Columns, 512, sizeof(typename entries<T, Order, Columns>::entry) <= 8 ? 17 : 9,
                                    for_less_memory() ? most_shared_bytes : 96 * 1024>;

/// What moves while runs are merged: memory behind that of a layout.
template <class T, comparison Order, class Columns>
struct merge_memory {
  using beside_type = typename beside_of<Columns>::type;
  using shape = merge_tile_shape<T, Order, Columns>;
  std::size_t items, more_items, beside, splits, disagree;

  merge_memory(scratch_layout& all, index_t n, index_t tiles, bool keeps_items)
      : items{all.add(static_cast<std::size_t>(n) * sizeof(T))},
        more_items{keeps_items ? 0 : all.add(static_cast<std::size_t>(n) * sizeof(T))},
        beside{all.add(static_cast<std::size_t>(n) * beside_type::bytes)},
        splits{all.add(static_cast<std::size_t>(tiles + 1) * sizeof(index_t))},  // of overlapping segments one more is read
        disagree{all.add(static_cast<std::size_t>(tiles))} {}

  template <class Job, class Tiles>
  auto call(Job const& job, Tiles const& tiles, char* memory) const {
    T* const out = job.out ? job.out : reinterpret_cast<T*>(memory + more_items);
    return merge_call<T, Order, beside_type, Tiles>{job.in,
                                                    {nullptr, out, reinterpret_cast<T*>(memory + items)},
                                                    places_of(job.beside, memory + beside),
                                                    job.order,
                                                    tiles,
                                                    reinterpret_cast<index_t*>(memory + splits),
                                                    reinterpret_cast<std::uint8_t*>(memory + disagree)};
  }
};

template <class Shape, class T, class Order, class Beside, class Tiles>
void load_merges() {
  resident_blocks<&sort_tiles_kernel<Shape, T, Order, Beside, Tiles>, 1>(Shape::threads, Shape::bytes, 0);
  resident_blocks<&merge_kernel<Shape, T, Order, Beside, Tiles>, 1>(Shape::threads, Shape::bytes, 0);
  load<&find_splits_kernel<T, Order, Beside, Tiles>>();
  load<&check_splits_kernel<Tiles>>();
}
template <class Shape, class T, class Order, class Beside, class Tiles>
void enqueue_merges(merge_call<T, Order, Beside, Tiles> const& call, index_t tiles, index_t longest, cudaStream_t stream) {
  constexpr auto sort = &sort_tiles_kernel<Shape, T, Order, Beside, Tiles>;
  constexpr auto merge = &merge_kernel<Shape, T, Order, Beside, Tiles>;
  auto const grid = [&](int resident) { return static_cast<int>(std::clamp<index_t>(tiles, 1, resident)); };
  int const sorting = grid(resident_blocks<sort, 1>(Shape::threads, Shape::bytes, 0)),
            merging = grid(resident_blocks<merge, 1>(Shape::threads, Shape::bytes, 0)),
            splitting = blocks_for(tiles, split_threads);
  enqueue<sort>(sorting, Shape::threads, Shape::bytes, stream, call);
  for (int pass = 0; index_t{Shape::items} << pass < longest; ++pass) {
    enqueue<&find_splits_kernel<T, Order, Beside, Tiles>>(splitting, split_threads, 0, stream, call, pass);
    enqueue<&check_splits_kernel<Tiles>>(splitting, split_threads, 0, stream, call.tiles, static_cast<index_t const*>(call.split),
                                         call.disagree, pass);
    enqueue<merge>(merging, Shape::threads, Shape::bytes, stream, call, pass);
  }
}

/// The memory of a sort of one array by comparisons.
template <class T, comparison Order, class Columns>
struct merge_layout {
  using shape = merge_tile_shape<T, Order, Columns>;
  index_t tiles;
  scratch_layout all;
  merge_memory<T, Order, Columns> moves;
  merge_layout(index_t n, bool keeps_items) : tiles{tiles_of(n, shape::items)}, moves(all, n, tiles, keeps_items) {}
};
template <class T, comparison Order, class Columns>
auto layout_of(sort_job<T, Order, Columns> const& job) {
  return merge_layout<T, Order, Columns>(job.size.bound, job.out != nullptr);
}
template <class Policy, class T, comparison Order, class Columns>
void sort_along_in(Policy const& on, sort_job<T, Order, Columns> const& job, merge_layout<T, Order, Columns> const& layout,
                   char* memory) {
  using shape = typename merge_layout<T, Order, Columns>::shape;
  load_merges<shape, T, Order, typename beside_of<Columns>::type, array_tiles>();
  auto const call = layout.moves.call(job, array_tiles{job.size, shape::items}, memory);
  enqueue_merges<shape>(call, layout.tiles, job.size.bound, on.stream);
}

/// That of a sort of segments.
template <class T, comparison Order, class Columns>
struct merge_segments_layout : listed_layout<T, Order, Columns> {
  using shape = merge_tile_shape<T, Order, Columns>;
  index_t tiles;
  std::size_t table;
  merge_memory<T, Order, Columns> moves;
  merge_segments_layout(index_t n, index_t segments, bool keeps_items)
      : listed_layout<T, Order, Columns>(n, segments),
        tiles{this->tiled_room > 0 ? n / shape::items + this->tiled_room : 0},
        table{this->all.add(static_cast<std::size_t>(tiles) * sizeof(tile_entry))},
        moves(this->all, tiles > 0 ? n : 0, tiles, keeps_items) {}
};
template <class T, comparison Order, class Columns>
auto layout_of(sort_job<T, Order, Columns, segment_bounds> const& job) {
  return merge_segments_layout<T, Order, Columns>(job.size.bound, job.segments.count, job.out != nullptr);
}
template <class Policy, class T, comparison Order, class Columns>
void sort_along_in(Policy const& on, sort_job<T, Order, Columns, segment_bounds> const& job,
                   merge_segments_layout<T, Order, Columns> const& layout, char* memory) {
  using shape = typename merge_segments_layout<T, Order, Columns>::shape;
  auto const load_all = [] {
    load<&tabulate_merges_kernel<list_threads>>();
    load_merges<shape, T, Order, typename beside_of<Columns>::type, listed_tiles>();
  };
  sort_listed(on, job, layout, memory, load_all, [&](segments_call<T, Order, Columns> const& call) {
    listed_tiles const tiles{job.size,
                             shape::items,
                             job.segments,
                             call.counts,
                             call.lists[by_tiles],
                             reinterpret_cast<tile_entry*>(memory + layout.table),
                             static_cast<std::uint32_t>(layout.tiles)};
    enqueue<&tabulate_merges_kernel<list_threads>>(blocks_for(layout.tiled_room, 1), list_threads, 0, on.stream, tiles,
                                                   call.counts);
    enqueue_merges<shape>(layout.moves.call(job, tiles, memory), layout.tiles, job.size.bound, on.stream);
  });
}

}  // namespace lookback::gpu::detail

namespace lookback::gpu {

namespace detail {
/// In place of a caller's function: what is moved does not depend on it.
struct any_less {
  template <class T>
  LOOKBACK_FN bool operator()(T const&, T const&) const {
    return false;
  }
};
template <class T, class Columns>
scratch_need scratch_of_merges(index_t n, bool keeps_items, std::size_t bytes_more) {
  merge_layout<T, comparison_order<T, any_less>, Columns> layout(n, keeps_items);
  if (bytes_more > 0) layout.all.add(static_cast<std::size_t>(n) * sizeof(index_t)), layout.all.add(bytes_more);
  return {0, layout.all.bytes()};
}
template <class T, class Columns>
scratch_need scratch_of_merges(index_t n, index_t segments, bool keeps_items, std::size_t bytes_more) {
  merge_segments_layout<T, comparison_order<T, any_less>, Columns> layout(n, segments, keeps_items);
  if (bytes_more > 0) layout.all.add(static_cast<std::size_t>(n) * sizeof(index_t)), layout.all.add(bytes_more);
  return {0, layout.all.bytes()};
}
}  // namespace detail

/// What quicksort by a function needs of a workspace for up to n items of T and values of V...; with `segments`, for so many, of
/// any lengths. As radix_sort_scratch, which says it of natural orders.
template <class T, class... V, class... Segments>
scratch_need quicksort_scratch(index_t n, Segments... segments) {
  using all = decltype(detail::list_of<values_beside<V>...>());
  if constexpr (detail::goes_along<all>) return detail::scratch_of_merges<T, all>(n, segments..., true, 0);
  else
    return detail::scratch_of_merges<T, columns<places_beside<index_t>>>(n, segments..., true,
                                                                         static_cast<std::size_t>(n) * std::max({sizeof(V)...}));
}
/// The same of argsort by a function, for places of type Place.
template <class T, class Place, class... Segments>
scratch_need argsort_by_less_scratch(index_t n, Segments... segments) {
  return detail::scratch_of_merges<T, columns<places_beside<Place>>>(n, segments..., false, 0);
}

}  // namespace lookback::gpu
