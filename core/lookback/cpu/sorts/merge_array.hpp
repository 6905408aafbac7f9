// A stable sort of records by comparisons, by all workers, whatever the function says: runs that fit a cache (merge_sort.hpp),
// which are then merged two by two. What a sample sort leaves that does not split.
//
//   merge   tiles of the result, each by one worker: where a tile begins in both runs is found beforehand (merge path)
//
// Where a tile begins is asked for once: so tiles share both runs among them whatever the comparison says. Should it contradict
// itself, the two runs stay one behind the other.
// Source: Green, McColl & Bader, GPU merge path, 2012.
#pragma once
#include <algorithm>

#include "../run/machine.hpp"
#include "../run/memory.hpp"
#include "../simd/unit.hpp"
#include "gather.hpp"
#include "merge_sort.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

template <class Record, class Order>
class array_merger {
  static constexpr index_t size = sizeof(Record);

 public:
  array_merger(sort_workers const& on, Order const& order) : on_{on}, sorter_{order, usable(on.tuning.simd)} {}

  /// Of scratch, for n records.
  static index_t scratch_bytes(sort_workers const& on, index_t n) {
    return whole_lines(tiles_of(n, run_items(on)) * static_cast<index_t>(sizeof(index_t)));
  }

  /// Sorts n records at `from`; `to` is as much memory. Returns which of the two they are in.
  Record* sort(Record* from, Record* to, index_t n, memory const& memory) const {
    index_t const run = run_items(on_);
    scratch<index_t> const split{memory, tiles_of(n, run)};
    on_.each_tile(n, run, [&](int, index_t begin, index_t end) { sorter_.sort(from + begin, to + begin, end - begin, false); });
    for (index_t length = run; length < n; length *= 2) {
      find_splits(from, n, run, length, split.data());
      on_.each_tile(n, run, [&](int, index_t begin, index_t end) {
        auto const both = runs_at(from, n, length, begin);
        index_t const pair = both.a - from, a = split.data()[begin / run], b = begin - pair - a;
        bool const is_last = end == pair + both.in_a + both.in_b;
        index_t const a_end = is_last ? both.in_a : split.data()[begin / run + 1], b_end = end - pair - a_end;
        sorter_.merge({both.a + a, both.b + b, a_end - a, b_end - b}, to + begin);
      });
      std::swap(from, to);
    }
    return from;
  }

 private:
  static index_t run_items(sort_workers const& on) {
    return on.tuning.tile_items > 0 ? on.tuning.tile_items : std::max<index_t>(machine().l2_bytes / (4 * size), 1024);
  }

  /// The two runs of `length` that hold record `at`; the second one may be shorter, or empty.
  static two_runs<Record> runs_at(Record const* from, index_t n, index_t length, index_t at) {
    index_t const begin = at / (2 * length) * (2 * length), middle = std::min(begin + length, n),
                  end = std::min(begin + 2 * length, n);
    return {from + begin, from + middle, middle - begin, end - middle};
  }

  /// split[t]: how many records of the first run of its pair come before tile t.
  void find_splits(Record const* from, index_t n, index_t tile, index_t length, index_t* split) const {
    on_.each_tile(tiles_of(n, tile), 16, [&](int, index_t first, index_t last) {
      for (index_t t = first; t < last; ++t) {
        auto const both = runs_at(from, n, length, t * tile);
        split[t] = sorter_.taken_of_a(both, t * tile - (both.a - from));
      }
    });
    index_t const of_pair = 2 * length / tile;
    for (index_t begin = 0, tiles = tiles_of(n, tile); begin < tiles; begin += of_pair) {
      index_t const end = std::min(begin + of_pair, tiles);
      auto const both = runs_at(from, n, length, begin * tile);
      bool agree = true;
      for (index_t t = begin; t < end; ++t) {
        index_t const next = t + 1 < end ? split[t + 1] : both.in_a,
                      items = std::min((t + 1 - begin) * tile, both.in_a + both.in_b) - (t - begin) * tile;
        agree = agree && 0 <= next - split[t] && next - split[t] <= items;
      }
      if (!agree)
        for (index_t t = begin; t < end; ++t) split[t] = std::min((t - begin) * tile, both.in_a);
    }
  }

  sort_workers on_;
  merge_sorter<Record, Order> sorter_;
};

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
