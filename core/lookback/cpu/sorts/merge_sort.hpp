// A stable sort of records by comparisons, by one worker: short runs by insertion, then merges from one piece of memory to the
// other and back.
//
// A merge takes the smaller of two fronts and the larger of two backs in every turn, without a branch that depends on items: as
// many turns as the shorter run is long cannot leave either. Source: Peters, quadsort (parity merge), 2021.
//
// Every loop is bounded by counts. A comparison that is no strict weak order may let fronts and backs pass each other: that is
// seen, and the two runs are merged again from the front alone. So no record is lost, whatever it says.
#pragma once
#include <algorithm>
#include <cstring>
#include <utility>

#include "../../fn.hpp"
#include "../simd/unit.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

/// from[0], ..., from[m - 1], which are moved as bytes.
template <class Record>
void copy_records(Record const* from, index_t m, Record* to) {
  if (m > 0) std::memcpy(static_cast<void*>(to), static_cast<void const*>(from), static_cast<std::size_t>(m) * sizeof(Record));
}

/// Two neighbouring runs of records, in order each: a of one, then b of the other.
template <class Record>
struct two_runs {
  Record const *a, *b;
  index_t in_a, in_b;
};

/// Records in order: less(x, y) says whether record x comes before record y. What it throws comes through; then all records are
/// in one of two places, or the merge was not begun: the caller knows.
template <class Record, class Less>
class merge_sorter {
 public:
  static constexpr index_t run = 16;

  explicit merge_sorter(Less const& less) : less_{less} {}

  /// Sorts m records at `from`. `other` is as much memory. Returns which of the two they are in.
  Record* sort(Record* from, Record* other, index_t m) const {
    index_t const ordered = first_descent(from, 1, m);
    if (ordered >= m) return from;
    for (index_t begin = 0; begin < m; begin += run) insert(from + begin, std::min(run, m - begin));
    for (index_t length = run; length < m; length *= 2) {
      for (index_t begin = 0; begin < m; begin += 2 * length) {
        index_t const middle = std::min(begin + length, m), end = std::min(begin + 2 * length, m);
        merge({from + begin, from + middle, middle - begin, end - middle}, other + begin);
      }
      std::swap(from, other);
    }
    return from;
  }

  /// The first i >= first of which record i belongs before record i - 1, or m.
  index_t first_descent(Record const* from, index_t first, index_t m) const {
    while (first < m && !less_(from[first], from[first - 1])) ++first;
    return first;
  }

  /// Sorts a few, where they lie.
  void insert(Record* from, index_t m) const {
    for (index_t i = 1; i < m; ++i) {
      Record const x = from[i];
      index_t j = i;
      for (; j > 0 && less_(x, from[j - 1]); --j) from[j] = from[j - 1];
      from[j] = x;
    }
  }

  /// Both runs, in order, to `to`: a record of the first comes before its equals of the second.
  void merge(two_runs<Record> const& of, Record* to) const {
    auto const [a, b, in_a, in_b] = of;
    if (in_a == 0 || in_b == 0 || !less_(*b, a[in_a - 1])) {
      copy_records(a, in_a, to);
      return copy_records(b, in_b, to + in_a);
    }
    index_t const turns = std::min(in_a, in_b);
    Record const *front_a = a, *front_b = b, *back_a = a + in_a - 1, *back_b = b + in_b - 1;
    Record *front = to, *back = to + in_a + in_b - 1;
    for (index_t k = 0; k < turns; ++k) {
      bool const from_b = less_(*front_b, *front_a), to_a = less_(*back_b, *back_a);
      *front++ = *(from_b ? front_b : front_a);
      *back-- = *(to_a ? back_a : back_b);
      front_b += from_b, front_a += !from_b, back_a -= to_a, back_b -= !to_a;
    }
    index_t const left_a = back_a + 1 - front_a, left_b = back_b + 1 - front_b;
    if (left_a < 0 || left_b < 0) return merge_from_front(a, a + in_a, b, b + in_b, to);
    merge_from_front(front_a, front_a + left_a, front_b, front_b + left_b, front);
  }

  /// How many records of the first run are among the first `number` of both merged.
  index_t taken_of_a(two_runs<Record> const& of, index_t number) const {
    index_t low = std::max<index_t>(0, number - of.in_b), high = std::min(number, of.in_a);
    while (low < high) {
      index_t const middle = low + (high - low) / 2;
      if (less_(of.b[number - 1 - middle], of.a[middle])) high = middle;
      else low = middle + 1;
    }
    return low;
  }

 private:
  void merge_from_front(Record const* a, Record const* a_end, Record const* b, Record const* b_end, Record* to) const {
    while (a != a_end && b != b_end) {
      bool const from_b = less_(*b, *a);
      *to++ = *(from_b ? b : a);
      b += from_b, a += !from_b;
    }
    copy_records(a, a_end - a, to);
    copy_records(b, b_end - b, to + (a_end - a));
  }

  Less less_;
};

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
