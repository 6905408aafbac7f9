#include "ticks.hpp"

#include <algorithm>
#include <cmath>

#include "io/numbers.hpp"
#include "table.hpp"

namespace lookback::app {

namespace {

// A step of 1, 2 or 5 times a power of ten, as two integers: its ticks have no error that a label would show.
struct decimal_step {
  int digit, power;
  double size() const { return power < 0 ? digit / std::pow(10, -power) : digit * std::pow(10, power); }
  double times(double count) const {
    return power < 0 ? count * digit / std::pow(10, -power) : count * digit * std::pow(10, power);
  }
};

// A value that is a tick but for rounding belongs to it.
constexpr double tick_slack = 1e-9;

decimal_step step_for(double length, int most) {
  decimal_step step{1, static_cast<int>(std::floor(std::log10(length / most)))};
  for (;;) {
    for (int const digit : {1, 2, 5}) {
      step.digit = digit;
      if (length / step.size() <= most + tick_slack) return step;
    }
    ++step.power;
  }
}

tick_label power_label(int base, int exponent) {
  bool const small = base == 2 ? exponent >= 0 && exponent <= 10 : exponent >= -3 && exponent <= 5;
  if (!small) return {text_of(base), text_of(exponent)};
  return {exponent < 0 ? fixed_text(std::pow(base, exponent), -exponent)
                       : grouped(static_cast<std::int64_t>(std::pow(base, exponent)))};
}

std::vector<tick> linear_ticks(interval of, int most) {
  auto const step = step_for(of.high - of.low, most);
  double const first = std::ceil(of.low / step.size() - tick_slack), last = std::floor(of.high / step.size() + tick_slack);
  double const largest = std::max(std::abs(step.times(first)), std::abs(step.times(last)));
  int const power = largest > 0 ? static_cast<int>(std::floor(std::log10(largest) + tick_slack)) : 0;
  bool const scientific = power >= 6 || power <= -5;
  std::vector<tick> made;
  // Not more than asked for, however large the numbers are beside their distance.
  for (int i = 0; i <= most + 1 && first + i <= last; ++i) {
    double const value = step.times(first + i);
    if (value == 0) made.push_back({0, {"0"}});
    else if (scientific)
      made.push_back(
          {value, {fixed_text(value / std::pow(10, power), std::max(0, power - step.power)) + "\u00d710", text_of(power)}});
    else if (step.power >= 0) made.push_back({value, {grouped(std::llround(value))}});
    else made.push_back({value, {fixed_text(value, -step.power)}});
  }
  return made;
}

double exponent_of(scale how, double value) { return how == scale::log2 ? std::log2(value) : std::log10(value); }

// 1, 2 and 5 in every decade.
std::vector<tick> ticks_in_decades(interval of) {
  std::vector<tick> made;
  int const first = static_cast<int>(std::floor(std::log10(of.low))), last = static_cast<int>(std::ceil(std::log10(of.high)));
  for (int power = first; power <= last; ++power)
    for (int const digit : {1, 2, 5}) {
      decimal_step const step{digit, power};
      if (step.size() < of.low * (1 - tick_slack) || step.size() > of.high * (1 + tick_slack)) continue;
      auto label = power_label(10, power);
      if (!label.exponent.empty()) label.text = (digit == 1 ? "" : text_of(digit) + "\u00d7") + "10";
      else label.text = power < 0 ? fixed_text(step.size(), -power) : grouped(std::llround(step.size()));
      made.push_back({step.size(), label});
    }
  return made;
}

std::vector<tick> logarithmic_ticks(scale how, interval of, int most) {
  int const base = how == scale::log2 ? 2 : 10;
  int const first = static_cast<int>(std::ceil(exponent_of(how, of.low) - tick_slack));
  int const last = static_cast<int>(std::floor(exponent_of(how, of.high) + tick_slack));
  if (how == scale::log10 && last - first < 3) {
    auto made = ticks_in_decades(of);
    if (made.size() > 1 && made.size() <= static_cast<std::size_t>(most) + 1) return made;
  }
  if (last - first < 1) return linear_ticks(of, most);
  int step = 1;
  constexpr int decades[] = {1, 2, 3, 5, 10, 20, 50, 100, 200, 500};
  for (int i = 0; (last - first) / step >= most; ++i) step = how == scale::log2 ? step * 2 : decades[std::min(i + 1, 9)];
  std::vector<tick> made;
  int const begin = static_cast<int>(std::ceil(static_cast<double>(first) / step)) * step;
  for (int exponent = begin; exponent <= last; exponent += step) made.push_back({std::pow(base, exponent), {}});
  // One axis says powers of two in one way.
  bool const plain = std::all_of(made.begin(), made.end(), [&](tick const& one) {
    return power_label(base, static_cast<int>(std::lround(exponent_of(how, one.value)))).exponent.empty();
  });
  for (auto& one : made) {
    int const exponent = static_cast<int>(std::lround(exponent_of(how, one.value)));
    one.label = plain ? power_label(base, exponent) : tick_label{text_of(base), text_of(exponent)};
  }
  return made;
}

}  // namespace

std::vector<tick> ticks_of(scale how, interval of, int most) {
  auto made = how == scale::linear ? linear_ticks(of, most) : logarithmic_ticks(how, of, most);
  if (made.empty()) made.push_back({of.low, {three_digit_text(of.low)}});
  return made;
}

interval opened(scale how, interval of) {
  double const size = std::max(std::abs(of.low), std::abs(of.high));
  // Closer than this, places and labels would be all rounding.
  if (of.high - of.low > 1e-9 * size && of.high > of.low) return of;
  if (how == scale::linear) return size > 0 ? interval{of.low - size / 2, of.high + size / 2} : interval{-1, 1};
  return {of.low / 2, of.high * 2};
}

interval rounded(scale how, interval of, int most) {
  if (how == scale::linear) {
    if (of.low >= 0) of.low = 0;
    if (of.high <= of.low) of.high = of.low < 0 ? 0 : 1;
    auto const step = step_for(of.high - of.low, most);
    return {step.times(std::floor(of.low / step.size() + tick_slack)), step.times(std::ceil(of.high / step.size() - tick_slack))};
  }
  of = opened(how, of);
  if (how == scale::log2)
    return {std::exp2(std::floor(std::log2(of.low) + tick_slack)), std::exp2(std::ceil(std::log2(of.high) - tick_slack))};
  auto const below = [](double value) {
    int const power = static_cast<int>(std::floor(std::log10(value) + tick_slack));
    double best = std::pow(10, power);
    for (int const digit : {2, 5})
      if (decimal_step{digit, power}.size() <= value * (1 + tick_slack)) best = decimal_step{digit, power}.size();
    return best;
  };
  double const low = below(of.low), under = below(of.high);
  if (under >= of.high * (1 - tick_slack)) return {low, under};
  return {low, below(under * 2.5)};  // from 1, 2 and 5 to the next: 2, 5 and 10
}

ruler::ruler(scale how, interval of, double begin, double end) : how_{how}, begin_{begin}, end_{end} {
  low_ = position(of.low);
  high_ = position(of.high);
}
double ruler::position(double value) const { return how_ == scale::linear ? value : exponent_of(how_, value); }
double ruler::place(double value) const { return begin_ + (position(value) - low_) / (high_ - low_) * (end_ - begin_); }

std::string three_digit_text(double value) {
  double const size = std::abs(value);
  if (size == 0) return "0";
  if (size >= 999'999.5 || size < 1e-4) {
    char buffer[longest_number];
    return {buffer, std::to_chars(buffer, buffer + longest_number, value, std::chars_format::scientific, 2).ptr};
  }
  if (size >= 99.95) return grouped(std::llround(value));
  return fixed_text(value, size < 0.000995 ? 6 : size < 0.00995 ? 5 : size < 0.0995 ? 4 : size < 0.9995 ? 3 : size < 9.995 ? 2 : 1);
}

std::string number_text(double value) {
  if (std::isnan(value)) return "-";
  if (std::abs(value) < 9e15 && value == std::floor(value)) return grouped(static_cast<std::int64_t>(value));
  return short_text(value);
}

}  // namespace lookback::app
