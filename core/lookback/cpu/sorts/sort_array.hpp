// The sort of one array, and the scratch that it takes.
//
//   in, values --> records (records.hpp) --> split by all workers (parts.hpp) --> each part in a cache (in_cache.hpp) --> out,
//   values
//
// Few records skip the split. Sorted input is found by a read that ends at the first item that is out of order.
#pragma once
#include <algorithm>
#include <atomic>
#include <limits>
#include <type_traits>

#include "../../model/sort_job.hpp"
#include "../run/memory.hpp"
#include "../simd/unit.hpp"
#include "gather.hpp"
#include "in_cache.hpp"
#include "parts.hpp"
#include "records.hpp"
#include "sample_array.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

namespace detail {

/// Are n > 0 items in order?
template <class Codec, class Bits>
bool are_sorted(sort_workers const& on, Codec const& items, Bits const& of, index_t n) {
  auto const ordered = [&](index_t begin, index_t end) {
    auto before = of(items(begin));
    for (index_t i = begin + 1; i < end; ++i) {
      auto const x = of(items(i));
      if (x < before) return false;
      before = x;
    }
    return true;
  };
  constexpr index_t block = 1024;
  if (!ordered(0, std::min(n, block))) return false;
  std::atomic<bool> still{true};
  on.each_tile(n - 1, on.tile_of(sizeof(typename Codec::record_type)), [&](int, index_t begin, index_t end) {
    for (index_t i = begin; i < end && still.load(std::memory_order_relaxed); i += block)
      if (!ordered(i, std::min(i + block, end) + 1)) still.store(false, std::memory_order_relaxed);
  });
  return still;
}

/// Has one worker what n records need?
inline bool fits_one_worker(sort_workers const& on, index_t n, index_t record_bytes) {
  // A split of all takes longer than one worker needs for what fits its cache, so it is for more, or for more workers.
  index_t const cached = std::max(2 * machine().l2_bytes / on.count, serial_below(on.tuning));
  return on.tuning.tile_items > 0 ? n <= on.tuning.tile_items : n * record_bytes <= cached;
}

/// Stores what sorted records say, by bits from `begin` on.
template <class Codec>
sorted_records<typename Codec::record_type> stores_of(Codec const& items, int begin, int end) {
  using record = typename Codec::record_type;
  return {
      Codec::are_numbers && begin == 0 && end == Codec::width, &items,
      [](void const* codec, record const* from, index_t m, index_t at) { static_cast<Codec const*>(codec)->unpack(from, m, at); }};
}

/// Stores what `items` say of n > 0 sorted records. False where the order stays as it is: then nothing is stored.
template <class Codec>
bool sort_records(sort_workers const& on, Codec const& items, index_t n, int begin, int end) {
  using record = typename Codec::record_type;
  using reader = typename Codec::reader;
  sorted_bits<reader> const of{items.reads(), begin, end - begin};
  if (are_sorted(on, items, of, n))
    return lookback::detail::observe_way("a copy", "the items are in order already", 0, 0, 0, 0), false;
  auto const sorted = stores_of(items, begin, end);
  if (!fits_one_worker(on, n, sizeof(record))) {
    return part_sorter<record, reader>{on, of, sorted}.sort(items, n);
  }
  lookback::detail::observe_way("one worker, in its cache",
                                "the records fit into two L2 caches shared by all workers, or into 512 KB");
  lookback::detail::observe_pass("sort", 1, 1);
  scratch<record> const records{on.memory, 2 * n};
  make_some(n, records.data(), [&](index_t i) { return items(i); });
  in_cache<record, reader>{of, sorted}.sort(records.data(), records.data() + n, n, end - begin, 0);
  return true;
}
/// Of scratch, at most.
template <class Codec>
index_t record_bytes(sort_workers const& on, Codec const& items, index_t n) {
  using record = typename Codec::record_type;
  if (fits_one_worker(on, n, sizeof(record))) return whole_lines(2 * n * static_cast<index_t>(sizeof(record)));
  return part_sorter<record, typename Codec::reader>::scratch_bytes(on, items, n);
}

}  // namespace detail

