// A picture in the making: shapes and texts of SVG, whose colours the classes of the page give.
#pragma once
#include <string>
#include <string_view>

#include "ticks.hpp"

namespace lookback::app {

/// A picture is as wide as its box on the page; letters keep their size relative to that.
struct layout {
  std::string_view name;  // its class, by which the page shows it or not
  double width, font, line;
  double height;  // of what lies between axes
  double marker;  // half the size of the mark of a point
  int most_ticks;
};
inline constexpr layout wide_layout{"wide", 720, 13, 18, 300, 4, 6};
inline constexpr layout narrow_layout{"narrow", 340, 12, 17, 220, 3.4, 5};

/// Not less than what `text` takes in any usual sans serif, in the units of the picture.
double text_width(std::string_view text, double font);
double label_width(tick_label const& label, double font);
/// The whole `text`, or as much of its beginning as has room, and an ellipsis.
std::string shortened(std::string_view text, double font, double room);

/// As many ticks as have room side by side for what they say, `most` or fewer.
std::vector<tick> ticks_with_room(scale how, interval of, int most, double room, double font);

/// The classes of the i-th series or part: its colour, and "again" where the colours begin anew.
std::string colour_classes(std::size_t i);

enum class anchor { start, middle, end };

class drawing {
 public:
  explicit drawing(layout const& how) : how_{how} {}
  layout const& how() const { return how_; }

  drawing& open(std::string_view classes);
  drawing& close();
  drawing& line(double x1, double y1, double x2, double y2, std::string_view classes);
  /// `path` is what stands in an attribute d.
  drawing& path(std::string_view path, std::string_view classes, std::string_view tip = {});
  drawing& box(double x, double y, double width, double height, std::string_view classes, std::string_view tip = {});
  /// The middle of the letters is at the height `y`.
  drawing& text(double x, double y, anchor at, tick_label const& label, std::string_view classes = {});
  /// The i-th shape for points; filled ones first.
  drawing& marker(std::size_t i, double x, double y, std::string_view classes, std::string_view tip = {});

  /// The whole of it, of the given height. `title` is what it says to who cannot see it.
  std::string finish(double height, std::string_view title) const;

 private:
  layout how_;
  std::string body_;
};

/// A coordinate: one digit behind the point is finer than any screen.
std::string coordinate(double value);

}  // namespace lookback::app
