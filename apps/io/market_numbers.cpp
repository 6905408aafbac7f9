#include "market_numbers.hpp"

#include <string>
#include <string_view>

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
  auto result = parse_number(token, value);
  if (result == parsed::not_a_number) {  // 1.5D+03: the exponent as Fortran writes it
    std::string text(token);
    auto const exponent = text.find_first_of("dD");
    if (exponent == std::string::npos) return nullptr;
    text[exponent] = 'e';
    result = parse_number(std::string_view(text), value);
  }
  return result == parsed::ok ? token.data() + token.size() : nullptr;
}

}  // namespace lookback::app
