// scatter_into on the CPU: a split by classes whose sizes are not known yet. All is read twice; the first time it is counted.
#pragma once
#include <algorithm>
#include <numeric>
#include <string>

#include "../../error.hpp"
#include "../../sink.hpp"
#include "../run/policy.hpp"
#include "../sinks/scatter.hpp"
#include "strategies.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

/// Items of a tile: lines that two tiles share are stored piece by piece, so a tile has many lines of each class, as long as there
/// are enough tiles for all workers.
inline index_t scatter_items(tuning const& t, index_t n, index_t item_bytes, int workers) {
  if (t.tile_items > 0) return t.tile_items;
  index_t const least = default_tile_items(t, item_bytes), most = std::max<index_t>(least, (4 << 20) / item_bytes);
  return std::clamp(tiles_of(n, 8 * workers), least, most);
}

namespace detail {

/// How many workers a call is worth that reads so many bytes.
template <class Policy>
int workers_of(Policy const& on, index_t bytes) {
  bool const alone = std::is_same_v<typename Policy::strategy_type, sequential> || bytes < serial_below(on.tuning);
  return alone ? 1 : std::max(1, on.executor.workers(on.threads));
}

}  // namespace detail

/// Moves every item to the end of its class, as the sink says, which need not know where classes begin: they are counted first, and
/// left in starts[0] to starts[classes], before an item is moved. Waits; throws what the caller's functions threw.
template <class Strategy, class Carry, bool Reproducible, class Items, class Sink>
void scatter_into(policy<Strategy, Carry, Reproducible> const& on, size const& number, Items const& items, Sink sink,
                  index_t* starts) {
  static_assert(std::is_same_v<Carry, no_carry>, "a carry is for scans, compactions and results of segments");
  index_t const n = count_of(number), size = sizeof(typename Sink::value_type);
  index_t const bytes = std::max(detail::bytes_of(items.arrays()), size);
  sink.starts = starts;
  int const workers = detail::workers_of(on, n * bytes);
  using work_type = scatter_work<Items, Sink>;
  work_type const work{items, sink, n, scatter_items(on.tuning, n, bytes, workers), n * size > stream_above(on.tuning)};
  two_passes<work_type> passes{work, on.executor, on.memory, static_cast<int>(std::clamp<index_t>(work.tiles(), 1, workers))};
  lookback::detail::observe_way("counted, then moved", "classes have to be counted before the first item has a place", work.tiles(),
                                0, 2, 1);
  auto const& all = passes.reduce().value;
  if constexpr (lookback::detail::asserts) {
    index_t const found = std::accumulate(std::begin(all.counts), std::end(all.counts), index_t{0});
    expects(found == n,
            ("every class lies in [0, " + std::to_string(Sink::classes) + "); outside are " + std::to_string(n - found) + " items")
                .c_str());
  }
  work_type::starts_of(all, starts);
  passes.scan();
}

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
