// A stable sort of one array by comparisons: all workers split it, then each part is one worker's.
//
//   split   items --> records, by classes between splitters (split_by_splitters.hpp)
//   parts   each by one worker (sample_sort.hpp), the largest first. All workers split a part again that would keep one of them
//           busy longer than the others together; where that does not help, they merge it (merge_array.hpp)
//   unpack  records --> out, values
//
// Nothing but scratch is written before all comparisons have been made: so what a comparison throws leaves the array as it is.
#pragma once
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <numeric>

#include "../../model/sort_job.hpp"
#include "../run/memory.hpp"
#include "../simd/unit.hpp"
#include "compared_records.hpp"
#include "gather.hpp"
#include "merge_array.hpp"
#include "reserved_memory.hpp"
#include "sample_sort.hpp"
#include "split_by_splitters.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

/// As many times as long as a pass over its bytes takes the sort of an item, at least: so another worker pays sooner.
inline constexpr index_t times_of_comparisons = 8;

template <class Codec, class Order>
class sample_array {
  using record = typename Codec::record_type;
  using T = decltype(record::item);
  using first_split = split_by_splitters<record, Codec, Order>;
  using split_again = split_by_splitters<record, compared_at<record>, Order>;
  static constexpr index_t size = sizeof(record);
  static constexpr int most_splits_by_all = 3;

 public:
  sample_array(sort_workers const& on, Codec const& items, Order const& order)
      : on_{on}, items_{items}, order_{order}, sorter_{order, usable(on.tuning.simd)}, merger_{on, order} {}

  /// All the scratch that a sort of n items takes, at most; each piece in whole lines.
  static index_t scratch_bytes(sort_workers const& on, Codec const& items, index_t n) {
    index_t const both = 2 * whole_lines(n * size) + whole_lines(n);
    if (is_for_one(on, n)) return both;
    index_t const rooms_apart = whole_lines(1);  // rooms of workers and that of all of them take a whole line more than one array
    return both + rooms_apart + first_split::scratch_bytes(on, items, n) + whole_lines(again_bytes(on, n));
  }

  /// Sorts n > 0 items. False where they are in order: then nothing is stored.
  bool sort(index_t n) {
    if (all_between(n, [this](T const& before, T const& x) { return !order_(x, before); }))
      return lookback::detail::observe_way("a copy", "the items are in order already", 0, 0, 0, 0), false;
    scratch<record> const here{on_.memory, n};
    if (all_between(n, [this](T const& before, T const& x) { return order_(x, before); })) {
      lookback::detail::observe_way("a copy from behind", "the items are in the opposite order", 0, 0, 0, 0);
      on_.each_tile(n, on_.tile_of(size), [&](int, index_t begin, index_t end) {
        for (index_t i = begin; i < end; ++i) std::construct_at(here.data() + i, items_(n - 1 - i));
      });
    } else {
      scratch<std::uint8_t> const told{on_.memory, n};
      if (is_for_one(on_, n)) {
        lookback::detail::observe_way("samples, by one worker", "there is so little input that one worker is faster", 0, 0, 0, 0);
        lookback::detail::observe_pass("sort", 1, 1);
        sort_alone(here.data(), told.data(), n);
      } else {
        lookback::detail::observe_way(
            "samples: split into classes, each sorted by one worker",
            on_.count > 1 ? "there is enough input that several workers pay" : "the records are more than two L2 caches hold", 0, 0,
            0, 0);
        split(here.data(), told.data(), n);
      }
    }
    on_.each_tile(n, on_.tile_of(size),
                  [&](int, index_t begin, index_t end) { items_.unpack(here.data() + begin, end - begin, begin); });
    return true;
  }

 private:
  static bool is_for_one(sort_workers const& on, index_t n) {
    if (n >= index_t{1} << 31) return false;
    if (on.tuning.tile_items > 0) return n <= on.tuning.tile_items;
    return n * size <= (on.count == 1 ? 2 * machine().l2_bytes : serial_below(on.tuning) / times_of_comparisons);
  }
  /// Items that one worker sorts beside the others. Among many workers, where an even share is about a class of the first split,
  /// twice of that: classes differ in size.
  static index_t most_of_one(sort_workers const& on, index_t n) {
    index_t const classes = std::max<index_t>(n / (splitters<T, Order>::most_ways / 2), 2 * least_in_class);
    return std::min(std::max(most_alone(on, n, size), classes), index_t{1} << 31);
  }
  static index_t again_bytes(sort_workers const& on, index_t n) {
    return std::max(split_again::scratch_bytes(on, {nullptr}, n), array_merger<record, Order>::scratch_bytes(on, n));
  }

