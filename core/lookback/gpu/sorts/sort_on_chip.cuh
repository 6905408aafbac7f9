// Segments that a quarter of a warp, a warp or a block sorts by itself: items are read once and written once.
//
// What is sorted is an entry for each item: its number where keys stand alone and a key is made of its number again, else the
// compared bits with the place of the item behind them. Then items and values follow, out of shared memory, where they are staged:
// so the output may be the input.
#pragma once
#include "../pipelines/scatter.cuh"
#include "merge_on_chip.cuh"

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

/// A number too wide to be packed with a place.
struct number_and_place {
  std::uint64_t number;
  std::uint32_t place;
};

/// The entries of items. Stands alone: the number is all there is of an item.
template <class T, class Order, class Beside>
struct entries {
  using number = typename Order::value;
  static constexpr bool stand_alone = std::is_same_v<Beside, columns<>> && Order::is_exact;
  static constexpr int place_bits = 16;
  using word = std::conditional_t<sizeof(number) <= 4, std::uint32_t, std::uint64_t>;
  using packed = std::conditional_t<sizeof(number) <= 2, std::uint32_t, std::uint64_t>;
  using entry = std::conditional_t<stand_alone, word, std::conditional_t<sizeof(number) == 8, number_and_place, packed>>;

  compared_bits<Order> bits_of;
  word mask;  // of the bits that are compared, where entries stand alone
  bool some_bits;
  __device__ __forceinline__ explicit entries(compared_bits<Order> const& b) : bits_of{b} {
    some_bits = !b.order.all_of_it();
    mask = some_bits ? static_cast<word>(b.order.begin == b.order.end ? 0 : static_cast<word>(b.mask) << b.order.begin)
                     : static_cast<word>(~word{0});
  }
  /// What of an item is kept until it has a place.
  __device__ __forceinline__ word number_of(T const& item) const {
    if constexpr (stand_alone) return bits_of.order(item);
    else return bits_of(item);
  }
  __device__ __forceinline__ entry make(word compared, int place) const {
    if constexpr (stand_alone) return compared;
    else if constexpr (sizeof(typename Order::value) == 8) return {compared, static_cast<std::uint32_t>(place)};
    else return static_cast<entry>(compared) << place_bits | static_cast<entry>(place);
  }
  /// Comes before no other.
  static __device__ __forceinline__ entry last() {
    if constexpr (std::is_same_v<entry, number_and_place>) return {~std::uint64_t{0}, ~std::uint32_t{0}};
    else return static_cast<entry>(~entry{0});
  }
  static __device__ __forceinline__ int place(entry const& e) {
    if constexpr (std::is_same_v<entry, number_and_place>) return static_cast<int>(e.place);
    else return static_cast<int>(e & ((entry{1} << place_bits) - 1));
  }
  __device__ __forceinline__ T item_of(entry const& e) const { return bits_of.order.of.key(static_cast<number>(e)); }
  __device__ __forceinline__ bool operator()(entry const& x, entry const& y) const {
    if constexpr (stand_alone) return (x & mask) < (y & mask);
    else if constexpr (std::is_same_v<entry, number_and_place>)
      return x.number < y.number || (x.number == y.number && x.place < y.place);
    else return x < y;
  }
  __device__ __forceinline__ bool has_ties() const { return stand_alone && some_bits; }
};

template <int K>
inline constexpr int odd = K % 2 ? K : K - 1;

}  // namespace detail

/// The most items that so many threads sort, at most MostK a thread, where they have `Room` bytes of shared memory.
template <class T, class Order, class Beside, int Threads, int MostK, int Room>
struct chip_shape {
  using entries = detail::entries<T, Order, Beside>;
  static constexpr int threads = Threads, entry_bytes = sizeof(typename entries::entry);
  static constexpr int item_bytes =
      entries::stand_alone ? entry_bytes : std::max(entry_bytes, 2 + detail::widest_staged<T, Beside>);
  static constexpr int K = std::clamp(detail::odd<(Room - 16) / (Threads * item_bytes)>, 1, MostK), items = Threads * K;
  static_assert(Room <= detail::most_shared_bytes);
  static constexpr int stage_at = (2 * items + 15) / 16 * 16, bytes = (item_bytes * items + 31) / 16 * 16;
};

