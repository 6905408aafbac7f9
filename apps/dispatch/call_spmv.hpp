// From a request of a sparse product to the library's templates: shared by the tables of both back ends.
#pragma once
#include <complex>
#include <lookback/spmv.hpp>

#include "spmv_tables.hpp"

namespace lookback::dispatch {

template <class T, class Column, class Offset>
csr_view<T, Column, Offset> matrix_of(spmv_request const& r) {
  auto const items = [](auto const* data, index_t n) { return std::span(data, static_cast<std::size_t>(n)); };
  return {r.rows, r.columns, items(static_cast<Offset const*>(r.offsets), r.rows + 1),
          items(static_cast<Column const*>(r.column_indices), r.nonzeros), items(static_cast<T const*>(r.values), r.nonzeros)};
}

/// By a matrix or a plan of one: products of it, and of alpha and beta where there are some.
template <class T, bool OnlyScaled, class On, class Matrix>
void multiply_by(On const& on, Matrix const& a, spmv_request const& r) {
  std::span<T const> const x(static_cast<T const*>(r.x), static_cast<std::size_t>(r.columns));
  std::span<T> const y(static_cast<T*>(r.y), static_cast<std::size_t>(r.rows));
  if constexpr (!OnlyScaled)
    if (is_plain<T>(r)) return spmv(on, a, x, y);
  T const alpha = r.alpha ? *static_cast<T const*>(r.alpha) : T{1}, beta = r.beta ? *static_cast<T const*>(r.beta) : T{};
  spmv(on, a, x, y, alpha, beta);
}

/// The product of one type. A kernel asks for the type of the offsets when it runs. With `OnlyScaled` the plain product is one by 1
/// and 0, which is exact but for complex infinities: half as many kernels.
template <class T, class Column, bool OnlyScaled = false, class On>
void multiply_on(On const& on, spmv_request const& r) {
  if (r.offset_type == element::i32) multiply_by<T, OnlyScaled>(on, matrix_of<T, Column, std::int32_t>(r), r);
  else multiply_by<T, OnlyScaled>(on, matrix_of<T, Column, std::int64_t>(r), r);
}

/// |after - before| of every place.
struct changes {
  double const* after;
  double const* before;
  LOOKBACK_FN lookback::arrays<double, double> arrays() const { return {after, {before, {}}}; }
  template <class... Others>
  LOOKBACK_FN double operator()(index_t, double now, double earlier, Others const&...) const {
    double const change = now - earlier;
    return change < 0 ? -change : change;
  }
};
/// What is at marked places, 0 elsewhere.
struct marked_items {
  double const* items;
  std::uint8_t const* marks;
  LOOKBACK_FN lookback::arrays<double, std::uint8_t> arrays() const { return {items, {marks, {}}}; }
  template <class... Others>
  LOOKBACK_FN double operator()(index_t, double item, std::uint8_t mark, Others const&...) const {
    return mark != 0 ? item : 0;
  }
};

/// Leaves the sum of n items at `sum`: everything is one segment. Of doubles, which the CPU adds by packs: a struct of two sums
/// would be one pass, but one chain from the begin of a tile to its end, whose roundings add up.
template <class On, class Items>
void sum_on(On const& on, Items const& items, step_request const& r, double* sum) {
  scan_into(on, r.n, source<Items, offset_segments, double>{items, known_offsets(std::span(r.ends, std::size_t{2})), {}},
            segmented<plus<double>>{plus<double>{}}, per_segment<double, as_it_is>{sum, nullptr, {}});
}
template <class On>
void sum_step_on(On const& on, step_request const& r, step_sums* sums) {
  sum_on(on, changes{r.after, r.before}, r, &sums->change);
  sum_on(on, marked_items{r.after, r.marks}, r, &sums->marked);
}

}  // namespace lookback::dispatch
