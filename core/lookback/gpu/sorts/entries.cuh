// What is sorted on chip: an entry for each item.
//
//   its number                       where keys stand alone and a key is made of its number again
//   the compared bits, and its place else, of a sort by digits
//   the item itself                  where a function compares, with its place where something follows the item
#pragma once
#include "../../model/sort_job.hpp"
#include "../protocol/descriptors.cuh"

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

namespace detail {
template <class Order>
struct compared {
  using type = compared_bits<Order>;
};
template <comparison Order>
struct compared<Order> {
  using type = Order;
};
}  // namespace detail
/// What says the order of items on chip.
template <class Order>
using compared_by = typename detail::compared<Order>::type;

/// What is sorted on chip: the arrays of a job.
template <class T, class Order, class Beside>
struct chip_job {
  T const* in;
  T* out;  // null: items stay
  compared_by<Order> order;
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

/// Of items that a function compares: the items, each with its place where something follows it. None can be said to come last.
template <class T, comparison Order, class Beside>
struct entries<T, Order, Beside> {
  static constexpr bool stand_alone = std::is_same_v<Beside, columns<>>;
  static constexpr bool lacks_last = true, is_stable = Order::is_stable;
  using word = room<T>;
  struct item_and_place {
    word item;
    std::uint16_t place;
  };
  using entry = std::conditional_t<stand_alone, word, item_and_place>;

  Order order;
  __device__ __forceinline__ explicit entries(Order const& o) : order{o} {}
  __device__ __forceinline__ word number_of(T const& item) const {
    word w;
    w.value = item;
    return w;
  }
  __device__ __forceinline__ entry make(word const& item, int place) const {
    if constexpr (stand_alone) return item;
    else {
      entry e;
      e.item = item, e.place = static_cast<std::uint16_t>(place);
      return e;
    }
  }
  static __device__ __forceinline__ int place(entry const& e) { return e.place; }
  __device__ __forceinline__ T const& item_of(word const& w) const { return w.value; }
  __device__ __forceinline__ bool operator()(word const& x, word const& y) const { return order(x.value, y.value); }
  __device__ __forceinline__ bool operator()(item_and_place const& x, item_and_place const& y) const {
    return order(x.item.value, y.item.value);
  }
  static __device__ __forceinline__ bool has_ties() { return true; }
};

template <int K>
inline constexpr int odd = K % 2 ? K : K - 1;

}  // namespace detail

}  // namespace lookback::gpu
