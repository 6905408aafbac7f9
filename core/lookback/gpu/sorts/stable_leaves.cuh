// Stable sorts from the top: the tiles of the two splits, and leaves whose items take something along.
//
// A leaf splits its items into bins of about one, in any order; then every item counts how many of its bin come before it, equal
// ones by their places. Should a bin be long, all are sorted by merging.
#pragma once
#include "merge_on_chip.cuh"
#include "top_bits.cuh"

namespace lookback::gpu {

/// The first split: all items, by the top bits.
struct top_array {
  lookback::size size;
  top_tables const* tables;
  int second_bits;

  using common = whole_array::common;
  using known = whole_array::known;
  __device__ __forceinline__ bool is_skipped() const { return !tables->from_the_top; }
  __device__ __forceinline__ void open(common& all) const { all = {items_in(size), {0, 2, false, true}}; }
  __device__ __forceinline__ std::uint32_t claim(std::uint32_t* ticket) const { return atomicAdd(ticket, 1u); }
  __device__ __forceinline__ void look_up(std::uint32_t ticket, known& tile) const { tile.number = ticket; }
  template <int TileItems>
  __device__ __forceinline__ index_t begin(known const& tile) const {
    return index_t{tile.number} * TileItems;
  }
  template <int TileItems>
  __device__ __forceinline__ int count(common const& all, known const& tile) const {
    return static_cast<int>(min(max(all.n - begin<TileItems>(tile), index_t{0}), index_t{TileItems}));
  }
  __device__ __forceinline__ pass_route route_of(common const& all, known const&) const { return all.route; }
  __device__ __forceinline__ std::uint32_t first(known const&) const { return 0; }
  __device__ __forceinline__ index_t place(known const&, int c, index_t before, index_t) const {
    return tables->begins[c << second_bits] + before;
  }
};

/// The second split: the tiles of buckets.
struct bucket_tiles {
  top_tables const* tables;
  bucket_tile const* table;
  int second_bits;

