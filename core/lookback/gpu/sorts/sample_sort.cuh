// A sort by samples on the host: its memory, and its launches: one level of buckets, or two, then leaves (buckets.cuh). Only
// enqueues.
#pragma once
#include "bucket_leaves.cuh"
#include "open_buckets.cuh"
#include "sort_parts.cuh"
#include "split_buckets.cuh"

namespace lookback::gpu::detail {

/// Up to entries of 16 bytes: of wider ones so few fit on chip that merges are as fast.
template <class T, class Order, class Columns>
inline constexpr bool may_sample = false;
template <class T, class Order, class Columns>
requires(Columns::count <= 1 &&
         goes_along<Columns>) inline constexpr bool may_sample<T, Order, Columns> = sizeof(entry_of<T, Columns>) <= 16;
/// Fewer are merged: a sample that one block sorts takes longer than the passes then (measured, docs/lab/gpu.md). Places of more
/// than most_sampled do not fit in 32 bits with what is added to them.
template <class Entry>
inline constexpr index_t fewest_sampled = sizeof(Entry) <= 4   ? 3 << 17
                                          : sizeof(Entry) <= 8 ? 1 << 16
                                                               : 1 << 14;
inline constexpr index_t most_sampled = index_t{1} << 31;

template <class T, comparison Order, class Columns>
struct sample_memory {
  index_t n = 0, buckets[2]{}, tiles[2]{}, stored = 0, pieces = 0, leaves[leaf_lists]{};
  bool is_deep = false;
  std::size_t totals = 0, records[2]{}, repeated[2]{}, counts[2]{}, table[2]{}, rows[2]{}, trees[2]{}, entries[2]{}, piece_list = 0,
              lists[leaf_lists]{};

  sample_memory(scratch_layout&, index_t, index_t) requires(!may_sample<T, Order, Columns>) {}
  sample_memory(scratch_layout& all, index_t items, index_t first_buckets) requires(may_sample<T, Order, Columns>) : n{items} {
    if (n == 0) return;
    using leaf = leaf_shapes<T, Order, Columns>;
    constexpr index_t tile_items = split_shape<T, Order, Columns>::items;
    is_deep = n > index_t{most_ways} * leaf::wanted;
    buckets[0] = first_buckets, buckets[1] = is_deep ? n / (leaf::long_leaf::items + 1) + 1 : 0;
    for (int l = 0; l < 2; ++l) tiles[l] = buckets[l] > 0 ? n / tile_items + buckets[l] : 0;
    stored = n + 32 * std::max(buckets[0], buckets[1]);
    // Of each tile of the first level, every bucket of the second that its bucket becomes has at most one piece.
    pieces = is_deep ? std::min<index_t>(most_ways, buckets[1]) * tiles[0] + buckets[1] : 0;
    // A bucket has as many ways as leaves are wanted of it, or 16 that are more, and a class behind the last splitter. Long leaves
    // are longer than short ones can be, and so on; what is only moved has parts as long.
    index_t const most_in[] = {leaf::short_leaf::items, leaf::long_leaf::items};
    leaves[short_leaves] = 2 * (n / leaf::wanted) + 20 * (buckets[0] + buckets[1]);
    leaves[long_leaves] = n / (most_in[0] + 1) + 1, leaves[longer_leaves] = 2 * (n / most_in[1] + 1);
    totals = all.add(sizeof(bucket_totals));
    for (int l = 0; l < 2; ++l) {
      auto const b = static_cast<std::size_t>(buckets[l]), t = static_cast<std::size_t>(tiles[l]);
      records[l] = all.add(b * sizeof(sort_bucket)), repeated[l] = all.add(b * most_ways / 8),
      counts[l] = all.add(b * most_ways * 4);
      table[l] = all.add(t * sizeof(tile_of_bucket)), rows[l] = all.add(t * row_length * 2);
      trees[l] = all.add(b * most_ways * sizeof(room<T>));
      entries[l] = all.add(static_cast<std::size_t>(stored) * sizeof(entry_of<T, Columns>));
    }
    piece_list = all.add(static_cast<std::size_t>(pieces) * sizeof(bucket_piece));
    for (int l = 0; l < leaf_lists; ++l) lists[l] = all.add(static_cast<std::size_t>(leaves[l]) * sizeof(bucket_leaf));
  }

