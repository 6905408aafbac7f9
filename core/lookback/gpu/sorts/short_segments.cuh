// Segments of up to 32 items: a lane sorts one in registers, by a network.
//
// A warp has 32 neighbouring segments. What it reads and writes passes through shared memory, so that memory sees items side by
// side, whatever the lengths.
#pragma once
#include "sort_on_chip.cuh"

namespace lookback::gpu {

inline constexpr int most_in_lane = 32;

namespace detail {
/// Values in 128 bytes, and values that a lane asks for at a time.
template <class V>
inline constexpr int in_a_line = std::max(1, 128 / static_cast<int>(sizeof(V)));
template <class V>
inline constexpr int at_a_time = std::clamp(32 / static_cast<int>(sizeof(V)), 1, 8);
}  // namespace detail

template <class T, class Order, class Beside>
struct lane_shape {
  using entries = detail::entries<T, Order, Beside>;
  using word = typename entries::word;
  static constexpr int warps = 4, threads = 32 * warps, staged = detail::widest_staged<T, Beside>;
  static constexpr int widest =
      entries::stand_alone ? static_cast<int>(sizeof(word)) : std::max(static_cast<int>(sizeof(word)), staged);
  static constexpr int source_bytes = entries::stand_alone ? 0 : 2;
  /// Items of a warp at a time.
  static constexpr int items = std::clamp(6144 / (widest + source_bytes) / 32 * 32, 32, 32 * most_in_lane);
  /// One place is free behind every 128 bytes: lanes that have segments of 16 items each would meet in two banks.
  template <class V>
  static __device__ __forceinline__ int at(int p) {
    return p + p / detail::in_a_line<V>;
  }
  static constexpr int stage_bytes = (widest * items + widest * items / std::max(1, 128 / widest) + widest * 2 + 127) / 16 * 16;
  static constexpr int warp_bytes = stage_bytes + source_bytes * items, bytes = warps * warp_bytes;
};

namespace detail {

/// Neighbouring segments of one warp, a lane each, whose items have places side by side on chip. Item p of a segment lies at p +
/// distance.
struct lane_segments {
  index_t distance, distance_of_all;
  int first, count, total;
  bool side_by_side;  // all of them in memory, too

