// What the strategy lifted<Base> makes of a call: a segmented scan becomes a plain scan of pairs, which Base runs.
//
//   item                     a value, and whether a segment begins there
//   operator, left to right  (a, f) op (b, g) = (g ? b : a op b, f or g): the lifted operator of Blelloch (1990)
//   result                   the value of the pair, with the initial value before it
//
// Both back ends call scan_lifted before anything else. No kernel and no work knows of it: to them it is a user's operator.
#pragma once
#include <cstdint>
#include <type_traits>

#include "../error.hpp"
#include "../observe.hpp"
#include "../operators.hpp"
#include "../policy.hpp"
#include "../segments.hpp"
#include "../sink.hpp"
#include "../source.hpp"
#include "../strategy.hpp"

namespace lookback {

namespace detail {

/// The value of a run of items, and where segments begin in the run. Two bits: a head belongs to its own item in either direction,
/// and from right to left it ends what was scanned behind it.
template <class T>
struct with_heads {
  // As wide as leaves few bytes unused.
  using bits = std::conditional_t<alignof(T) == 1, std::uint8_t, std::conditional_t<alignof(T) == 2, std::uint16_t, std::uint32_t>>;
  static constexpr bits at_first = 1, at_later = 2;
  T value;
  bits heads;
};

/// From left to right the value is that of the last segment of the run, from right to left that of the first one.
template <class Op, class T>
struct lifted_operator {
  Op op;
  bool reversed;
  LOOKBACK_CALLS_USER
  LOOKBACK_FN with_heads<T> operator()(with_heads<T> const& a, with_heads<T> const& b) const {
    using pair = with_heads<T>;
    auto const heads = static_cast<typename pair::bits>(a.heads | (b.heads != 0 ? pair::at_later : 0));
    bool const parted = reversed ? (a.heads & pair::at_later) != 0 || (b.heads & pair::at_first) != 0 : b.heads != 0;
    if (parted) return {reversed ? a.value : b.value, heads};
    return {static_cast<T>(op(a.value, b.value)), heads};
  }
};

/// Flags of one byte, known to be so when compiled.
struct byte_flags {
  std::uint8_t const* data;
};

/// Does a segment begin at item i? Item 0 begins one whatever is said.
template <class Segments>
LOOKBACK_APART LOOKBACK_FN bool begins_by(Segments described, index_t i) {
  return i == 0 || head_at(described, i);
}
LOOKBACK_FN bool begins_at(byte_flags const& described, index_t i) { return i == 0 || described.data[i] != 0; }
template <class Segments>
LOOKBACK_FN bool begins_at(Segments const& described, index_t i) {
  return begins_by(described, i);
}

/// Items with their heads, which are read from memory where the item is.
template <class Items, class T, class Segments>
struct items_with_heads {
  Items items;
  Segments described;
  LOOKBACK_FN auto arrays() const { return items.arrays(); }
  LOOKBACK_CALLS_USER
  template <class... X>
  LOOKBACK_FN with_heads<T> operator()(index_t i, X const&... x) const {
    return {static_cast<T>(items(i, x...)), begins_at(described, i)};
  }
};
/// Flags of one byte are one more array that is staged.
template <class Items, class T>
struct items_with_heads<Items, T, byte_flags> {
  Items items;
  byte_flags described;
  LOOKBACK_FN auto arrays() const { return joined(lookback::arrays<std::uint8_t>{described.data, {}}, items.arrays()); }
  LOOKBACK_CALLS_USER
  template <class... X>
  LOOKBACK_FN with_heads<T> operator()(index_t i, std::uint8_t flag, X const&... x) const {
    return {static_cast<T>(items(i, x...)), i == 0 || flag != 0};
  }
};
template <class Items>
inline constexpr bool stages_heads = false;
template <class Items, class T>
inline constexpr bool stages_heads<items_with_heads<Items, T, byte_flags>> = true;
template <class Items, class T, class Segments>
inline constexpr bool calls_user<items_with_heads<Items, T, Segments>> = calls_user<Items>;

/// What is stored of a pair. An exclusive scan is asked for what comes before item i. That counts for nothing if a segment begins
/// in between: from left to right at item i itself, from right to left at the first item of the pair.
template <class Op, class T, class Segments, class F>
struct without_heads {
  Op op;
  Segments described;
  maybe<T> initial;
  bool exclusive, reversed;
  F f;
  LOOKBACK_CALLS_USER
  LOOKBACK_FN auto operator()(index_t i, with_heads<T> const& x) const {
    if (!initial.has) return value_at(i, x.value);
    bool const anew = exclusive && (reversed ? (x.heads & with_heads<T>::at_first) != 0 : begins_at(described, i));
    if (anew) return value_at(i, initial.value);
    return value_at(i, static_cast<T>(reversed ? op(x.value, initial.value) : op(initial.value, x.value)));
  }

