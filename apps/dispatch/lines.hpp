// Sorting lines of text, by run-time values: what `sort-lines` of the program calls.
#pragma once
#include <cstdint>

#include "scan.hpp"

namespace lookback::dispatch {

/// A text without its end: characters [begin, begin + length), and the first eight of them as a number that rises with them.
struct text_line {
  std::uint64_t prefix;
  index_t begin, length;
};

/// All memory is readable where the call runs.
///   characters  of the text, `size` of them
///   begins      lines + 1 places: line i is characters [begins[i], begins[i + 1] - 1), and what follows is its end
///   order       room for every line: the numbers of lines by their bytes, as unsigned numbers, equal ones in the order they had
///   firsts      null, or room for every line: the first of every run of equal lines
///   lengths     how many lines there are of each
///   counts      how many of these there are
struct lines_request {
  char const* characters = nullptr;
  index_t size = 0;
  index_t const* begins = nullptr;
  index_t lines = 0;
  std::uint32_t* order = nullptr;
  std::uint32_t* firsts = nullptr;
  index_t* lengths = nullptr;
  index_t* counts = nullptr;
  bool counts_equal = false;
  strategy how = strategy::best;
};

/// Was it compiled for this back end?
bool offers_lines(back_end where, strategy how);

/// Runs it; on the GPU it waits twice in every round. Throws unavailable if `offers_lines` says no; what the library throws.
void sort_lines(place const& on, lines_request const& request);

}  // namespace lookback::dispatch
