#include "scalar.hpp"

#include "failures.hpp"
#include "numbers.hpp"

namespace lookback::app {

scalar parse_scalar(std::string const& text, element type, std::string const& option) {
  return with_type(type, [&]<class T>(std::type_identity<T>) {
    T number{};
    if (parse_number(text, number) != parsed::ok) throw usage_error(option + ": found '" + text + "', expected " + range_of<T>());
    return scalar_of(number);
  });
}

}  // namespace lookback::app
