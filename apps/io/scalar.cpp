#include "scalar.hpp"

#include "numbers.hpp"
#include "report/failures.hpp"

namespace lookback::app {

scalar parse_scalar(std::string const& text, element type, std::string const& option) {
  return with_type(type, [&]<class T>(std::type_identity<T>) {
    T number{};
    if (parse_number(text, number) != parsed::ok) throw usage_error(option + ": found '" + text + "', expected " + range_of<T>());
    return scalar_of(number);
  });
}

namespace {

// Where the imaginary part begins in a text that ends with i: at the last sign that no exponent has, else at the beginning.
std::size_t imaginary_begin(std::string_view text) {
  for (std::size_t at = text.size(); at-- > 1;)
    if ((text[at] == '+' || text[at] == '-') && text[at - 1] != 'e' && text[at - 1] != 'E') return at;
  return 0;
}

template <class T>
bool parse_complex(std::string_view text, std::complex<T>& value) {
  T real{}, imaginary{};
  if (!text.empty() && text.back() == 'i') {
    std::size_t const at = imaginary_begin(text);
    std::string_view const factor = text.substr(at, text.size() - 1 - at);
    if (factor.empty() || factor == "+" || factor == "-") imaginary = factor == "-" ? T{-1} : T{1};
    else if (parse_number(factor, imaginary) != parsed::ok) return false;
    if (at > 0 && parse_number(text.substr(0, at), real) != parsed::ok) return false;
  } else if (parse_number(text, real) != parsed::ok) {
    return false;
  }
  value = {real, imaginary};
  return true;
}

}  // namespace

scalar parse_factor(std::string const& text, element type, std::string const& option) {
  if (!dispatch::is_complex(type)) return parse_scalar(text, type, option);
  auto const parse = [&]<class T>(std::complex<T> number) {
    if (!parse_complex(text, number))
      throw usage_error(option + ": found '" + text + "', expected a complex number such as 2, -3i or 1.5-2i");
    return scalar_of(number);
  };
  return type == element::c64 ? parse(std::complex<float>{}) : parse(std::complex<double>{});
}

}  // namespace lookback::app
