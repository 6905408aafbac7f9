// The head of a Matrix Market file: the banner, comments and the line of sizes.
//
//   %%MatrixMarket matrix coordinate real general
//   % any comments
//   rows columns entries
#pragma once
#include <lookback/fn.hpp>
#include <string>
#include <string_view>

namespace lookback::app {

enum class market_field { real, integer, unsigned_integer, complex, pattern };  // "double" is real
enum class market_symmetry { general, symmetric, skew_symmetric, hermitian };

struct market_header {
  bool dense = false;  // format array: values alone, column by column; else coordinate
  market_field field = market_field::real;
  market_symmetry symmetry = market_symmetry::general;
  index_t rows = 0, columns = 0;
  index_t entries = 0;        // lines that must follow: of a dense matrix its values, where it is symmetric those of the lower half
  std::size_t size_line = 0;  // number of the line of sizes, from 1
  std::size_t body = 0;       // byte where the line after it begins

  bool is_symmetric() const { return symmetry != market_symmetry::general; }
  /// A coordinate file with more entries than the matrix has places: some must be of one place.
  bool has_surplus() const {
    index_t places = 0;
    return !dense && !__builtin_mul_overflow(rows, columns, &places) && entries > places;
  }
};

/// Throws bad_data naming `file` and the line: for what is no Matrix Market file, for words that do not go together, and for more
/// entries than the text has room, or for any where the matrix has no place. O(header), whatever it claims.
market_header parse_market_header(std::string_view text, std::string const& file);

}  // namespace lookback::app
