#include "check_spmv.hpp"

#include <cmath>
#include <complex>
#include <cstring>

#include "dispatch/spmv_eigen.hpp"
#include "io/elements.hpp"

namespace lookback::app {

namespace {

template <class T>
struct real_part {
  using type = T;
};
template <class T>
struct real_part<std::complex<T>> {
  using type = T;
};

template <class T>
bool is_finite(T value) {
  if constexpr (std::is_arithmetic_v<T>) return std::isfinite(value);
  else return std::isfinite(value.real()) && std::isfinite(value.imag());
}

template <class T>
std::string shown(T const& value) {
  if constexpr (std::is_arithmetic_v<T>) return text_of(value);
  else return text_of(value.real()) + (std::signbit(value.imag()) ? "" : "+") + text_of(value.imag()) + "i";
}

index_t index_at(void const* indices, element type, index_t k) {
  return type == element::i32 ? static_cast<std::int32_t const*>(indices)[k] : static_cast<std::int64_t const*>(indices)[k];
}

// How far a row may be off, its sums in double, whose own rounding is nothing beside it. Infinity where some order of its additions
// may leave the range, NaN where something in it is not finite to begin with.
template <class T>
double bound_of(dispatch::spmv_request const& r, T const* before, index_t row) {
  using real = typename real_part<T>::type;
  auto const* const values = static_cast<T const*>(r.values);
  auto const* const x = static_cast<T const*>(r.x);
  index_t const begin = index_at(r.offsets, r.offset_type, row), end = index_at(r.offsets, r.offset_type, row + 1);
  auto const size = [](T const& value) {
    return is_finite(value) ? static_cast<double>(std::abs(value)) : std::numeric_limits<double>::quiet_NaN();
  };
  double sum = 0;
  for (index_t k = begin; k < end; ++k) sum += size(values[k]) * size(x[index_at(r.column_indices, r.column_type, k)]);
  double highest = sum;
  if (r.alpha) sum *= size(*static_cast<T const*>(r.alpha));
  highest = std::max(highest, sum);
  if (r.beta && *static_cast<T const*>(r.beta) != T{}) sum += size(*static_cast<T const*>(r.beta)) * size(before[row]);
  if (std::isnan(sum)) return sum;
  if (std::max(highest, sum) > static_cast<double>(std::numeric_limits<real>::max()))
    return std::numeric_limits<double>::infinity();
  constexpr index_t least_in_a_tile = 1 << 11;
  index_t const tiles = 1 + (r.rows + r.nonzeros) / least_in_a_tile;
  double const roundings = static_cast<double>(end - begin) + 1 + std::log2(static_cast<double>(tiles));
  double const factor = std::is_arithmetic_v<T> ? 2 : 6;
  return factor * roundings *
         (static_cast<double>(std::numeric_limits<real>::epsilon()) * sum +
          static_cast<double>(std::numeric_limits<real>::denorm_min()));
}

template <class T>
class comparison {
 public:
  comparison(dispatch::spmv_request const& request, T const* got, T const* want) : request_{request}, got_{got}, want_{want} {}

  std::string text() const {
    std::string first;
    index_t differ = 0;
    for (index_t row = 0; row < request_.rows; ++row)
      if (auto const how = difference(row); !how.empty() && ++differ <= 3) first += (differ > 1 ? "; " : "") + how;
    return differ == 0 ? std::string() : grouped(differ) + " of " + grouped(request_.rows) + " rows: " + first;
  }

 private:
  std::string difference(index_t row) const {
    T const got = got_[row], want = want_[row];
    if (got == want) return {};
    std::string expected = shown(want);
    if constexpr (!std::is_integral_v<T>) {
      double const bound = bound_of(request_, static_cast<T const*>(request_.y), row);
      if (std::isinf(bound)) return {};
      // Infinite complex numbers have several names: which of them comes out is the multiplication's own.
      bool const both = std::is_floating_point_v<T> ? got != got && want != want : !is_finite(got) && !is_finite(want);
      if (std::isnan(bound) ? both : static_cast<double>(std::abs(got - want)) <= bound) return {};
      if (!std::isnan(bound)) expected += " within " + text_of(bound);
    }
    return "row " + grouped(row + 1) + ": found " + shown(got) + ", expected " + expected;
  }

  dispatch::spmv_request const& request_;
  T const* got_;
  T const* want_;
};

}  // namespace

std::string first_difference(dispatch::spmv_request const& request, void const* y) {
  std::size_t const bytes = static_cast<std::size_t>(request.rows) * dispatch::size_of(request.type);
  host_memory const want(bytes);
  if (request.beta && bytes > 0) std::memcpy(want.data(), request.y, bytes);
  auto asked = request;
  asked.y = want.data();
  if (dispatch::eigen_takes(request)) dispatch::multiply_with_eigen(asked, 1);
  else dispatch::multiply_with_loop(asked);
  return with_matrix_type(request.type, [&]<class T>(std::type_identity<T>) {
    return comparison<T>(request, static_cast<T const*>(y), want.as<T>()).text();
  });
}

char const* spmv_reference(dispatch::spmv_request const& request) {
  return dispatch::eigen_takes(request) ? "Eigen" : "a plain loop";
}

std::string spmv_tolerance(dispatch::spmv_request const& request) {
  auto const type = request.type;
  bool const pairs = dispatch::is_complex(type);
  if (!pairs && !dispatch::is_float(type)) return "exact";
  std::string magnitude = request.alpha ? "|alpha||A||x|" : "|A||x|";
  if (request.beta) magnitude = "(" + magnitude + " + |beta||y|)";
  return std::string(pairs ? "6" : "2") + " (row length + 1 + log2 tiles) eps " + magnitude;
}

}  // namespace lookback::app
