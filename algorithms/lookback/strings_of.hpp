// Strings that lie in one array of characters, and what of them is compared at a time.
#pragma once
#include <cstdint>
#include <lookback/sort_options.hpp>

namespace lookback::detail {

/// Strings, and what a round compares of them. No character outside of [0, total) is read, whatever the offsets are.
struct strings_of {
  unsigned char const* characters;
  index_t total;
  segment_bounds bounds;
  index_t not_compared;  // characters at the end of every string

  struct range {
    index_t begin, end;
  };
  LOOKBACK_FN index_t begin_of(index_t i) const {
    index_t const said = offset_at(bounds.begins, i);
    return said < 0 ? 0 : said < total ? said : total;
  }
  LOOKBACK_FN range at(index_t i) const {
    index_t const begin = begin_of(i), end = offset_at(bounds.ends, i), until = end > 0 ? end - not_compared : 0;
    return {begin, until < begin ? begin : until < total ? until : total};
  }
  /// Where its character `depth` lies, or what is behind all characters.
  LOOKBACK_FN unsigned char const* place_of(index_t i, index_t depth) const {
    index_t const begin = begin_of(i);
    return characters + (depth < total - begin ? begin + depth : total);
  }
  /// Where a position lies that the description of strings holds.
  LOOKBACK_FN static void const* place_in(segments const& s, index_t i) {
    return static_cast<char const*>(s.data) + i * (s.kind == segment_kind::offsets32 ? 4 : 8);
  }

  /// Characters [place, place + 8) as a number that rises with them.
  LOOKBACK_FN std::uint64_t eight_from(index_t place) const {
    unsigned char const* const c = characters + place;
    return std::uint64_t{c[0]} << 56 | std::uint64_t{c[1]} << 48 | std::uint64_t{c[2]} << 40 | std::uint64_t{c[3]} << 32 |
           std::uint64_t{c[4]} << 24 | std::uint64_t{c[5]} << 16 | std::uint64_t{c[6]} << 8 | std::uint64_t{c[7]};
  }
  static constexpr std::uint64_t step = 7, goes_on = step + 1;
  /// Seven characters of string i from `depth` on, zeros behind its end, and in the last byte how many there are, or goes_on where
  /// there are more. So "a" comes before "a" and a zero.
  LOOKBACK_FN std::uint64_t key(index_t i, index_t depth) const {
    auto const [begin, end] = at(i);
    if (depth >= end - begin) return 0;
    index_t const place = begin + depth, left = end - place;
    if (left > static_cast<index_t>(step)) return (eight_from(place) & ~std::uint64_t{0xFF}) | goes_on;
    if (place + 8 <= total) {
      std::uint64_t const none = ~std::uint64_t{0} >> 8 * left;
      return (eight_from(place) & ~none) | static_cast<std::uint64_t>(left);
    }
    std::uint64_t some = 0;
    for (index_t k = 0; k < static_cast<index_t>(step); ++k) some = (some | (k < left ? characters[place + k] : 0u)) << 8;
    return some | static_cast<std::uint64_t>(left);
  }

  static constexpr index_t equal = index_t{1} << 62;  // deeper than any string
  /// How many characters strings i and k have in common from `depth` on: looks at `most` and some, and says `equal` where both end
  /// before a difference.
  LOOKBACK_FN index_t common(index_t i, index_t k, index_t depth, index_t most) const {
    auto const a = at(i), b = at(k);
    index_t const from_a = a.begin + depth, from_b = b.begin + depth, left_a = a.end - from_a, left_b = b.end - from_b;
    index_t const both = left_a < left_b ? left_a : left_b;
    index_t same = 0;
    while (same < most && same + 8 <= both && eight_from(from_a + same) == eight_from(from_b + same)) same += 8;
    if (same >= most) return same;
    while (same < both && characters[from_a + same] == characters[from_b + same]) ++same;
    return same == left_a && same == left_b ? equal : same;
  }
};

/// A segment: its strings have `depth` characters in common. Up to `looks` more are looked at for what else they have in common.
struct string_segment {
  index_t depth, looks;
};
inline constexpr index_t first_looks = 64;  // then four times as many: long beginnings take few rounds

}  // namespace lookback::detail
