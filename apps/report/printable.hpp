// Text that a terminal shows and does not act upon.
#pragma once
#include <string>
#include <string_view>

namespace lookback::app {

/// Bytes of the UTF-8 character at the front of `text`; 0 if it begins with none.
std::size_t utf8_character(std::string_view text);

/// `text` with an escape for every control character and every byte that is no UTF-8: "\n", "\t", "\x1b". It may be applied again:
/// a backslash stays as it is. `lines`: the text is of several lines, whose ends stay.
std::string printable(std::string_view text, bool lines = false);

/// "'1.5x'": what stands in a file, as a message shows it: printable, and of a long text the beginning.
std::string in_quotes(std::string_view text);

}  // namespace lookback::app
