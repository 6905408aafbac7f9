// Leaves: numbers that share their highest bits, as many as a block sorts at once. The order of equal ones is nobody's.
//
// One split without order into bins of about one number; then every window of 16 neighbours is sorted in registers by a network,
// and every window that lies 8 further on is merged: a number is never more than a bin, up to 8, from its place. Where some bin is
// longer, every number counts the smaller ones of its bin; where many are equal, all are sorted by merging.
#pragma once
#include "merge_on_chip.cuh"
#include "top_bits.cuh"

namespace lookback::gpu {

template <class Number>
struct leaf_shape {
  static constexpr bool wide = sizeof(Number) == 8;
  static constexpr int threads = wide ? 256 : 512, K = 18, room = threads * K, bin_bits = wide ? 12 : 13, bins = 1 << bin_bits;
  static constexpr int blocks = detail::for_less_memory() ? 1 : wide ? 3 : 2;
  static constexpr int vector = 16 / static_cast<int>(sizeof(Number)), line = 128 / static_cast<int>(sizeof(Number));
  /// 16 bytes are free behind every 128, so that windows of neighbouring threads lie in different banks.
  static constexpr int padded = (room + 32) / line * (line + vector) + line + vector;
  static constexpr int bin_at = padded * static_cast<int>(sizeof(Number)), bytes = bin_at + (bins + 4) * 4;
  static_assert(bytes <= detail::most_shared_bytes);
  static constexpr int target = wide ? 4096 : 8192;
};

namespace detail {

/// By one block: the `count` numbers, of which thread t has numbers t, t + threads, ..., are sorted by all but their highest
/// `used_bits` bits, in which they do not differ. put(place, number) takes each, behind a barrier.
template <class Number, class Put>
__device__ __forceinline__ void sort_leaf(Number (&key)[leaf_shape<Number>::K], int count, int used_bits, unsigned char* memory,
                                          Put const& put) {
  using number = Number;
  using shape = leaf_shape<Number>;
  constexpr int K = shape::K, threads = shape::threads, each = shape::bins / threads, width = 8 * static_cast<int>(sizeof(Number));
  constexpr int vector = shape::vector, window = 16, many = 48;
  number* const sorted = reinterpret_cast<number*>(memory);
  auto* const bin_begin = reinterpret_cast<std::uint32_t*>(memory + shape::bin_at);
  __shared__ std::uint32_t warp_sums[threads / 32];
  struct alignas(16) pack {
    number k[vector];
  };
  auto const place_of = [](int p) { return p + p / shape::line * vector; };
  int const thread = threadIdx.x;
  for (int i = thread; i < shape::bins / 4; i += threads) reinterpret_cast<uint4*>(bin_begin)[i] = uint4{0, 0, 0, 0};
  __syncthreads();
  auto const bin_of = [&](number k) {
    return static_cast<std::uint32_t>(static_cast<number>(k << used_bits) >> (width - shape::bin_bits));
  };
  std::uint32_t rank[(K + 3) / 4] = {}, longest = 0;  // 8 bits each
#pragma unroll
  for (int j = 0; j < K; ++j) {
    std::uint32_t r = 0;
    if (thread + j * threads < count) r = atomicAdd(&bin_begin[bin_of(key[j])], 1u);
    longest = max(longest, r);
    rank[j / 4] |= (r & 255) << j % 4 * 8;
  }
  bool const some_long = __syncthreads_or(longest >= window / 2);
  if (some_long && __syncthreads_or(longest >= many)) {  // many equal numbers, or few values
#pragma unroll
    for (int j = 0; j < K; ++j)
      if (thread + j * threads < count) sorted[thread + j * threads] = key[j];
    merge_as_fallback<threads, K + 1>(sorted, count, static_cast<number>(~number{0}), is_less{});
    for (int i = thread; i < count; i += threads) put(i, sorted[i]);
    return;
  }
  {
    std::uint32_t c[each], sum = 0;
#pragma unroll
    for (int q = 0; q < each / 4; ++q) {
      uint4 const four = reinterpret_cast<uint4 const*>(bin_begin)[thread * (each / 4) + q];
      c[4 * q] = four.x, c[4 * q + 1] = four.y, c[4 * q + 2] = four.z, c[4 * q + 3] = four.w;
    }
#pragma unroll
    for (int q = 0; q < each; ++q) sum += c[q];
    std::uint32_t before = detail::sum_of_threads_before<threads>(sum, warp_sums);
#pragma unroll
    for (int q = 0; q < each; ++q) {
      std::uint32_t const next = before + c[q];
      c[q] = before, before = next;
    }
#pragma unroll
    for (int q = 0; q < each / 4; ++q)
      reinterpret_cast<uint4*>(bin_begin)[thread * (each / 4) + q] = uint4{c[4 * q], c[4 * q + 1], c[4 * q + 2], c[4 * q + 3]};
    if (thread == threads - 1) bin_begin[shape::bins] = before;
  }
  if (thread < window + window / 2)
    sorted[place_of(count + thread)] = static_cast<number>(~number{0});  // to the end of the last windows
  __syncthreads();
#pragma unroll
  for (int j = 0; j < K; ++j)
    if (thread + j * threads < count)
      sorted[place_of(static_cast<int>(bin_begin[bin_of(key[j])] + (rank[j / 4] >> j % 4 * 8 & 255)))] = key[j];
  __syncthreads();
  if (some_long) {
    for (int i = thread; i < count; i += threads) {
      number const k = sorted[place_of(i)];
      std::uint32_t const bin = bin_of(k);
      int const first = static_cast<int>(bin_begin[bin]), last = static_cast<int>(bin_begin[bin + 1]);
      int place = first;
      for (int p = first; p < last; ++p) {
        number const other = sorted[place_of(p)];
        place += (p < i ? other <= k : other < k) ? 1 : 0;
      }
      put(place, k);
    }
    return;
  }
  auto const windows = [&](int moved, auto const& order) {
    for (int w = thread; w * window + moved < count; w += threads) {
      pack* const low = reinterpret_cast<pack*>(sorted + place_of(w * window + moved));
      pack* const high = reinterpret_cast<pack*>(sorted + place_of(w * window + moved + window / 2));
      constexpr int half = window / 2 / vector;
      number k[window];
#pragma unroll
      for (int v = 0; v < 2 * half; ++v) {
        pack const x = v < half ? low[v] : high[v - half];
#pragma unroll
        for (int e = 0; e < vector; ++e) k[v * vector + e] = x.k[e];
      }
      order(k);
#pragma unroll
      for (int v = 0; v < 2 * half; ++v) {
        pack x;
#pragma unroll
        for (int e = 0; e < vector; ++e) x.k[e] = k[v * vector + e];
        (v < half ? low[v] : high[v - half]) = x;
      }
    }
    __syncthreads();
  };
  windows(0, [](number(&k)[window]) { detail::sort_network(k); });
  windows(window / 2, [](number(&k)[window]) { detail::merge_network<window / 2>(k); });
#pragma unroll
  for (int j = 0; j < K; ++j)
    if (int const i = thread + j * threads; i < count) put(i, sorted[place_of(i)]);
}

}  // namespace detail

/// Numbers of leaf i lie from in[in_begin ? in_begin[i] : begins[i]] on; keys go to out[begins[i]] on.
template <class T, class Order>
struct leaf_call {
  using number = typename Order::value;
  number const* in;
  T* out;
  Order order;
  std::uint32_t const* in_begin;
  int used_bits;
  top_tables* tables;
};

template <class T, class Order>
__global__ void __launch_bounds__(leaf_shape<typename Order::value>::threads, leaf_shape<typename Order::value>::blocks)
    sort_leaves_kernel(__grid_constant__ leaf_call<T, Order> const call) {
  using number = typename Order::value;
  using shape = leaf_shape<number>;
  extern __shared__ __align__(16) unsigned char memory[];
  ptx::let_next_kernel_start();
  ptx::wait_for_kernel_before();
  with_leaf_of_block(*call.tables, [&](int leaf, index_t begin, index_t items) {
    if (items > shape::room) return;  // sorted by digits
    int const count = static_cast<int>(items);
    number const* const in = call.in + (call.in_begin ? static_cast<index_t>(call.in_begin[leaf]) : begin);
    T* const out = call.out + begin;
    number key[shape::K];
#pragma unroll
    for (int j = 0; j < shape::K; ++j)
      if (int const i = threadIdx.x + j * shape::threads; i < count) key[j] = in[i];
    detail::sort_leaf(key, count, call.used_bits, memory, [&](int to, number k) { out[to] = call.order.of.key(k); });
  });
}

/// Leaves of keys of 4 bytes with one value each, which equal keys keep in order: what is sorted is the rest of a key with its
/// place behind it, which fits where leaves share 14 bits or more.
template <class T, class Order, class Beside>
struct packed_leaf_call {
  T const* in;
  T* out;  // null: keys stay
  typename Beside::value_type const* in_beside;
  typename Beside::value_type* out_beside;
  Order order;
  int used_bits;
  top_tables* tables;
};
template <class Beside>
struct packed_leaf_shape : leaf_shape<std::uint32_t> {
  static constexpr int value_at = (leaf_shape<std::uint32_t>::bytes + 15) / 16 * 16, bytes = value_at + room * Beside::bytes;
  static constexpr int place_bits = 14, blocks = detail::for_less_memory() || Beside::bytes > 4 ? 1 : 2;
  static_assert(room <= 1 << place_bits);
  static constexpr bool fits = bytes <= detail::most_shared_bytes;
};
template <class T, class Order, class Beside>
__global__ void __launch_bounds__(packed_leaf_shape<Beside>::threads, packed_leaf_shape<Beside>::blocks)
    packed_leaves_kernel(__grid_constant__ packed_leaf_call<T, Order, Beside> const call) {
  using number = std::uint32_t;
  using V = typename Beside::value_type;
  using shape = packed_leaf_shape<Beside>;
  extern __shared__ __align__(16) unsigned char memory[];
  V* const values = reinterpret_cast<V*>(memory + shape::value_at);
  ptx::let_next_kernel_start();
  ptx::wait_for_kernel_before();
  with_leaf_of_block(*call.tables, [&](int leaf, index_t begin, index_t items) {
    int const count = static_cast<int>(items);
    number key[shape::K];
#pragma unroll
    for (int j = 0; j < shape::K; ++j)
      if (int const i = threadIdx.x + j * shape::threads; i < count)
        key[j] = call.order(call.in[begin + i]) << call.used_bits | static_cast<number>(i);
#pragma unroll
    for (int j = 0; j < shape::K; ++j)
      if (int const i = threadIdx.x + j * shape::threads; i < count) values[i] = call.in_beside[begin + i];
    number const shared = static_cast<number>(leaf) << (32 - call.used_bits), places = (number{1} << call.used_bits) - 1;
    detail::sort_leaf(key, count, 0, memory, [&](int to, number k) {
      if (call.out) call.out[begin + to] = call.order.of.key(k >> call.used_bits | shared);
      call.out_beside[begin + to] = values[k & places];
    });
  });
}

}  // namespace lookback::gpu