  template <class Job>
  bucket_call<T, Order, Columns> call(Job const& job, bucket_source const& from, char* memory) const {
    using leaf = leaf_shapes<T, Order, Columns>;
    auto const at = [=]<class V>(std::size_t where, V*) { return reinterpret_cast<V*>(memory + where); };
    bucket_call<T, Order, Columns> c{{job.in, job.out, job.order, job.beside}, from, {}, {}, {}};
    auto const narrow = [](index_t i) { return static_cast<std::uint32_t>(i); };
    c.tables.totals = reinterpret_cast<bucket_totals*>(memory + totals);
    for (int l = 0; l < 2; ++l) {
      c.tables.levels[l] = {at(records[l], static_cast<sort_bucket*>(nullptr)),
                            at(repeated[l], static_cast<std::uint32_t*>(nullptr)),
                            at(counts[l], static_cast<std::uint32_t*>(nullptr)),
                            at(table[l], static_cast<tile_of_bucket*>(nullptr)),
                            at(rows[l], static_cast<std::uint16_t*>(nullptr)),
                            narrow(buckets[l]),
                            narrow(tiles[l])};
      c.trees[l] = at(trees[l], static_cast<room<T>*>(nullptr));
      c.stored[l] = at(entries[l], static_cast<entry_of<T, Columns>*>(nullptr));
    }
    c.tables.pieces = at(piece_list, static_cast<bucket_piece*>(nullptr));
    for (int l = 0; l < leaf_lists; ++l)
      c.tables.leaves[l] = at(lists[l], static_cast<bucket_leaf*>(nullptr)), c.tables.most_leaves[l] = narrow(leaves[l]);
    c.tables.most_pieces = narrow(pieces), c.tables.most_stored = narrow(stored);
    c.tables.leaf_items = leaf::wanted;
    c.tables.most_in[0] = leaf::short_leaf::items, c.tables.most_in[1] = leaf::long_leaf::items;
    c.tables.tile_items = split_shape<T, Order, Columns>::items, c.tables.is_deep = is_deep;
    return c;
  }
};

/// The kernels of a sort by samples.
template <class T, class Order, class Columns>
struct sample_kernels {
  using short_leaf = typename leaf_shapes<T, Order, Columns>::short_leaf;
  using long_leaf = typename leaf_shapes<T, Order, Columns>::long_leaf;
  using split = split_shape<T, Order, Columns>;
  using sample = sample_shape<T>;
  static constexpr auto open_first = &open_first_kernel<T, Order, Columns>;
  static constexpr auto open_second = &open_second_kernel<T, Order, Columns>;
  static constexpr auto split_first = &split_buckets_kernel<true, T, Order, Columns>;
  static constexpr auto split_second = &split_buckets_kernel<false, T, Order, Columns>;
  static constexpr auto short_leaves = &sort_leaves_kernel<short_leaf, T, Order, Columns>;
  static constexpr auto long_leaves = &sort_leaves_kernel<long_leaf, T, Order, Columns>;
  static constexpr auto longer_leaves = &sort_longer_leaves_kernel<long_leaf, T, Order, Columns>;
};
/// So many blocks of a kernel, at most as many as are on the device at once; loads it.
template <auto Kernel>
int resident_grid(index_t most, int threads, int bytes) {
  return static_cast<int>(std::clamp<index_t>(most, 1, resident_blocks<Kernel, 1>(threads, bytes, 0)));
}
template <class T, class Order, class Columns>
void load_sample_sort() {
  using k = sample_kernels<T, Order, Columns>;
  resident_grid<k::open_first>(1, k::sample::threads, k::sample::bytes);
  resident_grid<k::open_second>(1, k::sample::threads, k::sample::bytes);
  resident_grid<k::split_first>(1, k::split::threads, k::split::bytes);
  resident_grid<k::split_second>(1, k::split::threads, k::split::bytes);
  resident_grid<k::short_leaves>(1, k::short_leaf::threads, k::short_leaf::bytes);
  resident_grid<k::long_leaves>(1, k::long_leaf::threads, k::long_leaf::bytes);
  resident_grid<k::longer_leaves>(1, k::long_leaf::threads, k::long_leaf::bytes);
  load<&plan_buckets_kernel<>>();
}
template <class Policy, class T, class Order, class Columns>
void enqueue_sample_sort(Policy const& on, bucket_call<T, Order, Columns> const& call, index_t n) {
  using k = sample_kernels<T, Order, Columns>;
  bucket_tables const& tables = call.tables;
  check(cudaMemsetAsync(tables.totals, 0, sizeof(bucket_totals), on.stream));
  auto const level = [&]<auto Open, auto Split>(int which) {
    index_t const buckets = tables.levels[which].most_buckets, tiles = tables.levels[which].most_tiles;
    enqueue<Open>(resident_grid<Open>(buckets, k::sample::threads, k::sample::bytes), k::sample::threads, k::sample::bytes,
                  on.stream, call);
    enqueue<Split>(resident_grid<Split>(tiles, k::split::threads, k::split::bytes), k::split::threads, k::split::bytes, on.stream,
                   call);
    enqueue<&plan_buckets_kernel<>>(blocks_for(buckets, 1), most_ways, 0, on.stream, tables, which);
  };
  level.template operator()<k::open_first, k::split_first>(0);
  if (tables.is_deep) level.template operator()<k::open_second, k::split_second>(1);
  auto const leaves = [&]<auto Kernel, class Shape>(leaf_list which, std::type_identity<Shape>) {
    enqueue<Kernel>(resident_grid<Kernel>(tables.most_leaves[which], Shape::threads, Shape::bytes), Shape::threads, Shape::bytes,
                    on.stream, call, which);
  };
  leaves.template operator()<k::short_leaves>(short_leaves, std::type_identity<typename k::short_leaf>{});
  leaves.template operator()<k::long_leaves>(long_leaves, std::type_identity<typename k::long_leaf>{});
  leaves.template operator()<k::long_leaves>(longer_leaves, std::type_identity<typename k::long_leaf>{});
  enqueue<k::longer_leaves>(
      resident_grid<k::longer_leaves>(n / (k::long_leaf::items + 1) + 1, k::long_leaf::threads, k::long_leaf::bytes),
      k::long_leaf::threads, k::long_leaf::bytes, on.stream, call);
}

}  // namespace lookback::gpu::detail
