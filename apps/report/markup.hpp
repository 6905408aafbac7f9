// Text that stands in HTML and SVG as it is, whatever it holds.
#pragma once
#include <string>
#include <string_view>

namespace lookback::app {

/// `text` with entities for what markup reads as its own: & < > " '. Control characters, and bytes that are no UTF-8, become what
/// printable() makes of them; ends of lines stay.
std::string markup_text(std::string_view text);

/// The same of a sentence: "2^20" becomes a 2 with a raised 20.
std::string markup_prose(std::string_view text);

/// The same of a command line: a word that fits on a line is not broken.
std::string markup_words(std::string_view text);

}  // namespace lookback::app