  __device__ __forceinline__ lane_segments(index_t begin, int place, int length, bool is_here) {
    first = place, count = is_here ? length : 0, distance = begin - place;
    unsigned const some = __ballot_sync(all_lanes, count > 0);
    distance_of_all = shuffle(distance, some ? __ffs(some) - 1 : 0);
    side_by_side = __all_sync(all_lanes, count == 0 || distance == distance_of_all);
    total = static_cast<int>(__reduce_add_sync(all_lanes, static_cast<unsigned>(count)));
  }
  /// put(p, item) for every item of the array, some reads at a time.
  template <class V, class Put>
  __device__ __forceinline__ void read(V const* in, Put const& put) const {
    constexpr int batch = at_a_time<V>, segments = batch >= 4 ? 4 : batch >= 2 ? 2 : 1;
    int const lane = threadIdx.x % 32;
    if (side_by_side) {
      for (int p = lane; p - lane < total; p += 32 * batch) {
        room<V> item[batch];
#pragma unroll
        for (int b = 0; b < batch; ++b)
          if (p + 32 * b < total) item[b].value = in[p + 32 * b + distance_of_all];
#pragma unroll
        for (int b = 0; b < batch; ++b)
          if (p + 32 * b < total) put(p + 32 * b, item[b].value);
      }
    } else {
      for (int of = 0; of < 32; of += segments) {
        room<V> item[segments];
        int place[segments];
#pragma unroll
        for (int b = 0; b < segments; ++b) {
          int const begin = __shfl_sync(all_lanes, first, of + b), length = __shfl_sync(all_lanes, count, of + b);
          index_t const apart = shuffle(distance, of + b);
          place[b] = lane < length ? begin + lane : -1;
          if (lane < length) item[b].value = in[place[b] + apart];
        }
#pragma unroll
        for (int b = 0; b < segments; ++b)
          if (place[b] >= 0) put(place[b], item[b].value);
      }
    }
  }
  /// store(p, distance) for every item.
  template <class Store>
  __device__ __forceinline__ void each(Store const& store) const {
    int const lane = threadIdx.x % 32;
    if (side_by_side) {
#pragma unroll 4
      for (int p = lane; p < total; p += 32) store(p, distance_of_all);
    } else {
#pragma unroll 2
      for (int of = 0; of < 32; ++of) {
        int const begin = __shfl_sync(all_lanes, first, of), length = __shfl_sync(all_lanes, count, of);
        index_t const apart = shuffle(distance, of);
        if (lane < length) store(begin + lane, apart);
      }
    }
  }
};

/// An array goes where sources[p] says what belongs at place p.
template <class Shape, class V>
__device__ __forceinline__ void place_of_lanes(lane_segments const& all, V const* in, V* out, unsigned char* memory,
                                               std::uint16_t const* sources) {
  V* const staged = reinterpret_cast<V*>(memory);
  __syncwarp();
  all.read(in, [&](int p, V const& x) { staged[Shape::template at<V>(p)] = x; });
  __syncwarp();
  all.each([&](int p, index_t apart) { out[p + apart] = staged[Shape::template at<V>(sources[p])]; });
}
template <class Shape>
__device__ __forceinline__ void beside_of_lanes(columns<> const&, lane_segments const&, unsigned char*, std::uint16_t const*) {}
template <class Shape, class Column, class... Rest>
__device__ __forceinline__ void beside_of_lanes(columns<Column, Rest...> const& columns, lane_segments const& all,
                                                unsigned char* memory, std::uint16_t const* sources) {
  using V = typename Column::value_type;
  if constexpr (Column::is_generated)
    all.each([&](int p, index_t apart) { columns.first.out[p + apart] = static_cast<V>(sources[p] + apart); });
  else place_of_lanes<Shape>(all, columns.first.in, columns.first.out, memory, sources);
  beside_of_lanes<Shape>(columns.rest, all, memory, sources);
}

}  // namespace detail

/// A lane sorts its segment of at most N items, whose numbers lie on chip from place `first` on.
template <class Shape, int N, class Entries>
__device__ __forceinline__ void sort_in_lane(Entries const& of, typename Shape::word* numbers, std::uint16_t* sources, int first,
                                             int count) {
  using word = typename Shape::word;
  typename Entries::entry k[N];
#pragma unroll
  for (int j = 0; j < N; ++j) {
    if constexpr (!detail::lacks_last<Entries>) k[j] = Entries::last();
    if (j < count) k[j] = of.make(numbers[Shape::template at<word>(first + j)], j);
  }
  if constexpr (detail::lacks_last<Entries>) detail::sort_by_neighbours(k, count, of);
  else detail::sort_network(k, of);
#pragma unroll
  for (int j = 0; j < N; ++j)
    if (j < count) {
      if constexpr (Entries::stand_alone) numbers[Shape::template at<word>(first + j)] = k[j];
      else sources[first + j] = static_cast<std::uint16_t>(first + Entries::place(k[j]));
    }
}

/// The same where the numbers lie: equal ones keep their order.
template <class Shape, class Entries>
__device__ __forceinline__ void sort_where_they_lie(Entries const& of, typename Shape::word* numbers, std::uint16_t* sources,
                                                    int first, int count) {
  using word = typename Shape::word;
  auto const number = [=](int place) -> word& { return numbers[Shape::template at<word>(place)]; };
  if constexpr (Entries::stand_alone) {
    detail::sort_by_insertion(
        count, [=](int i) -> word& { return number(first + i); }, of);
  } else if constexpr (detail::lacks_last<Entries>) {
    for (int i = 0; i < count; ++i) sources[first + i] = static_cast<std::uint16_t>(first + i);
    detail::sort_by_insertion(
        count, [=](int i) -> std::uint16_t& { return sources[first + i]; },
        [&](std::uint16_t x, std::uint16_t y) { return of(number(x), number(y)); });
  }
}

/// Every lane sorts its segment; none has more than `most` items.
template <class Shape, class Entries>
__device__ __forceinline__ void sort_lanes(Entries const& of, typename Shape::word* numbers, std::uint16_t* sources, int first,
                                           int count, int most) {
  constexpr int widest = detail::lacks_last<Entries> ? 16 : most_in_lane;  // by neighbours it takes N * N / 2 exchanges
  if ((of.has_ties() && !detail::lacks_last<Entries>) || most > widest)
    sort_where_they_lie<Shape>(of, numbers, sources, first, count);
  else if (most <= 8) sort_in_lane<Shape, 8>(of, numbers, sources, first, count);
  else if (most <= 16) sort_in_lane<Shape, 16>(of, numbers, sources, first, count);
  else if constexpr (widest > 16) sort_in_lane<Shape, widest>(of, numbers, sources, first, count);
}

/// The segments of a warp, [begin, begin + count) of each lane, where count is at most 32.
template <class T, class Order, class Beside>
__device__ __forceinline__ void sort_in_lanes(chip_job<T, Order, Beside> const& job, index_t begin, int count,
                                              unsigned char* memory) {
  using shape = lane_shape<T, Order, Beside>;
  using all_entries = typename shape::entries;
  using word = typename shape::word;
  all_entries const of(job.order);
  auto* const numbers = reinterpret_cast<word*>(memory);
  auto* const sources = reinterpret_cast<std::uint16_t*>(memory + shape::stage_bytes);
  int const upto = static_cast<int>(sum_of_lanes_upto(static_cast<std::uint32_t>(count)));
  int const all = __shfl_sync(all_lanes, upto, 31);
  for (int from = 0; from < all;) {
    // The last segment that ends within the room.
    int const whole = __popc(__ballot_sync(all_lanes, upto <= from + shape::items));
    detail::lane_segments const here(begin, upto - count - from, count, upto > from && upto <= from + shape::items);
    __syncwarp();
    here.read(job.in, [&](int p, T const& x) { numbers[shape::template at<word>(p)] = of.number_of(x); });
    __syncwarp();
    int const most = static_cast<int>(__reduce_max_sync(all_lanes, static_cast<unsigned>(here.count)));
    sort_lanes<shape>(of, numbers, sources, here.first, here.count, most);
    __syncwarp();
    if constexpr (all_entries::stand_alone) {
      here.each([&](int p, index_t apart) { job.out[p + apart] = of.item_of(numbers[shape::template at<word>(p)]); });
    } else {
      if (job.out) detail::place_of_lanes<shape>(here, job.in, job.out, memory, sources);
      detail::beside_of_lanes<shape>(job.beside, here, memory, sources);
    }
    from = __shfl_sync(all_lanes, upto, whole - 1);
  }
}

}  // namespace lookback::gpu
