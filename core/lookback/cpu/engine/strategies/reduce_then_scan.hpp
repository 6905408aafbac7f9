// Two passes: every tile is reduced, the aggregates are scanned, and every tile is scanned from its prefix.
#pragma once
#include <atomic>

#include "../../../source.hpp"
#include "../../../strategy.hpp"
#include "../../run/executor.hpp"
#include "../../run/memory.hpp"
#include "../../simd/simd.hpp"
#include "../../simd/unit.hpp"
#include "../tickets.hpp"
#include "rooms.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

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

  /// Reduces every tile, after which also(room, held) is called. Returns what comes after the last.
  template <class Also>
  maybe<prefix> const& reduce(Also const& also) {
    each_tile("first pass", [&](auto const& room, index_t id) {
      auto held = work_.hold(room, id, 0);
      ::new (static_cast<void*>(sums_.data() + id)) aggregate(work_.reduce(room, held));
      also(room, held);
    });
    maybe<prefix>* const at = before_.data();
    ::new (static_cast<void*>(at)) maybe<prefix>(work_.first());
    for (index_t id = 0; id < work_.tiles(); ++id)
      ::new (static_cast<void*>(at + id + 1)) maybe<prefix>(work_.combine(at[id], sums_.data()[id]));
    return at[work_.tiles()];
  }
  maybe<prefix> const& reduce() {
    return reduce([](auto const&, auto const&) {});
  }
  /// body(room, held, before) for every tile.
  template <class Body>
  void each_tile_again(Body const& body) {
    each_tile("second pass", [&](auto const& room, index_t id) {
      auto held = work_.hold(room, id, 0);
      body(room, held, before_.data()[id]);
    });
  }
  /// Scans every tile.
  void scan() {
    each_tile_again([&](auto const& room, auto& held, maybe<prefix> const& before) {
      work_.scan(room, held, work_.needs_prefix(held) ? before : maybe<prefix>{});
    });
  }

 private:
  template <class Body>
  void each_tile(char const* pass, Body const& body) {
    lookback::detail::observe_pass(pass, work_.tiles(), workers_);
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
