// The sort of segments: each is a job of its own. What a worker sorts alone it reads once, into a room of its own, and then stores:
// so offsets that overlap spoil the result alone.
#pragma once
#include <algorithm>
#include <cstddef>

#include "../../model/sort_job.hpp"
#include "../run/executor.hpp"
#include "../run/memory.hpp"
#include "../run/tuning.hpp"
#include "../simd/unit.hpp"
#include "gather.hpp"
#include "in_cache.hpp"
#include "records.hpp"
#include "reserved_memory.hpp"
#include "segment_lists.hpp"
#include "sort_array.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

// ---- the job of a segment

template <class V>
values_beside<V> column_from(values_beside<V> const& values, index_t begin) {
  return {values.in + begin, values.out + begin};
}
template <class I>
places_from<I> column_from(places_beside<I> const& places, index_t begin) {
  return {places.out + begin, begin};
}
inline columns<> columns_from(columns<> const&, index_t) { return {}; }
template <class Column, class... Rest>
auto columns_from(columns<Column, Rest...> const& all, index_t begin) {
  auto const join = []<class First, class... Others>(First const& first, columns<Others...> const& others) {
    return columns<First, Others...>{first, others};
  };
  return join(column_from(all.first, begin), columns_from(all.rest, begin));
}
template <class T, class Order, class Beside>
auto job_of(sort_job<T, Order, Beside, segment_bounds> const& job, segment_range const& segment) {
  auto const beside = columns_from(job.beside, segment.begin);
  return sort_job<T, Order, std::remove_const_t<decltype(beside)>>{segment.count, job.in + segment.begin,
                                                                   job.out ? job.out + segment.begin : nullptr, job.order, beside};
}

// ---- by one worker, in a room of its own

/// Up to Most items: the place of each is how many come before it, which no branch depends on.
template <int Most, class Codec>
void sort_few(Codec const& items, typename Codec::record_type* records, int m, sorted_bits<typename Codec::reader> const& of) {
  using word = typename sorted_bits<typename Codec::reader>::word;
  word keys[static_cast<std::size_t>(Most)] = {}, places[static_cast<std::size_t>(Most)] = {};
  for (int i = 0; i < m; ++i) keys[i] = of(records[i] = items(i));
  for (int k = 0; k < m; ++k) {
    word const key = keys[k], place = static_cast<word>(k);
    for (int i = 0; i < Most; ++i)
      places[i] +=
          static_cast<word>(key < keys[i]) | (static_cast<word>(key == keys[i]) & static_cast<word>(place < static_cast<word>(i)));
  }
  auto* const sorted = records + m;
  for (int i = 0; i < m; ++i) sorted[places[i]] = records[i];
  items.unpack(sorted, m, 0);
}

template <class Codec>
void sort_alone(Codec const& items, typename Codec::record_type* records, index_t m, int begin, int end) {
  using sorter_type = in_cache<typename Codec::record_type, typename Codec::reader>;
  if (m == 1 || begin == end) {
    make_some(m, records, [&](index_t i) { return items(i); });
    return items.unpack(records, m, 0);
  }
  sorted_bits<typename Codec::reader> const of{items.reads(), begin, end - begin};
  if (m <= 8) return sort_few<8>(items, records, static_cast<int>(m), of);
  if (m <= 16) return sort_few<16>(items, records, static_cast<int>(m), of);
  if (m <= 32) return sort_few<32>(items, records, static_cast<int>(m), of);
  make_some(m, records, [&](index_t i) { return items(i); });
  auto const sorted = detail::stores_of(items, begin, end);
  sorter_type const sorter{of, sorted};
  if (sorter.first_descent(records, 1, m) == m) sorted(records, m, 0);
  else sorter.sort(records, records + m, m, end - begin, 0);
}
template <class Record>
index_t room_of_records(index_t m) {
  return whole_lines(2 * m * static_cast<index_t>(sizeof(Record)));
}

template <class Job, bool WithItem>
index_t room_bytes(by_records<Job, WithItem> const&, Job const&, index_t m) {
  return room_of_records<typename by_records<Job, WithItem>::record>(m);
}
template <class Job, bool WithItem>
void sort_alone(by_records<Job, WithItem> const&, sort_workers const&, Job const& job, index_t m, std::byte* room,
                store_way const& how) {
  using way = by_records<Job, WithItem>;
  sort_alone(typename way::codec{job, how}, reinterpret_cast<typename way::record*>(room), m, job.order.begin, job.order.end);
}

