// The order of lines of text: by their bytes as unsigned numbers, a line before all that it begins.
#pragma once
#include "lines.hpp"

namespace lookback::dispatch {

LOOKBACK_FN text_line line_of(char const* characters, index_t begin, index_t end) {
  text_line line{0, begin, end - begin};
  for (index_t i = 0; i < 8; ++i)
    line.prefix = line.prefix << 8 | (i < line.length ? static_cast<unsigned char>(characters[begin + i]) : 0u);
  return line;
}

/// Behind the prefix: negative if a comes first.
LOOKBACK_FN int compare_behind_prefix(char const* characters, text_line const& a, text_line const& b) {
  index_t const common = a.length < b.length ? a.length : b.length;
  for (index_t i = 8; i < common; ++i) {
    int const difference =
        static_cast<unsigned char>(characters[a.begin + i]) - static_cast<unsigned char>(characters[b.begin + i]);
    if (difference != 0) return difference;
  }
  return a.length < b.length ? -1 : a.length > b.length ? 1 : 0;
}

struct lines_before {
  char const* characters;
  LOOKBACK_FN bool operator()(text_line const& a, text_line const& b) const {
    if (a.prefix != b.prefix) return a.prefix < b.prefix;
    return compare_behind_prefix(characters, a, b) < 0;
  }
};
/// Are `length` characters from a on those from b on?
LOOKBACK_FN bool begin_equally(char const* a, char const* b, index_t length) {
  index_t i = 0;
  for (; i + 8 <= length; i += 8) {
    bool same = true;  // without a branch for each, so that a compiler takes all eight at once
    for (index_t k = i; k < i + 8; ++k) same &= a[k] == b[k];
    if (!same) return false;
  }
  for (; i < length; ++i)
    if (a[i] != b[i]) return false;
  return true;
}

}  // namespace lookback::dispatch
