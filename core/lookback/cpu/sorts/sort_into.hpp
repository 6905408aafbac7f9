// sort_into on the CPU: a stable sort by digits of numbers.
//
//   in, values --> records (records.hpp) --> split by all workers (parts.hpp) --> each part in a cache (in_cache.hpp) --> out,
//   values
//
// Few records skip the split. Sorted input is found by a read that ends at the first item that is out of order.
#pragma once
#include <atomic>
#include <bit>
#include <limits>
#include <type_traits>

#include "../../model/sort_job.hpp"
#include "../engine/scatter_into.hpp"
#include "../run/memory.hpp"
#include "../run/policy.hpp"
#include "../simd/unit.hpp"
#include "gather.hpp"
#include "in_cache.hpp"
#include "parts.hpp"
#include "records.hpp"

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

/// Stores what `items` say of n > 0 sorted records. False where the order stays as it is: then nothing is stored.
template <class Codec>
bool sort_records(sort_workers const& on, Codec const& items, index_t n, int begin, int end) {
  using record = typename Codec::record_type;
  using reader = typename Codec::reader;
  sorted_bits<reader> const of{items.reads(), begin, end - begin};
  if (are_sorted(on, items, of, n)) return false;
  sorted_records<record> const sorted{
      Codec::are_numbers && begin == 0 && end == Codec::width, &items,
      [](void const* codec, record const* from, index_t m, index_t at) { static_cast<Codec const*>(codec)->unpack(from, m, at); }};
  index_t const bytes = n * static_cast<index_t>(sizeof(record));
  // A split of all takes longer than one worker needs for what fits its cache, so it is for more, or for more workers.
  index_t const cached = std::max(2 * machine().l2_bytes / on.count, serial_below(on.tuning));
  bool const fits = on.tuning.tile_items > 0 ? n <= on.tuning.tile_items : bytes <= cached;
  if (!fits) return part_sorter<record, reader>{on, of, sorted}.sort(items, n);
  scratch<record> const records{on.memory, 2 * n};
  make_some(n, records.data(), [&](index_t i) { return items(i); });
  in_cache<record, reader>{of, sorted}.sort(records.data(), records.data() + n, n, end - begin, 0);
  return true;
}

template <class Number, class Place, class Job>
void sort_places(sort_workers const& on, Job const& job, index_t n) {
  using T = typename Job::item_type;
  constexpr bool recovers = Job::order_type::is_exact;
  index_t const of_item = !recovers && job.in == job.out ? static_cast<index_t>(sizeof(T)) : 0;
  scratch<std::byte> const aside{on.memory, n * std::max(of_item, widest_in_place(job.beside))};
  scratch<Place> const places{on.memory, n};
  if (!sort_records(on, place_packing<Job, Number, Place>{job, places.data(), on.way(n)}, n, job.order.begin, job.order.end))
    return copy_job(on, job, n);
  if constexpr (!recovers) gather_array(on, places.data(), n, job.in, job.out, aside.data());
  gather_columns_of(on, places.data(), n, job.beside, aside.data());
}

template <bool WithItem, class Job>
void sort_packed(sort_workers const& on, Job const& job, index_t n) {
  using codec = packing<Job, WithItem>;
  using value = typename Job::order_type::value;
  if constexpr (codec::fits) {
    if (!sort_records(on, codec{job, on.way(n)}, n, job.order.begin, job.order.end)) copy_job(on, job, n);
  } else if constexpr (sizeof(value) <= 4) {
    if (n <= std::numeric_limits<std::uint32_t>::max()) sort_places<std::uint32_t, std::uint32_t>(on, job, n);
    else sort_places<std::uint64_t, std::uint64_t>(on, job, n);
  } else sort_places<std::uint64_t, std::uint64_t>(on, job, n);
}

}  // namespace detail

/// Does what the job says. Waits. Throws what the order threw, and out_of_memory, before anything but scratch is written.
template <class Strategy, class Carry, bool Reproducible, class T, class Order, class Beside, class Segments>
void sort_into(policy<Strategy, Carry, Reproducible> const& on, sort_job<T, Order, Beside, Segments> const& job) {
  static_assert(std::is_same_v<Carry, no_carry>, "a carry needs a sink that stores every value");
  static_assert(std::is_same_v<Segments, no_segments>, "segments are not sorted here");
  using job_type = sort_job<T, Order, Beside, Segments>;
  index_t const n = count_of(job.size);
  if (n <= 0) return;
  index_t const bytes = n * static_cast<index_t>(sizeof(T) + packed_bytes<Beside>);
  sort_workers const workers{on.executor, on.memory, on.tuning, detail::workers_of(on, bytes)};
  if (n == 1 || job.order.begin == job.order.end) return copy_job(workers, job, n);
  if constexpr (packing<job_type, false>::of_keys) detail::sort_packed<false>(workers, job, n);
  else if (job.out) detail::sort_packed<true>(workers, job, n);
  else detail::sort_packed<false>(workers, job, n);
}

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
