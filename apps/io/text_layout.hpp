// How a delimited text is laid out, as its first record says.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "file.hpp"
#include "text_column.hpp"

namespace lookback::app {

struct text_layout {
  char delimiter;
  bool comments;                     // '#' lines, as numpy.savetxt writes them; never in .csv, where a header may begin so
  bool header;                       // is the first record one?
  std::size_t fields;                // of the first record
  std::vector<std::size_t> columns;  // those that are read
  std::vector<std::string> names;    // of these, where there is a header
  std::string note;                  // that there is one
};

/// The layout of `text`, which came from `file` (for messages).
///   delimiter  0 to take it from the first line that is no comment, as read_text_column does
///   wanted     columns, each a number from 0 that counts a column of the first line, else a name in it; none: the text must have
///              one column
///   header     automatic: the first line is a header if one of `wanted` is a name in it, or if none of their fields is empty or a
///              number
/// Throws bad_data where there is no such column; usage_error if a column must be named.
text_layout layout_of(std::string_view text, std::string const& file, char delimiter, std::vector<std::string> const& wanted,
                      header_line header, std::string const& column_option);

/// Does `text`, the beginning of a longer one up to a line end, say how that one is laid out? If a quoted field is cut, layout_of
/// throws unclosed_quote.
bool tells_layout(std::string_view text, std::string const& file, char delimiter);

/// At least as many as there are records in `text`.
std::size_t lines_in(std::string_view text);

/// That of .csv and .tsv, perhaps .gz; 0 for any other name.
char delimiter_named(std::string const& path);

/// "3 columns"
std::string counted(std::size_t number, std::string const& noun);

}  // namespace lookback::app
