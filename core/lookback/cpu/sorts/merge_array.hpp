// A stable sort of one array by comparisons: workers sort runs that fit a cache (merge_sort.hpp), then merge them two by two.
//
//   pack    items --> records, run by run; each run is sorted where it lies
//   merge   tiles of the result, each by one worker: where a tile begins in both runs is found beforehand (merge path)
//   unpack  records --> out, values
//
// Nothing but scratch is written before all comparisons have been made. Where a tile begins is asked for once: so tiles share both
// runs among them whatever the comparison says. Should it contradict itself, the two runs stay one behind the other.
// Source: Green, McColl & Bader, GPU merge path, 2012.
#pragma once
#include <algorithm>
#include <atomic>

#include "../../model/sort_job.hpp"
#include "../run/memory.hpp"
#include "../simd/unit.hpp"
#include "compared_records.hpp"
#include "gather.hpp"
#include "merge_sort.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

template <class Codec, class Order>
class array_merger {
  using record = typename Codec::record_type;
  using less = order_of_records<Order>;
  static constexpr index_t size = sizeof(record);

 public:
  array_merger(sort_workers const& on, Codec const& items, Order const& order)
      : on_{on}, items_{items}, order_{order}, sorter_{less{order}} {}

  /// Of scratch, for n items.
  static index_t scratch_bytes(sort_workers const& on, index_t n) {
    return 2 * whole_lines(n * size) + whole_lines(splits(on, n) * static_cast<index_t>(sizeof(index_t)));
  }

  /// Sorts n > 0 items. False where they are in order: then nothing is stored.
  bool sort(typename Codec::T const* in, index_t n) const {
    if (are_ordered(in, n)) return false;
    scratch<record> const here{on_.memory, n}, elsewhere{on_.memory, n};
    scratch<index_t> const split{on_.memory, splits(on_, n)};
    index_t const run = run_items(on_, n);
    record *from = here.data(), *to = elsewhere.data();
    on_.each_tile(n, run, [&](int, index_t begin, index_t end) {
      for (index_t i = begin; i < end; ++i) items_.pack(i, from + i);
      record const* const sorted = sorter_.sort(from + begin, to + begin, end - begin);
      if (sorted != from + begin) copy_records(sorted, end - begin, from + begin);
    });
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
    on_.each_tile(n, run, [&](int, index_t begin, index_t end) { items_.unpack(from + begin, end - begin, begin); });
    return true;
  }

 private:
  static index_t run_items(sort_workers const& on, index_t n) {
    if (on.tuning.tile_items > 0) return on.tuning.tile_items;
    return on.count == 1 && n * size <= machine().l2_bytes ? n : std::max<index_t>(machine().l2_bytes / (4 * size), 1024);
  }
  static index_t splits(sort_workers const& on, index_t n) { return tiles_of(n, run_items(on, n)); }

  bool are_ordered(typename Codec::T const* in, index_t n) const {
    auto const ordered = [&](index_t begin, index_t end) {
      for (index_t i = std::max<index_t>(begin, 1); i < end; ++i)
        if (order_(in[i], in[i - 1])) return false;
      return true;
    };
    constexpr index_t block = 1024;
    if (!ordered(0, std::min(n, block))) return false;
    std::atomic<bool> still{true};
    on_.each_tile(n, on_.tile_of(sizeof(*in)), [&](int, index_t begin, index_t end) {
      for (index_t i = begin; i < end && still.load(std::memory_order_relaxed); i += block)
        if (!ordered(i, std::min(i + block, end))) still.store(false, std::memory_order_relaxed);
    });
    return still;
  }

  /// The two runs of `length` that hold record `at`; the second one may be shorter, or empty.
  static two_runs<record> runs_at(record const* from, index_t n, index_t length, index_t at) {
    index_t const begin = at / (2 * length) * (2 * length), middle = std::min(begin + length, n),
                  end = std::min(begin + 2 * length, n);
    return {from + begin, from + middle, middle - begin, end - middle};
  }

