// A stable sort of records by one worker, inside its caches.
//
//   split   by the highest bits, into parts that fit; then each part
//   leaf    by passes over two digits, the lower first: over all bits that are left, or over so many of the highest that few
//   records
//           are equal in them; those are put in order afterwards
//   small   by insertion
//
// A digit that all records share is found when it is counted: then the bits that differ are looked for, and the others skipped.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

#include "../../fn.hpp"
#include "../simd/unit.hpp"
#include "records.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

/// Stores records that have come to their places: m of them, from place `at` on. `are_numbers`: records are nothing but the numbers
/// that they are sorted by, so equal ones need not be moved.
template <class Record>
struct sorted_records {
  bool are_numbers;
  void const* context;
  void (*store)(void const* context, Record const* from, index_t m, index_t at);
  void operator()(Record const* from, index_t m, index_t at) const { store(context, from, m, at); }
};

/// Bits of x up to the highest that is set.
template <class Word>
int width_of(Word x) {
  return static_cast<int>(std::bit_width(x));
}

/// What records are sorted by: bits [begin, begin + bits) of what `Reader` reads.
template <class Reader>
struct sorted_bits {
  using value = typename Reader::value;
  using word = std::conditional_t<(sizeof(value) <= 4), std::uint32_t, std::uint64_t>;
  Reader reader;
  int begin;
  word mask;
  sorted_bits() = default;
  sorted_bits(Reader const& r, int first, int bits)
      : reader{r},
        begin{first},
        mask{bits >= 8 * static_cast<int>(sizeof(word)) ? static_cast<word>(~word{0}) : static_cast<word>((word{1} << bits) - 1)} {}
  template <class Record>
  word operator()(Record const& r) const {
    return static_cast<word>(static_cast<word>(reader(r)) >> begin) & mask;
  }
  /// A record that is nothing but its number.
  template <class Record>
  static Record record_of_number(word number) {
    Record r{};
    put_into(r, 0, static_cast<value>(number));
    return r;
  }
};

/// Sorts records, which agree in all bits from `top` on.
template <class Record, class Reader>
class in_cache {
 public:
  using bits = sorted_bits<Reader>;
  using word = typename bits::word;
  static constexpr index_t small = 24;
  static constexpr index_t leaf_items = (2560 << 10) / static_cast<index_t>(sizeof(Record)), part_items = leaf_items / 2;

  in_cache(bits const& by, sorted_records<Record> const& sorted) : of{by}, sorted_{sorted} {}

  /// Sorts m < 2^32 records, which are stored from place `at` on. `other` is as much memory.
  void sort(Record* from, Record* other, index_t m, int top, index_t at) const {
    if (m <= small || top == 0) {
      if (top != 0) insert(from, m);
      if (m > 0) sorted_(from, m, at);
    } else if (m <= leaf_items) leaf(from, other, m, top, at);
    else split(from, other, m, top, at);
  }

  /// The first i >= first of which record i belongs before record i - 1, or m.
  index_t first_descent(Record const* from, index_t first, index_t m) const {
    constexpr index_t block = 16;
    for (; first + block <= m; first += block) {
      word any = 0;
      for (index_t k = 0; k < block; ++k) any |= of(from[first + k]) < of(from[first + k - 1]);
      if (any) break;
    }
    while (first < m && of(from[first]) >= of(from[first - 1])) ++first;
    return first;
  }

 private:
  static constexpr int most_passes = 2, most_width = 12;
  static constexpr index_t widest_from = 1 << 17;  // items that a digit of 12 bits pays for

  /// Of bits that are below `top`, which may be above the last one.
  std::uint32_t digit(Record const& r, int shift, std::uint32_t digits) const {
    return static_cast<std::uint32_t>(static_cast<word>(of.reader(r)) >> shift) & digits;
  }

  /// One above the highest bit in which records differ.
  int highest_difference(Record const* from, index_t m) const {
    word any = 0;
    word const first = of(from[0]);
    for (index_t i = 1; i < m; ++i) any |= of(from[i]) ^ first;
    return width_of(any);
  }

  void insert(Record* from, index_t m) const {
    for (index_t i = 1; i < m; ++i) {
      Record const x = from[i];
      word const key = of(x);
      index_t j = i;
      for (; j > 0 && of(from[j - 1]) > key; --j) from[j] = from[j - 1];
      from[j] = x;
    }
  }

