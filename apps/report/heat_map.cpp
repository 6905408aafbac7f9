#include <algorithm>
#include <cmath>

#include "chart.hpp"
#include "drawing.hpp"

namespace lookback::app {

namespace {

constexpr int heat_steps = 7;

/// One picture of cells in one layout.
class cells_picture {
 public:
  cells_picture(heat_data const& data, layout const& how);
  std::string drawn();

 private:
  void draw_cell(std::size_t row, std::size_t column);
  void draw_labels();
  double draw_key(double top);
  std::string step_of(double value) const;

  heat_data const& data_;
  layout const& how_;
  drawing made_;
  double low_ = INFINITY, high_ = -INFINITY;
  double left_ = 0, top_ = 0, width_ = 0, height_ = 0;  // of the first cell
  bool numbers_ = true;                                 // in the cells
};

cells_picture::cells_picture(heat_data const& data, layout const& how) : data_{data}, how_{how}, made_{how} {
  double labels = 0, columns = 0, numbers = 0;
  for (auto const& one : data.y_labels) labels = std::max(labels, text_width(one, how.font));
  for (auto const& one : data.x_labels) columns = std::max(columns, text_width(one, how.font));
  for (auto const& row : data.values)
    for (double const value : row) {
      if (std::isnan(value)) continue;
      low_ = std::min(low_, value);
      high_ = std::max(high_, value);
      numbers = std::max(numbers, text_width(three_digit_text(value), how.font));
    }
  left_ = std::min(labels, how.width / 3) + 10;
  top_ = how.line + 6;
  width_ = std::min((how.width - left_) / static_cast<double>(data.x_labels.size()), std::max({numbers, columns, 48.0}) + 24);
  height_ = how.line + 10;
  numbers_ = numbers <= width_ - 2;
}

std::string cells_picture::step_of(double value) const {
  double const part = high_ > low_ ? (value - low_) / (high_ - low_) : 0.5;
  return "h" + std::to_string(std::clamp(static_cast<int>(part * heat_steps), 0, heat_steps - 1));
}

void cells_picture::draw_cell(std::size_t row, std::size_t column) {
  double const value = data_.values[row][column];
  double const x = left_ + static_cast<double>(column) * width_, y = top_ + static_cast<double>(row) * height_;
  auto const where = data_.y.quantity + " " + data_.y_labels[row] + ", " + data_.x.quantity + " " + data_.x_labels[column] + ": ";
  bool const missing = std::isnan(value);
  bool const best = (data_.best == outlined::highest && value == high_) || (data_.best == outlined::lowest && value == low_);
  made_.open(missing ? "absent" : step_of(value));
  made_.box(x + 1, y + 1, width_ - 2, height_ - 2, missing ? "cell" : "cell mark",
            where + (missing ? "not measured" : number_text(value) + " " + data_.unit));
  if (missing || numbers_)
    made_.text(x + width_ / 2, y + height_ / 2, anchor::middle, {missing ? "\u2013" : three_digit_text(value)});
  made_.close();
  if (best) made_.box(x + 1, y + 1, width_ - 2, height_ - 2, "best");
}

void cells_picture::draw_labels() {
  made_.text(0, how_.line / 2, anchor::start, {words_of(data_.y)}, "axis");
  for (std::size_t i = 0; i < data_.y_labels.size(); ++i)
    made_.text(left_ - 10, top_ + (static_cast<double>(i) + 0.5) * height_, anchor::end,
               {shortened(data_.y_labels[i], how_.font, left_ - 10)}, "tick");
  double const bottom = top_ + static_cast<double>(data_.y_labels.size()) * height_;
  auto const columns = data_.x_labels.size();
  double const longest = how_.width / 3;
  double widest = 0, taken = 0;
  for (auto const& one : data_.x_labels) widest = std::max(widest, std::min(longest, text_width(one, how_.font)));
  // Labels that do not fit side by side: every second one, or fewer, whole.
  auto const step = static_cast<std::size_t>(std::max(1.0, std::ceil((widest + 4) / width_)));
  for (std::size_t i = 0; i < columns; i += step) {
    auto const label = shortened(data_.x_labels[i], how_.font, longest);
    double const half = text_width(label, how_.font) / 2;
    double const x = std::clamp(left_ + (static_cast<double>(i) + 0.5) * width_, half, how_.width - half);
    if (x - half < taken) continue;  // the last one, moved to the left
    made_.text(x, bottom + 4 + how_.line / 2, anchor::middle, {label}, "tick");
    taken = x + half + 4;
  }
  made_.text(left_ + static_cast<double>(columns) * width_ / 2, bottom + 6 + how_.line * 1.5, anchor::middle, {words_of(data_.x)},
             "axis");
}

// From the lowest value to the highest, in the steps that the cells have.
double cells_picture::draw_key(double top) {
  constexpr double square = 14, gap = 8, apart = 20;
  auto const unit = data_.unit.empty() ? "" : " " + data_.unit;
  bool const equal = low_ == high_;
  std::string const lowest = equal ? "all cells: " : three_digit_text(low_), highest = three_digit_text(high_) + unit;
  std::string const best = data_.best == outlined::none ? "" : data_.best == outlined::highest ? "highest" : "lowest";
  double const width = text_width(lowest + highest, how_.font) + 2 * gap + heat_steps * square;
  double const with_best = best.empty() ? width : width + apart + square + gap + text_width(best, how_.font);
  bool const second_line = with_best > how_.width;
  double const begin = left_ + with_best > how_.width ? 0 : left_ + 1;
  double x = begin, y = top + how_.line / 2;
  auto const say = [&](std::string const& text) {
    made_.text(x, y, anchor::start, {text}, "tick");
    x += text_width(text, how_.font) + gap;
  };
  if (equal) say(lowest + highest);
  else {
    say(lowest);
    for (int step = 0; step < heat_steps; ++step, x += square) {
      made_.open("h" + std::to_string(step));
      made_.box(x, y - 6, square, 12, "cell");
      made_.close();
    }
    x += gap;
    say(highest);
  }
  if (best.empty()) return top + how_.line;
  if (second_line) x = begin, y += how_.line;
  else x += apart - gap;
  made_.box(x, y - 6, square, 12, "best");
  x += square + gap;
  say(best);
  return y + how_.line / 2;
}

std::string cells_picture::drawn() {
  draw_labels();
  for (std::size_t row = 0; row < data_.y_labels.size(); ++row)
    for (std::size_t column = 0; column < data_.x_labels.size(); ++column) draw_cell(row, column);
  double const bottom = top_ + static_cast<double>(data_.y_labels.size()) * height_ + how_.line * 2 + 18;
  return made_.finish(draw_key(bottom) + 2, data_.title);
}

}  // namespace

std::string heat_map(heat_data const& data) {
  expect_drawable(data);
  return cells_picture(data, wide_layout).drawn() + cells_picture(data, narrow_layout).drawn();
}

}  // namespace lookback::app