  struct common {};
  struct known {
    std::uint32_t number, begin, count, bucket, first;
  };
  __device__ __forceinline__ bool is_skipped() const { return !tables->from_the_top; }
  __device__ __forceinline__ void open(common&) const {}
  __device__ __forceinline__ std::uint32_t claim(std::uint32_t* ticket) const { return atomicAdd(ticket, 1u); }
  __device__ __forceinline__ void look_up(std::uint32_t ticket, known& tile) const {
    tile = {ticket, 0, 0, 0, ticket};
    if (ticket >= tables->tiles) return;
    bucket_tile const t = table[ticket];
    tile = {ticket, t.begin, t.count, t.bucket, t.first};
  }
  template <int TileItems>
  __device__ __forceinline__ index_t begin(known const& tile) const {
    return tile.begin;
  }
  template <int TileItems>
  __device__ __forceinline__ int count(common const&, known const& tile) const {
    return static_cast<int>(tile.count);
  }
  __device__ __forceinline__ pass_route route_of(common const&, known const&) const { return {2, 1, false, true}; }
  __device__ __forceinline__ std::uint32_t first(known const& tile) const { return tile.first; }
  __device__ __forceinline__ index_t place(known const& tile, int c, index_t before, index_t) const {
    return tables->begins[(tile.bucket << second_bits) + (c & ((1 << second_bits) - 1))] + before;
  }
};

template <class T, class Beside>
struct stable_leaf_shape {
  using V = typename Beside::value_type;
  static constexpr bool large = !detail::for_less_memory() && sizeof(T) == 4;
  static constexpr int threads = large ? 1024 : 512;
  static constexpr int K = detail::for_less_memory() ? 8 : 9, room = threads * K, bin_bits = large ? 13 : 12, bins = 1 << bin_bits;
  static constexpr int blocks = detail::for_less_memory() || large ? 1 : 2, target = room * 8 / 9;
  static constexpr int value_at = (room * static_cast<int>(sizeof(T)) + 15) / 16 * 16,
                       bin_at = (value_at + room * Beside::bytes + 15) / 16 * 16, source_at = bin_at + (bins + 4) * 4,
                       bytes = source_at + (room + 16) * 2;
  static_assert(bytes <= detail::most_shared_bytes);
};

template <class T, class Order, class Beside>
struct stable_leaf_call {
  T const* in;
  T* out;  // null: items stay
  typename Beside::value_type const* in_beside;
  typename Beside::value_type* out_beside;
  compared_bits<Order> number_of;
  int unused_bits;  // of numbers, above those that leaves differ in
  top_tables const* tables;
};

/// Places of items in the order of their numbers, then of themselves.
template <class T, class Order>
struct places_by_number {
  T const* items;
  compared_bits<Order> number_of;
  int count;  // places from here on stand for nothing, and come last
  __device__ __forceinline__ bool operator()(std::uint16_t x, std::uint16_t y) const {
    if (x >= count || y >= count) return x < y;
    auto const a = number_of(items[x]), b = number_of(items[y]);
    return a < b || (a == b && x < y);
  }
  static __device__ __forceinline__ bool has_ties() { return false; }
};

/// One block a leaf, whose items lie where they belong.
template <class T, class Order, class Beside>
__global__ void __launch_bounds__(stable_leaf_shape<T, Beside>::threads, stable_leaf_shape<T, Beside>::blocks)
    stable_leaves_kernel(__grid_constant__ stable_leaf_call<T, Order, Beside> const call) {
  using shape = stable_leaf_shape<T, Beside>;
  using V = typename Beside::value_type;
  using number = typename Order::value;
  constexpr int K = shape::K, threads = shape::threads, each = shape::bins / threads, width = 8 * static_cast<int>(sizeof(number));
  constexpr std::uint32_t many = 48;
  extern __shared__ __align__(16) unsigned char memory[];
  T* const sorted = reinterpret_cast<T*>(memory);
  V* const values = reinterpret_cast<V*>(memory + shape::value_at);
  auto* const bin_begin = reinterpret_cast<std::uint32_t*>(memory + shape::bin_at);
  auto* const sources = reinterpret_cast<std::uint16_t*>(memory + shape::source_at);
  __shared__ std::uint32_t warp_sums[threads / 32];
  ptx::let_next_kernel_start();
  ptx::wait_for_kernel_before();
  int const thread = threadIdx.x;
  with_leaf_of_block(*call.tables, [&](int, index_t begin, index_t items) {
    int const count = static_cast<int>(items);
    T const* const in = call.in + begin;
    V const* const in_beside = call.in_beside + begin;
    V* const out_beside = call.out_beside + begin;
    room<T> item[K];
    room<V> value[K];
#pragma unroll
    for (int j = 0; j < K; ++j)
      if (thread + j * threads < count) item[j].value = in[thread + j * threads];
#pragma unroll
    for (int j = 0; j < K; ++j)
      if (thread + j * threads < count) value[j].value = in_beside[thread + j * threads];
    for (int i = thread; i < shape::bins / 4; i += threads) reinterpret_cast<uint4*>(bin_begin)[i] = uint4{0, 0, 0, 0};
    __syncthreads();
    auto const bin_of = [&](T const& x) {
      return static_cast<std::uint32_t>(static_cast<number>(call.number_of(x) << call.unused_bits) >> (width - shape::bin_bits));
    };
    std::uint32_t rank[(K + 3) / 4] = {}, longest = 0;  // 8 bits each
#pragma unroll
    for (int j = 0; j < K; ++j) {
      std::uint32_t r = 0;
      if (thread + j * threads < count) r = atomicAdd(&bin_begin[bin_of(item[j].value)], 1u);
      longest = max(longest, r);
      rank[j / 4] |= (r & 255) << j % 4 * 8;
    }
    auto const put = [&](int to, T const& x, int source) {
      if (call.out) call.out[begin + to] = x;
      out_beside[to] = values[source];
    };
    if (__syncthreads_or(longest >= many)) {
#pragma unroll
      for (int j = 0; j < K; ++j)
        if (int const i = thread + j * threads; i < count) {
          sorted[i] = item[j].value, sources[i] = static_cast<std::uint16_t>(i);
          values[i] = value[j].value;
        }
      detail::merge_as_fallback<threads, detail::odd<K + 1>>(sources, count, std::uint16_t{0xffff},
                                                             places_by_number<T, Order>{sorted, call.number_of, count});
      for (int i = thread; i < count; i += threads) put(i, sorted[sources[i]], sources[i]);
      return;
    }
    {
      std::uint32_t c[each], sum = 0;
#pragma unroll
      for (int q = 0; q < each; ++q) c[q] = bin_begin[thread * each + q], sum += c[q];
      std::uint32_t before = detail::sum_of_threads_before<threads>(sum, warp_sums);
#pragma unroll
      for (int q = 0; q < each; ++q) bin_begin[thread * each + q] = before, before += c[q];
      if (thread == threads - 1) bin_begin[shape::bins] = before;
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < K; ++j)
      if (int const i = thread + j * threads; i < count) {
        std::uint32_t const p = bin_begin[bin_of(item[j].value)] + (rank[j / 4] >> j % 4 * 8 & 255);
        sorted[p] = item[j].value, sources[p] = static_cast<std::uint16_t>(i);
        values[i] = value[j].value;
      }
    __syncthreads();
    for (int i = thread; i < count; i += threads) {
      T const x = sorted[i];
      number const mine = call.number_of(x);
      std::uint32_t const bin = bin_of(x), first = bin_begin[bin], last = bin_begin[bin + 1];
      std::uint16_t const source = sources[i];
      std::uint32_t place = first;
      if (last - first > 1)
        for (std::uint32_t p = first; p < last; ++p) {
          number const other = call.number_of(sorted[p]);
          place += other < mine || (other == mine && sources[p] < source) ? 1u : 0u;
        }
      put(static_cast<int>(place), x, source);
    }
  });
}

}  // namespace lookback::gpu