 private:
  LOOKBACK_CALLS_USER
  LOOKBACK_FN auto value_at(index_t i, T const& value) const { return stored(f, i, value); }
};

/// The segmented scan of pairs, by the policy `on` of the strategy that runs it.
template <class On, class Items, class Segments, class T, class Op, class Out, class F>
void scan_pairs(On const& on, size n, source<Items, Segments, T> const& from, Op const& op, each<Out, F> const& sink) {
  using pair = with_heads<T>;
  using items = items_with_heads<Items, T, Segments>;
  using result = without_heads<Op, T, Segments, F>;
  bool const reversed = on.direction == right_to_left;
  // Before the first item of all lies the head of a segment, which an exclusive scan is told of there.
  maybe<pair> before;
  if (from.initial.has) before = maybe<pair>{pair{from.initial.value, pair::at_first}};
  scan_into(on, n, source<items, no_segments, pair>{{from.items, from.segments}, {}, before}, lifted_operator<Op, T>{op, reversed},
            each<Out, result>{sink.out, sink.exclusive, {op, from.segments, from.initial, sink.exclusive, reversed, sink.f}});
}

/// One call under lifted<Base>, which `on` is with. A plain scan has nothing to lift.
template <class Base, class On, class Items, class Segments, class T, class Op, class Sink>
void scan_lifted(On const& on, size n, source<Items, Segments, T> const& from, Op const& op, Sink const& sink) {
  auto const by_base = on.with(Base{});
  constexpr bool stores_every_value = is_each<Sink>, is_small = sizeof(with_heads<T>) <= 64,
                 has_carry = !std::is_same_v<typename On::carry_type, no_carry>;
  if constexpr (std::is_same_v<Segments, no_segments> && (stores_every_value || is_scatter<Sink>)) {
    scan_into(by_base, n, from, op, sink);
  } else {
    static_assert(!propagates<Base>, "lifted has a base that stores results once, and not scan_then_propagate");
    static_assert(stores_every_value, "lifted is a strategy of scans: a compaction or a result per segment needs another one");
    static_assert(!stores_every_value || !has_carry, "a carry is not combined with the strategy lifted for a segmented scan");
    static_assert(!stores_every_value || is_small, "a value that is lifted has at most 64 bytes together with the head beside it");
    if constexpr (stores_every_value && !has_carry && is_small && !propagates<Base>) {
      observe_way("lifted", "asked for: a plain scan of pairs of value and head", 0, 0, 0, 0);
      expects(!on.is_reproducible || !std::is_floating_point_v<T>,
              "reproducible is not combined with the strategy lifted for segmented scans of floating-point items");
      if constexpr (std::is_same_v<Segments, segments>) {
        expects(!is_offsets(from.segments),
                "under the strategy lifted, heads are given by flags, bits, keys or rows, not by offsets");
        if (from.segments.kind == segment_kind::flags8) {
          byte_flags const flags{static_cast<std::uint8_t const*>(from.segments.data)};
          return scan_pairs(by_base, n, source<Items, byte_flags, T>{from.items, flags, from.initial}, op.op, sink);
        }
        scan_pairs(by_base, n, from, op.op, sink);
      } else if constexpr (are_number_keys<Segments>) {
        source<Items, segments, T> const described{from.items, from.segments, from.initial};
        scan_pairs(by_base, n, described, op.op, sink);
      } else scan_pairs(by_base, n, from, op.op, sink);
    }
  }
}

}  // namespace detail

// The same bits whatever the association: what `reproducible` asks of integers.
template <class Op, class T>
inline constexpr bool is_reproducible<detail::lifted_operator<Op, T>> = is_reproducible<Op>&& std::is_integral_v<T>;

}  // namespace lookback
