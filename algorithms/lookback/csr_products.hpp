// What products of a sparse matrix have in common: a row of the result is the sum of what each nonzero makes of a row of x.
#pragma once
#include <limits>
#include <lookback/complex.hpp>
#include <lookback/csr.hpp>
#include <lookback/lanes.hpp>
#include <lookback/model/call.hpp>
#include <lookback/model/overlap.hpp>
#include <lookback/policy.hpp>
#include <lookback/semiring.hpp>
#include <lookback/sink.hpp>

namespace lookback {

namespace detail {

/// What nonzero k adds to its row.
template <class Value, class Column, class X, class Multiply>
struct products {
  Value const* values;
  Column const* column_indices;
  X const* x;
  Multiply multiply;
  LOOKBACK_FN lookback::arrays<Value, Column> arrays() const { return {values, {column_indices, {}}}; }
  using looked_up = X;
  LOOKBACK_FN X const* found_at(index_t, Value const&, Column column) const { return x + static_cast<index_t>(column); }
  LOOKBACK_FN X look_up(index_t i, Value const& value, Column column) const { return *found_at(i, value, column); }
  LOOKBACK_FN Multiply joining_operator() const { return multiply; }
  LOOKBACK_CALLS_USER
  LOOKBACK_FN auto value_of(X const& found, index_t, Value const& value, Column) const { return multiply(value, found); }
  LOOKBACK_FN auto operator()(index_t i, Value const& value, Column column) const {
    return value_of(look_up(i, value, column), i, value, column);
  }
};

/// alpha sum + beta y[row], y unread where beta adds nothing.
template <class Scalar, class T, class Y, class Ring>
struct scaled {
  Scalar alpha, beta;
  Y const* y;  // null: beta adds nothing
  Ring ring;
  LOOKBACK_CALLS_USER
  LOOKBACK_FN T operator()(index_t row, T const& sum) const {
    T const product = static_cast<T>(ring.multiply(alpha, sum));
    return y ? static_cast<T>(ring.add(product, static_cast<T>(ring.multiply(beta, static_cast<T>(y[row]))))) : product;
  }
};
/// The same, each of the products rounded whatever the compiler may contract: `reproducible` needs the bits. Not for free: packs of
/// results are not made.
template <class Scalar, class T, class Y, class Ring>
struct scaled_apart {
  scaled<Scalar, T, Y, Ring> by;
  LOOKBACK_CALLS_USER
  LOOKBACK_FN T operator()(index_t row, T const& sum) const {
    T const product = static_cast<T>(by.ring.multiply(by.alpha, sum));
    if (!by.y) return product;
    return static_cast<T>(
        by.ring.add(rounded(product), rounded(static_cast<T>(by.ring.multiply(by.beta, static_cast<T>(by.y[row]))))));
  }
};

/// Does the type of a policy ask for `reproducible`? Where it is a value instead, its code is never contracted.
template <class On>
inline constexpr bool asks_for_bits = false;
template <class On>
requires requires { typename std::bool_constant<On::is_reproducible>; }
inline constexpr bool asks_for_bits<On> = On::is_reproducible;

template <class On, class Scalar, class T, class Y, class Ring>
auto scaled_for(On const&, scaled<Scalar, T, Y, Ring> const& by) {
  if constexpr (asks_for_bits<On>) return scaled_apart<Scalar, T, Y, Ring>{by};
  else return by;
}

template <class Ring>
using added_t = typename std::remove_cvref_t<decltype(std::declval<Ring const&>().add)>::value_type;

/// What becomes of a sum over `ring`: alpha sum + beta y[row], of scalars that Add adds.
template <class On, class Y, class Scalar, class Add, class Ring>
auto scaled_by(On const& on, Y const* y, Scalar const& alpha, Scalar const& beta, Add const&, Ring const& ring) {
  using T = typename Add::value_type;
  T const scale = alpha, more = beta;
  bool const adds = !(more == static_cast<T>(Add::identity()));
  return scaled_for(on, scaled<T, added_t<Ring>, Y, Ring>{scale, more, adds ? y : nullptr, ring});
}

/// May numbers of a matrix become T's in ordinary products? A real one becomes a complex one of no fewer digits.
template <class Value, class T>
inline constexpr bool keeps_precision = true;
template <class Value, class R>
requires std::is_arithmetic_v<Value>
inline constexpr bool keeps_precision<Value, complex<R>> = std::numeric_limits<Value>::digits <= std::numeric_limits<R>::digits;

/// The semiring of ordinary products of these.
template <class Value, class X>
struct ordinary {
  using T = inside_t<std::common_type_t<Value, X>>;
  static_assert(keeps_precision<inside_t<Value>, T>,
                "a real matrix times a complex x: the elements of x must have at least the precision of the matrix");
  using ring = plus_times<T>;
};

template <class Value, class Column, class X, class Ring>
using products_t = products<inside_t<Value>, Column, X, std::remove_cvref_t<decltype(std::declval<Ring const&>().multiply)>>;

template <class Value, class Column, class Offset, class X, class Ring>
products_t<Value, Column, X, Ring> products_of(csr_view<Value, Column, Offset> const& a, X const* x, Ring const& ring) {
  return {inside(a.values.data()), a.column_indices.data(), x, ring.multiply};
}

/// May y be written, of as many elements as the matrix says?
template <class Value, class Column, class Offset, class X, class Y>
void expects_products_apart(csr_view<Value, Column, Offset> const& a, X const* x, Y const* y) {
  expects_matrix(a);
  lookback::arrays<Value, Column> const of_matrix{a.values.data(), {a.column_indices.data(), {}}};
  expects(!touches(of_matrix, std::ssize(a.values), y, a.rows), "y does not overlap the matrix");
  expects_apart(known_offsets(a.offsets), y, a.rows);
  expects(!overlap(bytes(x, a.columns), bytes(y, a.rows)), "y does not overlap x");
}

template <policy On, class Value, class Column, class Offset>
void expects_reached(On const& on, csr_view<Value, Column, Offset> const& a) {
  expects_reached(on, a.offsets.data(), std::ssize(a.offsets), "offsets");
  expects_reached(on, a.column_indices.data(), std::ssize(a.column_indices), "column_indices");
  expects_reached(on, a.values.data(), std::ssize(a.values), "values");
}

/// y[r] = f(r, sum over the nonzeros of row r of what `from` makes of them).
template <policy On, class Value, class Column, class Offset, class Items, class Y, class Ring, class F>
void sum_rows(On const& on, csr_view<Value, Column, Offset> const& a, Items const& from, Y* y, Ring const& ring, F const& f) {
  using T = added_t<Ring>;
  using add = std::remove_cvref_t<decltype(ring.add)>;
  scan_into(without_direction(on), std::ssize(a.values), source<Items, offset_segments, T>{from, known_offsets(a.offsets), {}},
            segmented<add>{ring.add}, per_segment<Y, F>{y, nullptr, f});
}

/// y[r] = f(r, sum over the nonzeros of row r of value * x[column]), of as many elements as the matrix says.
template <policy On, class Value, class Column, class Offset, class X, class Y, class Ring, class F>
void sum_products(On const& on, csr_view<Value, Column, Offset> const& a, X const* x, Y* y, Ring const& ring, F const& f) {
  expects_products_apart(a, x, y);
  expects_reached(on, a);
  sum_rows(on, a, products_of(a, x, ring), y, ring, f);
}

}  // namespace detail

}  // namespace lookback
