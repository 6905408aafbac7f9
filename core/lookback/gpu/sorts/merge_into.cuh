// Sorts by comparisons on the host: which kernels, and the memory that they share. Only enqueues.
//
//   one array   split into buckets by a sample, which are sorted on chip (sample_sort.cuh)
//   segments    short ones as in a sort by digits (sort_segments.cuh); long ones are split, all together
//   otherwise   few or very many items, or wide ones: tiles are sorted by blocks, then merged (merge_passes.cuh)
//
// The host does not know how long segments are: it enqueues what one segment of all items needs.
#pragma once
#include "merge_passes.cuh"
#include "sample_sort.cuh"
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

  template <class Job>
  auto call(Job const& job, merge_tiles const& tiles, char* memory) const {
    T* const out = job.out ? job.out : reinterpret_cast<T*>(memory + more_items);
    return merge_call<T, Order, beside_type>{job.in,
                                             {nullptr, out, reinterpret_cast<T*>(memory + items)},
                                             places_of(job.beside, memory + beside),
                                             job.order,
                                             tiles,
                                             reinterpret_cast<index_t*>(memory + splits),
                                             reinterpret_cast<std::uint8_t*>(memory + disagree)};
  }
};

template <class Shape, class T, class Order, class Beside>
void load_merges() {
  resident_blocks<&sort_tiles_kernel<Shape, T, Order, Beside>, 1>(Shape::threads, Shape::bytes, 0);
  resident_blocks<&merge_kernel<Shape, T, Order, Beside>, 1>(Shape::threads, Shape::bytes, 0);
  load<&find_splits_kernel<T, Order, Beside>>();
  load<&check_splits_kernel<>>();
}
template <class Shape, class T, class Order, class Beside>
void enqueue_merges(merge_call<T, Order, Beside> const& call, index_t tiles, index_t longest, cudaStream_t stream) {
  constexpr auto sort = &sort_tiles_kernel<Shape, T, Order, Beside>;
  constexpr auto merge = &merge_kernel<Shape, T, Order, Beside>;
  auto const grid = [&](int resident) { return static_cast<int>(std::clamp<index_t>(tiles, 1, resident)); };
  int const sorting = grid(resident_blocks<sort, 1>(Shape::threads, Shape::bytes, 0)),
            merging = grid(resident_blocks<merge, 1>(Shape::threads, Shape::bytes, 0)),
            splitting = blocks_for(tiles, split_threads);
  enqueue<sort>(sorting, Shape::threads, Shape::bytes, stream, call);
  for (int pass = 0; index_t{Shape::items} << pass < longest; ++pass) {
    enqueue<&find_splits_kernel<T, Order, Beside>>(splitting, split_threads, 0, stream, call, pass);
    if (splitting > 1)
      enqueue<&check_splits_kernel<>>(splitting, split_threads, 0, stream, call.tiles, static_cast<index_t const*>(call.split),
                                      call.disagree, pass);
    enqueue<merge>(merging, Shape::threads, Shape::bytes, stream, call, pass);
  }
}

/// The memory of a sort of one array by comparisons.
template <class T, comparison Order, class Columns>
struct comparison_layout {
  using shape = merge_tile_shape<T, Order, Columns>;
  index_t tiles;
  bool by_samples;
  scratch_layout all;
  merge_memory<T, Order, Columns> moves;
  sample_memory<T, Order, Columns> samples;
  comparison_layout(index_t n, bool keeps_items)
      : tiles{tiles_of(n, shape::items)},
        by_samples{may_sample<T, Order, Columns> && n >= fewest_sampled<entry_of<T, Columns>> && n < most_sampled},
        moves(all, by_samples ? 0 : n, tiles, keeps_items),
        samples(all, by_samples ? n : 0, 1) {}
};
template <class T, comparison Order, class Columns>
auto layout_of(sort_job<T, Order, Columns> const& job) {
  return comparison_layout<T, Order, Columns>(job.size.bound, job.out != nullptr);
}
template <class Policy, class T, comparison Order, class Columns>
void sort_along_in(Policy const& on, sort_job<T, Order, Columns> const& job, comparison_layout<T, Order, Columns> const& layout,
                   char* memory) {
  using shape = typename comparison_layout<T, Order, Columns>::shape;
  if constexpr (may_sample<T, Order, Columns>)
    if (layout.by_samples) {
      load_sample_sort<T, Order, Columns>();
      lookback::detail::observe_way("buckets of a sample, leaves on chip", "there are so many items that it is faster than merging",
                                    0, 0, 0, 0);
      return enqueue_sample_sort(on, layout.samples.call(job, {job.size, {}, nullptr, {}}, memory), job.size.bound);
    }
  load_merges<shape, T, Order, typename beside_of<Columns>::type>();
  lookback::detail::observe_way("tiles sorted on chip, then merged", "there are few items, wide ones, or 2^31 and more",
                                layout.tiles, shape::items, 0, 0);
  auto const call = layout.moves.call(job, merge_tiles{job.size, shape::items, {}, nullptr, {}, nullptr, 0}, memory);
  enqueue_merges<shape>(call, layout.tiles, job.size.bound, on.stream);
}

