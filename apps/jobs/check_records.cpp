#include "check_records.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>

#include "io/text_records.hpp"

namespace lookback::app {

namespace {

using row_fields = std::vector<std::string>;
/// Negative if row a comes before row b by one column.
using row_comparison = std::function<int(std::size_t a, std::size_t b)>;

std::vector<row_fields> records_of(std::string_view text, records_job const& job) {
  text_records records(text, job.layout.delimiter, job.layout.comments, job.file.name());
  std::vector<row_fields> all;
  for (row_fields one; records.next(one);) all.push_back(one);
  return all;
}

template <class T>
std::optional<std::vector<T>> all_as(std::vector<row_fields> const& rows, std::size_t column) {
  std::vector<T> numbers(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (parse_number(rows[i][column], numbers[i]) != parsed::ok) return {};
  return numbers;
}

row_comparison comparison_of(std::vector<row_fields> const& rows, std::size_t column, bool descending) {
  int const sign = descending ? -1 : 1;
  auto const by = [&](auto numbers) -> row_comparison {
    return [numbers = std::move(numbers), sign](std::size_t a, std::size_t b) {
      auto const x = numbers[a], y = numbers[b];
      if (x != x || y != y) return (x != x ? 1 : 0) - (y != y ? 1 : 0);  // NaNs last
      return x < y ? -sign : y < x ? sign : 0;
    };
  };
  if (auto numbers = all_as<std::int64_t>(rows, column)) return by(std::move(*numbers));
  if (auto numbers = all_as<std::uint64_t>(rows, column)) return by(std::move(*numbers));
  if (auto numbers = all_as<double>(rows, column)) return by(std::move(*numbers));
  return [&rows, column, sign](std::size_t a, std::size_t b) { return sign * rows[a][column].compare(rows[b][column]); };
}

std::string difference_of_row(std::string const& place, row_fields const& found, row_fields const& expected) {
  if (found.size() != expected.size())
    return place + ": found " + counted(found.size(), "field") + ", expected " + text_of(expected.size());
  for (std::size_t k = 0; k < found.size(); ++k)
    if (found[k] != expected[k])
      return place + ", column " + text_of(k) + ": found " + in_quotes(found[k]) + ", expected " + in_quotes(expected[k]);
  return {};
}

}  // namespace

std::string difference_of_records(records_job const& job, outputs const& out) {
  auto const text = job.file.text();
  auto const made = *job.text_result(out);
  auto rows = records_of(text, job), found = records_of(made, job);
  if (found.size() != rows.size()) return "found " + counted(found.size(), "record") + ", expected " + text_of(rows.size());
  if (job.layout.header) {
    if (auto differs = difference_of_row("header", found[0], rows[0]); !differs.empty()) return differs;
    rows.erase(rows.begin()), found.erase(found.begin());
  }
  std::vector<row_comparison> columns;
  for (auto const column : job.layout.columns) columns.push_back(comparison_of(rows, column, job.descending));
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    for (auto const& compare : columns)
      if (int const one = compare(a, b); one != 0) return one < 0;
    return false;
  });
  for (std::size_t i = 0; i < order.size(); ++i)
    if (auto differs = difference_of_row("row " + text_of(i + 1), found[i], rows[order[i]]); !differs.empty()) return differs;
  // Blanks, quotes and line ends, too: only the last line may have been given an end.
  if (made.size() < text.size() || made.size() > text.size() + 2)
    return "found " + text_of(made.size()) + " bytes, expected " + text_of(text.size());
  return {};
}

}  // namespace lookback::app
