// The strategies: three ways to run the same work, tile by tile.
//
// A work says   hold(room, id, slot)      claim-time facts of a tile; compacting work reads and gathers the tile here, results of
//                                         segments by heads are folded: reduce_then_scan does it in both passes
//               reduce(room, held)        its aggregate
//               scan(room, held, before)  stores it, given what comes before
//               scan(.., next)            the same, reducing the next tile in the same loop, where `reduces_ahead`
//               serial(room, held, before)  stores it without a look-back; returns what comes before the next tile
//               first(), combine(before, aggregate), needs_prefix(held), aggregate.complete
//               rereads()                 may a worker hold and reduce a tile of another
// A room is what one worker keeps for itself. Scratch for all workers is had before the first tile is claimed.
// What a work does with a whole tile is not inlined: each strategy, and each place in it, would have a copy of its own, compiled
// for every instruction set.
#pragma once
#include <algorithm>
#include <optional>
#include <utility>

#include "../../strategy.hpp"
#include "../run/executor.hpp"
#include "../run/memory.hpp"
#include "../simd/unit.hpp"
#include "look_back.hpp"
#include "tickets.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

namespace detail {

template <class Work>
class rooms {
 public:
  rooms(memory const& from, Work const& work, int count) : work_{work}, bytes_{from, work.room_bytes() * count} {}
  auto of(int worker) const { return work_.room_at(bytes_.data() + work_.room_bytes() * worker); }

 private:
  Work const& work_;
  scratch<std::byte> bytes_;
};

/// Tiles in the hands of a worker: should it leave before they are published, it says so, and nobody waits for them.
template <class Descriptors>
struct duty {
  Descriptors& published;
  index_t now = -1, next = -1;
  explicit duty(Descriptors& p) : published{p} {}
  duty(duty const&) = delete;
  duty& operator=(duty const&) = delete;
  ~duty() {
    if (now >= 0) published.publish_failed(now);
    if (next >= 0) published.publish_failed(next);
  }
};

/// The aggregate of a tile that another worker has claimed and not published, computed in `room`. Absent where it has, meanwhile.
/// As a guest this worker may have to store the tile, which `before` comes before.
template <class Work, class Descriptors, class Room>
maybe<typename Work::aggregate> aggregate_of_other(Work const& work, Descriptors& published, Room const& room, index_t tile,
                                                   maybe<typename Work::prefix> const& before) {
  bool const as_guest = work.rereads() == rereading::as_guest;
  if (as_guest && !published.enter(tile)) return {};
  struct visit {
    Descriptors& published;
    index_t tile;
    bool inside;
    bool leave() { return std::exchange(inside, false) && published.leave(tile); }
    ~visit() { leave(); }  // by an exception: then the call fails, and nobody has to store the tile
  } here{published, tile, as_guest};
  auto held = work.hold(room, tile, 0);
  maybe<typename Work::aggregate> const a{work.reduce(room, held)};
  if (here.leave()) work.scan(room, held, work.needs_prefix(held) ? before : maybe<typename Work::prefix>{});
  return a;
}

template <class Work, class Descriptors>
void look_back_worker(Work const& work, Descriptors& published, tickets& tiles, int worker, rooms<Work> const& rooms,
                      std::atomic<bool> const& failing, std::optional<int> spare) {
  using prefix = typename Work::prefix;
  index_t const number = work.tiles();
  auto const claim = [&] { return failing.load(std::memory_order_relaxed) ? number : tiles.claim(); };
  // publish: a tile that knows its prefix says it at once (tile 0, and one in which a segment starts)
  auto const publish = [&](index_t id, auto const& a) {
    if (id == 0) published.publish_prefix(id, work.combine(work.first(), a));
    else if (a.complete) published.publish_prefix(id, work.combine(maybe<prefix>{}, a));
    else published.publish_aggregate(id, a);
  };
  duty<Descriptors> mine{published};
  index_t id = claim();
  if (id >= number) return;
  mine.now = id;
  auto const room = rooms.of(worker);
  patience waits;
  auto const before_tile = [&](index_t tile) {
    if (!spare) return look_back(published, tile, [&](prefix const& p, auto const& of) { return work.combine(p, of); });
    return look_back(
        published, tile, work.first(), waits, [&](maybe<prefix> const& p, auto const& of) { return work.combine(p, of); },
        [&](index_t other, maybe<prefix> const& p) { return aggregate_of_other(work, published, rooms.of(*spare), other, p); });
  };
  int slot = 0;
  waits.begin_tile();
  auto held = work.hold(room, id, slot);
  auto a = work.reduce(room, held);
  waits.end_tile();
  publish(id, a);
  for (;;) {
    index_t next = Work::reduces_ahead ? claim() : number;
    if (next < number) mine.next = next;
    maybe<prefix> before = work.first();
    if (id > 0) {
      before = maybe<prefix>{};
      if (work.needs_prefix(held)) {
        before = before_tile(id);
        if (!before.has) return;  // failed: the exception is thrown where the workers are joined
        if (!a.complete) published.publish_prefix(id, work.combine(before, a));
      }
    }
    waits.begin_tile();
    bool const stores = work.rereads() != rereading::as_guest || published.may_store(id);
    if constexpr (Work::reduces_ahead) {
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
      mine.now = next < number ? next : -1;  // the tile is done: it keeps its prefix whatever happens now
      if (next < number) held = work.hold(room, next, slot), a = work.reduce(room, held);
    }
    mine.now = next < number ? next : -1, mine.next = -1;
    if (next >= number) return;
    waits.end_tile();
    publish(next, a);
    id = next;
  }
}

}  // namespace detail