  /// Is it so of any two neighbours?
  template <class Test>
  bool all_between(index_t n, Test const& test) const {
    auto const holds = [&](index_t begin, index_t end) {
      for (index_t i = std::max<index_t>(begin, 1); i < end; ++i)
        if (!test(items_.item(i - 1), items_.item(i))) return false;
      return true;
    };
    constexpr index_t block = 1024;
    if (!holds(0, std::min(n, block))) return false;
    std::atomic<bool> still{true};
    on_.each_tile(n, on_.tile_of(sizeof(T)), [&](int, index_t begin, index_t end) {
      for (index_t i = begin; i < end && still.load(std::memory_order_relaxed); i += block)
        if (!holds(i, std::min(i + block, end))) still.store(false, std::memory_order_relaxed);
    });
    return still;
  }

  void sort_alone(record* here, std::uint8_t* told, index_t n) const {
    scratch<record> const elsewhere{on_.memory, n};
    for (index_t i = 0; i < n; ++i) std::construct_at(here + i, items_(i));
    sorter_.sort(here, elsewhere.data(), told, n, false);
  }

  void split(record* here, std::uint8_t* told, index_t n) {
    first_split by{on_, on_.memory, items_, n, order_, told};
    most_ = most_of_one(on_, n);
    index_t largest = 0, large = 0;
    for (int c = 0; c < by.classes(); ++c)
      if (!by.is_of_equals(c)) largest = std::max(largest, by.count(c));
    own_size_ = std::min(largest, most_);
    if (largest > most_) large = largest;
    // Rooms for every worker, and for a part of all of them; where these are more than n, each part has its own place.
    bool const has_rooms = large + own_size_ * on_.count < n;
    scratch<record> const elsewhere{on_.memory, has_rooms ? large : n}, own{on_.memory, has_rooms ? own_size_ * on_.count : 0};
    index_t const more = large > 0 ? again_bytes(on_, large) : 0;
    scratch<std::byte> const bytes{on_.memory, more};
    reserved_memory reserved{bytes.data(), more};
    own_ = has_rooms ? own.data() : nullptr, reserved_ = &reserved;
    by.move(here);
    sort_parts(
        by, here, told, [&](index_t begin) { return elsewhere.data() + (has_rooms ? 0 : begin); }, false, most_splits_by_all);
  }

  /// The parts of a split, whose records lie from `at` on. other(begin) is as much memory as the part has that begins there: it is
  /// sorted to there, or where it lies.
  template <class Split, class Other>
  void sort_parts(Split const& of, record* at, std::uint8_t* told, Other const& other, bool to_other, int splits) {
    std::array<int, 256> parts;
    std::iota(parts.begin(), parts.begin() + of.classes(), 0);
    auto const end = std::remove_if(parts.begin(), parts.begin() + of.classes(), [&](int c) { return of.count(c) == 0; });
    std::sort(parts.begin(), end, [&](int a, int b) { return of.count(a) > of.count(b); });
    auto* const alone = std::find_if(parts.begin(), end, [&](int c) { return of.count(c) <= most_; });
    for (auto* c = parts.begin(); c != alone; ++c) {
      index_t const begin = of.begin(*c), count = of.count(*c);
      if (!of.is_of_equals(*c)) sort_large(at + begin, other(begin), told + begin, count, to_other, splits);
      else if (to_other) copy_all(at + begin, other(begin), count);
    }
    on_.each_tile(end - alone, 1, [&](int worker, index_t k, index_t) {
      int const c = alone[k];
      index_t const begin = of.begin(c), count = of.count(c);
      if (of.is_of_equals(c)) {
        if (to_other) copy_records(at + begin, count, other(begin));
      } else {
        record* const room = to_other || !own_ ? other(begin) : own_ + own_size_ * worker;
        sorter_.sort(at + begin, room, told + begin, count, to_other);
      }
    });
  }

  void sort_large(record* from, record* other, std::uint8_t* told, index_t m, bool to_other, int splits) {
    if (splits == 0) {
      record* const sorted = merger_.sort(from, other, m, reserved_->pieces());
      if (sorted != (to_other ? other : from)) copy_all(sorted, to_other ? other : from, m);
      return;
    }
    split_again by{on_, reserved_->pieces(), {from}, m, order_, told};
    by.move(other);
    sort_parts(
        by, other, told, [&](index_t begin) { return from + begin; }, !to_other, splits - 1);
  }

