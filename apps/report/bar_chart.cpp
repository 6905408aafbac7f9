#include <algorithm>
#include <cmath>
#include <numeric>

#include "chart.hpp"
#include "drawing.hpp"
#include "legend.hpp"

namespace lookback::app {

namespace {

/// One picture of bars in one layout.
class bars_picture {
 public:
  bars_picture(bar_data const& data, layout const& how);
  std::string drawn();

 private:
  double draw_head();
  double draw_row(bar_row const& row, double top);
  void draw_values();
  void draw_axis(double top, double bottom);
  double x_of(double value) const { return ruler(scale::linear, {0, most_}, base_, end_).place(std::min(value, most_)); }
  double height_of(bar_row const& row) const;
  std::string tip(bar_row const& row, std::string const& part, double value) const;
  static double length(bar_row const& row);
  bool is_cut(double value) const { return data_.longest > 0 && value > data_.longest; }
  std::string text_of(double value, std::string const& remark) const {
    return three_digit_text(value) + (is_cut(value) ? ", cut" : "") + (remark.empty() ? "" : ", " + remark);
  }

  bar_data const& data_;
  layout const& how_;
  drawing made_;
  std::vector<std::string> names_;
  bool stacked_, above_;            // above: labels stand above their bars
  double most_ = 0;                 // the longest bar
  double base_ = 0, end_ = 0;       // the bars' room
  double thickness_ = 0, gap_ = 0;  // of a bar, and between rows
  struct end_of_bar {
    double x, y, value;
    std::string remark;
  };
  std::vector<end_of_bar> ends_;
};

// A row's parts that are missing add nothing to it; NaN if all are.
double bars_picture::length(bar_row const& row) {
  double sum = 0;
  bool some = false;
  for (auto const& one : row.parts)
    if (!std::isnan(one.value)) sum += one.value, some = true;
  return some ? sum : std::nan("");
}

bars_picture::bars_picture(bar_data const& data, layout const& how)
    : data_{data}, how_{how}, made_{how}, names_{part_names(data)}, stacked_{data.stacked && names_.size() > 1} {
  double labels = 0, values = text_width("not measured", how.font);
  bool all = true;
  for (auto const& row : data.rows) {
    labels = std::max(labels, text_width(row.label, how.font));
    if (std::isnan(length(row))) all = false;
  }
  if (all) values = 0;
  auto const count = [&](double value, std::string const& remark) {
    if (std::isnan(value)) return;
    most_ = std::max(most_, is_cut(value) ? data_.longest : value);
    values = std::max(values, text_width(text_of(value, remark), how.font));
  };
  for (auto const& row : data.rows) {
    if (stacked_) count(length(row), row.remark);
    else
      for (auto const& one : row.parts) count(one.value, row.remark);
  }
  if (data.reference) most_ = std::max(most_, data.reference->value);
  if (most_ == 0) most_ = 1;
  above_ = labels > 0.3 * how.width;
  base_ = above_ || labels == 0 ? 0 : labels + 12;
  end_ = how.width - values - 8;
  bool const plain = stacked_ || names_.size() == 1;
  thickness_ = plain ? how.line - 2 : how.line - 5;
  gap_ = above_ ? 8 : plain ? 8 : 12;
}

double bars_picture::height_of(bar_row const& row) const {
  auto const bars = stacked_ ? 1 : std::max<std::size_t>(row.parts.size(), 1);
  return (above_ ? how_.line : 0) + static_cast<double>(bars) * how_.line;
}

std::string bars_picture::tip(bar_row const& row, std::string const& part, double value) const {
  auto const unit = data_.unit.empty() ? "" : " " + data_.unit;
  return row.label + (part.empty() ? "" : ", " + part) + ": " + number_text(value) + unit;
}

void bars_picture::draw_values() {
  for (auto const& [x, y, value, remark] : ends_)
    if (std::isnan(value)) made_.text(base_ + 6, y, anchor::start, {"not measured"}, "over absent");
    else made_.text(x + 6, y, anchor::start, {text_of(value, remark)}, "over");
}

double bars_picture::draw_row(bar_row const& row, double top) {
  double y = top;
  double const bottom = top + height_of(row);
  if (above_) {
    made_.text(base_, y + how_.line / 2, anchor::start, {shortened(row.label, how_.font, how_.width)}, "over");
    y += how_.line;
  } else if (!row.label.empty()) made_.text(base_ - 10, (y + bottom) / 2, anchor::end, {shortened(row.label, how_.font, base_)});
  double const inset = (how_.line - thickness_) / 2;
  double from = 0;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    auto const found = std::find_if(row.parts.begin(), row.parts.end(), [&](bar_part const& one) { return one.name == names_[i]; });
    if (found == row.parts.end()) continue;
    if (!std::isnan(found->value)) {
      double const x = x_of(from);
      made_.open(colour_classes(i));
      made_.box(x, y + inset, x_of(from + found->value) - x, thickness_, "bar mark", tip(row, found->name, found->value));
      made_.close();
      if (stacked_) from += found->value;
    }
    if (stacked_) continue;
    ends_.push_back({std::isnan(found->value) ? 0 : x_of(found->value), y + how_.line / 2, found->value, row.remark});
    y += how_.line;
  }
  if (stacked_) ends_.push_back({x_of(from), y + how_.line / 2, length(row), row.remark});
  made_.line(base_, above_ ? top + how_.line : top - gap_ / 2, base_, above_ ? bottom : bottom + gap_ / 2, "base");
  return bottom + gap_;
}

double bars_picture::draw_head() {
  double y = 0;
  if (names_.size() > 1) {
    std::vector<legend_entry> entries;
    for (std::size_t i = 0; i < names_.size(); ++i) entries.push_back({names_[i], colour_classes(i)});
    y = draw_legend(made_, entries, 0) + 8;
  }
  made_.text(base_, y + how_.line / 2, anchor::start, {words_of({data_.quantity, data_.unit})}, "axis");
  y += how_.line + 4;
  if (data_.reference) {
    double const half = text_width(data_.reference->name, how_.font) / 2;
    made_.text(std::clamp(x_of(data_.reference->value), half, std::max(half, how_.width - half)), y + how_.line / 2, anchor::middle,
               {data_.reference->name}, "tick");
    y += how_.line;
  }
  return y;
}

// Lengths that no number says need an axis: the parts of a row.
void bars_picture::draw_axis(double top, double bottom) {
  if (stacked_)
    for (auto const& one : ticks_with_room(scale::linear, {0, most_}, how_.most_ticks, end_ - base_, how_.font)) {
      double const x = x_of(one.value), half = label_width(one.label, how_.font) / 2;
      made_.line(x, top, x, bottom, "grid");
      made_.text(std::max(x, half), bottom + 4 + how_.line / 2, anchor::middle, one.label, "tick");
    }
}

std::string bars_picture::drawn() {
  double const top = draw_head();
  double const height = std::accumulate(data_.rows.begin(), data_.rows.end(), -gap_,
                                        [&](double sum, bar_row const& row) { return sum + height_of(row) + gap_; });
  double const bottom = top + height + 4;
  draw_axis(top, bottom);
  double y = top + 2;
  for (auto const& row : data_.rows) y = draw_row(row, y);
  if (data_.reference) {
    double const x = x_of(data_.reference->value);
    made_.line(x, top, x, bottom, "ceiling");
  }
  draw_values();  // above the line of the reference
  return made_.finish(bottom + (stacked_ ? how_.line + 6 : 2), data_.title);
}

}  // namespace

std::string bar_chart(bar_data const& data) {
  expect_drawable(data);
  return bars_picture(data, wide_layout).drawn() + bars_picture(data, narrow_layout).drawn();
}

}  // namespace lookback::app