/// That of a sort of segments.
template <class T, comparison Order, class Columns>
struct segments_comparison_layout : listed_layout<T, Order, Columns> {
  using shape = merge_tile_shape<T, Order, Columns>;
  bool by_samples;
  index_t tiles;
  std::size_t table;
  merge_memory<T, Order, Columns> moves;
  sample_memory<T, Order, Columns> samples;
  segments_comparison_layout(index_t n, index_t segments, bool keeps_items)
      : listed_layout<T, Order, Columns>(n, segments),
        by_samples{may_sample<T, Order, Columns> && this->tiled_room > 0 && n < most_sampled},
        tiles{this->tiled_room > 0 && !by_samples ? n / shape::items + this->tiled_room : 0},
        table{this->all.add(static_cast<std::size_t>(tiles) * sizeof(tile_entry))},
        moves(this->all, tiles > 0 ? n : 0, tiles, keeps_items),
        samples(this->all, by_samples ? n : 0, this->tiled_room) {}
};
template <class T, comparison Order, class Columns>
auto layout_of(sort_job<T, Order, Columns, segment_bounds> const& job) {
  return segments_comparison_layout<T, Order, Columns>(job.size.bound, job.segments.count, job.out != nullptr);
}
template <class Policy, class T, comparison Order, class Columns>
void sort_along_in(Policy const& on, sort_job<T, Order, Columns, segment_bounds> const& job,
                   segments_comparison_layout<T, Order, Columns> const& layout, char* memory) {
  using shape = typename segments_comparison_layout<T, Order, Columns>::shape;
  auto const load_all = [&] {
    if constexpr (may_sample<T, Order, Columns>)
      if (layout.by_samples) return load_sample_sort<T, Order, Columns>();
    load<&tabulate_merges_kernel<list_threads>>();
    load_merges<shape, T, Order, typename beside_of<Columns>::type>();
  };
  sort_listed(on, job, layout, memory, load_all, [&](segments_call<T, Order, Columns> const& call) {
    if constexpr (may_sample<T, Order, Columns>)
      if (layout.by_samples) {
        bucket_source const from{job.size, job.segments, call.counts, call.lists[by_tiles]};
        return enqueue_sample_sort(on, layout.samples.call(job, from, memory), job.size.bound);
      }
    merge_tiles const tiles{job.size,
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
/// For any number of items up to n, whether the sort is stable or not: those that are sorted by a sample need more than many that
/// are merged.
template <class T, class Columns, class... Segments>
std::size_t bytes_of_comparisons(index_t n, bool keeps_items, std::size_t bytes_more, Segments... segments) {
  auto const bytes_of = [&]<bool Stable>(index_t items, std::bool_constant<Stable>) {
    using order = comparison_order<T, any_less, Stable>;
    std::conditional_t<sizeof...(Segments) == 0, comparison_layout<T, order, Columns>,
                       segments_comparison_layout<T, order, Columns>>
    layout(items, segments..., keeps_items);
    if (bytes_more > 0) layout.all.add(static_cast<std::size_t>(items) * sizeof(index_t)), layout.all.add(bytes_more);
    return layout.all.bytes();
  };
  index_t const sampled = std::min(n, most_sampled - 1);
  return std::max({bytes_of(n, std::true_type{}), bytes_of(n, std::false_type{}), bytes_of(sampled, std::true_type{}),
                   bytes_of(sampled, std::false_type{})});
}
}  // namespace detail

/// What quicksort by a function needs of a workspace for up to n items of T and values of V...; with `segments`, for so many, of
/// any lengths. As radix_sort_scratch, which says it of natural orders.
template <class T, class... V, class... Segments>
scratch_need quicksort_scratch(index_t n, Segments... segments) {
  using all = decltype(detail::list_of<values_beside<V>...>());
  if constexpr (detail::goes_along<all>) {
    return {0, detail::bytes_of_comparisons<T, all>(n, true, 0, segments...)};
  } else {  // places go along, as wide as n asks for
    std::size_t const aside = static_cast<std::size_t>(n) * std::max({sizeof(V)...});
    return {0, std::max(detail::bytes_of_comparisons<T, columns<places_beside<index_t>>>(n, true, aside, segments...),
                        detail::bytes_of_comparisons<T, columns<places_beside<std::uint32_t>>>(n, true, aside, segments...))};
  }
}
/// The same of argsort by a function, for places of type Place.
template <class T, class Place, class... Segments>
scratch_need argsort_by_less_scratch(index_t n, Segments... segments) {
  return {0, detail::bytes_of_comparisons<T, columns<places_beside<Place>>>(n, false, 0, segments...)};
}

}  // namespace lookback::gpu
