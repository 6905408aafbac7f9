// FASTA files: sequences of letters, each under a line that begins with '>'.
#pragma once
#include "array.hpp"
#include "text_file.hpp"

namespace lookback::app {

/// Letters of sequences as bytes: A 0, C 1, G 2, T 3, of either case; another letter is `other`, and `between` stands between two
/// sequences.
struct sequences {
  static constexpr std::uint8_t other = 4, between = 5;
  array letters;  // u8
  index_t number = 0;
};

/// Lines end with "\n" or "\r\n"; empty lines, and blanks and tabs at the end of a line, mean nothing. Letters are those of the
/// alphabet, '*', '-' and '.'. Throws bad_data naming the line: text before the first header, another character, no header at all.
sequences parse_fasta(text_file const& from);

}  // namespace lookback::app
