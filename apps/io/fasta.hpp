// FASTA files: sequences of letters, each under a line that begins with '>'.
#pragma once
#include <string>
#include <string_view>

#include "array.hpp"
#include "read_array.hpp"

namespace lookback::app {

/// The text of a file, decompressed where it is gzip's by its name.
struct sequence_text {
  input_file file;
  std::string held;  // what was decompressed
  bool packed = false;

  std::string_view text() const { return packed ? std::string_view(held) : file.text(); }
  std::string const& name() const { return file.path(); }
};

/// Letters of sequences as bytes: A 0, C 1, G 2, T 3, of either case; another letter is `other`, and `between` stands between two
/// sequences.
struct sequences {
  static constexpr std::uint8_t other = 4, between = 5;
  array letters;  // u8
  index_t number = 0;
};

/// Throws no_input, bad_data, out_of_memory.
sequence_text read_sequence_text(std::string const& path, read_times* times);

/// Lines end with "\n" or "\r\n"; empty lines, and blanks and tabs at the end of a line, mean nothing. Letters are those of the
/// alphabet, '*', '-' and '.'. Throws bad_data naming the line: text before the first header, another character, no header at all.
sequences parse_fasta(sequence_text const& from);

}  // namespace lookback::app
