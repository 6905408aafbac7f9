// Segments of benchmarks of sorts, and how their results are checked.
#pragma once
#include <string>
#include <vector>

#include "sorts.hpp"

namespace bench {

/// Item i comes in order behind the one before it, unless a segment begins there.
struct ascends_in_segments {
  std::uint32_t const* keys;
  std::uint8_t const* begins;
  LOOKBACK_FN bool operator()(std::size_t i) const { return begins[i] != 0 || keys[i] >= keys[i - 1]; }
};
/// A key together with its segment, of which `segment_at` holds the number: the sum of all tells whether keys stayed in theirs.
struct mark_in_segment {
  std::uint32_t const* keys;
  std::int32_t const* segment_at;
  LOOKBACK_FN std::uint64_t operator()(std::size_t i) const {
    return random_at(static_cast<std::uint64_t>(segment_at[i]) << 32 | keys[i]);
  }
};

/// Positions where `count` segments begin, and n: of one length.
inline std::vector<std::int32_t> equal_segments(std::size_t n, std::size_t count) {
  std::vector<std::int32_t> at(count + 1);
  for (std::size_t s = 0; s <= count; ++s) at[s] = static_cast<std::int32_t>(n / count * s);
  return at;
}

/// Throws unless every segment is sorted and has the keys that it had. `at`: where segments begin, and the number of items.
inline void expect_sorted_segments(device& d, std::uint32_t const* in, std::uint32_t const* out,
                                   std::vector<std::int32_t> const& at) {
  auto const n = static_cast<std::size_t>(at.back());
  auto const begins = d.filled(flags_at(at));
  auto const numbers = d.filled(keys_at(at));
  auto const wrong = first_failure(d, n, ascends_in_segments{out, begins.data()});
  if (wrong != n) throw std::runtime_error("wrong order at item " + std::to_string(wrong));
  if (sum_of(d, n, mark_in_segment{in, numbers.data()}) != sum_of(d, n, mark_in_segment{out, numbers.data()}))
    throw std::runtime_error("other keys in a segment than were there");
}

}  // namespace bench
