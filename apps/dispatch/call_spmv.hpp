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

/// The product of one type. A kernel asks for the type of the offsets when it runs. With `OnlyScaled` the plain product is one by 1
/// and 0, which is exact but for complex infinities: half as many kernels.
template <class T, class Column, bool OnlyScaled = false, class On>
void multiply_on(On const& on, spmv_request const& r) {
  std::span<T const> const x(static_cast<T const*>(r.x), static_cast<std::size_t>(r.columns));
  std::span<T> const y(static_cast<T*>(r.y), static_cast<std::size_t>(r.rows));
  auto const run = [&]<class Offset>(Offset) {
    auto const a = matrix_of<T, Column, Offset>(r);
    if constexpr (!OnlyScaled)
      if (is_plain<T>(r)) return spmv(on, a, x, y);
    T const alpha = r.alpha ? *static_cast<T const*>(r.alpha) : T{1}, beta = r.beta ? *static_cast<T const*>(r.beta) : T{};
    spmv(on, a, x, y, alpha, beta);
  };
  if (r.offset_type == element::i32) run(std::int32_t{});
  else run(std::int64_t{});
}

/// |after - before| of every place, and what is after where it is marked.
struct step_items {
  double const* after;
  double const* before;
  std::uint8_t const* marks;
  LOOKBACK_FN lookback::arrays<double, double, std::uint8_t> arrays() const { return {after, {before, {marks, {}}}}; }
  template <class... Others>
  LOOKBACK_FN step_sums operator()(index_t, double now, double earlier, std::uint8_t mark, Others const&...) const {
    double const change = now - earlier;
    return {change < 0 ? -change : change, mark != 0 ? now : 0};
  }
};
struct plus_steps {
  using value_type = step_sums;
  LOOKBACK_FN step_sums operator()(step_sums const& a, step_sums const& b) const {
    return {a.change + b.change, a.marked + b.marked};
  }
  static LOOKBACK_FN step_sums identity() { return {0, 0}; }
};

/// One of them by itself: bits that do not depend on timing are promised for sums of numbers.
struct one_of_step {
  step_items both;
  bool marked;
  LOOKBACK_FN auto arrays() const { return both.arrays(); }
  template <class... X>
  LOOKBACK_FN double operator()(index_t i, X const&... x) const {
    step_sums const here = both(i, x...);
    return marked ? here.marked : here.change;
  }
};

/// Reduces everything, as one segment.
template <class On, class Items, class T, class Op>
void reduce_all(On const& on, step_request const& r, Items const& items, T* result, Op op) {
  scan_into(on, r.n, source<Items, offset_segments, T>{items, known_offsets(std::span(r.ends, std::size_t{2})), {}},
            segmented<Op>{op}, per_segment<T, as_it_is>{result, nullptr, {}});
}

/// Leaves the sums at `sums`, readable where `on` runs.
template <class On>
void sum_step_on(On const& on, step_request const& r, step_sums* sums) {
  reduce_all(on, r, step_items{r.after, r.before, r.marks}, sums, plus_steps{});
}
template <class On>
void sum_each_on(On const& on, step_request const& r, step_sums* sums) {
  step_items const both{r.after, r.before, r.marks};
  reduce_all(on, r, one_of_step{both, false}, &sums->change, plus<double>{});
  reduce_all(on, r, one_of_step{both, true}, &sums->marked, plus<double>{});
}

}  // namespace lookback::dispatch
