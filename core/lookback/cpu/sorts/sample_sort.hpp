// A stable sort of records by comparisons, by one worker, inside its caches.
//
//   split   into up to 256 classes between splitters of a sample (splitters.hpp), from one piece of memory to the other; then each
//           class
//   medium  by runs and merges (merge_sort.hpp)
//
// The class of each record is asked for once and noted, so whatever the function says, as many records go to a class as were
// counted. A function that contradicts itself, or knows where samples are taken, may leave most records in one class: after some
// splits merges take over.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <utility>

#include "../../fn.hpp"
#include "../simd/unit.hpp"
#include "compared_records.hpp"
#include "merge_sort.hpp"
#include "splitters.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

/// Into how many classes a split of m records shall lead, and how many items of a sample there are for each.
struct sample_size {
  int ways, step;
};
/// It lies on the stack, twice.
inline constexpr int most_sample_bytes = 32 << 10;
template <class T>
sample_size sample_of(int ways, int step) {
  return {ways, std::min(step, most_sample_bytes / (ways * static_cast<int>(sizeof(T))))};
}
constexpr int most_splits = 8;

/// As many splits of about equal width as leave few records in a class.
template <class T, class Order>
sample_size sample_of(index_t m) {
  constexpr index_t left = 64;
  constexpr int widest = std::countr_zero(static_cast<unsigned>(splitters<T, Order>::most_ways));
  int const width = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(m / left))), splits = (width + widest - 1) / widest,
            bits = std::clamp((width + splits - 1) / std::max(splits, 1), 1, widest);
  return sample_of<T>(1 << bits, m < 8192 ? 2 : m < 1 << 20 ? 4 : 8);
}

inline constexpr index_t least_in_class = 256;
/// The same for a split by all workers: as many classes as there can be, of no fewer items each.
template <class T, class Order>
sample_size sample_for_all(index_t m) {
  constexpr std::uint64_t most = splitters<T, Order>::most_ways;
  return sample_of<T>(
      static_cast<int>(std::clamp<std::uint64_t>(std::bit_ceil(static_cast<std::uint64_t>(m / least_in_class)), 2, most)), 8);
}

/// The splitters for m records, the item of the i-th of which is at(i).
template <class T, class Order, class At>
void choose_splitters(splitters<T, Order>& to, Order const& order, At const& at, index_t m, sample_size const& of,
                      simd_level level) {
  using sample_record = item_record<T, 0>;
  constexpr int most = most_sample_bytes / static_cast<int>(sizeof(T));
  auto const [ways, step] = of;
  room_of<sample_record, most> room, other;
  std::uint64_t state = 0x9e3779b97f4a7c15;
  for (int k = 0; k < ways * step; ++k) {
    state = state * 6364136223846793005 + 1442695040888963407;
    index_t const i = static_cast<index_t>(m < index_t{1} << 31 ? (state >> 32) * static_cast<std::uint64_t>(m) >> 32
                                                                : (state >> 16) % static_cast<std::uint64_t>(m));
    std::construct_at(room.data() + k, sample_record{at(i)});
  }
  merge_sorter<sample_record, Order> const sorter{order, level};
  sorter.sort(room.data(), other.data(), ways * step, false);
  to.choose(room.data(), ways, step);
}

template <class Record, class Order>
class sample_sorter {
  using T = decltype(Record::item);

 public:
  sample_sorter(Order const& order, simd_level level) : order_{order}, level_{level}, merges_{order, level} {}

  /// Sorts m < 2^32 records at `from`, to `other` or where they lie. `other` is as much memory, and `told` has a byte for each.
  void sort(Record* from, Record* other, std::uint8_t* told, index_t m, bool to_other, int splits = most_splits) const {
    constexpr index_t medium = 256;
    if (m <= medium || splits == 0) return merges_.sort(from, other, m, to_other);
    if (merges_.first_descent(from, 1, m) == m) {
      if (to_other) copy_records(from, m, other);
      return;
    }
    classes of;
    split(from, other, told, m, of);
    for (int c = 0; c < of.number; ++c) {
      index_t const begin = of.begin[c], count = of.begin[c + 1] - begin;
      if (count == 0) continue;
      if (!of.is_of_equals(c)) sort(other + begin, from + begin, told + begin, count, !to_other, splits - 1);
      else if (!to_other) copy_records(other + begin, count, from + begin);
    }
  }

 private:
  struct classes {
    int number;
    bool with_equals;
    std::uint32_t begin[257];
    bool is_of_equals(int c) const { return with_equals && c % 2 == 1; }
  };

  [[gnu::noinline]] void split(Record const* from, Record* to, std::uint8_t* told, index_t m, classes& of) const {
    splitters<T, Order> by{order_};
    choose_splitters<T, Order>(
        by, order_, [=](index_t i) -> T const& { return from[i].item; }, m, sample_of<T, Order>(m), level_);
    of.number = by.classes(), of.with_equals = by.is_of_equals(1);
    std::uint32_t next[257];
    std::fill(next, next + of.number + 1, 0u);
    constexpr index_t block = 512;
    for (index_t begin = 0; begin < m; begin += block) {
      index_t const count = std::min(block, m - begin);
      by.tell([=](index_t i) -> T const& { return from[begin + i].item; }, count, told + begin);
      for (index_t i = begin; i < begin + count; ++i) ++next[told[i]];
    }
    std::uint32_t before = 0;
    for (int c = 0; c <= of.number; ++c) before += std::exchange(next[c], before), of.begin[c] = next[c];
    for (index_t i = 0; i < m; ++i) to[next[told[i]]++] = from[i];
  }

  Order order_;
  simd_level level_;
  merge_sorter<Record, Order> merges_;
};

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
