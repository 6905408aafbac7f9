// A stable sort of records by comparisons, by one worker: short runs (few.hpp), then merges from one piece of memory to the other
// and back.
//
// A merge takes the smaller of two fronts and the larger of two backs in every turn, without a branch that depends on items: as
// many turns as the shorter run is long cannot leave either. Two merges go side by side. Source: Peters, quadsort (parity merge),
// 2021.
//
// Every loop is bounded by counts. A comparison that is no strict weak order may let fronts and backs pass each other: that is
// seen, and the two runs are merged again from the front alone. So no record is lost, whatever it says.
#pragma once
#include <algorithm>
#include <utility>

#include "../../fn.hpp"
#include "../simd/unit.hpp"
#include "few.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

/// Two neighbouring runs of records, in order each: a of one, then b of the other.
template <class Record>
struct two_runs {
  Record const *a, *b;
  index_t in_a, in_b;
};

/// Records in order: order(x, y) says whether item x comes before item y. What it throws comes through; then all records are
/// in one of two places, or the merge was not begun: the caller knows.
template <class Record, class Order>
class merge_sorter {
  using T = decltype(Record::item);

 public:
  static constexpr index_t run = most_few<Order, T>;

  merge_sorter(Order const& order, simd_level level) : order_{order}, level_{level} {}

  /// Sorts m records at `from`, to `other` or where they lie. `other` is as much memory.
  void sort(Record* from, Record* other, index_t m, bool to_other) const {
    if (m <= run) return sort_few(from, m, to_other ? other : from, order_, level_);
    if (first_descent(from, 1, m) == m) {
      if (to_other) copy_records(from, m, other);
      return;
    }
    // 2^levels runs, which are all about as long.
    int levels = 1;
    while (m > run << levels) ++levels;
    auto const begin_of = [m, &levels](index_t r) { return r * m >> levels; };
    Record* runs = levels % 2 == static_cast<int>(to_other) ? from : other;
    for (index_t r = 0; r < index_t{1} << levels; ++r)
      sort_few(from + begin_of(r), begin_of(r + 1) - begin_of(r), runs + begin_of(r), order_, level_);
    for (Record* to = runs == from ? other : from; levels > 0; --levels, std::swap(runs, to)) {
      auto const pair_at = [&](index_t r) -> two_runs<Record> {
        index_t const begin = begin_of(r), middle = begin_of(r + 1), end = begin_of(r + 2);
        return {runs + begin, runs + middle, middle - begin, end - middle};
      };
      if (levels == 1) merge(pair_at(0), to);
      for (index_t r = 0; r + 2 < index_t{1} << levels; r += 4)
        merge_both(pair_at(r), pair_at(r + 2), to + begin_of(r), to + begin_of(r + 2));
    }
  }

  /// The first i >= first of which record i belongs before record i - 1, or m.
  index_t first_descent(Record const* from, index_t first, index_t m) const {
    while (first < m && !less(from[first], from[first - 1])) ++first;
    return first;
  }

  /// Both runs, in order, to `to`: a record of the first comes before its equals of the second.
  void merge(two_runs<Record> const& of, Record* to) const {
    auto const [a, b, in_a, in_b] = of;
    if (in_a == 0 || in_b == 0 || !less(*b, a[in_a - 1])) {
      copy_records(a, in_a, to);
      return copy_records(b, in_b, to + in_a);
    }
    merging one{of, to};
    for (index_t k = std::min(in_a, in_b); k > 0; --k) turn(one);
    finish(one, of, to);
  }
  /// Two such merges side by side, of runs that are not empty: neither waits for the other.
  void merge_both(two_runs<Record> const& x, two_runs<Record> const& y, Record* to_x, Record* to_y) const {
    if (!less(*x.b, x.a[x.in_a - 1]) || !less(*y.b, y.a[y.in_a - 1])) return merge(x, to_x), merge(y, to_y);
    merging one{x, to_x}, other{y, to_y};
    for (index_t k = std::min(std::min(x.in_a, x.in_b), std::min(y.in_a, y.in_b)); k > 0; --k) turn(one), turn(other);
    finish(one, x, to_x);
    finish(other, y, to_y);
  }

  /// How many records of the first run are among the first `number` of both merged.
  index_t taken_of_a(two_runs<Record> const& of, index_t number) const {
    index_t low = std::max<index_t>(0, number - of.in_b), high = std::min(number, of.in_a);
    while (low < high) {
      index_t const middle = low + (high - low) / 2;
      if (less(of.b[number - 1 - middle], of.a[middle])) high = middle;
      else low = middle + 1;
    }
    return low;
  }

 private:
  struct merging {
    Record const *front_a, *front_b, *back_a, *back_b;
    Record *front, *back;
    merging(two_runs<Record> const& of, Record* to)
        : front_a{of.a},
          front_b{of.b},
          back_a{of.a + of.in_a - 1},
          back_b{of.b + of.in_b - 1},
          front{to},
          back{to + of.in_a + of.in_b - 1} {}
  };
  [[gnu::always_inline]] void turn(merging& m) const {
    bool const from_b = less(*m.front_b, *m.front_a), to_a = less(*m.back_b, *m.back_a);
    *m.front++ = *(from_b ? m.front_b : m.front_a);
    *m.back-- = *(to_a ? m.back_a : m.back_b);
    m.front_b += from_b, m.front_a += !from_b, m.back_a -= to_a, m.back_b -= !to_a;
  }
  void finish(merging const& m, two_runs<Record> const& of, Record* to) const {
    index_t const left_a = m.back_a + 1 - m.front_a, left_b = m.back_b + 1 - m.front_b;
    if (left_a < 0 || left_b < 0) return merge_from_front(of.a, of.a + of.in_a, of.b, of.b + of.in_b, to);
    merge_from_front(m.front_a, m.front_a + left_a, m.front_b, m.front_b + left_b, m.front);
  }
  void merge_from_front(Record const* a, Record const* a_end, Record const* b, Record const* b_end, Record* to) const {
    while (a != a_end && b != b_end) {
      bool const from_b = less(*b, *a);
      *to++ = *(from_b ? b : a);
      b += from_b, a += !from_b;
    }
    copy_records(a, a_end - a, to);
    copy_records(b, b_end - b, to + (a_end - a));
  }

  bool less(Record const& x, Record const& y) const { return order_(x.item, y.item); }

  Order order_;
  simd_level level_;
};

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
