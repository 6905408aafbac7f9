// Pictures of measured figures, as SVG for a page (page.hpp), and the same figures as a table.
//
// A picture is drawn twice, for wide screens and for phones, because letters that are legible on one are not on the other; the page
// shows one of the two. Colours are classes of the page, so that one picture serves light and dark.
//
// What cannot be drawn is refused with invalid_argument, which says what was found and what was expected: a picture without data,
// an infinite value, a value that is not positive on a logarithmic axis. A NaN is a value that is missing: a gap in a line, no bar,
// an empty cell.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "ticks.hpp"

namespace lookback::app {

/// What an axis shows: "throughput" in "GB/s". The unit may be empty.
struct axis {
  std::string quantity;
  std::string unit = {};
  scale how = scale::linear;
};
/// "throughput, GB/s"
std::string words_of(axis const& of);

struct point {
  double x, y;
};
/// A line, in any order of its points. A ceiling (a copy of the memory) is what the others are measured against: dashed and
/// neutral; one of a single point goes across the picture.
struct series {
  std::string name;
  std::vector<point> points;
  bool is_ceiling = false;
};
/// A linear y axis begins at 0 where no value is negative.
struct line_data {
  std::string title;  // for who cannot see the picture; the page shows it above
  axis x, y;
  std::vector<series> lines;
};

struct bar_part {
  std::string name;
  double value;
};
struct bar_row {
  std::string label;
  std::vector<bar_part> parts;
  std::string remark = {};  // behind the value at the end of the bar, which is plain or stacked
};
/// What bars are measured against: "CUB" at 1.
struct reference_line {
  std::string name;
  double value;
};
/// Horizontal bars from 0, of a linear axis, because their lengths are compared. The parts of a row lie one behind the other
/// (stacked) or one below the other (grouped); a row of one part is a plain bar.
struct bar_data {
  std::string title;
  std::string quantity;
  std::string unit = {};
  bool stacked = false;
  std::vector<bar_row> rows;
  std::optional<reference_line> reference = {};
  std::string remarks = {};  // heading of the column of remarks; empty without any
  double longest = 0;        // bars are cut at this length, and say so; 0: none is
};

enum class outlined { none, highest, lowest };
/// Numbers in cells of one hue, darker (on dark pages: brighter) the higher.
struct heat_data {
  std::string title;
  std::string quantity;
  std::string unit = {};
  axis x, y;  // of labels: their scales do not count
  std::vector<std::string> x_labels, y_labels;
  std::vector<std::vector<double>> values;  // a row for each y label
  outlined best = outlined::none;           // the cell to look at first
};

std::string line_chart(line_data const& data);
std::string bar_chart(bar_data const& data);
std::string heat_map(heat_data const& data);

/// The numbers of a picture. The first column names the row.
struct figure_table {
  std::string caption;
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;
};
figure_table table_of(line_data const& data);
figure_table table_of(bar_data const& data);
figure_table table_of(heat_data const& data);

/// Throw invalid_argument where there is nothing to draw or a value that cannot be drawn.
void expect_drawable(line_data const& data);
void expect_drawable(bar_data const& data);
void expect_drawable(heat_data const& data);

/// The names of the parts, in the order in which rows first have them.
std::vector<std::string> part_names(bar_data const& data);
/// NaN where the row has no such part.
double part_of(bar_row const& row, std::string const& name);

}  // namespace lookback::app
