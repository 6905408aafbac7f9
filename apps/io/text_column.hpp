// One column of numbers out of a text file.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "array.hpp"
#include "workers.hpp"

namespace lookback::app {

/// Does the first line of a text hold the names of its columns?
enum class header_line { automatic, yes, no };

/// What is read of a text, and how it is laid out.
///   delimiter  0 to take it from the first line that is no comment: a tab, else a comma, else a semicolon, else blanks
///   column     a number from 0 that counts a column of the first line, else a name in it; none: the text must have one column
///   type       of the elements; none: i64, or u64 or f64 where a number asks for it
///   header     automatic: the first line is a header if `column` is a name in it, or if its field is neither empty nor a number
struct text_words {
  char delimiter = 0;
  std::optional<std::string> column = {};
  std::optional<element> type = {};
  header_line header = header_line::automatic;
  std::string column_option = "--column";  // what a message names
};

/// Parses a column of a file's text, or of what gzip made of it (`packed`), while it is read: on several threads, each of which
/// takes a piece of lines at a time. A text with line ends in quoted fields at the wrong places is read by one thread.
/// Integers are read exactly. A record of more fields than the first has is refused, but where blanks delimit. The array's notes
/// tell which line was taken for a header. Throws bad_data with the line, of the first that is wrong; usage_error if a column must
/// be named; out_of_memory.
array read_text_column(input_file const& file, bool packed, text_words const& words, reading const& how = {});

/// The same of a text in memory, which came from `file` (for messages).
array read_text_column(std::string_view text, std::string const& file, text_words const& words, reading const& how = {});

}  // namespace lookback::app
