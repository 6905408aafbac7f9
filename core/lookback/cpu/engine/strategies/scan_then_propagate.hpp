// Two passes: every tile is scanned and stored by itself, the aggregates are scanned, and what comes before a tile is added to its
// values. The second pass reads and writes what was stored. Source: Merrill & Garland 2016, 3.2.
#pragma once
#include "../../../source.hpp"
#include "../../../strategy.hpp"
#include "reduce_then_scan.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

template <class Work>
auto run_tiles(scan_then_propagate, Work& work, executor const& e, memory const& from, int workers) {
  using prefix = typename Work::prefix;
  two_passes<Work> passes{work, e, from, workers};
  auto const& last = passes.reduce(
      [&](auto const& room, auto const& held) { work.scan(room, held, held.t.id == 0 ? work.first() : maybe<prefix>{}); });
  passes.each_tile_again([&](auto const&, auto const& held, maybe<prefix> const& before) {
    if (held.t.id > 0 && work.needs_prefix(held)) work.propagate(held, before.value);
  });
  return last;
}

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
