// Where the ticks of an axis stand, what they say, and where a value lies between its ends.
#pragma once
#include <string>
#include <vector>

namespace lookback::app {

enum class scale { linear, log2, log10 };

/// What a tick says: "2" with the exponent "20", or "0.5" without one.
struct tick_label {
  std::string text;
  std::string exponent = {};
};
struct tick {
  double value;
  tick_label label;
};

struct interval {
  double low, high;
};

/// At least one tick and hardly more than `most` in [low, high]: powers of two, of ten, or steps of 1, 2 and 5. Logarithmic
/// intervals that hold fewer than two powers have ticks at round numbers.
std::vector<tick> ticks_of(scale how, interval of, int most);

/// `of` with room where it is a single value, so that every value in it has a place; logarithmic ones must be positive.
interval opened(scale how, interval of);
/// `of` from 0, unless it holds negative values, up to the next tick, so that the last line of the grid is above all values.
/// Logarithmic ones end at round numbers.
interval rounded(scale how, interval of, int most);

/// Places values of `of` between two ends on the picture.
class ruler {
 public:
  ruler(scale how, interval of, double begin, double end);
  double place(double value) const;

 private:
  double position(double value) const;
  scale how_;
  double low_, high_, begin_, end_;
};

/// Three digits that count: "0.00123", "1.23", "12.3", "1,234"; very large and very small ones "1.23e+09".
std::string three_digit_text(double value);
/// All that the picture knows of a value: "16,777,216", "812.346"; "-" for NaN.
std::string number_text(double value);

}  // namespace lookback::app
