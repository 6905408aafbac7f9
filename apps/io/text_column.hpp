// One column of numbers out of a text file.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "array.hpp"

namespace lookback::app {

/// Does the first line of a text hold the names of its columns?
enum class header_line { automatic, yes, no };

/// Parses a column of `text`, which came from `file` (for messages).
///   delimiter  0 to take it from the first line that is no comment: a tab, else a comma, else a semicolon, else blanks
///   column     a number from 0 that counts a column of the first line, else a name in it; none: the text must have one column
///   type       of the elements; none: i64, or u64 or f64 where a number asks for it
///   header     automatic: the first line is a header if `column` is a name in it, or if its field is neither empty nor a number
/// Integers are read exactly. A record of more fields than the first has is refused, but where blanks delimit. The array's notes
/// tell which line was taken for a header. Throws bad_data with the line; usage_error if a column must be named.
array read_text_column(std::string_view text, std::string const& file, char delimiter, std::optional<std::string> const& column,
                       std::optional<element> type, header_line header = header_line::automatic,
                       std::string const& column_option = "--column");

}  // namespace lookback::app
