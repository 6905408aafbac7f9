// What a scan must give, as one plain loop over vectors: slow, obvious, and the reference of every test.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <lookback/policy.hpp>
#include <optional>
#include <type_traits>
#include <vector>

namespace oracle {

using lookback::direction;

/// One bit an item, one byte each; empty means one segment from end to end.
using heads = std::vector<std::uint8_t>;

template <class T>
struct form {
  std::optional<T> initial{};
  bool exclusive = false;
  direction from = direction::left_to_right;
  oracle::heads heads{};
};

/// out[i] by the definition in core/lookback/scan.hpp: the operands keep their order in memory, whichever side the scan begins on.
template <class T, class X, class Op>
std::vector<T> scan(std::vector<X> const& in, Op op, form<T> const& how) {
  auto const n = static_cast<std::ptrdiff_t>(in.size());
  bool const backwards = how.from == direction::right_to_left;
  std::vector<T> out(in.size());
  std::optional<T> running;
  for (std::ptrdiff_t k = 0; k < n; ++k) {
    std::ptrdiff_t const i = backwards ? n - 1 - k : k;
    bool const first = k == 0 || (!how.heads.empty() && how.heads[static_cast<std::size_t>(backwards ? i + 1 : i)] != 0);
    if (first) running = how.initial;
    auto const x = static_cast<T>(in[static_cast<std::size_t>(i)]);
    std::optional<T> const before = running;
    running = !before ? x : backwards ? op(x, *before) : op(*before, x);
    if (how.exclusive && before) out[static_cast<std::size_t>(i)] = *before;
    if (!how.exclusive) out[static_cast<std::size_t>(i)] = *running;
  }
  return out;
}

/// Sums of floats are right within 16 eps times the sum of magnitudes that went into them (want and bound in double).
template <class T>
struct float_sums {
  std::vector<double> want, bound;
};
template <class T>
float_sums<T> sums(std::vector<T> const& in, form<T> const& how) {
  form<double> wide{{}, how.exclusive, how.from, how.heads}, magnitude = wide;
  if (how.initial) wide.initial = *how.initial, magnitude.initial = std::abs(double{*how.initial});
  std::vector<double> x(in.begin(), in.end()), absolute(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) absolute[i] = std::abs(x[i]);
  auto const add = [](double a, double b) { return a + b; };
  float_sums<T> result{scan<double>(x, add, wide), scan<double>(absolute, add, magnitude)};
  for (double& b : result.bound) b *= 16 * double{std::numeric_limits<T>::epsilon()};
  return result;
}

}  // namespace oracle
