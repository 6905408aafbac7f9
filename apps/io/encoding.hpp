// What a text is written in. All texts here are UTF-8, of which ASCII is a part.
#pragma once
#include <string>
#include <string_view>

namespace lookback::app {

/// Throws bad_data naming the encoding where `text`, which came from `file`, is plainly UTF-16 or UTF-32: by its byte order mark,
/// or because every other byte of its beginning is 0.
void expect_utf8(std::string_view text, std::string const& file);

/// `text` behind the byte order mark of UTF-8, which it may begin with.
inline std::string_view behind_mark(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  return text;
}

}  // namespace lookback::app
