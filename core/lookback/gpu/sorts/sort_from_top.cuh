// Keys that stand alone, whose equals have equal bytes: split from the top twice, and sort leaves on chip. Three reads and three
// writes whatever the width of a key.
//
//   sample, count, plan     (top_bits.cuh)            should the plan prefer the lowest digits, the rest ends at once
//   first, second split     (split_unordered.cuh)     input -> scratch -> output
//   leaves                  (leaf_sort.cuh)           in the output
//   long leaves             by their lowest digits, each by itself, as long segments are; then numbers become keys again
#pragma once
#include "leaf_sort.cuh"
#include "sort_segments.cuh"
#include "split_unordered.cuh"

namespace lookback::gpu {

/// Lists leaves that no block sorts.
template <int Threads>
__global__ void __launch_bounds__(Threads)
    list_long_leaves_kernel(top_tables const* tables, int leaves, int room, segment_list list, segment_counts* counts) {
  ptx::let_next_kernel_start();
  ptx::wait_for_kernel_before();
  if (!tables->from_the_top || tables->long_items == 0) return;
  for (int i = blockIdx.x * Threads + threadIdx.x; i < leaves; i += gridDim.x * Threads)
    list.add(&counts->segments[by_tiles], i, tables->begins[i + 1] - tables->begins[i] > room);  // whole warps: leaves come by 256
}

/// The numbers of long leaves become keys, where they lie.
template <class T, class Order>
struct long_keys_call {
  T* out;
  Order order;
  segment_counts const* counts;
  tile_entry const* table;
  std::uint32_t most_tiles;
};
template <class T, class Order>
__global__ void __launch_bounds__(list_threads) long_keys_kernel(__grid_constant__ long_keys_call<T, Order> const call) {
  using number = typename Order::value;
  ptx::let_next_kernel_start();
  ptx::wait_for_kernel_before();
  std::uint32_t const tiles = call.counts->tiles_of(call.most_tiles);
  for (std::uint32_t t = blockIdx.x; t < tiles; t += gridDim.x) {
    tile_entry const e = call.table[t];
    for (int i = threadIdx.x; i < e.count; i += list_threads) {
      T* const at = call.out + e.begin + i;
      number k;
      memcpy(&k, at, sizeof k);
      *at = call.order.of.key(k);
    }
  }
}

namespace detail {

/// Is this a sort that may go from the top? So many items that it pays, and so few that leaves fit on chip.
template <class T, class Order, class Columns, class Segments>
inline constexpr bool may_go_from_the_top = false;
template <class T, class Order>
requires(!comparison<Order>) inline constexpr bool may_go_from_the_top<T, Order, columns<>, no_segments> =
    Order::is_exact && sizeof(T) == sizeof(typename Order::value) && (sizeof(T) == 4 || sizeof(T) == 8);

/// Leaves of more items would not fit on chip.
template <class Number>
inline constexpr index_t most_from_the_top = (index_t{leaf_shape<Number>::target} << most_top_bits) / 20 * 21;

struct top_widths {
  int bits, second;
};
/// Leaves of about `target` items, if 15 bits make so many of them.
inline top_widths widths_for(index_t n, index_t target) {
  int bits = first_top_bits;
  while (bits < most_top_bits && n >> bits > target) ++bits;
  return {bits, bits - first_top_bits};
}

template <class Number>
struct top_layout {
  using plain_order = radix_order<Number, itself, true>;
  using plan = segment_plan<static_cast<int>(sizeof(Number))>;
  using second = second_split_shape<Number>;
  static constexpr index_t room = leaf_shape<Number>::room;
  top_widths widths;
  index_t tiles, long_room, long_tiles;
  scratch_layout all;
  std::size_t tables, table, numbers, counts, list, long_table, plans;
  explicit top_layout(index_t n)
      : widths{widths_for(n, leaf_shape<Number>::target)},
        tiles{tiles_of(n, second::tile_items) + buckets},
        long_room{std::min<index_t>(n / 4 / (room + 1) + 1, index_t{1} << widths.bits)},
        long_tiles{n / 4 / scatter_shape<Number, nothing_beside, false>::tile_items + 1 + long_room},
        tables{all.add(sizeof(top_tables))},
        table{all.add(static_cast<std::size_t>(tiles) * sizeof(bucket_tile))},
        numbers{all.add((static_cast<std::size_t>(n) + buckets * sector_bytes / sizeof(Number)) * sizeof(Number))},
        counts{all.add(sizeof(segment_counts))},
        list{all.add(static_cast<std::size_t>(long_room) * 4)},
        long_table{all.add(static_cast<std::size_t>(long_tiles) * sizeof(tile_entry))},
        plans{all.add(static_cast<std::size_t>(long_room) * sizeof(plan))} {}
  std::size_t words_64() const { return static_cast<std::size_t>(long_tiles) * scatter_classes; }
};

/// Loads the kernels of a sort from the top.
template <class T, class Order>
void load_from_top() {
  using number = typename Order::value;
  using plain = typename top_layout<number>::plain_order;
  constexpr int passes = static_cast<int>(sizeof(number));
  using first = first_split_shape<number>;
  using second = second_split_shape<number>;
  using leaf = leaf_shape<number>;
  load<&sample_top_kernel<T, Order>>();
  resident_blocks<&count_top_kernel<T, Order>, 1>(top_threads, 4 << most_top_bits, 0);
  resident_blocks<&plan_top_kernel<top_threads>, 1>(top_threads, top_plan_bytes, 0);
  resident_blocks<&first_split_kernel<T, Order>, 1>(first::threads, first::bytes, 0);
  resident_blocks<&second_split_kernel<number>, 1>(second::threads, second::bytes, 0);
  resident_blocks<&sort_leaves_kernel<T, Order>, 1>(leaf::threads, leaf::bytes, 0);
  load<&list_long_leaves_kernel<list_threads>>();
  load_tiled<number, plain, nothing_beside, passes>();
  load<&long_keys_kernel<T, Order>>();
}

/// Leaves that are too long: their numbers lie in `out`.
template <class T, class Order>
void sort_long_leaves(sort_job<T, Order, columns<>> const& job, top_layout<typename Order::value> const& layout, char* memory,
                      scratch const& descriptors, cudaStream_t stream) {
  using number = typename Order::value;
  using layout_type = top_layout<number>;
  using plain = typename layout_type::plain_order;
  constexpr int passes_of_type = static_cast<int>(sizeof(number));
  auto* const tables = reinterpret_cast<top_tables*>(memory + layout.tables);
  auto* const counts = reinterpret_cast<segment_counts*>(memory + layout.counts);
  int const leaves = 1 << layout.widths.bits;
  segment_list const list{reinterpret_cast<std::uint32_t*>(memory + layout.list), static_cast<std::uint32_t>(layout.long_room)};
  enqueue<&list_long_leaves_kernel<list_threads>>(tiles_of(leaves, list_threads), list_threads, 0, stream,
                                                  static_cast<top_tables const*>(tables), leaves,
                                                  static_cast<int>(layout_type::room), list, counts);
  segments const begins{segment_kind::offsets64, tables->begins, leaves}, ends{segment_kind::offsets64, tables->begins + 1, leaves};
  plain order{};
  order.end = 8 * passes_of_type - layout.widths.bits;
  digits_to_count<number, plain> const digits{order};
  tiled_call<passes_of_type> const tiled{{begins, ends, leaves},
                                         job.size,
                                         counts,
                                         list,
                                         reinterpret_cast<tile_entry*>(memory + layout.long_table),
                                         static_cast<std::uint32_t>(layout.long_tiles),
                                         reinterpret_cast<typename layout_type::plan*>(memory + layout.plans),
                                         scatter_shape<number, nothing_beside, false>::tile_items,
                                         digits.passes(),
                                         true,
                                         true};
  auto* const out = reinterpret_cast<number*>(job.out);
  auto* const one = reinterpret_cast<number*>(memory + layout.numbers);
  int const blocks = static_cast<int>(std::min<index_t>(layout.long_room, multiprocessors(current_device())));
  int const tile_blocks = static_cast<int>(std::min<index_t>(layout.long_tiles, 2 * multiprocessors(current_device())));
  enqueue<&tabulate_kernel<passes_of_type>>(blocks, list_threads, 0, stream, tiled);
  count_tiles_call<number, digits_to_count<number, plain>, passes_of_type> const count{out,         digits,           counts,
                                                                                       tiled.table, tiled.most_tiles, tiled.plans};
  enqueue<&count_tiles_kernel<number, digits_to_count<number, plain>, passes_of_type>>(tile_blocks, count_threads, 0, stream,
                                                                                       count);
  enqueue<&plan_segments_kernel<passes_of_type>>(blocks, scatter_classes, 0, stream, tiled);
  for (int p = 0; p < digits.passes(); ++p) {
    scatter_call<routed_items<number>, digit_of<plain>, nothing_beside, tile_table<passes_of_type>> const pass{
        .in = {{out, out, one}},
        .out = {nullptr, out, one},
        .beside = {},
        .class_of = {order, 8 * p, std::min(8, order.end - 8 * p)},
        .tiling = {counts, tiled.table, tiled.most_tiles, tiled.plans, p},
        .tiles = {descriptors_in<count_descriptors>(descriptors)},
        .memory = descriptors};
    enqueue_scatter<false>(layout.long_tiles, pass, stream);
  }
  enqueue_settle_tiles<number, typename layout_type::plan>(out, out, one, false, tiled, tile_blocks, stream);
  long_keys_call<T, Order> const keys{job.out, job.order, counts, tiled.table, tiled.most_tiles};
  enqueue<&long_keys_kernel<T, Order>>(tile_blocks, list_threads, 0, stream, keys);
}

/// Enqueues a sort from the top. What it chose lies in the tables that it returns.
template <class T, class Order>
top_tables* sort_from_top(sort_job<T, Order, columns<>> const& job, top_layout<typename Order::value> const& layout, char* memory,
                          scratch const& descriptors, cudaStream_t stream) {
  using number = typename Order::value;
  using first = first_split_shape<number>;
  using second = second_split_shape<number>;
  using leaf = leaf_shape<number>;
  index_t const n = job.size.bound;
  auto* const tables = reinterpret_cast<top_tables*>(memory + layout.tables);
  auto* const numbers = reinterpret_cast<number*>(memory + layout.numbers);
  auto* const table = reinterpret_cast<bucket_tile*>(memory + layout.table);
  bool const samples = n >= 1 << 22;
  int const bits = layout.widths.bits, second_bits = layout.widths.second;
  check(cudaMemsetAsync(tables, 0, zeroed_top_bytes, stream));
  check(cudaMemsetAsync(memory + layout.counts, 0, sizeof(segment_counts), stream));
  top_call<T, Order> const top{
      job.in, compared_bits<Order>(job.order), 8 * static_cast<int>(sizeof(number)), job.size, bits, samples, tables};
  if (samples) enqueue<&sample_top_kernel<T, Order>>(1, top_threads, 0, stream, top);
  int const count_blocks = resident_blocks<&count_top_kernel<T, Order>, 1>(top_threads, 4 << most_top_bits, 0);
  enqueue<&count_top_kernel<T, Order>>(static_cast<int>(std::clamp<index_t>(tiles_of(n, 8192), 1, count_blocks)), top_threads,
                                       4 << bits, stream, top);
  top_plan_call const plan{job.size,
                           bits,
                           second_bits,
                           static_cast<std::uint32_t>(leaf::room),
                           static_cast<std::uint32_t>(first::sector),
                           second::tile_items,
                           static_cast<std::uint32_t>(layout.tiles),
                           samples,
                           second_bits > 0,
                           table,
                           tables};
  enqueue<&plan_top_kernel<top_threads>>(1, top_threads, top_plan_bytes, stream, plan);
  first_split_call<T, Order> const to_buckets{job.in, numbers, job.order, job.size, tables};
  int const first_blocks = resident_blocks<&first_split_kernel<T, Order>, 1>(first::threads, first::bytes, 0);
  enqueue<&first_split_kernel<T, Order>>(static_cast<int>(std::clamp<index_t>(tiles_of(n, first::tile_items), 1, first_blocks)),
                                         first::threads, first::bytes, stream, to_buckets);
  if (second_bits > 0) {
    second_split_call<number> const to_leaves{
        numbers, reinterpret_cast<number*>(job.out), second_bits, 8 * static_cast<int>(sizeof(number)) - bits, table, tables};
    enqueue<&second_split_kernel<number>>(static_cast<int>(layout.tiles), second::threads, second::bytes, stream, to_leaves);
  }
  leaf_call<T, Order> const leaves{second_bits > 0 ? reinterpret_cast<number const*>(job.out) : numbers,
                                   job.out,
                                   job.order,
                                   second_bits > 0 ? nullptr : tables->bucket_begin,
                                   bits,
                                   tables};
  enqueue<&sort_leaves_kernel<T, Order>>(1 << bits, leaf::threads, leaf::bytes, stream, leaves);
  if (second_bits > 0) sort_long_leaves(job, layout, memory, descriptors, stream);
  return tables;
}

}  // namespace detail
}  // namespace lookback::gpu
