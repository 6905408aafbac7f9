#include "markup.hpp"

#include <algorithm>
#include <cstddef>

#include "printable.hpp"

namespace lookback::app {

std::string markup_text(std::string_view text) {
  std::string made;
  for (char const c : printable(text, true)) {
    if (c == '&') made += "&amp;";
    else if (c == '<') made += "&lt;";
    else if (c == '>') made += "&gt;";
    else if (c == '"') made += "&quot;";
    else if (c == '\'') made += "&#39;";
    else made += c;
  }
  return made;
}

std::string markup_prose(std::string_view text) {
  auto const digit = [&](std::size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
  std::string made;
  std::size_t from = 0;
  for (std::size_t at = text.find('^'); at != text.npos; at = text.find('^', at + 1)) {
    if (at == 0 || !digit(at - 1) || !digit(at + 1)) continue;
    std::size_t end = at + 1;
    while (digit(end)) ++end;
    made += markup_text(text.substr(from, at - from)) + "<sup>" + markup_text(text.substr(at + 1, end - at - 1)) + "</sup>";
    from = end;
  }
  return made + markup_text(text.substr(from));
}

std::string markup_words(std::string_view text) {
  std::string made;
  while (!text.empty()) {
    auto const end = std::min(text.find(' '), text.size());
    if (end > 0) made += "<span>" + markup_text(text.substr(0, end)) + "</span>";
    if (end < text.size()) made += ' ';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return made;
}

}  // namespace lookback::app
