#include "graph.hpp"

#include <cmath>

#include "io/matrix_rows.hpp"

namespace lookback::app {

namespace {

// f(row, k, column, weight) of every link, row by row.
template <class F>
void each_link(matrix const& links, F f) {
  with_matrix_type(links.values.type, [&]<class T>(std::type_identity<T>) {
    if constexpr (std::is_arithmetic_v<T>) {
      auto const weights = links.values.as<T>();
      with_columns(links, [&](auto const* columns) {
        for (index_t row = 0; row < links.rows; ++row)
          for (index_t k = offset_at(links, row); k < offset_at(links, row + 1); ++k)
            f(row, k, static_cast<index_t>(columns[k]), static_cast<double>(weights[static_cast<std::size_t>(k)]));
      });
    }
  });
}

// Where the rows of the turned matrix begin: a link to page j is one of its row j.
array offsets_of_columns(matrix const& links) {
  array made =
      make_array(links.nonzeros() > std::numeric_limits<std::int32_t>::max() ? element::i64 : element::i32, links.columns + 1);
  auto const count = [&](auto* offsets) {
    each_link(links, [&](index_t, index_t, index_t column, double) { ++offsets[column + 1]; });
    for (index_t j = 0; j < links.columns; ++j) offsets[j + 1] += offsets[j];
  };
  if (made.type == element::i32) count(made.memory.as<std::int32_t>());
  else count(made.memory.as<std::int64_t>());
  return made;
}

}  // namespace

void expect_graph(matrix const& links) {
  if (links.rows != links.columns)
    refuse(links.from, "size", grouped(links.rows) + " rows and " + grouped(links.columns) + " columns",
           "as many rows as columns: page i links to page j if row i has an entry in column j");
  if (dispatch::is_complex(links.values.type))
    refuse(links.from, "values", "complex numbers", "real numbers, which are the weights of the links");
  each_link(links, [&](index_t row, index_t, index_t column, double weight) {
    if (!(weight >= 0 && std::isfinite(weight)))
      refuse(links.from, "row " + grouped(row + 1) + ", column " + grouped(column + 1), text_of(weight),
             "the weight of a link: finite and not negative (--unweighted ignores the values)");
  });
}

matrix unweighted(matrix links) {
  array ones = make_array(element::f64, links.nonzeros());
  std::fill_n(ones.memory.as<double>(), ones.n, 1.0);
  ones.from = links.from;
  links.values = std::move(ones);
  return links;
}

bool is_plain_graph(matrix const& links) {
  bool plain = links.rows == links.columns && !dispatch::is_complex(links.values.type);
  if (plain) each_link(links, [&](index_t, index_t, index_t, double weight) { plain = plain && weight == 1; });
  return plain;
}

element column_type_of_turned(matrix const& links) { return links.rows > index_t{1} << 31 ? element::i64 : element::i32; }

passed_ranks passed_by(matrix const& links) {
  passed_ranks made;
  auto& turned = made.turned;
  turned.rows = links.columns, turned.columns = links.rows;
  turned.from = links.from;
  turned.offsets = offsets_of_columns(links);
  turned.column_indices = make_array(column_type_of_turned(links), links.nonzeros());
  turned.values = make_array(element::f64, links.nonzeros());
  turned.values.from = links.from;
  made.dangling = make_array(element::u8, links.rows);
  std::vector<long double> total(static_cast<std::size_t>(links.rows));
  each_link(links, [&](index_t row, index_t, index_t, double weight) { total[static_cast<std::size_t>(row)] += weight; });
  for (std::size_t row = 0; row < total.size(); ++row)
    if (total[row] == 0) made.dangling.memory.as<std::uint8_t>()[row] = 1, ++made.dangling_pages;
  std::vector<index_t> next(static_cast<std::size_t>(turned.rows));
  for (std::size_t j = 0; j < next.size(); ++j) next[j] = offset_at(turned, static_cast<index_t>(j));
  with_columns(turned, [&](auto* columns) {
    each_link(links, [&](index_t row, index_t, index_t column, double weight) {
      index_t const at = next[static_cast<std::size_t>(column)]++;
      auto const sum = total[static_cast<std::size_t>(row)];
      columns[at] = static_cast<std::remove_reference_t<decltype(*columns)>>(row);
      turned.values.memory.as<double>()[at] = sum > 0 ? static_cast<double>(weight / sum) : 0;
    });
  });
  return made;
}

}  // namespace lookback::app
