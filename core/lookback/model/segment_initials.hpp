// Initial values of segments, one for each, from an array: a source, an operator and a sink around the two scans that there are.
//
//   offsets, rows       a segmented scan of {value, position}. Its initial value is a mark: the operator meets it exactly where a
//                       segment begins, and finds there, by the position beside it, which segment that is.
//   flags, bits, keys   which segment an item belongs to is how many began up to it: a plain scan of {value, how many began} by the
//                       lifted operator (Blelloch 1990). The initial value is put before the value as that is stored.
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "../error.hpp"
#include "../operators.hpp"
#include "../policy.hpp"
#include "../segments.hpp"
#include "../sink.hpp"
#include "../source.hpp"
#include "overlap.hpp"

namespace lookback {

/// Initial values for segments scanned in T: a range of them, where one T is not such a range itself.
template <class R, class T>
concept initials_for = !std::is_convertible_v<R const&, T> && contiguous<R> && std::is_convertible_v<value_t<R>, T>;

namespace detail {

/// A value with a position or a count beside it. In two words: beside a value of 4 bytes they make 12, the most that a tile of the
/// GPU can publish in one message.
template <class T>
struct numbered {
  T value;
  std::uint32_t low, high;

  LOOKBACK_FN numbered(T const& v, index_t number)
      : value{v}, low{static_cast<std::uint32_t>(number)}, high{static_cast<std::uint32_t>(number >> 32)} {}
  LOOKBACK_FN index_t number() const { return static_cast<index_t>(std::uint64_t{high} << 32 | low); }
  LOOKBACK_FN bool is_mark() const { return high == mark; }

