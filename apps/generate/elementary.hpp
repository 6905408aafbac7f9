// Logarithm, exponential and normal quantile of + - * / and square roots alone, which are the same on every machine; the last bits
// of the standard library's are not, and what is drawn by them would differ here and there.
#pragma once
#include <cmath>

namespace lookback::app {

inline constexpr double natural_log_of_2 = 0.693147180559945309417;

/// Natural logarithm of a finite x > 0, to about 1e-15.
inline double portable_log(double x) {
  int exponent = 0;
  double m = std::frexp(x, &exponent);  // in [1/2, 1)
  if (m < 0.70710678118654752) m *= 2, --exponent;
  double const t = (m - 1) / (m + 1), square = t * t;  // log m = 2 artanh t, |t| < 0.172
  double sum = 0;
  for (int k = 21; k >= 1; k -= 2) sum = sum * square + 1.0 / k;
  return exponent * natural_log_of_2 + 2 * t * sum;
}

/// e^x, to about 1e-13 of it; 0 far below.
inline double portable_exp(double x) {
  if (x < -745) return 0;
  double const power = std::floor(x / natural_log_of_2 + 0.5), rest = x - power * natural_log_of_2;  // |rest| < 0.35
  double sum = 1;
  for (int k = 13; k >= 1; --k) sum = 1 + sum * rest / k;
  return std::ldexp(sum, static_cast<int>(power));
}

/// The z that a standard normal number is above with probability p, 0 < p < 1, to 4.5e-4 (Abramowitz and Stegun 26.2.23).
inline double normal_quantile(double p) {
  if (p > 0.5) return -normal_quantile(1 - p);
  double const t = std::sqrt(-2 * portable_log(p));
  return t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
}

}  // namespace lookback::app
