#include "plain_pagerank.hpp"

#include <cmath>

#include "io/matrix_rows.hpp"
#include "matrix_vector.hpp"

namespace lookback::app {

plain_ranks plain_pagerank(matrix const& links, pagerank_law const& law) {
  auto const n = static_cast<std::size_t>(links.rows);
  plain_ranks made{std::vector<double>(n, 1 / static_cast<double>(n)), 0, n > 0 ? INFINITY : 0};
  std::vector<long double> total(n);  // a sum of doubles may be none
  std::vector<double> next(n);
  auto const with_weights = [&](auto const& f) {
    with_matrix_type(links.values.type, [&]<class T>(std::type_identity<T>) {
      if constexpr (std::is_arithmetic_v<T>)
        with_columns(links, [&](auto const* columns) { f(links.values.as<T>().data(), columns); });
    });
  };
  auto const each_row = [&](auto const& f) {
    for (index_t row = 0; row < links.rows; ++row)
      f(static_cast<std::size_t>(row), offset_at(links, row), offset_at(links, row + 1));
  };
  with_weights([&](auto const* weights, auto const* columns) {
    each_row([&](std::size_t row, index_t begin, index_t end) {
      for (index_t k = begin; k < end; ++k) total[row] += static_cast<long double>(weights[k]);
    });
    while (made.iterations < law.most_iterations && made.change > law.tolerance) {
      long double dangling = 0, change = 0;
      for (std::size_t page = 0; page < n; ++page) dangling += total[page] == 0 ? made.ranks[page] : 0;
      auto const anew = static_cast<double>((1 - law.damping + law.damping * dangling) / static_cast<long double>(n));
      next.assign(n, anew);
      each_row([&](std::size_t row, index_t begin, index_t end) {
        if (total[row] == 0) return;
        for (index_t k = begin; k < end; ++k)
          next[static_cast<std::size_t>(columns[k])] +=
              law.damping * made.ranks[row] * static_cast<double>(static_cast<long double>(weights[k]) / total[row]);
      });
      for (std::size_t page = 0; page < n; ++page) change += std::abs(next[page] - made.ranks[page]);
      made.ranks.swap(next);
      made.change = static_cast<double>(change);
      ++made.iterations;
    }
  });
  return made;
}

index_t longest_row(matrix const& of) {
  index_t longest = 0;
  for (index_t row = 0; row < of.rows; ++row) longest = std::max(longest, offset_at(of, row + 1) - offset_at(of, row));
  return longest;
}

}  // namespace lookback::app
