#include "market_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "numbers.hpp"

namespace lookback::app {

namespace {

std::string_view token_at(char const* at) {
  auto const* end = at;
  while (!ends_token(*end)) ++end;
  return {at, static_cast<std::size_t>(end - at)};
}

}  // namespace

char const* read_integer_slowly(char const* at, std::int64_t& value) {
  auto const token = token_at(at);
  return parse_number(token, value) == parsed::ok ? token.data() + token.size() : nullptr;
}

char const* read_number_slowly(char const* at, double& value) {
  auto const token = token_at(at);
  auto const* const behind = token.data() + token.size();
  auto const result = parse_number(token, value);
  if (result == parsed::ok) return behind;
  std::string text(token);
  if (result == parsed::not_a_number) {  // 1.5D+03: the exponent as Fortran writes it
    auto const exponent = text.find_first_of("dD");
    if (exponent == std::string::npos) return nullptr;
    text[exponent] = 'e';
    auto const again = parse_number(std::string_view(text), value);
    if (again != parsed::out_of_range) return again == parsed::ok ? behind : nullptr;
  }
  // Too large is refused; too small is the nearest that there is, a denormal or 0. The C locale is the only one here.
  double const nearest = std::strtod(text.c_str(), nullptr);
  if (std::isinf(nearest)) return nullptr;
  value = nearest;
  return behind;
}

}  // namespace lookback::app