template <class Job, class Number, class Place>
index_t room_bytes(by_places<Job, Number, Place> const& way, Job const& job, index_t m) {
  return room_of_records<typename by_places<Job, Number, Place>::record>(m) + whole_lines(m * static_cast<index_t>(sizeof(Place))) +
         whole_lines(m * way.aside_bytes(job));
}
template <class Job, class Number, class Place>
void sort_alone(by_places<Job, Number, Place> const& way, sort_workers const& one, Job const& job, index_t m, std::byte* room,
                store_way const& how) {
  using record = typename by_places<Job, Number, Place>::record;
  auto* const places = reinterpret_cast<Place*>(room + room_of_records<record>(m));
  std::byte* const aside = reinterpret_cast<std::byte*>(places) + whole_lines(m * static_cast<index_t>(sizeof(Place)));
  sort_alone(typename by_places<Job, Number, Place>::codec{job, places, how}, reinterpret_cast<record*>(room), m, job.order.begin,
             job.order.end);
  way.gather(one, job, m, places, aside);
}

// ---- all segments

/// Sorts each segment of n > 0 items.
template <class T, class Order, class Beside>
void sort_segments(sort_workers const& on, sort_job<T, Order, Beside, segment_bounds> const& job, index_t n) {
  segment_bounds const& segments = job.segments;
  constexpr index_t group_items = 64 << 10, most_in_group = 256;
  index_t const above = on.tuning.tile_items > 0 ? std::min(on.tuning.tile_items, index_t{1} << 31) : 4096;
  long_segments const listed{on, segments, n, above};

  auto const whole = job_of(job, {0, n});
  index_t const record_bytes =
      with_way_of(whole, n, [](auto way) { return static_cast<index_t>(sizeof(typename decltype(way)::record)); });
  index_t const most = std::max(above, most_alone(on, n, record_bytes));
  auto const* const alone = std::find_if(listed.begin(), listed.end(), [=](segment_range const& s) { return s.count <= most; });

  bool const any_long = alone != listed.begin();
  lookback::detail::observe_way(
      "each segment by one worker, in a room of its own",
      any_long ? "segments are short, but for some that all workers sort one after the other" : "no segment is too long for that",
      0, 0, any_long ? 0 : 1, any_long ? 0 : 1);

  // Scratch for whatever takes the most of it: no two need theirs at one time.
  index_t const longest = alone != listed.end() ? alone->count : std::min(above, n),
                room = with_way_of(whole, longest, [&](auto way) { return room_bytes(way, whole, longest); });
  index_t bytes = room * on.count;
  for (auto const* s = listed.begin(); s != alone; ++s) {
    auto const part = job_of(job, *s);
    bytes = std::max(bytes, with_way_of(part, s->count, [&](auto way) { return way.scratch_bytes(on, part, s->count); }));
  }
  scratch<std::byte> const memory{on.memory, bytes};
  reserved_memory reserved{memory.data(), bytes};
  sort_workers const all{on.executor, reserved.pieces(), on.tuning, on.count};
  for (auto const* s = listed.begin(); s != alone; ++s) sort_array(all, job_of(job, *s), s->count);

  store_way const how = on.way(n);
  sort_workers const one{in_this_thread, on.memory, on.tuning, 1};
  auto const sort_one = [&](segment_range const& s, int worker) {
    auto const part = job_of(job, s);
    with_way_of(part, s.count, [&](auto way) { sort_alone(way, one, part, s.count, memory.data() + worker * room, how); });
  };
  index_t const group = std::clamp<index_t>(group_items * segments.count / n, 1, most_in_group),
                listed_alone = listed.end() - alone;
  on.each_tile(listed_alone + tiles_of(segments.count, group), 1, [&](int worker, index_t task, index_t) {
    if (task < listed_alone) return sort_one(alone[task], worker);
    tile const t = tile_at(task - listed_alone, segments.count, group);
    for (index_t id = t.begin; id < t.end; ++id)
      if (segment_range const s = range_of(segments, id, n); s.count > 0 && s.count <= above) sort_one(s, worker);
  });
}

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