  /// split[t]: how many records of the first run of its pair come before tile t.
  void find_splits(record const* from, index_t n, index_t tile, index_t length, index_t* split) const {
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
  Codec items_;
  Order order_;
  merge_sorter<record, less> sorter_;
};

// ---- the two ways of a sort by comparisons, as sort_array.hpp has them

/// Sorts records that hold all that moves.
template <class Job>
struct compared_records {
  using codec = item_packing<Job>;
  using record = typename codec::record_type;
  using merger = array_merger<codec, typename Job::order_type>;

  static void sort(sort_workers const& on, Job const& job, index_t n) {
    if (!merger{on, codec{job, on.way(n)}, job.order}.sort(job.in, n)) copy_job(on, job, n);
  }
  static index_t scratch_bytes(sort_workers const& on, Job const&, index_t n) { return merger::scratch_bytes(on, n); }
};

/// Sorts items with their places, and gathers what was there.
template <class Job, class Place>
struct compared_places {
  using codec = item_and_place<Job, Place>;
  using record = typename codec::record_type;
  using merger = array_merger<codec, typename Job::order_type>;

  static void sort(sort_workers const& on, Job const& job, index_t n) {
    scratch<std::byte> const aside{on.memory, n * widest_in_place(job.beside)};
    scratch<Place> const places{on.memory, n};
    if (!merger{on, codec{job, places.data(), on.way(n)}, job.order}.sort(job.in, n)) return copy_job(on, job, n);
    gather_columns_of(on, places.data(), n, job.beside, aside.data());
  }
  static index_t scratch_bytes(sort_workers const& on, Job const& job, index_t n) {
    return whole_lines(n * widest_in_place(job.beside)) + whole_lines(n * static_cast<index_t>(sizeof(Place))) +
           merger::scratch_bytes(on, n);
  }
};

// ---- by one worker, in a room of its own, as sort_segments.hpp has them

template <class Codec, class Order>
void sort_alone_by(Codec const& items, Order const& order, typename Codec::record_type* records, index_t m) {
  for (index_t i = 0; i < m; ++i) items.pack(i, records + i);
  merge_sorter<typename Codec::record_type, order_of_records<Order>> const sorter{{order}};
  items.unpack(sorter.sort(records, records + m, m), m, 0);
}

template <class Job>
index_t room_bytes(compared_records<Job> const&, Job const&, index_t m) {
  return whole_lines(2 * m * static_cast<index_t>(sizeof(typename compared_records<Job>::record)));
}
template <class Job>
void sort_alone(compared_records<Job> const&, sort_workers const&, Job const& job, index_t m, std::byte* room,
                store_way const& how) {
  using way = compared_records<Job>;
  sort_alone_by(typename way::codec{job, how}, job.order, reinterpret_cast<typename way::record*>(room), m);
}

template <class Job, class Place>
index_t room_bytes(compared_places<Job, Place> const&, Job const& job, index_t m) {
  return whole_lines(2 * m * static_cast<index_t>(sizeof(typename compared_places<Job, Place>::record))) +
         whole_lines(m * static_cast<index_t>(sizeof(Place))) + whole_lines(m * widest_in_place(job.beside));
}
template <class Job, class Place>
void sort_alone(compared_places<Job, Place> const&, sort_workers const& one, Job const& job, index_t m, std::byte* room,
                store_way const& how) {
  using way = compared_places<Job, Place>;
  using record = typename way::record;
  auto* const places = reinterpret_cast<Place*>(room + whole_lines(2 * m * static_cast<index_t>(sizeof(record))));
  std::byte* const aside = reinterpret_cast<std::byte*>(places) + whole_lines(m * static_cast<index_t>(sizeof(Place)));
  sort_alone_by(typename way::codec{job, places, how}, job.order, reinterpret_cast<record*>(room), m);
  gather_columns_of(one, places, m, job.beside, aside);
}

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
