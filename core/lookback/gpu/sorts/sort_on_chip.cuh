// Segments that one block, or one warp, sorts by itself: items are read once and written once.
//
// A block ranks numbers by the digits in which they differ, 8 bits a pass, between registers and shared memory; what moves is the
// number and the place in the segment. Items and values follow at the end, out of shared memory, where they have been staged: so
// the output may be the input.
#pragma once
#include "../pipelines/scatter.cuh"

namespace lookback::gpu {

/// Bits [begin, end) of an item's number: all that a sort compares.
template <class Order>
struct compared_bits {
  using value = typename Order::value;
  Order order;
  value mask;
  explicit compared_bits(Order const& o)
      : order{o},
        mask{static_cast<value>(o.end - o.begin >= 8 * static_cast<int>(sizeof(value)) ? ~value{0}
                                                                                       : (value{1} << (o.end - o.begin)) - 1)} {}
  template <class T>
  __device__ __forceinline__ value operator()(T const& item) const {
    return order.begin == order.end ? value{0} : static_cast<value>(static_cast<value>(order(item) >> order.begin) & mask);
  }
};

/// What is sorted on chip: the arrays of a job.
template <class T, class Order, class Beside>
struct chip_job {
  T const* in;
  T* out;  // null: items stay
  compared_bits<Order> bits_of;
  Beside beside;
};

namespace detail {
/// Bytes of the widest of an item and the values beside it, which are staged in turn.
template <class T, class Beside>
inline constexpr int widest_staged = static_cast<int>(sizeof(T));
template <class T, class Column, class... Rest>
inline constexpr int widest_staged<T, columns<Column, Rest...>> =
    std::max(Column::is_generated ? 1 : static_cast<int>(sizeof(typename Column::value_type)), widest_staged<T, columns<Rest...>>);
}  // namespace detail

/// The most items that a block of so many threads sorts, K a thread, and the memory that it needs.
template <class T, class Order, class Beside, int Threads, int MostK>
struct chip_shape {
  using number = typename Order::value;
  static constexpr int threads = Threads, warps = Threads / 32;
  static constexpr int staged = detail::widest_staged<T, Beside>, item_bytes = staged + static_cast<int>(sizeof(number)) + 2;
  static constexpr int counter_bytes = warps * scatter_classes * 2,
                       room = (detail::for_less_memory() ? 90 : 96) * 1024 - counter_bytes - 2048;
  static constexpr int K = std::clamp(room / (Threads * item_bytes), 1, MostK), items = Threads * K;
  static constexpr int stage_at = 0, number_at = (items * staged + 15) / 16 * 16,
                       source_at = number_at + items * static_cast<int>(sizeof(number)),
                       counter_at = (source_at + items * 2 + 15) / 16 * 16, begin_at = counter_at + counter_bytes,
                       bytes = begin_at + scatter_classes * 4;
};

namespace detail {

/// Arrays of a segment that follow its items: source(p) is the place in the segment of what belongs at place p.
template <class Source>
__device__ __forceinline__ void place_beside(columns<> const&, unsigned char*, index_t, int, Source const&, int, int) {}
template <class Column, class... Rest, class Source>
__device__ __forceinline__ void place_beside(columns<Column, Rest...> const& all, unsigned char* stage, index_t begin, int count,
                                             Source const& source, int thread, int threads) {
  using V = typename Column::value_type;
  if constexpr (Column::is_generated) {
    for (int p = thread; p < count; p += threads) all.first.out[begin + p] = static_cast<V>(begin + source(p));
  } else {
    V* const staged = reinterpret_cast<V*>(stage);
    __syncthreads();
    for (int i = thread; i < count; i += threads) staged[i] = all.first.in[begin + i];
    __syncthreads();
    for (int p = thread; p < count; p += threads) all.first.out[begin + p] = staged[source(p)];
  }
  place_beside(all.rest, stage, begin, count, source, thread, threads);
}

/// The same where each lane has an item: it goes to place `rank`. Every lane has read before one writes.
__device__ __forceinline__ void place_beside_in_warp(columns<> const&, bool, index_t, int, int) {}
template <class Column, class... Rest>
__device__ __forceinline__ void place_beside_in_warp(columns<Column, Rest...> const& all, bool has, index_t begin, int at,
                                                     int rank) {
  using V = typename Column::value_type;
  if constexpr (Column::is_generated) {
    if (has) all.first.out[begin + rank] = static_cast<V>(begin + at);
  } else {
    room<V> value;
    if (has) value.value = all.first.in[begin + at];
    __syncwarp();
    if (has) all.first.out[begin + rank] = value.value;
  }
  place_beside_in_warp(all.rest, has, begin, at, rank);
}

}  // namespace detail

/// One block sorts items [begin, begin + count), count at most Shape::items.
template <class Shape, class T, class Order, class Beside>
__device__ __forceinline__ void sort_on_chip(chip_job<T, Order, Beside> const& job, index_t begin, int count,
                                             unsigned char* memory) {
  using number = typename Order::value;
  using word = std::conditional_t<sizeof(number) <= 4, std::uint32_t, std::uint64_t>;
  constexpr int K = Shape::K, threads = Shape::threads, warps = Shape::warps, classes = scatter_classes;
  constexpr int each = classes / threads > 1 ? classes / threads : 1,
                counting = classes / each;  // classes of a thread; threads that have some
  T* const stage = reinterpret_cast<T*>(memory + Shape::stage_at);
  number* const numbers = reinterpret_cast<number*>(memory + Shape::number_at);
  auto* const sources = reinterpret_cast<std::uint16_t*>(memory + Shape::source_at);
  auto* const counter = reinterpret_cast<std::uint16_t*>(memory + Shape::counter_at);
  auto* const class_begin = reinterpret_cast<std::uint32_t*>(memory + Shape::begin_at);
  __shared__ std::uint32_t warp_sums[counting / 32];
  __shared__ number any_bits[warps], all_bits[warps];
  int const thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
  int const rows = (count + threads - 1) / threads, first = warp * 32 * rows + lane;  // of this warp; its items lie 32 apart
  std::uint16_t* const mine = counter + warp * classes;

  __syncthreads();  // the segment before has left
  for (int i = thread; i < count; i += threads) stage[i] = job.in[begin + i];
  __syncthreads();
  number value[K];
  std::uint16_t source[K];
  number any = 0, all = static_cast<number>(~number{0});
#pragma unroll
  for (int j = 0; j < K; ++j) {
    int const i = first + j * 32;
    value[j] = static_cast<number>(~number{0});  // behind all others, and at the end already
    source[j] = static_cast<std::uint16_t>(i);
    if (j < rows && i < count) value[j] = job.bits_of(stage[i]), any |= value[j], all &= value[j];
  }
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) {
    any |= static_cast<number>(__shfl_xor_sync(all_lanes, static_cast<word>(any), distance));
    all &= static_cast<number>(__shfl_xor_sync(all_lanes, static_cast<word>(all), distance));
  }
  if (lane == 0) any_bits[warp] = any, all_bits[warp] = all;
  __syncthreads();
#pragma unroll
  for (int w = 0; w < warps; ++w) any |= any_bits[w], all &= all_bits[w];
  std::uint64_t const differ = static_cast<std::uint64_t>(static_cast<number>(any & static_cast<number>(~all)));
  int const lowest = differ ? __ffsll(static_cast<long long>(differ)) - 1 : 0,
            end = differ ? 64 - __clzll(static_cast<long long>(differ)) : 0;