/// Sorts records that hold all that moves.
template <class Job, bool WithItem>
struct by_records {
  using codec = packing<Job, WithItem>;
  using record = typename codec::record_type;

  static void sort(sort_workers const& on, Job const& job, index_t n) {
    if (!detail::sort_records(on, codec{job, on.way(n)}, n, job.order.begin, job.order.end)) copy_job(on, job, n);
  }
  static index_t scratch_bytes(sort_workers const& on, Job const& job, index_t n) {
    return detail::record_bytes(on, codec{job, on.way(n)}, n);
  }
};

/// Sorts the places of items, and gathers what is there.
template <class Job, class Number, class Place>
struct by_places {
  using place = Place;
  using codec = place_packing<Job, Number, Place>;
  using record = typename codec::record_type;
  static constexpr bool recovers = Job::order_type::is_exact;

  static void sort(sort_workers const& on, Job const& job, index_t n) {
    scratch<std::byte> const aside{on.memory, n * aside_bytes(job)};
    scratch<Place> const places{on.memory, n};
    if (!detail::sort_records(on, codec{job, places.data(), on.way(n)}, n, job.order.begin, job.order.end))
      return copy_job(on, job, n);
    gather(on, job, n, places.data(), aside.data());
  }
  static index_t scratch_bytes(sort_workers const& on, Job const& job, index_t n) {
    return whole_lines(n * aside_bytes(job)) + whole_lines(n * static_cast<index_t>(sizeof(Place))) +
           detail::record_bytes(on, codec{job, nullptr, on.way(n)}, n);
  }
  /// What is gathered where it lies goes by way of so many bytes an item.
  static index_t aside_bytes(Job const& job) {
    index_t const of_item = !recovers && job.in == job.out ? static_cast<index_t>(sizeof(typename Job::item_type)) : 0;
    return std::max(of_item, widest_in_place(job.beside));
  }
  static void gather(sort_workers const& on, Job const& job, index_t n, Place const* places, std::byte* aside) {
    if constexpr (!recovers) gather_array(on, places, n, job.in, job.out, aside);
    gather_columns_of(on, places, n, job.beside, aside);
  }
};

namespace detail {
template <bool WithItem, class Job, class F>
auto with_way_of(index_t n, F const& f) {
  if constexpr (packing<Job, WithItem>::fits) return f(by_records<Job, WithItem>{});
  else if constexpr (sizeof(typename Job::order_type::value) <= 4) {
    if (n <= std::numeric_limits<std::uint32_t>::max()) return f(by_places<Job, std::uint32_t, std::uint32_t>{});
    return f(by_places<Job, std::uint64_t, std::uint64_t>{});
  } else return f(by_places<Job, std::uint64_t, std::uint64_t>{});
}
}  // namespace detail

/// f(by_records or by_places, or the same of comparisons): how n items of the job are sorted.
template <class Job, class F>
auto with_way_of(Job const& job, index_t n, F const& f) {
  if constexpr (comparison<typename Job::order_type>) {
    if constexpr (item_packing<Job>::fits) return f(compared_records<Job>{});
    else if (n <= std::numeric_limits<std::uint32_t>::max()) return f(compared_places<Job, std::uint32_t>{});
    else return f(compared_places<Job, std::uint64_t>{});
  } else if constexpr (packing<Job, false>::of_keys) return detail::with_way_of<false, Job>(n, f);
  else if (job.out) return detail::with_way_of<true, Job>(n, f);
  else return detail::with_way_of<false, Job>(n, f);
}

/// Sorts n > 0 items, whatever segments the job has.
template <class Job>
void sort_array(sort_workers const& on, Job const& job, index_t n) {
  if (n == 1 || job.order.compares_nothing()) {
    lookback::detail::observe_way("a copy", "there is nothing to compare");
    return copy_job(on, job, n);
  }
  with_way_of(job, n, [&](auto way) { way.sort(on, job, n); });
}

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
