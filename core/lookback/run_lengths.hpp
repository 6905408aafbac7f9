// Runs told by how long each is, and the second primitive beside scan_into, which writes them out:
//
//   distribute_into(on, n, runs, values, out)    out[i] = the value of the run that item i lies in, for i in [0, n)
//
// A back end supplies it beside its policy, and argument-dependent lookup finds it. It is no sink of a scan: a scan hands out work
// by what is read, and one run may be all that is read of what takes long to write. Tiles lie on the path that merges items written
// and ends of runs (Green, McColl, Bader, GPU Merge Path, ICS 2012), and each searches for its first run itself: nobody waits.
// Source: distribute, in Sengupta, Harris, Zhang, Owens, Scan Primitives for GPU Computing, 2007; Blelloch 1990.
#pragma once
#include <limits>
#include <type_traits>

#include "fn.hpp"
#include "source.hpp"
#include "tile.hpp"

namespace lookback {

/// Run r has data[r] items. Rows of `row` runs are as fine as the path is searched; what lies before a run in its row is added up.
/// The end of every run would be twice as many bytes to write and read again as there are lengths.
template <class Length>
struct run_lengths {
  static constexpr index_t row = 512;
  Length const* data;
  size number;
  index_t const* row_ends;  // row_ends[k]: how many items the rows up to k have, or `refused`; for as many rows as runs may fill
};

namespace detail {

/// For up to n runs.
inline index_t rows_of_runs(index_t n) { return tiles_of(n, run_lengths<int>::row); }

/// The largest total.
inline constexpr index_t most_items = std::numeric_limits<index_t>::max();

/// In place of a total: a length is negative, or the total is more than an index_t can tell.
inline constexpr index_t refused = -1;

template <class Length>
LOOKBACK_FN index_t length_as_index(Length length) {
  if constexpr (std::is_signed_v<Length>) return length < 0 ? refused : static_cast<index_t>(length);
  else return length > static_cast<std::uint64_t>(most_items) ? refused : static_cast<index_t>(length);
}

/// Sums of numbers that are not negative. What is refused stays so, whatever is added: the operator is associative.
struct checked_plus {
  using value_type = index_t;
  LOOKBACK_FN index_t operator()(index_t a, index_t b) const { return a < 0 || b < 0 || a > most_items - b ? refused : a + b; }
  static LOOKBACK_FN index_t identity() { return 0; }
};

/// A length as a term of the sum of its row, an ordinary one that packs add: lengths of 2^40 and more, and negative ones, are
/// counted above all that the others can sum up to.
struct length_in_row {
  static constexpr std::uint64_t large = std::uint64_t{1} << 40, one_large = large * run_lengths<int>::row * 2;
  template <class Length>
  LOOKBACK_FN std::uint64_t operator()(Length const& length) const {
    auto const wide = static_cast<std::uint64_t>(length);
    return wide < large ? wide : one_large;
  }
};

/// How many items each row has, from such sums; rows with a large length are added up again, carefully.
template <class Length>
struct items_of_rows {
  std::uint64_t const* sums;
  Length const* lengths;
  size number;
  LOOKBACK_FN lookback::arrays<std::uint64_t> arrays() const { return {sums, {}}; }
  template <class... Others>
  LOOKBACK_FN index_t operator()(index_t k, std::uint64_t const& sum, Others const&...) const {
    if (sum < length_in_row::one_large) return static_cast<index_t>(sum);
    index_t const runs = number.count && *number.count < number.bound ? *number.count : number.bound;
    index_t items = 0;
    for (index_t r = k * run_lengths<Length>::row; r < runs && r < (k + 1) * run_lengths<Length>::row; ++r)
      items = checked_plus{}(items, length_as_index(lengths[r]));
    return items;
  }
};

/// Where all rows end: 0 where there are none.
struct end_of_rows {
  index_t const* row_ends;
  index_t const* rows;
  LOOKBACK_FN index_t operator()(index_t) const { return *rows > 0 ? row_ends[*rows - 1] : 0; }
};

/// Which length it is where the total, which is refused, cannot go on.
template <class Length>
struct first_refused {
  run_lengths<Length> runs;
  LOOKBACK_FN index_t operator()(index_t) const {
    index_t k = 0;
    while (runs.row_ends[k] >= 0) ++k;
    index_t r = k * runs.row;
    for (index_t total = k > 0 ? runs.row_ends[k - 1] : 0; (total = checked_plus{}(total, length_as_index(runs.data[r]))) >= 0;)
      ++r;
    return r;
  }
};
template <class Length>
struct length_at {
  Length const* lengths;
  index_t r;
  LOOKBACK_FN index_t operator()(index_t) const { return static_cast<index_t>(lengths[r]); }
};

}  // namespace detail

}  // namespace lookback
