// Runs told by how long each is, and the second primitive beside scan_into, which writes them out:
//
//   distribute_into(on, room, runs, values, out, total)   out[i] = the value of the run that item i lies in
//   measure_runs(on, runs)                                leaves where rows of runs end
//   write_total(on, runs, told)                            then how many items all of them have, for who waits
//
// A back end supplies these beside its policy, and argument-dependent lookup finds them. It is no sink of a scan: a scan hands out
// work by what is read, and one run may be all that is read of what takes long to write.
// Source: distribute, in Sengupta, Harris, Zhang, Owens, Scan Primitives for GPU Computing, 2007; Blelloch 1990.
#pragma once
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "../fn.hpp"
#include "../source.hpp"
#include "tile.hpp"

namespace lookback {

/// Run r has data[r] items. Of runs that have been measured it is known where each row of `row` runs ends: the end of every run
/// would be twice as many bytes to write and read again as there are lengths.
template <class Length>
struct run_lengths {
  static constexpr index_t row = 512;
  Length const* data;
  size number;
  index_t* row_ends = nullptr;  // row_ends[k]: how many items the rows up to k have, or `refused`; null: not measured
};

namespace detail {

/// For up to n runs.
inline index_t rows_of_runs(index_t n) { return tiles_of(n, run_lengths<int>::row); }
/// The numbers that measuring them leaves: a number more, of rows.
inline index_t numbers_of_rows(index_t n) { return rows_of_runs(n) + 1; }

/// The largest total.
inline constexpr index_t most_items = std::numeric_limits<index_t>::max();

/// In place of a total: a length is negative, or the total is more than an index_t can tell.
inline constexpr index_t refused = -1;

/// Sums of numbers that are not negative. What is refused stays so, whatever is added: the operator is associative.
struct checked_plus {
  using value_type = index_t;
  LOOKBACK_FN index_t operator()(index_t a, index_t b) const { return a < 0 || b < 0 || a > most_items - b ? refused : a + b; }
  static LOOKBACK_FN index_t identity() { return 0; }
};

/// Lengths without their type: what reads them in many places is compiled once.
struct untyped_lengths {
  void const* data;
  int width;  // bytes
  bool is_signed;

  template <class Length>
  static untyped_lengths of(Length const* data) {
    return {data, static_cast<int>(sizeof(Length)), std::is_signed_v<Length>};
  }
  /// Calls f(pointer to unsigned integers of the width), to be read by word_at: the caller's may be of another type.
  template <class F>
  LOOKBACK_FN auto visit(F&& f) const {
    switch (width) {
      case 1:
        return f(static_cast<std::uint8_t const*>(data));
      case 2:
        return f(static_cast<std::uint16_t const*>(data));
      case 4:
        return f(static_cast<std::uint32_t const*>(data));
      default:
        return f(static_cast<std::uint64_t const*>(data));
    }
  }
  template <class Word>
  static LOOKBACK_FN Word word_at(Word const* data, index_t r) {
    Word word;
    memcpy(&word, data + r, sizeof word);
    return word;
  }
  /// Of all the bits of some lengths: is there one that is none?
  LOOKBACK_FN bool any_refused(std::uint64_t bits) const {
    return width == 8 ? bits > static_cast<std::uint64_t>(most_items) : is_signed && bits >> (8 * width - 1) != 0;
  }
};

/// Asked for with every total: told[0] is the total or `refused`; then told[1] says which length it is where the total cannot go
/// on, and told[2] has its bits, else they are 0.
inline constexpr int total_numbers = 3;
inline LOOKBACK_FN void write_total(untyped_lengths const& lengths, index_t rows, index_t const* row_ends, index_t* numbers) {
  numbers[0] = rows > 0 ? row_ends[rows - 1] : 0, numbers[1] = numbers[2] = 0;
  if (numbers[0] >= 0) return;
  index_t k = 0;
  while (row_ends[k] >= 0) ++k;
  index_t total = k > 0 ? row_ends[k - 1] : 0;
  for (index_t r = k * run_lengths<int>::row;; ++r) {
    auto const bits = lengths.visit([&](auto const* data) -> std::uint64_t { return lengths.word_at(data, r); });
    total = checked_plus{}(total, lengths.any_refused(bits) ? refused : static_cast<index_t>(bits));
    if (total < 0) return numbers[1] = r, numbers[2] = static_cast<index_t>(bits), void();
  }
}

}  // namespace detail

}  // namespace lookback
