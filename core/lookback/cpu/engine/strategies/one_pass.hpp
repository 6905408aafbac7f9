// A strategy of one pass: each worker claims a tile, reduces it, asks for what comes before it, and stores it. What tiles tell each
// other is the strategy's:
//
//   prefix_exchange<Strategy, Work> all{work, memory, workers}   for one call; scratch is had here
//     all.rooms()                  how many rooms are wanted: one a worker, and those it computes other tiles in
//     all.publish_failed(tile)     a worker left it
//     all.last()                   what comes after the last tile
//     all.resolves_at_once         a worker asks for the prefix of its tile before it claims another one
//   typename prefix_exchange<Strategy, Work>::of_worker mine{all, rooms, worker}
//     mine.begin_tile(), mine.end_tile()   around what this worker does with a tile, but for waiting
//     mine.early(tile, aggregate)          the tile has been reduced
//     mine.late(tile, aggregate)           what comes before it, tile > 0; absent where a tile before it failed
//     mine.may_store(tile)                 false: another worker stores it
//
// What a work does with a whole tile is not inlined: each strategy, and each place in it, would have a copy of its own, compiled
// for every instruction set.
#pragma once
#include <atomic>

#include "../../../error.hpp"
#include "../../../source.hpp"
#include "../../run/executor.hpp"
#include "../../run/memory.hpp"
#include "../../simd/simd.hpp"
#include "../../simd/unit.hpp"
#include "../descriptors.hpp"
#include "../tickets.hpp"
#include "rooms.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

/// Each strategy of one pass has one.
template <class Strategy, class Work>
class prefix_exchange;

/// What all of them have: a descriptor for each tile.
template <class Work>
class published_tiles {
 public:
  using aggregate = typename Work::aggregate;
  using prefix = typename Work::prefix;
  static constexpr bool resolves_at_once = false;
  published_tiles(Work const& work, memory const& from, int workers)
      : work_{work}, workers_{workers}, published_{from, work.tiles()} {}
  int rooms() const { return workers_; }
  void publish_failed(index_t tile) { published_.publish_failed(tile); }
  prefix const& last() const { return published_.prefix(work_.tiles() - 1); }

  /// A tile that knows its prefix says it at once: tile 0, and one whose aggregate is complete, as where a segment starts.
  bool publish_if_complete(index_t tile, aggregate const& a) {
    if (tile > 0 && !a.complete) return false;
    published_.publish_prefix(tile, work_.combine(tile == 0 ? work_.first() : maybe<prefix>{}, a));
    return true;
  }
  /// One that does not says what it is worth.
  void publish_early(index_t tile, aggregate const& a) {
    if (!publish_if_complete(tile, a)) published_.publish_aggregate(tile, a);
  }

 protected:
  Work const& work_;
  int workers_;
  descriptors<aggregate, prefix> published_;
};

/// A worker that only waits: nobody else reads its tiles.
struct plain_worker {
  static void begin_tile() {}
  static void end_tile() {}
  static bool may_store(index_t) { return true; }
};

namespace detail {

/// Tiles in the hands of a worker: should it leave before they are published, it says so, and nobody waits for them.
template <class Exchange>
struct duty {
  Exchange& all;
  index_t now = -1, next = -1;
  explicit duty(Exchange& exchange) : all{exchange} {}
  duty(duty const&) = delete;
  duty& operator=(duty const&) = delete;
  ~duty() {
    if (now >= 0) all.publish_failed(now);
    if (next >= 0) all.publish_failed(next);
  }
};

template <class Work, class Exchange>
void scan_claimed_tiles(Work const& work, Exchange& all, tickets& tiles, int worker, rooms<Work> const& rooms,
                        std::atomic<bool> const& failing) {
  using prefix = typename Work::prefix;
  constexpr bool reduces_ahead = Work::reduces_ahead && !Exchange::resolves_at_once;
  index_t const number = work.tiles();
  auto const claim = [&] { return failing.load(std::memory_order_relaxed) ? number : tiles.claim(); };
  duty<Exchange> hands{all};
  index_t id = claim();
  if (id >= number) return;
  hands.now = id;
  typename Exchange::of_worker mine{all, rooms, worker};
  auto const room = rooms.of(worker);
  int slot = 0;
  mine.begin_tile();
  auto held = work.hold(room, id, slot);
  auto a = work.reduce(room, held);
  mine.end_tile();
  mine.early(id, a);
  for (;;) {
    index_t next = reduces_ahead ? claim() : number;
    if (next < number) hands.next = next;
    maybe<prefix> before = work.first();
    if (id > 0) {
      before = maybe<prefix>{};
      if (work.needs_prefix(held)) {
        before = mine.late(id, a);
        if (!before.has) return;  // failed: the exception is thrown where the workers are joined
      } else if constexpr (lookback::detail::asserts) {
        expects(a.complete, "a work needs the prefix of a tile whose aggregate is not complete");
      }
    }
    mine.begin_tile();
    bool const stores = mine.may_store(id);
    if constexpr (reduces_ahead) {
      if (next >= number) {
        if (stores) work.scan(room, held, before);
      } else {
        slot ^= 1;
        auto ahead = work.hold(room, next, slot);
        a = stores ? work.scan(room, held, before, ahead) : work.reduce(room, ahead);
        held = ahead;
      }
    } else {
      if (stores) work.scan(room, held, before);
      next = claim();
      hands.now = next < number ? next : -1;  // the tile is done: it keeps its prefix whatever happens now
      if (next < number) held = work.hold(room, next, slot), a = work.reduce(room, held);
    }
    hands.now = next < number ? next : -1, hands.next = -1;
    if (next >= number) return;
    mine.end_tile();
    mine.early(next, a);
    id = next;
  }
}

}  // namespace detail

/// Returns what comes after the last tile.
template <class Strategy, class Work>
requires requires { typename prefix_exchange<Strategy, Work>::of_worker; }
auto run_tiles(Strategy, Work& work, executor const& e, memory const& from, int workers) {
  prefix_exchange<Strategy, Work> all{work, from, workers};
  detail::rooms<Work> const rooms{from, work, all.rooms()};
  tickets tiles;
  run_workers(e, workers, [&](int worker, std::atomic<bool> const& failing) {
    detail::scan_claimed_tiles(work, all, tiles, worker, rooms, failing);
    streaming_fence();
  });
  return maybe<typename Work::prefix>{all.last()};
}

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
