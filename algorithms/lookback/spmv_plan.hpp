// A sparse matrix made ready for many products with a vector.
//
//   lookback::spmv_plan const plan(on, matrix);     // reads the columns, and waits
//   lookback::spmv(on, plan, x, y);                 // as lookback::spmv(on, matrix, x, y)
//
// On a GPU include spmv_plan.cuh.
#pragma once
#include <algorithm>
#include <lookback/most_read.hpp>
#include <lookback/spmv.hpp>

namespace lookback {

namespace detail {

/// Of an element of x that a plan has room for.
template <class Value>
inline constexpr std::size_t planned_bytes = std::max<std::size_t>(sizeof(Value), 4);

/// Products of nonzeros of which the columns that most of them are in have been renamed: ~k is that of cached_values[k].
template <class Value, class Column, class X, class Multiply>
struct planned_products {
  using plain = products<Value, Column, X, Multiply>;
  plain others;
  X const* cached_values;
  index_t cached_count;
  static constexpr int cached_bytes = detail::cached_bytes(planned_bytes<Value>);
  LOOKBACK_FN lookback::arrays<Value, Column> arrays() const { return others.arrays(); }
  LOOKBACK_FN X const* cached() const { return cached_values; }
  using looked_up = X;
  LOOKBACK_CALLS_USER
  template <class Read>
  LOOKBACK_FN X look_up(X const* cached, Read const& read, index_t i, Value const& value, Column column) const {
    if (column < 0)
      return cached[~column];  // two branches: one address of either memory takes longer where much is kept (docs/lab/gpu.md)
    return read(others.found_at(i, value, column));
  }
  LOOKBACK_FN X look_up(index_t i, Value const& value, Column column) const {
    return column < 0 ? cached_values[~column] : others.look_up(i, value, column);
  }
  LOOKBACK_CALLS_USER
  LOOKBACK_FN auto value_of(X const& found, index_t i, Value const& value, Column column) const {
    return others.value_of(found, i, value, column);
  }
  LOOKBACK_FN auto operator()(index_t i, Value const& value, Column column) const {
    return value_of(look_up(i, value, column), i, value, column);
  }
};

}  // namespace detail

/// What products with one matrix may share. On a GPU, where few columns hold many of the nonzeros (power laws: web pages,
/// networks), those columns get new names in a copy of the column indices, and every product keeps their elements of x in fast
/// memory. On the CPU, and where that would not pay, it is the matrix as it is.
///
///   on    as for spmv; products run on the same back end and device
///   a     the matrix: its arrays are not copied. Values may change between products; offsets and columns may not.
///   when  when renaming is taken to pay
///
/// Never renamed: unsigned columns, 2^31 columns, 2^32 nonzeros, values of more than 16 bytes, on devices that give a block less
/// than 200 KB (before sm_90, from sm_120 on). Products as without a plan, although columns are kept: with `reproducible`, another
/// tuning than the default, sums of more than 16 bytes, and x wider than the values of the matrix and 4 bytes.
///
/// Cost:   two passes over the column indices, one with an atomic addition for each; waits for the stream, so that it is not made
///         while that is captured. Memory: a copy of the column indices if they are renamed, and meanwhile 4 bytes a column; up to
///         63 KB of scratch a product.
/// Throws: invalid_argument for sizes that do not match and right_to_left; out_of_memory; device_error.
///
/// It outlives graphs that hold its products. Destroyed when they have ended, or while they are queued on the stream that it was
/// made on, which must be there still.
template <class Value, class Column, class Offset, class MostRead>
class spmv_plan {
 public:
  /// Of an element of x that there is room for.
  static constexpr std::size_t x_bytes = detail::planned_bytes<Value>;

  template <policy On, bool OnHost>
  spmv_plan(On const& on, csr_view<Value, Column, Offset, OnHost> const& a, keeping const& when = {})
      : matrix_{(detail::expects_no_host_container<On, OnHost>(), detail::expects_matrix(a), detail::without_direction(on),
                 detail::expects_reached(on, a), a)},
        most_read_{detail::most_read_of(on, a.column_indices.data(), std::ssize(a.column_indices), a.columns,
                                        sizeof(Value) <= 16 ? detail::cached_elements(x_bytes) : 0, when)} {}

  csr_view<Value, Column, Offset> const& matrix() const { return matrix_; }
  /// Columns that are kept, and the share of the nonzeros that they hold; 0 where that would not pay.
  index_t cached_columns() const { return most_read_.cached(); }
  double cached_share() const { return most_read_.share(); }
  MostRead const& most_read() const { return most_read_; }

