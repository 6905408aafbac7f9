// Stable sorts of items with one column, from the top: the passes of look-back by the highest bits, then leaves on chip. Three
// reads and three writes whatever the width of a key. If a leaf is too long, everything goes by the lowest digits.
#pragma once
#include "sort_from_top.cuh"
#include "stable_leaves.cuh"

namespace lookback::gpu::detail {

/// Is this a stable sort that may go from the top? One column goes along, and leaves fit on chip.
template <class T, class Order, class Columns, class Segments>
inline constexpr bool may_go_from_the_top_in_order = false;
template <class T, class Order, class Column>
requires(!comparison<Order>) inline constexpr bool may_go_from_the_top_in_order<T, Order, columns<Column>, no_segments> =
    goes_along<columns<Column>> && (sizeof(T) == 4 || sizeof(T) == 8) && sizeof(typename Order::value) == sizeof(T);

template <class T, class Beside>
struct pairs_layout : sort_layout<T, Beside> {
  using leaf = stable_leaf_shape<T, Beside>;
  top_widths widths;
  index_t bucket_tiles;
  std::size_t tables, table;
  pairs_layout(index_t n, bool keeps_items)
      : sort_layout<T, Beside>(n, keeps_items),
        widths{widths_for(n, leaf::target)},
        bucket_tiles{this->tiles + buckets},
        tables{this->all.add(sizeof(top_tables))},
        table{this->all.add(static_cast<std::size_t>(bucket_tiles) * sizeof(bucket_tile))} {}
  std::size_t words_64() const { return static_cast<std::size_t>(bucket_tiles) * scatter_classes; }
};

/// Are leaves packed, where they share so many bits that a place fits?
template <class T, class Order, class Beside>
inline constexpr bool packs_leaves = false;
template <class T, class Order, class Beside>
requires(sizeof(T) == 4 && Order::is_exact) inline constexpr bool packs_leaves<T, Order, Beside> = packed_leaf_shape<Beside>::fits;

/// Does it pay, and do leaves fit?
template <class T, class Order, class Beside>
bool pays_from_the_top(sort_job<T, Order, Beside> const& job) {
  using leaf = stable_leaf_shape<T, typename beside_of<Beside>::type>;
  index_t const n = job.size.bound, most = (index_t{leaf::target} << most_top_bits) / 20 * 21;
  return job.order.end - job.order.begin > 24 && n <= most;
}

/// Loads the kernels of a stable sort from the top.
template <class T, class Order, class Beside>
void load_pairs_from_top() {
  using leaf = stable_leaf_shape<T, Beside>;
  load<&sample_top_kernel<T, Order>>();
  resident_blocks<&count_top_kernel<T, Order>, 1>(top_threads, 4 << most_top_bits, 0);
  resident_blocks<&plan_top_kernel<top_threads>, 1>(top_threads, top_plan_bytes, 0);
  load_passes<T, Order, Beside, top_array>();
  load_passes<T, Order, Beside, bucket_tiles>();
  resident_blocks<&stable_leaves_kernel<T, Order, Beside>, 1>(leaf::threads, leaf::bytes, 0);
  if constexpr (packs_leaves<T, Order, Beside>)
    resident_blocks<&packed_leaves_kernel<T, Order, Beside>, 1>(packed_leaf_shape<Beside>::threads,
                                                                packed_leaf_shape<Beside>::bytes, 0);
}

/// Enqueues a stable sort from the top. Returns the tables, which say whether it was chosen.
template <class T, class Order, class Columns>
top_tables* sort_pairs_from_top(sort_job<T, Order, Columns> const& job,
                                pairs_layout<T, typename beside_of<Columns>::type> const& layout, char* memory,
                                scratch const& descriptors, cudaStream_t stream) {
  using beside_type = typename beside_of<Columns>::type;
  using leaf = stable_leaf_shape<T, beside_type>;
  using number = typename Order::value;
  index_t const n = job.size.bound;
  auto* const tables = reinterpret_cast<top_tables*>(memory + layout.tables);
  auto* const table = reinterpret_cast<bucket_tile*>(memory + layout.table);
  T* const one = reinterpret_cast<T*>(memory + layout.items);
  T* const to = job.out ? job.out : reinterpret_cast<T*>(memory + layout.more_items);
  auto const beside = places_of(job.beside, memory + layout.beside);
  int const bits = layout.widths.bits, second_bits = layout.widths.second, width = job.order.end - job.order.begin;
  bool const samples = n >= 1 << 22;
  check(cudaMemsetAsync(tables, 0, zeroed_top_bytes, stream));
  top_call<T, Order> const top{job.in, compared_bits<Order>(job.order), width, job.size, bits, samples, tables};
  if (samples) enqueue<&sample_top_kernel<T, Order>>(1, top_threads, 0, stream, top);
  int const count_blocks = resident_blocks<&count_top_kernel<T, Order>, 1>(top_threads, 4 << most_top_bits, 0);
  enqueue<&count_top_kernel<T, Order>>(static_cast<int>(std::clamp<index_t>(tiles_of(n, 8192), 1, count_blocks)), top_threads,
                                       4 << bits, stream, top);
  top_plan_call const plan{job.size,
                           bits,
                           second_bits,
                           static_cast<std::uint32_t>(leaf::room),
                           1,
                           scatter_shape<T, beside_type, digit_of<Order>::are_even>::tile_items,
                           static_cast<std::uint32_t>(layout.bucket_tiles),
                           samples,
                           false,
                           table,
                           tables};
  enqueue<&plan_top_kernel<top_threads>>(1, top_threads, top_plan_bytes, stream, plan);
  routed_items<T> const items{{const_cast<T*>(job.in), to, one}};
  auto const split = [&](auto const& tiling, int shift, int digit, index_t tiles) {
    scatter_call<routed_items<T>, digit_of<Order>, beside_type, std::remove_cvref_t<decltype(tiling)>> const pass{
        .in = items,
        .out = {nullptr, to, one},
        .beside = beside,
        .class_of = {job.order, shift, digit},
        .tiling = tiling,
        .tiles = {descriptors_in<count_descriptors>(descriptors)},
        .memory = descriptors};
    enqueue_scatter<false>(tiles, pass, stream);
  };
  split(top_array{job.size, tables, second_bits}, job.order.end - first_top_bits, first_top_bits, layout.tiles);
  bool const twice = second_bits > 0;
  if (twice) split(bucket_tiles{tables, table, second_bits}, job.order.end - bits, second_bits, layout.bucket_tiles);
  auto* const there = beside.at[twice ? 1 : 2];
  T* const items_there = twice ? to : one;
  if constexpr (packs_leaves<T, Order, beside_type>) {
    using packed = packed_leaf_shape<beside_type>;
    static_assert(static_cast<int>(leaf::room) <= static_cast<int>(packed::room), "the plan lets no longer leaf through");
    constexpr auto kernel = &packed_leaves_kernel<T, Order, beside_type>;
    if (job.order.all_of_it() && bits >= packed::place_bits) {
      packed_leaf_call<T, Order, beside_type> const leaves{items_there, job.out, there, beside.at[1], job.order, bits, tables};
      enqueue<kernel>(1 << bits, packed::threads, packed::bytes, stream, leaves);
      return tables;
    }
  }
  stable_leaf_call<T, Order, beside_type> const leaves{items_there,
                                                       job.out,
                                                       there,
                                                       beside.at[1],
                                                       compared_bits<Order>(job.order),
                                                       8 * static_cast<int>(sizeof(number)) - width + bits,
                                                       tables};
  constexpr auto kernel = &stable_leaves_kernel<T, Order, beside_type>;
  enqueue<kernel>(1 << bits, leaf::threads, leaf::bytes, stream, leaves);
  return tables;
}

}  // namespace lookback::gpu::detail
