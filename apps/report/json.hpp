// Enough JSON to write a report.
#pragma once
#include <cmath>
#include <concepts>
#include <string>
#include <string_view>

#include "io/numbers.hpp"

namespace lookback::app {

/// The text between quotes, with escapes; control characters, and bytes that are no UTF-8, become \u00XX.
std::string json_string(std::string_view text);

/// An object under construction, members in the order they are added.
class json_object {
 public:
  json_object& add(std::string_view key, std::string_view value) { return raw(key, json_string(value)); }
  json_object& add(std::string_view key, char const* value) { return raw(key, json_string(value)); }
  json_object& add(std::string_view key, bool value) { return raw(key, value ? "true" : "false"); }
  template <std::integral T>
  requires(!std::same_as<T, bool>) json_object& add(std::string_view key, T value) { return raw(key, text_of(value)); }
  json_object& add(std::string_view key, double value) { return raw(key, std::isfinite(value) ? text_of(value) : "null"); }
  json_object& add(std::string_view key, json_object const& value) { return raw(key, value.text()); }
  json_object& raw(std::string_view key, std::string_view value) {
    members_ += (members_.empty() ? "" : ", ") + json_string(key) + ": " + std::string(value);
    return *this;
  }
  std::string text() const { return "{" + members_ + "}"; }

 private:
  std::string members_;
};

}  // namespace lookback::app