  void split(Record* from, Record* other, index_t m, int top, index_t at) const {
    int const width = std::clamp(width_of(static_cast<std::uint64_t>((m - 1) / part_items)), 1, std::min(8, top));
    int const shift = top - width;
    std::uint32_t ends[256] = {};
    std::uint32_t const digits = (1u << width) - 1;
    count(from, m, shift + of.begin, digits, ends);
    if (ends[digit(from[0], shift + of.begin, digits)] == m) return sort(from, other, m, highest_difference(from, m), at);
    sums(ends, digits + 1);
    move(from, m, other, shift + of.begin, digits, ends);
    for (std::uint32_t c = 0, first = 0; c <= digits; first = ends[c++])
      if (index_t const part = ends[c] - first; part > 0) sort(other + first, from + first, part, shift, at + first);
  }

  void leaf(Record* from, Record* other, index_t m, int top, index_t at) const {
    // Tables much smaller than what they are for; two digits of such width tell most records apart.
    int const widest =
        std::clamp(width_of(static_cast<std::uint64_t>(m)) - (m < 1024 ? 2 : 3), 5, m < widest_from ? most_width - 1 : most_width);
    int const passes = top <= widest ? 1 : most_passes, width = std::min((top + passes - 1) / passes, widest);
    int const base = std::max(0, top - passes * width);
    std::uint32_t const low = (1u << width) - 1, high = (1u << (std::min(top - base, 2 * width) - width)) - 1;
    std::uint32_t ends[most_passes][1 << most_width];
    for (auto& table : ends) std::fill(table, table + low + 1, 0u);
    if (passes == 1) {
      count(from, m, of.begin + base, low, ends[0]);
      if (sorted_.are_numbers) return fill(of(from[0]) & ~static_cast<word>(low), other, m, low, ends[0], at);
    } else
      for (index_t i = 0; i < m; ++i) {
        auto const two = static_cast<std::uint32_t>(static_cast<word>(of.reader(from[i])) >> (of.begin + base));
        ++ends[0][two & low], ++ends[1][two >> width & high];
      }
    bool moved = false;
    for (int pass = 0; pass < passes; ++pass) {
      int const shift = of.begin + base + pass * width;
      std::uint32_t const digits = pass == 0 ? low : high;
      if (ends[pass][digit(from[0], shift, digits)] == m) continue;
      moved = true;
      sums(ends[pass], digits + 1);
      move(from, m, other, shift, digits, ends[pass]);
      std::swap(from, other);
    }
    if (!moved && base > 0) return sort(from, other, m, std::min(base, highest_difference(from, m)), at);
    if (base > 0) mend(from, other, m, base, at);
    else sorted_(from, m, at);
  }

  /// Numbers of which it is known how many there are of each.
  void fill(word prefix, Record* other, index_t m, std::uint32_t digits, std::uint32_t const* counts, index_t at) const {
    Record* to = other;
    for (std::uint32_t c = 0; c <= digits; ++c)
      to = std::fill_n(to, counts[c], bits::template record_of_number<Record>(static_cast<word>(prefix | c)));
    sorted_(other, m, at);
  }

  /// Records that are in order by the bits from `base` on, but not where these are equal.
  void mend(Record* from, Record* other, index_t m, int base, index_t at) const {
    index_t stored = 0;
    for (index_t i = 1; (i = first_descent(from, i, m)) < m;) {
      word const prefix = of(from[i]) >> base;
      index_t first = i - 1, last = i + 1;
      while (first > 0 && of(from[first - 1]) >> base == prefix) --first;
      while (last < m && of(from[last]) >> base == prefix) ++last;
      if (last - first <= small) insert(from + first, last - first);
      else {
        if (first > stored) sorted_(from + stored, first - stored, at + stored);
        sort(from + first, other + first, last - first, base, at + first);
        stored = last;
      }
      i = last;
    }
    if (m > stored) sorted_(from + stored, m - stored, at + stored);
  }

  void count(Record const* from, index_t m, int shift, std::uint32_t digits, std::uint32_t* counts) const {
    for (index_t i = 0; i < m; ++i) ++counts[digit(from[i], shift, digits)];
  }
  /// counts[c] becomes where class c begins; when all have been moved, that is where it ends.
  static void sums(std::uint32_t* counts, std::uint32_t classes) {
    std::uint32_t before = 0;
    for (std::uint32_t c = 0; c < classes; ++c) before += std::exchange(counts[c], before);
  }
  void move(Record const* from, index_t m, Record* to, int shift, std::uint32_t digits, std::uint32_t* ends) const {
    for (index_t i = 0; i < m; ++i) {
      Record const r = from[i];
      to[ends[digit(r, shift, digits)]++] = r;
    }
  }

  bits of;
  sorted_records<Record> sorted_;
};

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
