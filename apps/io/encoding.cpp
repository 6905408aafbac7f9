#include "encoding.hpp"

#include <algorithm>

#include "report/failures.hpp"

namespace lookback::app {

void expect_utf8(std::string_view text, std::string const& file) {
  using namespace std::string_view_literals;
  char const* found = nullptr;
  // The mark of UTF-32 begins with that of UTF-16.
  if (text.starts_with("\xff\xfe\0\0"sv) || text.starts_with("\0\0\xfe\xff"sv)) found = "UTF-32 text";
  else if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) found = "UTF-16 text";
  else {
    std::size_t const pairs = std::min<std::size_t>(text.size() / 2, 32);
    std::size_t zeros[2] = {};
    for (std::size_t i = 0; i < 2 * pairs; ++i) zeros[i % 2] += text[i] == '\0';
    if (std::min(zeros[0], zeros[1]) == 0 && 2 * std::max(zeros[0], zeros[1]) > pairs) found = "UTF-16 text";
  }
  if (found) refuse(file, "byte 0", found, "UTF-8 (iconv converts it)");
}

}  // namespace lookback::app
