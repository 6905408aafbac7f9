// One column of numbers out of a text file.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "array.hpp"

namespace lookback::app {

/// Parses a column of `text`, which came from `file` (for messages).
///   delimiter  0 to take it from the first line that is no comment: a tab, else a comma, else a semicolon, else blanks
///   column     a name from the first line, else a number from 0; none: the text must have one column
///   type       of the elements; none: i64, or u64 or f64 where a number asks for it
/// A first line whose field is no number is a header. Integers are read exactly.
/// Throws bad_data with the line; usage_error if a column must be named.
array read_text_column(std::string_view text, std::string const& file, char delimiter, std::optional<std::string> const& column,
                       std::optional<element> type);

}  // namespace lookback::app
