#include "check_scan.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <lookback/operators.hpp>
#include <vector>

namespace lookback::app {

namespace {

// One byte an item: does a segment begin here? Empty for a plain scan.
std::vector<std::uint8_t> heads_of(scan_job const& job) {
  if (!job.heads) return {};
  auto const n = static_cast<std::size_t>(job.values.n);
  std::vector<std::uint8_t> heads(n);
  if (is_offsets(*job.heads)) {
    for (index_t k = 0; k < job.heads->count; ++k)
      if (auto const at = offset_at(*job.heads, k); at < job.values.n) heads[static_cast<std::size_t>(at)] = 1;
  } else {
    for (std::size_t i = 1; i < n; ++i) heads[i] = head_at(*job.heads, static_cast<index_t>(i));
  }
  return heads;
}

// Goes through the items in the order of the scan; tells `state` where a segment starts anew.
template <class State>
std::string walk(scan_job const& job, State state, std::byte const* got) {
  using T = typename State::value_type;
  auto const heads = heads_of(job);
  auto const* const in = reinterpret_cast<T const*>(job.values.data);
  auto const* const out = reinterpret_cast<T const*>(got);
  index_t const n = job.values.n;
  for (index_t k = 0; k < n; ++k) {
    auto const i = static_cast<std::size_t>(job.reverse ? n - 1 - k : k);
    // From right to left a segment ends where it began in memory: behind its head.
    bool const anew = k == 0 || (!heads.empty() && heads[job.reverse ? i + 1 : i] != 0);
    if (anew) state.restart();
    if (!job.exclusive) state.take(in[i]);
    if (!state.accepts(out[i]))
      return "item " + grouped(static_cast<index_t>(i)) + ": found " + text_of(out[i]) + ", expected " + state.wanted();
    if (job.exclusive) state.take(in[i]);
  }
  return {};
}

template <class T>
T initial_or(scan_job const& job, T identity) {
  if (job.initial) std::memcpy(&identity, job.initial->bytes, sizeof identity);
  return identity;
}

// The operator's identity is only shown where an exclusive scan has no initial value; starting from it is the same as from nothing.
template <class Op>
struct exact {
  using value_type = typename Op::value_type;
  value_type first, value = first;
  void restart() { value = first; }
  void take(value_type x) { value = Op{}(value, x); }
  bool accepts(value_type got) const { return got == value || (got != got && value != value); }
  std::string wanted() const { return text_of(value); }
};

// Double would not do for double: a plain loop over 2^24 items is off by more than 16 eps itself.
template <class T>
struct float_sum {
  using value_type = T;
  using wide = std::conditional_t<std::is_same_v<T, float>, double, long double>;
  T first;
  wide value = 0, magnitude = 0;
  void restart() { value = first, magnitude = std::abs(wide{first}); }
  void take(T x) { value += x, magnitude += std::abs(wide{x}); }
  wide bound() const { return 16 * wide{std::numeric_limits<T>::epsilon()} * magnitude; }
  bool accepts(T got) const {
    if (std::isnan(value) || std::isnan(got)) return std::isnan(value) && std::isnan(got);
    if (std::isinf(value)) return got == static_cast<T>(value);
    if (magnitude > std::numeric_limits<T>::max()) return true;  // some order of these additions overflows
    return std::abs(wide{got} - value) <= bound();
  }
  std::string wanted() const { return text_of(static_cast<double>(value)) + " within " + text_of(static_cast<double>(bound())); }
};

template <class T>
struct float_product {
  using value_type = T;
  using wide = long double;
  T first;
  wide value = 1, factors = 0;
  int exponents = 0;  // sum of |log2 x|: no order of the factors leaves 2^-exponents .. 2^exponents
  void restart() { value = 1, factors = 0, exponents = 0, take(first); }
  void take(T x) {
    value *= x, ++factors;
    if (x != 0 && std::isfinite(x)) exponents = std::min(1 << 20, exponents + std::abs(std::ilogb(x)) + 1);
  }
  wide bound() const { return (factors + 16) * wide{std::numeric_limits<T>::epsilon()} * std::abs(value); }
  bool accepts(T got) const {
    if (exponents >= std::numeric_limits<T>::max_exponent - 2) return true;
    if (std::isnan(value) || std::isnan(got)) return std::isnan(value) && std::isnan(got);
    if (std::isinf(value)) return got == static_cast<T>(value);
    return std::abs(wide{got} - value) <= bound();
  }
  std::string wanted() const { return text_of(static_cast<double>(value)) + " within " + text_of(static_cast<double>(bound())); }
};

template <class Op>
std::string exactly(scan_job const& job, std::byte const* got) {
  return walk(job, exact<Op>{initial_or(job, Op::identity())}, got);
}

}  // namespace

std::string first_difference(scan_job const& job, std::byte const* got) {
  return with_type(job.values.type, [&]<class T>(std::type_identity<T>) -> std::string {
    switch (job.op) {
      case operation::min:
        return exactly<minimum<T>>(job, got);
      case operation::max:
        return exactly<maximum<T>>(job, got);
      default:
        break;
    }
    if constexpr (std::is_floating_point_v<T>) {
      if (job.op == operation::plus) return walk(job, float_sum<T>{initial_or(job, T{0})}, got);
      return walk(job, float_product<T>{initial_or(job, T{1})}, got);
    } else {
      switch (job.op) {
        case operation::plus:
          return exactly<plus<T>>(job, got);
        case operation::multiplies:
          return exactly<multiplies<T>>(job, got);
        case operation::bit_and:
          return exactly<bit_and<T>>(job, got);
        case operation::bit_or:
          return exactly<bit_or<T>>(job, got);
        default:
          return exactly<bit_xor<T>>(job, got);
      }
    }
  });
}

std::string tolerance_of(scan_job const& job) {
  if (!dispatch::is_float(job.values.type) || job.op == operation::min || job.op == operation::max) return "exact";
  return job.op == operation::plus ? "16 eps sum|x|" : "eps per factor";
}

}  // namespace lookback::app
