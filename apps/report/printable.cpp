#include "printable.hpp"

#include <cstdint>

namespace lookback::app {

std::size_t utf8_character(std::string_view text) {
  auto const byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (text.empty()) return 0;
  if (byte(0) < 0x80) return 1;
  std::size_t const length = byte(0) < 0xc2 ? 0 : byte(0) < 0xe0 ? 2 : byte(0) < 0xf0 ? 3 : byte(0) < 0xf5 ? 4 : 0;
  if (length == 0 || text.size() < length) return 0;
  std::uint32_t code = byte(0) & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if (byte(i) >> 6 != 2) return 0;
    code = code << 6 | (byte(i) & 0x3fu);
  }
  // A shorter form of the same character, half of a UTF-16 pair, or beyond the last character.
  if ((length == 3 && code < 0x800) || (length == 4 && code < 0x10000) || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff)
    return 0;
  return length;
}

std::string printable(std::string_view text, bool lines) {
  constexpr char digits[] = "0123456789abcdef";
  std::string made;
  made.reserve(text.size());
  while (!text.empty()) {
    auto const first = static_cast<unsigned char>(text[0]);
    auto const length = utf8_character(text);
    // 80 to 9f are control characters too, of two bytes in UTF-8.
    bool const control =
        first < 0x20 || first == 0x7f || (first == 0xc2 && length == 2 && static_cast<unsigned char>(text[1]) < 0xa0);
    if (length > 0 && (!control || (lines && first == '\n'))) {
      made += text.substr(0, length);
      text.remove_prefix(length);
      continue;
    }
    if (first == '\n') made += "\\n";
    else if (first == '\r') made += "\\r";
    else if (first == '\t') made += "\\t";
    else (made += "\\x") += {digits[first >> 4], digits[first & 15]};
    text.remove_prefix(1);
  }
  return made;
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 40;
  if (text.size() <= longest) return "'" + printable(text) + "'";
  std::size_t cut = longest;  // where a character begins, if this is UTF-8
  while (cut + 4 > longest && (static_cast<unsigned char>(text[cut]) >> 6) == 2) --cut;
  return "'" + printable(text.substr(0, cut)) + "...'";
}

}  // namespace lookback::app
