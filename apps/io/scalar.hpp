// One element by itself: what an option such as --init or --below says.
#pragma once
#include <cstddef>
#include <cstring>
#include <string>

#include "elements.hpp"

namespace lookback::app {

/// One element, by its bytes.
struct scalar {
  alignas(16) std::byte bytes[16];
  template <class T>
  T as() const {
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
  }
};

template <class T>
scalar scalar_of(T value) {
  scalar made{};
  std::memcpy(made.bytes, &value, sizeof value);
  return made;
}

/// `text` exactly as an element of `type`. Throws usage_error naming `option`.
scalar parse_scalar(std::string const& text, element type, std::string const& option);

/// The same for a type of matrices: complex numbers as "1.5", "-2i", "1.5-2i".
scalar parse_factor(std::string const& text, element type, std::string const& option);

}  // namespace lookback::app
