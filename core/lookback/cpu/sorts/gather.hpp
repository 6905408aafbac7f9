// What a sort does to arrays as a whole: copies them where the order stays, and gathers what was too wide to move along.
#pragma once
#include <algorithm>
#include <cstring>
#include <type_traits>

#include "../../model/sort_job.hpp"
#include "../engine/tickets.hpp"
#include "../run/executor.hpp"
#include "../run/memory.hpp"
#include "../run/tuning.hpp"
#include "../simd/simd.hpp"
#include "../simd/unit.hpp"
#include "records.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

/// Who sorts: the workers of one call.
struct sort_workers {
  cpu::executor executor;
  cpu::memory memory;
  cpu::tuning tuning;
  int count;

  /// body(worker, begin, end) of all tiles of n items; they are claimed by tickets.
  template <class Body>
  void each_tile(index_t n, index_t items, Body const& body, char const* name = "sort tiles") const {
    tickets tiles;
    index_t const number = tiles_of(n, items);
    lookback::detail::observe_pass(name, number, static_cast<int>(std::clamp<index_t>(number, 1, count)));
    run_workers(executor, static_cast<int>(std::clamp<index_t>(number, 1, count)),
                [&](int worker, std::atomic<bool> const& failing) {
                  for (index_t id; !failing.load(std::memory_order_relaxed) && (id = tiles.claim()) < number;) {
                    tile const t = tile_at(id, n, items);
                    body(worker, t.begin, t.end);
                  }
                  streaming_fence();
                });
  }
  store_way way(index_t n) const { return {usable(tuning.simd), n, stream_above(tuning)}; }
  index_t tile_of(index_t item_bytes) const { return default_tile_items(tuning, item_bytes); }
};

/// Items that one worker sorts beside the others: what fits its cache, or its share of n.
inline index_t most_alone(sort_workers const& on, index_t n, index_t record_bytes) {
  index_t const cached = on.tuning.tile_items > 0 ? on.tuning.tile_items : machine().l2_bytes / record_bytes;
  return std::min<index_t>(std::max(cached, n / (4 * on.count)), index_t{1} << 31);
}

// ---- the order stays

template <class T>
void copy_array(sort_workers const& on, T const* in, T* out, index_t n) {
  if (!out || in == out) return;
  on.each_tile(n, on.tile_of(sizeof(T)), [&](int, index_t begin, index_t end) {
    copy_out(out + begin, in + begin, end - begin, usable(on.tuning.simd), on.way(n).streams(sizeof(T)));
  });
}
inline void copy_columns(sort_workers const&, columns<> const&, index_t) {}
template <class Column, class... Rest>
void copy_columns(sort_workers const& on, columns<Column, Rest...> const& all, index_t n) {
  using V = typename Column::value_type;
  if constexpr (Column::is_generated)
    on.each_tile(n, on.tile_of(sizeof(V)), [&](int, index_t begin, index_t end) {
      for (index_t i = begin; i < end; ++i) all.first.out[i] = place_of(all.first, i);
    });
  else copy_array(on, all.first.in, all.first.out, n);
  copy_columns(on, all.rest, n);
}
/// Everything as it is.
template <class Job>
void copy_job(sort_workers const& on, Job const& job, index_t n) {
  copy_array(on, job.in, job.out, n);
  copy_columns(on, job.beside, n);
}

// ---- by the places that items had

template <class Job, class Number, class Place>
struct place_packing {
  using T = typename Job::item_type;
  using order_type = typename Job::order_type;
  using record_type = record_of<static_cast<int>(sizeof(Number) + sizeof(Place))>;
  using reader = number_reader<Number>;
  static constexpr int place_at = sizeof(Number), width = order_type::number::width;
  static constexpr bool are_numbers = false;

  Job job;
  Place* places;
  store_way how;

  reader reads() const { return {}; }
  record_type operator()(index_t i) const {
    record_type r{};
    put_into(r, 0, static_cast<Number>(job.order(job.in[i])));
    put_into(r, place_at, static_cast<Place>(i));
    return r;
  }
  /// The places, and keys that their numbers tell.
  void unpack(record_type const* from, index_t m, index_t at) const {
    unpack_array<place_at>(from, m, places + at, how);
    if constexpr (order_type::is_exact)
      if (job.out)
        store_lines(job.out + at, m, how, [from, of = job.order.of](T* here, index_t first, index_t count) {
          record_type const* const mine = from + first;
          make_some(count, here, [=](index_t k) {
            Number number;
            get_from(mine[k], 0, &number);
            return of.key(static_cast<typename order_type::value>(number));
          });
        });
  }
};

/// out[k] = in[places[k]]. In place it goes by way of `aside`.
template <class Place, class V>
void gather_array(sort_workers const& on, Place const* places, index_t n, V const* in, V* out, std::byte* aside) {
  if (!out) return;
  constexpr index_t ahead = 24;  // as many reads are on their way
  V* const to = in == out ? reinterpret_cast<V*>(aside) : out;
  on.each_tile(n, on.tile_of(sizeof(V)), [&](int, index_t begin, index_t end) {
    store_lines(to + begin, end - begin, on.way(n), [=](V* here, index_t first, index_t count) {
      Place const* const mine = places + begin + first;
      index_t const rest = end - begin - first;
      for (index_t k = 0; k < count; ++k) {
        if (k + ahead < rest) __builtin_prefetch(in + mine[k + ahead]);
        std::memcpy(static_cast<void*>(here + k), in + mine[k], sizeof(V));
      }
    });
  });
  if (in == out) copy_array(on, static_cast<V const*>(to), out, n);
}
template <class Place>
void gather_columns_of(sort_workers const&, Place const*, index_t, columns<> const&, std::byte*) {}
template <class Place, class Column, class... Rest>
void gather_columns_of(sort_workers const& on, Place const* places, index_t n, columns<Column, Rest...> const& all,
                       std::byte* aside) {
  using V = typename Column::value_type;
  if constexpr (Column::is_generated)
    on.each_tile(n, on.tile_of(sizeof(V)), [&](int, index_t begin, index_t end) {
      for (index_t k = begin; k < end; ++k) all.first.out[k] = place_of(all.first, static_cast<index_t>(places[k]));
    });
  else gather_array(on, places, n, all.first.in, all.first.out, aside);
  gather_columns_of(on, places, n, all.rest, aside);
}

/// Bytes of the widest array that is gathered in place.
inline index_t widest_in_place(columns<> const&) { return 0; }
template <class Column, class... Rest>
index_t widest_in_place(columns<Column, Rest...> const& all) {
  index_t mine = 0;
  if constexpr (!Column::is_generated) mine = all.first.in == all.first.out ? sizeof(typename Column::value_type) : 0;
  return std::max(mine, widest_in_place(all.rest));
}

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