  for (int shift = lowest; shift < end; shift += 8) {
    auto const digit = [&](number n) { return static_cast<int>(n >> shift) & 255; };
    for (int c = lane; c < classes / 2; c += 32) reinterpret_cast<std::uint32_t*>(mine)[c] = 0;
    __syncwarp();
    std::uint16_t rank[K];
#pragma unroll
    for (int j = 0; j < K; ++j) {
      if (j >= rows) break;
      int const c = digit(value[j]);
      unsigned const same = detail::lanes_of_class(all_lanes, c), below = same & ((1u << lane) - 1);
      std::uint32_t const counted = mine[c];
      __syncwarp();
      if (below == 0) mine[c] = static_cast<std::uint16_t>(counted + __popc(same));
      __syncwarp();
      rank[j] = static_cast<std::uint16_t>(counted + __popc(below));
    }
    __syncthreads();
    if (thread < counting) {
      std::uint32_t sum[each], of_thread = 0;
#pragma unroll
      for (int e = 0; e < each; ++e) {
        sum[e] = 0;
        for (int w = 0; w < warps; ++w) {
          std::uint16_t& at = counter[w * classes + thread * each + e];
          std::uint32_t const c = at;
          at = static_cast<std::uint16_t>(sum[e]);
          sum[e] += c;
        }
        of_thread += sum[e];
      }
      std::uint32_t before = detail::sum_of_threads_before<counting>(of_thread, warp_sums, 1);
#pragma unroll
      for (int e = 0; e < each; ++e) class_begin[thread * each + e] = before, before += sum[e];
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < K; ++j) {
      if (j >= rows) break;
      int const c = digit(value[j]);
      std::uint32_t const at = class_begin[c] + mine[c] + rank[j];
      numbers[at] = value[j], sources[at] = source[j];
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < K; ++j) {
      if (j >= rows) break;
      value[j] = numbers[first + j * 32], source[j] = sources[first + j * 32];
    }
    // The next writes to these come behind two barriers.
  }
  bool const moved = lowest < end;
  auto const source_of = [&](int p) { return moved ? static_cast<int>(sources[p]) : p; };
  if (job.out)
    for (int p = thread; p < count; p += threads) job.out[begin + p] = stage[source_of(p)];
  detail::place_beside(job.beside, memory + Shape::stage_at, begin, count, source_of, thread, threads);
}

/// Lanes that have neighbouring items of a segment sort them: by how many of the others come before each. Lane `at` of `count` from
/// lane `first` on has item begin + at; `most` is the largest count of the warp. Every lane calls.
template <class T, class Order, class Beside>
__device__ __forceinline__ void sort_in_warp(chip_job<T, Order, Beside> const& job, bool has, index_t begin, int at, int first,
                                             int count, int most) {
  using number = typename Order::value;
  using word = std::conditional_t<sizeof(number) <= 4, std::uint32_t, std::uint64_t>;
  room<T> item;
  number mine = 0;
  if (has) item.value = job.in[begin + at], mine = job.bits_of(item.value);
  int rank = 0;
  for (int k = 0; k < most; ++k) {
    auto const other = static_cast<number>(__shfl_sync(all_lanes, static_cast<word>(mine), first + k));
    if (k < count) rank += other < mine || (other == mine && k < at) ? 1 : 0;
  }
  __syncwarp();
  if (has && job.out) job.out[begin + rank] = item.value;
  detail::place_beside_in_warp(job.beside, has, begin, at, rank);
}

}  // namespace lookback::gpu
