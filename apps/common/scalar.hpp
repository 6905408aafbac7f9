// One element by itself: what an option such as --init or --below says.
#pragma once
#include <cstddef>
#include <cstring>
#include <string>

#include "elements.hpp"

namespace lookback::app {

/// One element, by its bytes.
struct scalar {
  alignas(8) std::byte bytes[8];
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

}  // namespace lookback::app