namespace detail {

/// An array goes where source(p), a place in the segment, says what belongs at place p.
template <class Group, class V, class Source>
__device__ __forceinline__ void place_staged(V const* in, V* out, V* staged, int count, Source const& source) {
  int const thread = Group::rank();
  Group::sync();
#pragma unroll 4
  for (int i = thread; i < count; i += Group::threads) staged[i] = in[i];
  Group::sync();
#pragma unroll 4
  for (int p = thread; p < count; p += Group::threads) out[p] = staged[source(p)];
}
template <class Group, class Source>
__device__ __forceinline__ void place_beside(columns<> const&, unsigned char*, index_t, int, Source const&) {}
template <class Group, class Column, class... Rest, class Source>
__device__ __forceinline__ void place_beside(columns<Column, Rest...> const& all, unsigned char* stage, index_t begin, int count,
                                             Source const& source) {
  using V = typename Column::value_type;
  if constexpr (Column::is_generated) {
    for (int p = Group::rank(); p < count; p += Group::threads) all.first.out[begin + p] = static_cast<V>(begin + source(p));
  } else {
    place_staged<Group>(all.first.in + begin, all.first.out + begin, reinterpret_cast<V*>(stage), count, source);
  }
  place_beside<Group>(all.rest, stage, begin, count, source);
}

}  // namespace detail

/// A group of threads sorts items [begin, begin + count), count at most Shape::threads * K, where K is at most that of the
/// shape.
template <class Shape, int K, class T, class Order, class Beside>
__device__ __forceinline__ void sort_on_chip(chip_job<T, Order, Beside> const& job, index_t begin, int count,
                                             unsigned char* memory) {
  using group = detail::thread_group<Shape::threads>;
  using all_entries = detail::entries<T, Order, Beside>;
  using entry = typename all_entries::entry;
  all_entries const of(job.bits_of);
  entry* const s = reinterpret_cast<entry*>(memory);
  int const thread = group::rank(), padded = (count + K - 1) / K * K;
  entry k[K];
#pragma unroll
  for (int j = 0; j < K; ++j) {
    int const i = thread + j * Shape::threads;
    k[j] = all_entries::last();
    if (i < count) k[j] = of.make(of.number_of(job.in[begin + i]), i);
  }
  group::sync();  // the segment before has left
#pragma unroll
  for (int j = 0; j < K; ++j)
    if (thread + j * Shape::threads < padded) s[thread + j * Shape::threads] = k[j];
  group::sync();
  detail::merge_on_chip<Shape::threads>(s, count, k, of);
  bool const active = thread * K < padded;
  if constexpr (all_entries::stand_alone) {
    if (active) {
#pragma unroll
      for (int j = 0; j < K; ++j) s[thread * K + j] = k[j];
    }
    group::sync();
    for (int p = thread; p < count; p += Shape::threads) job.out[begin + p] = of.item_of(s[p]);
  } else {
    auto* const sources = reinterpret_cast<std::uint16_t*>(memory);
    if (active) {
#pragma unroll
      for (int j = 0; j < K; ++j) sources[thread * K + j] = static_cast<std::uint16_t>(all_entries::place(k[j]));
    }
    group::sync();
    auto const source = [=](int p) { return static_cast<int>(sources[p]); };
    unsigned char* const stage = memory + Shape::stage_at;
    if (job.out) detail::place_staged<group>(job.in + begin, job.out + begin, reinterpret_cast<T*>(stage), count, source);
    detail::place_beside<group>(job.beside, stage, begin, count, source);
  }
}

}  // namespace lookback::gpu