  static constexpr std::uint32_t mark = 0xffffffff;  // above every position
};

/// A number without a value, which nobody looks at: T need have no default constructor.
template <class T>
numbered<T> only_number(index_t number) {
  static_assert(std::is_trivially_copyable_v<T>);
  auto const nothing = std::bit_cast<T>(std::array<unsigned char, sizeof(T)>{});
  return {nothing, number};
}

/// The array. Whatever number a wrong description leads to, the nearest element is read.
template <class T, class Element>
struct initial_values {
  Element const* data;
  index_t count;
  LOOKBACK_FN T operator[](index_t segment) const {
    return static_cast<T>(data[segment < 0 ? 0 : segment < count ? segment : count - 1]);
  }
};

// ---- offsets and rows: the segment follows from the position

/// The initial value of the segment that holds item i: O(1) for rows, O(log m) reads for m offsets. By value: what a call is given
/// by reference, device code must first put into memory.
template <class T, class Element>
LOOKBACK_APART LOOKBACK_FN T initial_at(segments s, initial_values<T, Element> initials, index_t i) {
  return initials[s.kind == segment_kind::rows ? i / s.count : first_offset_at_or_after(s, i + 1, 0, s.count) - 1];
}

template <class Items, class T>
struct items_with_position {
  Items items;
  LOOKBACK_FN auto arrays() const { return items.arrays(); }
  LOOKBACK_CALLS_USER
  template <class... X>
  LOOKBACK_FN numbered<T> operator()(index_t i, X const&... x) const {
    return {static_cast<T>(items(i, x...)), i};
  }
};

/// Op, and where an operand is the mark, the initial value of the other one's segment in its place.
template <class Op, class T, class Element>
struct from_initials {
  Op op;
  segments described;
  initial_values<T, Element> initials;
  LOOKBACK_CALLS_USER
  LOOKBACK_FN numbered<T> operator()(numbered<T> const& a, numbered<T> const& b) const {
    index_t const inside = a.is_mark() ? b.number() : a.number();
    T const initial = a.is_mark() || b.is_mark() ? initial_at(described, initials, inside) : a.value;
    return {static_cast<T>(op(a.is_mark() ? initial : a.value, b.is_mark() ? initial : b.value)), inside};
  }
};

/// The value without its position; before the first item of a segment (exclusive) its initial value.
template <class T, class Element, class F>
struct without_position {
  segments described;
  initial_values<T, Element> initials;
  F f;
  LOOKBACK_CALLS_USER
  LOOKBACK_FN auto operator()(index_t i, numbered<T> const& x) const {
    T const value = x.is_mark() ? initial_at(described, initials, i) : x.value;
    return stored(f, i, value);
  }
};

// ---- flags, bits, keys: the segment follows from the number of those before

/// Does the scan start anew at item i: at a head, or from right to left at the last item of a segment.
template <class Segments>
struct starts_of {
  Segments described;
  lookback::size size;
  bool reversed;
  LOOKBACK_CALLS_USER
  LOOKBACK_APART LOOKBACK_FN bool operator()(index_t i) const {
    if (!reversed) return i == 0 || head_at(described, i);
    index_t const n = size.count && *size.count < size.bound ? *size.count : size.bound;
    return i + 1 == n || head_at(described, i + 1);
  }
};

template <class Items, class T, class Segments>
struct items_with_starts {
  Items items;
  starts_of<Segments> starts;
  LOOKBACK_FN auto arrays() const { return items.arrays(); }
  LOOKBACK_CALLS_USER
  template <class... X>
  LOOKBACK_FN numbered<T> operator()(index_t i, X const&... x) const {
    return {static_cast<T>(items(i, x...)), starts(i)};
  }
};

/// The lifted operator, counting: what comes later in the scan stands alone if a segment began in it.
template <class Op, class T>
struct counting_starts {
  Op op;
  bool reversed;
  LOOKBACK_CALLS_USER
  LOOKBACK_FN numbered<T> operator()(numbered<T> const& a, numbered<T> const& b) const {
    numbered<T> const& later = reversed ? a : b;
    index_t const number = a.number() + b.number();
    if (later.number() != 0) return {later.value, number};
    return {static_cast<T>(op(a.value, b.value)), number};
  }
};

/// The initial value of the segment, which the count of starts tells, put before the value.
template <class Op, class T, class Segments, class Element, class F>
struct after_initial {
  Op op;
  starts_of<Segments> starts;
  initial_values<T, Element> initials;
  bool exclusive;
  F f;
  LOOKBACK_CALLS_USER
  LOOKBACK_FN auto operator()(index_t i, numbered<T> const& x) const {
    bool const begins = exclusive && starts(i);  // then x is of the segment before
    index_t const started = x.number() + begins;
    T const initial = initials[starts.reversed ? initials.count - started : started - 1];
    if (begins) return value_at(i, initial);
    return value_at(i, static_cast<T>(starts.reversed ? op(x.value, initial) : op(initial, x.value)));
  }

 private:
  LOOKBACK_CALLS_USER
  LOOKBACK_FN auto value_at(index_t i, T const& value) const { return stored(f, i, value); }
};

/// How many initial values a call must have: one per segment, where the host knows how many there are.
inline index_t least_initials(segments const& s, index_t n) {
  index_t const least = n > 0 ? 1 : 0;
  if (s.kind == segment_kind::rows) return n > 0 ? (n - 1) / s.count + 1 : 0;
  return is_offsets(s) && s.count - 1 > least ? s.count - 1 : least;
}
template <class Key, class Equal>
index_t least_initials(key_segments<Key, Equal> const&, index_t n) {
  return n > 0 ? 1 : 0;
}

}  // namespace detail

// The same bits whatever the association: what `reproducible` asks of integers.
template <class Op, class T, class Element>
inline constexpr bool is_reproducible<detail::from_initials<Op, T, Element>> = is_reproducible<Op>&& std::is_integral_v<T>;
template <class Op, class T>
inline constexpr bool is_reproducible<detail::counting_starts<Op, T>> = is_reproducible<Op>&& std::is_integral_v<T>;

}  // namespace lookback
