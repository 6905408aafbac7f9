// K numbers as one value: a row of a dense matrix of K columns, and operators that work on every column alike.
#pragma once
#include <concepts>
#include <type_traits>

#include "operators.hpp"

namespace lookback {

/// K numbers side by side, as in an array, which need not be aligned any better: a row of K columns lies where its first number
/// does.
template <class T, int K>
struct lanes {
  using value_type = T;
  static constexpr int count = K;
  T lane[static_cast<std::size_t>(K)];
  template <class U>
  requires(!std::same_as<T, U>) explicit LOOKBACK_FN operator lanes<U, K>() const {
    lanes<U, K> all;
    for (int k = 0; k < K; ++k) all.lane[k] = static_cast<U>(lane[k]);
    return all;
  }
};

/// Op on each lane apart.
template <class Op, int K>
struct lanes_of {
  using one = typename Op::value_type;
  using value_type = lanes<one, K>;
  Op op;
  LOOKBACK_CALLS_USER
  LOOKBACK_FN value_type operator()(value_type const& a, value_type const& b) const {
    value_type all;
    for (int k = 0; k < K; ++k) all.lane[k] = static_cast<one>(op(a.lane[k], b.lane[k]));
    return all;
  }
  static LOOKBACK_FN value_type all_of(one const& x) {
    value_type all;
    for (int k = 0; k < K; ++k) all.lane[k] = x;
    return all;
  }
  LOOKBACK_CALLS_USER
  static LOOKBACK_FN value_type identity() requires has_identity<Op> { return all_of(Op::identity()); }
  LOOKBACK_CALLS_USER
  static LOOKBACK_FN value_type neutral() requires has_neutral<Op> { return all_of(lookback::neutral<Op>()); }
};

/// op(a, x) of one number and every lane of another value, as Ts.
template <class Op, class T, int K>
struct one_by_lanes {
  Op op;
  LOOKBACK_CALLS_USER
  template <class A, class X>
  LOOKBACK_FN lanes<T, K> operator()(A const& a, lanes<X, K> const& x) const {
    lanes<T, K> all;
    for (int k = 0; k < K; ++k) all.lane[k] = static_cast<T>(op(a, x.lane[k]));
    return all;
  }
};

template <class Op, int K>
inline constexpr bool is_commutative<lanes_of<Op, K>> = is_commutative<Op>;
template <class Op, int K>
inline constexpr bool has_neutral<lanes_of<Op, K>> = has_neutral<Op>;

template <class T, int K>
inline constexpr bool rounds<lanes<T, K>> = rounds<T>;

namespace detail {
template <class Op>
struct lane_operator {
  using type = Op;
};
template <class Op, int K>
struct lane_operator<lanes_of<Op, K>> {
  using type = Op;
};
template <class Op, class T, int K>
struct lane_operator<one_by_lanes<Op, T, K>> {
  using type = Op;
};
}  // namespace detail

/// What happens to one lane: of lanes_of<Op, K> and one_by_lanes<Op, T, K> it is Op, else the operator itself.
template <class Op>
using lane_operator_t = typename detail::lane_operator<Op>::type;

template <class Op, int K>
inline constexpr bool is_reproducible<lanes_of<Op, K>> = is_reproducible<Op>;

}  // namespace lookback
