// distribute_into on the CPU: every item of the output gets the value of the run that it lies in.
//
//   path of items and ends of runs   |------ tile 0 ------|------ tile 1 ------| ...     a worker takes tiles by ticket
//   what is written                  |-- block --|-- block --| ...                       past the caches: by whole lines, a block
//                                                                                        gathered first where it has several runs
#pragma once
#include <algorithm>
#include <type_traits>

#include "../../model/run_lengths.hpp"
#include "../../observe.hpp"
#include "../run/memory.hpp"
#include "../run/policy.hpp"
#include "../simd/simd.hpp"
#include "../simd/unit.hpp"
#include "measure_runs.hpp"
#include "strategies.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

/// The path that merges n items and the ends of `runs` runs. An end comes before the item at its position; what lies beyond n ends
/// there.
template <class Length>
struct path_of_runs {
  run_lengths<Length> described;
  index_t n, runs;

  /// Where the path is after some steps: before `item`, in run `run` (or at its end), which ends before item `end`.
  struct place {
    index_t run, item, end;
  };
  index_t length() const { return n + runs; }

  /// O(log(runs / row) + row). Not before row `first`, which is on the way.
  place at(index_t steps, index_t first = 0) const {
    constexpr index_t row = run_lengths<Length>::row;
    index_t last = std::min(tiles_of(runs, row), steps / row + 1);
    while (last - first > 1) {
      index_t const middle = first + (last - first) / 2;
      if (begin_of_row(middle) + middle * row <= steps) first = middle;
      else last = middle;
    }
    index_t run = first * row, begin = begin_of_row(first);
    for (; run < runs; ++run) {
      index_t const end = std::min(begin + static_cast<index_t>(described.data[run]), n);
      if (end + run + 1 > steps) return {run, steps - run, end};
      begin = end;
    }
    return {runs, n, n};
  }

 private:
  index_t begin_of_row(index_t k) const { return k > 0 ? std::min(described.row_ends[k - 1], n) : 0; }
};

/// What the kernel needs to know.
template <class Items, class Length, class Out>
struct distributed {
  using result = Out;
  static constexpr index_t size = sizeof(Out);
  static constexpr index_t block = std::max<index_t>(64, 4096 / size / 64 * 64);  // whole lines
  static constexpr index_t staged_bytes = block * size + 256;                     // and the longest span behind them

  Items items;
  arrays_t<Items> arrays;
  Length const* lengths;
  Out* out;
  index_t n, runs;
  bool streaming;
};

/// out[i] = items(r), where item i lies in run r, for i below `room` and below the total, which is left in *total unless that is
/// null. Nothing is written where a length or the total is refused. Waits; throws what `items` threw, with `out` part written.
template <class Strategy, class Carry, bool Reproducible, class Length, class Items, class Out>
void distribute_into(policy<Strategy, Carry, Reproducible> const& on, index_t room, run_lengths<Length> runs, Items const& items,
                     Out* out, index_t* total) {
  static_assert(std::is_same_v<Carry, no_carry>, "a carry is for scans, compactions and results of segments");
  static_assert(std::is_trivially_copyable_v<Out>, "the elements of out must be trivially copyable");
  index_t const rows = lookback::detail::rows_of_runs(count_of(runs.number));
  scratch<index_t> const ends{on.memory, runs.row_ends ? 0 : rows};
  if (!runs.row_ends) {
    runs.row_ends = ends.data();
    measure_runs(on, runs);
  }
  index_t const all = rows > 0 ? runs.row_ends[rows - 1] : 0;
  if (total) *total = all;
  index_t const n = std::min(room, all);
  if (n <= 0) return;
  using parts = distributed<Items, Length, Out>;
  auto const arrays = items.arrays();
  index_t const out_bytes = sizeof(Out), run_bytes = sizeof(Length) + detail::bytes_of(arrays);
  parts const p{items, arrays, runs.data, out, n, count_of(runs.number), n * out_bytes > stream_above(on.tuning)};
  path_of_runs<Length> const path{runs, n, count_of(runs.number)};
  index_t const step_bytes = std::max(out_bytes, run_bytes), steps = tile_items(on, step_bytes);
  index_t const tiles = tiles_of(path.length(), steps);
  bool const alone = std::is_same_v<Strategy, sequential> || path.length() * step_bytes < serial_below(on.tuning);
  int const workers = alone ? 1 : static_cast<int>(std::min<index_t>(on.executor.workers(on.threads), tiles));
  simd_level const level = usable(on.tuning.simd);
  scratch<std::byte> const staged{on.memory, p.streaming ? parts::staged_bytes * workers : 0};
  lookback::detail::observe_way("runs written out",
                                workers > 1 ? "there is enough to write that several workers pay"
                                : alone     ? "there is so little to write that one worker is faster, or one is asked for"
                                            : "there is one worker, or one tile",
                                tiles, 0, 0, 1);
  lookback::detail::observe_pass("distribute", tiles, workers);
  tickets next;
  run_workers(on.executor, workers, [&](int worker, std::atomic<bool> const& failing) {
    auto* const own = reinterpret_cast<Out*>(staged.data() + (p.streaming ? parts::staged_bytes * worker : 0));
    for (index_t id; !failing.load(std::memory_order_relaxed) && (id = next.claim()) < tiles;) {
      tile const t = tile_at(id, path.length(), steps);
      auto const from = path.at(t.begin);
      auto const to = path.at(t.end, from.run / run_lengths<Length>::row);
      index_t const bytes = (to.item - from.item) * out_bytes / (to.run - from.run + 1);
      at_narrow_level(level, [&](auto simd) { simd.distribute(p, from, to.item, bytes, own); });
    }
    streaming_fence();
  });
}

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