 private:
  csr_view<Value, Column, Offset> matrix_;
  MostRead most_read_;
};
template <policy On, class Value, class Column, class Offset, bool OnHost>
spmv_plan(On const&, csr_view<Value, Column, Offset, OnHost> const&, keeping const& = {})
    -> spmv_plan<Value, Column, Offset,
                 decltype(detail::most_read_of(std::declval<On const&>(), std::declval<Column const*>(), 0, 0, 0, keeping{}))>;

namespace detail {

template <policy On, class Value, class Column, class Offset, class MostRead, class X, class Y, class Ring, class F>
void multiply_rows(On const& on, spmv_plan<Value, Column, Offset, MostRead> const& plan, X const* x, index_t x_size, Y* y,
                   index_t y_size, Ring const& ring, F const& f) {
  without_direction(on);
  using plan_type = spmv_plan<Value, Column, Offset, MostRead>;
  using needed_back_end = typename MostRead::back_end;
  static_assert(std::is_same_v<needed_back_end, typename On::back_end>, "a plan must be used on the back end that it was made for");
  if constexpr (MostRead::renames) {
    constexpr bool has_room = sizeof(X) <= plan_type::x_bytes && sizeof(Value) <= 16 && sizeof(added_t<Ring>) <= 16;
    if constexpr (has_room && MostRead::template may_serve<On>) {
      auto const& most = plan.most_read();
      if (most.serves(on)) {
        auto a = plan.matrix();
        expects_product(a, x_size, y_size);
        expects_products_apart(a, x, y);
        a.column_indices = {most.renamed(), a.column_indices.size()};
        auto const others = products_of(a, x, ring);
        auto const cached = scratch_for(on, most.room(), std::type_identity<X>{});
        most.copy(on, x, cached.data());
        using multiply = std::remove_cvref_t<decltype(ring.multiply)>;
        planned_products<inside_t<Value>, Column, X, multiply> const from{others, cached.data(), most.room()};
        return sum_rows(on, a, from, y, ring, f);
      }
    }
  }
  multiply_rows(on, plan.matrix(), x, x_size, y, y_size, ring, f);
}

}  // namespace detail

/// The products of spmv, by a plan. With `reproducible` they are those without one, bit for bit.
///
/// Cost: as spmv; where columns are kept, one kernel more, and fewer reads of x. That kernel copies to scratch: it is in the graph
/// already where the workspace of a captured call turns out too small, which throws invalid_argument.
template <policy On, class Value, class Column, class Offset, class MostRead, contiguous X, writable_range Y, is_semiring Ring>
void spmv(On const& on, spmv_plan<Value, Column, Offset, MostRead> const& plan, X const& x, Y&& y, Ring const& ring) {
  auto const from = detail::input_of(on, x, "x");
  auto const to = detail::output_of(on, y, "y");
  detail::multiply_rows(on, plan, inside(from.items.data), from.size.bound, inside(to.data), to.size, ring, as_it_is{});
}
template <policy On, class Value, class Column, class Offset, class MostRead, contiguous X, writable_range Y>
void spmv(On const& on, spmv_plan<Value, Column, Offset, MostRead> const& plan, X const& x, Y&& y) {
  spmv(on, plan, x, y, typename detail::ordinary<Value, value_t<X>>::ring{});
}
/// y = alpha A x + beta y.
template <policy On, class Value, class Column, class Offset, class MostRead, contiguous X, writable_range Y, class Scalar,
          is_semiring Ring>
void spmv(On const& on, spmv_plan<Value, Column, Offset, MostRead> const& plan, X const& x, Y&& y, Scalar const& alpha,
          Scalar const& beta, Ring const& ring) {
  auto const from = detail::input_of(on, x, "x");
  auto const to = detail::output_of(on, y, "y");
  auto* const out = inside(to.data);
  detail::multiply_rows(on, plan, inside(from.items.data), from.size.bound, out, to.size, ring,
                        detail::scaled_by(on, out, *inside(&alpha), *inside(&beta), ring.add, ring));
}
template <policy On, class Value, class Column, class Offset, class MostRead, contiguous X, writable_range Y>
void spmv(On const& on, spmv_plan<Value, Column, Offset, MostRead> const& plan, X const& x, Y&& y,
          std::type_identity_t<std::common_type_t<Value, value_t<X>>> const& alpha,
          std::type_identity_t<std::common_type_t<Value, value_t<X>>> const& beta) {
  spmv(on, plan, x, y, alpha, beta, typename detail::ordinary<Value, value_t<X>>::ring{});
}

}  // namespace lookback