/// One worker, tile after tile: no protocol. Returns what comes after the last tile.
template <class Work>
auto run_tiles(sequential, Work& work, executor const&, memory const& from, int) {
  // A small room, as results by offsets have, lies on the stack: to ask for it would be a quarter of the smallest calls
  // (docs/lab/cpu.md, 35). At the end of what there is, so that a sanitizer sees whoever goes beyond it.
  constexpr index_t small = 20 << 10;
  alignas(64) std::byte here[small];
  scratch<std::byte> const elsewhere{from, work.room_bytes() > small ? work.room_bytes() : 0};
  auto const room = work.room_at(elsewhere.data() ? elsewhere.data() : here + (small - work.room_bytes()));
  auto before = work.first();
  for (index_t id = 0; id < work.tiles(); ++id) {
    auto held = work.hold(room, id, 0);
    before = work.serial(room, held, before);
  }
  return before;
}

/// One pass with tickets and look-back. Where no tile stores over what another reads, nobody waits for a worker that has lost its
/// core: every worker has a second room, in which it computes what a predecessor has not published yet. Memory of it is touched
/// only then. Source: Merrill & Garland 2016; for tiles with a head, van den Hurk 2022.
template <class Work>
auto run_tiles(decoupled_look_back, Work& work, executor const& e, memory const& from, int workers) {
  using prefix = typename Work::prefix;
  descriptors<typename Work::aggregate, prefix> published{from, work.tiles()};
  bool const rereads = work.rereads() != rereading::never;
  detail::rooms<Work> const rooms{from, work, rereads ? 2 * workers : workers};
  tickets tiles;
  run_workers(e, workers, [&](int worker, std::atomic<bool> const& failing) {
    detail::look_back_worker(work, published, tiles, worker, rooms, failing,
                             rereads ? std::optional<int>{workers + worker} : std::nullopt);
    streaming_fence();
  });
  return maybe<prefix>{published.prefix(work.tiles() - 1)};
}

/// Two passes over the tiles, and a serial scan of their aggregates between: for who asks between them what the first has found.
/// Scratch for both is had before the first tile is claimed.
template <class Work>
class two_passes {
  using aggregate = typename Work::aggregate;
  using prefix = typename Work::prefix;

 public:
  two_passes(Work const& work, executor const& e, memory const& from, int workers)
      : work_{work},
        executor_{e},
        workers_{workers},
        sums_{from, work.tiles()},
        before_{from, work.tiles() + 1},
        rooms_{from, work, workers} {}

  /// Of scratch, each piece to whole lines.
  static index_t bytes(Work const& work, int workers) {
    auto const lines = [](index_t bytes) { return (bytes + 63) / 64 * 64; };
    return lines(work.tiles() * static_cast<index_t>(sizeof(aggregate))) +
           lines((work.tiles() + 1) * static_cast<index_t>(sizeof(maybe<prefix>))) + lines(work.room_bytes() * workers);
  }

  /// Reduces every tile. Returns what comes after the last.
  maybe<prefix> const& reduce() {
    each_tile([&](auto const& room, index_t id) {
      auto held = work_.hold(room, id, 0);
      ::new (static_cast<void*>(sums_.data() + id)) aggregate(work_.reduce(room, held));
    });
    maybe<prefix>* const at = before_.data();
    ::new (static_cast<void*>(at)) maybe<prefix>(work_.first());
    for (index_t id = 0; id < work_.tiles(); ++id)
      ::new (static_cast<void*>(at + id + 1)) maybe<prefix>(work_.combine(at[id], sums_.data()[id]));
    return at[work_.tiles()];
  }
  /// Scans every tile.
  void scan() {
    each_tile([&](auto const& room, index_t id) {
      auto held = work_.hold(room, id, 0);
      work_.scan(room, held, work_.needs_prefix(held) ? before_.data()[id] : maybe<prefix>{});
    });
  }

 private:
  template <class Body>
  void each_tile(Body const& body) {
    tickets tiles;
    run_workers(executor_, workers_, [&](int worker, std::atomic<bool> const& failing) {
      auto const room = rooms_.of(worker);
      for (index_t id; !failing.load(std::memory_order_relaxed) && (id = tiles.claim()) < work_.tiles();) body(room, id);
      streaming_fence();
    });
  }

  Work const& work_;
  executor const& executor_;
  int workers_;
  scratch<aggregate> sums_;
  scratch<maybe<prefix>> before_;
  detail::rooms<Work> rooms_;
};

/// Source: Sengupta, Harris, Zhang, Owens 2007.
template <class Work>
auto run_tiles(reduce_then_scan, Work& work, executor const& e, memory const& from, int workers) {
  two_passes<Work> passes{work, e, from, workers};
  auto const& last = passes.reduce();
  auto const redirected = work.second_pass(from, last);
  passes.scan();
  work.end_second_pass(redirected);
  return last;
}

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
