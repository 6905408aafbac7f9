// The rows of a delimited text, and the columns that decide their order.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "array.hpp"
#include "text_layout.hpp"

namespace lookback::app {

/// A field of every row: numbers of i64, u64 or f64, the first that holds all; else texts, one behind another.
struct key_column {
  std::string name;  // "age", or "column 2"
  bool is_text = false;
  array numbers;
  std::string characters;  // without quotes, and without blanks at the ends of a field that has none
  array begins;            // n + 1 places: text i is characters [begins[i], begins[i + 1])
};

/// Row i is bytes [begins[i], begins[i + 1]) of the text, with its line end and the blank lines and comments before it. What is
/// before the first row, a header too, and what is behind the last one belong to none.
struct text_table {
  std::vector<index_t> begins;
  std::vector<key_column> columns;  // as the layout has them, each once
  index_t rows() const { return std::ssize(begins) - 1; }
};

/// Throws bad_data with the line: a row without a field that is wanted, or of more fields than the first record (but where blanks
/// delimit); a number too large for f64 in a column that holds numbers alone. out_of_memory. Several threads (0: one per core) read
/// pieces of about so many bytes. One thread reads all of it again where a quoted field holds the line end that a piece is cut at,
/// where the first piece is blank, and where something is wrong.
text_table read_text_table(std::string_view text, std::string const& file, text_layout const& of, int threads = 0,
                           std::size_t bytes_of_piece = std::size_t{1} << 20);

}  // namespace lookback::app