  void copy_all(record const* from, record* to, index_t m) const {
    on_.each_tile(m, on_.tile_of(size),
                  [&](int, index_t begin, index_t end) { copy_records(from + begin, end - begin, to + begin); });
  }

  sort_workers on_;
  Codec items_;
  Order order_;
  sample_sorter<record, Order> sorter_;
  array_merger<record, Order> merger_;
  index_t most_ = 0, own_size_ = 0;  // items of a part that is one worker's, and room for them
  record* own_ = nullptr;
  reserved_memory* reserved_ = nullptr;
};

// ---- the two ways of a sort by comparisons, as sort_array.hpp has them

/// Sorts records that hold all that moves.
template <class Job>
struct compared_records {
  using codec = item_packing<Job>;
  using record = typename codec::record_type;
  using sorter = sample_array<codec, typename Job::order_type>;

  static void sort(sort_workers const& on, Job const& job, index_t n) {
    if (!sorter{on, codec{job, on.way(n)}, job.order}.sort(n)) copy_job(on, job, n);
  }
  static index_t scratch_bytes(sort_workers const& on, Job const& job, index_t n) {
    return sorter::scratch_bytes(on, codec{job, on.way(n)}, n);
  }
};

/// Sorts items with their places, and gathers what was there.
template <class Job, class Place>
struct compared_places {
  using codec = item_and_place<Job, Place>;
  using record = typename codec::record_type;
  using sorter = sample_array<codec, typename Job::order_type>;

  static void sort(sort_workers const& on, Job const& job, index_t n) {
    scratch<std::byte> const aside{on.memory, n * widest_in_place(job.beside)};
    scratch<Place> const places{on.memory, n};
    if (!sorter{on, codec{job, places.data(), on.way(n)}, job.order}.sort(n)) return copy_job(on, job, n);
    gather_columns_of(on, places.data(), n, job.beside, aside.data());
  }
  static index_t scratch_bytes(sort_workers const& on, Job const& job, index_t n) {
    return whole_lines(n * widest_in_place(job.beside)) + whole_lines(n * static_cast<index_t>(sizeof(Place))) +
           sorter::scratch_bytes(on, codec{job, nullptr, on.way(n)}, n);
  }
};

// ---- by one worker, in a room of its own, as sort_segments.hpp has them

/// Room for records twice, and for their classes.
template <class Record>
index_t room_to_compare(index_t m) {
  return whole_lines(2 * m * static_cast<index_t>(sizeof(Record))) + whole_lines(m);
}
template <class Codec, class Order>
void sort_alone_by(Codec const& items, Order const& order, std::byte* room, index_t m, simd_level level) {
  using record = typename Codec::record_type;
  auto* const records = reinterpret_cast<record*>(room);
  auto* const told = reinterpret_cast<std::uint8_t*>(room + whole_lines(2 * m * static_cast<index_t>(sizeof(record))));
  for (index_t i = 0; i < m; ++i) std::construct_at(records + i, items(i));
  sample_sorter<record, Order> const sorter{order, level};
  sorter.sort(records, records + m, told, m, false);
  items.unpack(records, m, 0);
}

template <class Job>
index_t room_bytes(compared_records<Job> const&, Job const&, index_t m) {
  return room_to_compare<typename compared_records<Job>::record>(m);
}
template <class Job>
void sort_alone(compared_records<Job> const&, sort_workers const&, Job const& job, index_t m, std::byte* room,
                store_way const& how) {
  sort_alone_by(typename compared_records<Job>::codec{job, how}, job.order, room, m, how.level);
}

template <class Job, class Place>
index_t room_bytes(compared_places<Job, Place> const&, Job const& job, index_t m) {
  return room_to_compare<typename compared_places<Job, Place>::record>(m) + whole_lines(m * static_cast<index_t>(sizeof(Place))) +
         whole_lines(m * widest_in_place(job.beside));
}
template <class Job, class Place>
void sort_alone(compared_places<Job, Place> const&, sort_workers const& one, Job const& job, index_t m, std::byte* room,
                store_way const& how) {
  using way = compared_places<Job, Place>;
  auto* const places = reinterpret_cast<Place*>(room + room_to_compare<typename way::record>(m));
  std::byte* const aside = reinterpret_cast<std::byte*>(places) + whole_lines(m * static_cast<index_t>(sizeof(Place)));
  sort_alone_by(typename way::codec{job, places, how}, job.order, room, m, how.level);
  gather_columns_of(one, places, m, job.beside, aside);
}

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
