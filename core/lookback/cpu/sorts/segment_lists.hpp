// Segments by their length: who sorts each of them.
//
//   short   groups of neighbours: a worker claims a group and sorts one after another
//   long    each a worker's, the longest first
//   large   all workers sort one after another
#pragma once
#include <algorithm>
#include <atomic>

#include "../../error.hpp"
#include "../../model/sort_job.hpp"
#include "../run/memory.hpp"
#include "../simd/unit.hpp"
#include "gather.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

struct segment_range {
  index_t begin, count;
};
/// Segment `id`, inside of [0, n) whatever the offsets are.
inline segment_range range_of(segment_bounds const& s, index_t id, index_t n) {
  index_t const begin = std::clamp<index_t>(offset_at(s.begins, id), 0, n),
                end = std::clamp<index_t>(offset_at(s.ends, id), begin, n);
  return {begin, end - begin};
}

/// The segments of more than `above` items, the longest first. Segments that overlap may have more items than there are: what goes
/// beyond n is left out.
class long_segments {
 public:
  long_segments(sort_workers const& on, segment_bounds const& s, index_t n, index_t above)
      : found_{on.memory, std::min(s.count, n / (above + 1))} {
    on.each_tile(s.count, 8192, [&](int, index_t first, index_t last) {
      for (index_t id = first; id < last; ++id) {
        if constexpr (lookback::detail::asserts) expects_in_order(s, id, n);
        if (segment_range const range = range_of(s, id, n); range.count > above) add(range, n);
      }
    });
    std::sort(begin(), end(), [](segment_range const& a, segment_range const& b) { return a.count > b.count; });
  }
  segment_range const* begin() const { return found_.data(); }
  segment_range const* end() const { return begin() + number_.load(std::memory_order_relaxed); }
  index_t size() const { return end() - begin(); }

 private:
  segment_range* begin() { return found_.data(); }
  segment_range* end() { return begin() + number_.load(std::memory_order_relaxed); }

  static void expects_in_order(segment_bounds const& s, index_t id, index_t n) {
    index_t const begin = offset_at(s.begins, id), end = offset_at(s.ends, id);
    expects(0 <= begin && begin <= end && end <= n, "a segment lies among the items: 0 <= its begin <= its end <= n");
  }
  void add(segment_range const& range, index_t n) {
    bool const full = items_.load(std::memory_order_relaxed) > n;  // asked before: so the sum stays small
    if (full || items_.fetch_add(range.count, std::memory_order_relaxed) + range.count > n) return;
    found_.data()[number_.fetch_add(1, std::memory_order_relaxed)] = range;
  }

  scratch<segment_range> found_;
  std::atomic<index_t> number_{0}, items_{0};
};

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
