// What can be drawn, and the tables of it.
#include "chart.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "failures.hpp"
#include "io/numbers.hpp"

namespace lookback::app {

namespace {

constexpr double missing_value = std::numeric_limits<double>::quiet_NaN();

[[noreturn]] void refuse_chart(std::string const& title, std::string const& found, std::string const& expected) {
  throw invalid_argument(printable("chart " + in_quotes(title) + ": found " + found + ", expected " + expected));
}

// Differences and sums of values up to this have no overflow.
constexpr double largest_value = 1e300;

void expect_value(std::string const& title, std::string const& where, double value, scale how = scale::linear) {
  if (std::isnan(value)) return;
  if (!(std::abs(value) <= largest_value)) refuse_chart(title, text_of(value) + " in " + in_quotes(where), "a value up to 1e300");
  if (how != scale::linear && value < 1 / largest_value)
    refuse_chart(title, text_of(value) + " in " + in_quotes(where), "a positive value on a logarithmic axis");
}

void expect_length(std::string const& title, std::string const& where, double value) {
  expect_value(title, where, value);
  if (value < 0) refuse_chart(title, text_of(value) + " in " + in_quotes(where), "a length of a bar, which is not negative");
}

std::string with_unit(std::string const& quantity, std::string const& unit) {
  return quantity.empty() || unit.empty() ? quantity + unit : quantity + ", " + unit;
}

}  // namespace

std::string words_of(axis const& of) { return with_unit(of.quantity, of.unit); }

void expect_drawable(line_data const& data) {
  if (data.lines.empty()) refuse_chart(data.title, "no series", "at least one");
  for (auto const& one : data.lines) {
    bool some = false;
    for (auto const& at : one.points) {
      if (std::isnan(at.x)) refuse_chart(data.title, "a point without x in " + in_quotes(one.name), "NaN as y alone");
      expect_value(data.title, one.name, at.x, data.x.how);
      expect_value(data.title, one.name, at.y, data.y.how);
      some = some || !std::isnan(at.y);
    }
    if (!some) refuse_chart(data.title, "no values in " + in_quotes(one.name), "at least one point of each series");
  }
}

void expect_drawable(bar_data const& data) {
  if (data.rows.empty()) refuse_chart(data.title, "no rows", "at least one");
  bool some = false;
  for (auto const& row : data.rows)
    for (auto const& [name, value] : row.parts) {
      expect_length(data.title, row.label, value);
      some = some || !std::isnan(value);
    }
  if (!some) refuse_chart(data.title, "no values in any row", "at least one");
  bool const grouped = !data.stacked && part_names(data).size() > 1;
  for (auto const& row : data.rows) {
    if (row.remark.empty()) continue;
    if (data.remarks.empty()) refuse_chart(data.title, in_quotes(row.remark) + " behind a bar", "a heading of the remarks");
    if (grouped) refuse_chart(data.title, in_quotes(row.remark) + " behind bars of several parts", "plain or stacked bars");
  }
  if (data.reference) {
    expect_length(data.title, data.reference->name, data.reference->value);
    if (std::isnan(data.reference->value)) refuse_chart(data.title, "NaN as the reference", "a value to compare with");
  }
}

void expect_drawable(heat_data const& data) {
  auto const cells = [](std::size_t count) { return std::to_string(count) + (count == 1 ? " cell" : " cells"); };
  if (data.x_labels.empty() || data.y_labels.empty()) refuse_chart(data.title, "no labels", "at least one of x and one of y");
  if (data.values.size() != data.y_labels.size())
    refuse_chart(data.title, std::to_string(data.values.size()) + " rows of values",
                 std::to_string(data.y_labels.size()) + ", one for each label");
  bool some = false;
  for (std::size_t row = 0; row < data.values.size(); ++row) {
    if (data.values[row].size() != data.x_labels.size())
      refuse_chart(data.title, cells(data.values[row].size()) + " in row " + in_quotes(data.y_labels[row]),
                   cells(data.x_labels.size()));
    for (double const value : data.values[row]) {
      expect_value(data.title, data.y_labels[row], value);
      some = some || !std::isnan(value);
    }
  }
  if (!some) refuse_chart(data.title, "no value in any cell", "at least one");
}

std::vector<std::string> part_names(bar_data const& data) {
  std::vector<std::string> names;
  for (auto const& row : data.rows)
    for (auto const& one : row.parts)
      if (std::find(names.begin(), names.end(), one.name) == names.end()) names.push_back(one.name);
  return names;
}

double part_of(bar_row const& row, std::string const& name) {
  for (auto const& one : row.parts)
    if (one.name == name) return one.value;
  return missing_value;
}

figure_table table_of(line_data const& data) {
  figure_table made{words_of(data.y), {words_of(data.x)}, {}};
  std::vector<double> places;
  for (auto const& one : data.lines) {
    made.head.push_back(one.name);
    for (auto const& at : one.points) places.push_back(at.x);
  }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  for (double const x : places) {
    // A series that has several values at one place has a row for each.
    for (std::size_t again = 0, rows = 1; again < rows; ++again) {
      std::vector<std::string> row{number_text(x)};
      for (auto const& one : data.lines) {
        std::size_t seen = 0;
        double value = missing_value;
        for (auto const& at : one.points)
          if (at.x == x && seen++ == again) value = at.y;
        rows = std::max(rows, seen);
        row.push_back(number_text(value));
      }
      made.rows.push_back(row);
    }
  }
  return made;
}

figure_table table_of(bar_data const& data) {
  figure_table made{with_unit(data.quantity, data.unit), {""}, {}};
  auto const names = part_names(data);
  bool const unnamed = names.size() == 1 && names[0].empty();  // the quantity names the column
  for (auto const& name : names) made.head.push_back(unnamed ? made.caption : name);
  if (unnamed) made.caption.clear();
  bool const totals = data.stacked && names.size() > 1;
  if (totals) made.head.push_back("total");
  if (!data.remarks.empty()) made.head.push_back(data.remarks);
  for (auto const& one : data.rows) {
    std::vector<std::string> row{one.label};
    double total = missing_value;
    for (auto const& name : names) {
      double const value = part_of(one, name);
      row.push_back(number_text(value));
      if (!std::isnan(value)) total = std::isnan(total) ? value : total + value;
    }
    if (totals) row.push_back(number_text(total));
    if (!data.remarks.empty()) row.push_back(one.remark);
    made.rows.push_back(row);
  }
  if (data.reference) {
    std::vector<std::string> row(made.head.size(), "");
    row.front() = data.reference->name;
    row[row.size() - (data.remarks.empty() ? 1 : 2)] = number_text(data.reference->value);
    made.rows.push_back(row);
  }
  return made;
}

figure_table table_of(heat_data const& data) {
  figure_table made{with_unit(data.quantity, data.unit), {words_of(data.y) + " \\ " + words_of(data.x)}, {}};
  made.head.insert(made.head.end(), data.x_labels.begin(), data.x_labels.end());
  for (std::size_t y = 0; y < data.values.size(); ++y) {
    std::vector<std::string> row{data.y_labels[y]};
    for (double const value : data.values[y]) row.push_back(number_text(value));
    made.rows.push_back(row);
  }
  return made;
}

}  // namespace lookback::app
