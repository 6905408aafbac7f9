#include <algorithm>
#include <cmath>

#include "chart.hpp"
#include "drawing.hpp"
#include "label_places.hpp"
#include "legend.hpp"

namespace lookback::app {

namespace {

/// One picture of lines in one layout: what lies where, then the parts of it.
class lines_picture {
 public:
  lines_picture(line_data const& data, layout const& how);
  std::string drawn();

 private:
  struct drawn_series {
    series const* from;
    std::vector<point> points;  // by x
    std::string classes;
    std::size_t shape;
    point last;  // the last value that there is
  };
  void draw_grid();
  void draw_series(drawn_series const& one);
  void draw_names();
  std::string tip(drawn_series const& one, point const& at) const;
  bool crosses(drawn_series const& one) const { return one.from->is_ceiling && one.points.size() == 1; }
  double x_of(double value) const { return ruler(data_.x.how, x_, left_ + inset, right_ - inset).place(value); }
  double y_of(double value) const { return ruler(data_.y.how, y_, bottom_, top_).place(value); }

  static constexpr double inset = 8;  // marks of the first and last points lie inside the axes
  line_data const& data_;
  layout const& how_;
  drawing made_;
  std::vector<drawn_series> all_;
  interval x_, y_;
  std::vector<tick> x_ticks_, y_ticks_;
  bool beside_ = false;  // names stand at the ends of their lines
  double left_ = 0, right_ = 0, top_ = 0, bottom_ = 0, y_title_ = 0;
};

lines_picture::lines_picture(line_data const& data, layout const& how) : data_{data}, how_{how}, made_{how} {
  std::size_t coloured = 0;
  std::vector<double> xs, ys;
  for (auto const& one : data.lines) {
    drawn_series made{&one, one.points, "ceiling-of", 0, {}};
    if (!one.is_ceiling) {
      made.shape = coloured;
      made.classes = colour_classes(coloured++);
    }
    std::stable_sort(made.points.begin(), made.points.end(), [](point a, point b) { return a.x < b.x; });
    for (auto const& at : made.points) {
      if (!crosses(made) || data.lines.size() == 1) xs.push_back(at.x);
      if (std::isnan(at.y)) continue;
      ys.push_back(at.y);
      made.last = at;
    }
    all_.push_back(made);
  }
  auto const [x_low, x_high] = std::minmax_element(xs.begin(), xs.end());
  auto const [y_low, y_high] = std::minmax_element(ys.begin(), ys.end());
  x_ = opened(data.x.how, {*x_low, *x_high});
  bool const one_place = *x_low == *x_high;
  y_ = rounded(data.y.how, {*y_low, *y_high}, how.most_ticks);
  y_ticks_ = ticks_of(data.y.how, y_, how.most_ticks);

  double names = 0, numbers = 0;
  for (auto const& one : data.lines) names = std::max(names, text_width(one.name, how.font));
  for (auto const& one : y_ticks_) numbers = std::max(numbers, label_width(one.label, how.font));
  beside_ = how.width > 600 && names < 0.3 * how.width && static_cast<double>(all_.size()) * how.line <= how.height;
  left_ = numbers + 8;
  right_ = how.width - (beside_ ? names + 38 : 4);
  if (one_place && data.x.how == scale::linear) x_ticks_ = {{*x_low, {number_text(*x_low)}}};
  else x_ticks_ = ticks_with_room(data.x.how, x_, how.most_ticks + 1, right_ - left_, how.font);
}

void lines_picture::draw_grid() {
  made_.text(0, y_title_, anchor::start, {words_of(data_.y)}, "axis");
  for (auto const& one : y_ticks_) {
    double const y = y_of(one.value);
    made_.line(left_, y, right_, y, "grid");
    made_.text(left_ - 8, y, anchor::end, one.label, "tick");
  }
  made_.line(left_, bottom_, right_, bottom_, "base");
  for (auto const& one : x_ticks_) {
    double const x = x_of(one.value), half = label_width(one.label, how_.font) / 2;
    made_.line(x, bottom_, x, bottom_ + 5, "base");
    made_.text(std::clamp(x, half, how_.width - half), bottom_ + 10 + how_.font / 2, anchor::middle, one.label, "tick");
  }
  made_.text((left_ + right_) / 2, bottom_ + 15 + how_.font * 1.6, anchor::middle, {words_of(data_.x)}, "axis");
}

std::string lines_picture::tip(drawn_series const& one, point const& at) const {
  auto const unit = data_.y.unit.empty() ? "" : " " + data_.y.unit;
  return one.from->name + (crosses(one) ? "" : ", " + number_text(at.x)) + ": " + number_text(at.y) + unit;
}

void lines_picture::draw_series(drawn_series const& one) {
  made_.open(one.classes);
  auto const& points = one.points;
  if (crosses(one)) {
    made_.path("M" + coordinate(left_) + " " + coordinate(y_of(points[0].y)) + "H" + coordinate(right_), "ceiling mark",
               tip(one, points[0]));
    made_.close();
    return;
  }
  std::string path;
  bool drawing_on = false;
  for (auto const& at : points) {
    bool const missing = std::isnan(at.y);
    if (!missing) path += (drawing_on ? "L" : "M") + coordinate(x_of(at.x)) + " " + coordinate(y_of(at.y));
    drawing_on = !missing;
  }
  made_.path(path, one.from->is_ceiling ? "ceiling mark" : "line");
  // Marks that would touch each other hide the line: every second or third one tells it as well.
  double const room = (right_ - left_) / static_cast<double>(points.size());
  auto const step = static_cast<std::size_t>(std::max(1.0, std::ceil(2.5 * how_.marker / room)));
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (std::isnan(points[i].y)) continue;
    bool const alone = (i == 0 || std::isnan(points[i - 1].y)) && (i + 1 == points.size() || std::isnan(points[i + 1].y));
    if (one.from->is_ceiling ? !alone : i % step != 0 && i + 1 != points.size() && !alone) continue;
    made_.marker(one.shape, x_of(points[i].x), y_of(points[i].y), "mark", tip(one, points[i]));
  }
  made_.close();
}

void lines_picture::draw_names() {
  std::vector<double> wanted;
  for (auto const& one : all_) wanted.push_back(y_of(one.last.y));
  auto const places = label_places(wanted, how_.line, top_ - how_.line / 2, bottom_);
  double const sample = right_ + 24;
  for (std::size_t i = 0; i < all_.size(); ++i) {
    auto const& one = all_[i];
    double const from = crosses(one) ? right_ : x_of(one.last.x) + how_.marker + 2;
    made_.open(one.classes);
    // Across the picture it must not look like more of the line.
    if (right_ - from > 12) made_.line(from, wanted[i], right_, wanted[i], "leader far");
    double const begin = std::max(from, right_ - 8);
    made_.line(begin, wanted[i], begin + 8, wanted[i], "leader");
    made_.line(begin + 8, wanted[i], sample, places[i], "leader");
    if (!one.from->is_ceiling) made_.marker(one.shape, sample, places[i], "");
    made_.close();
    made_.text(sample + 10, places[i], anchor::start, {one.from->name});
  }
}

std::string lines_picture::drawn() {
  double y = 0;
  if (!beside_) {
    std::vector<legend_entry> entries;
    for (auto const& one : all_) entries.push_back({one.from->name, one.classes, true, one.from->is_ceiling, one.shape});
    y = draw_legend(made_, entries, 0) + 8;
  }
  y_title_ = y + how_.line / 2;
  top_ = y_title_ + how_.line + 2;
  bottom_ = top_ + how_.height;
  draw_grid();
  // The first of the series lies on top, the ceilings below all.
  for (auto one = all_.rbegin(); one != all_.rend(); ++one)
    if (one->from->is_ceiling) draw_series(*one);
  for (auto one = all_.rbegin(); one != all_.rend(); ++one)
    if (!one->from->is_ceiling) draw_series(*one);
  if (beside_) draw_names();
  return made_.finish(bottom_ + 15 + how_.font * 2.4, data_.title);
}

}  // namespace

std::string line_chart(line_data const& data) {
  expect_drawable(data);
  return lines_picture(data, wide_layout).drawn() + lines_picture(data, narrow_layout).drawn();
}

}  // namespace lookback::app
