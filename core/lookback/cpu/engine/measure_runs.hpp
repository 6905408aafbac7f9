// Where rows of runs end, on the CPU: each row is added up by itself, then the few sums one after the other.
#pragma once
#include <algorithm>
#include <type_traits>

#include "../../model/run_lengths.hpp"
#include "../run/policy.hpp"
#include "../simd/unit.hpp"
#include "strategies.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

namespace detail {

/// How many items the runs [first, last) have, or `refused`. At most a row, so that only lengths of 64 bits can overflow.
template <class Word>
index_t total_of_row(lookback::detail::untyped_lengths const& lengths, Word const* data, index_t first, index_t last) {
  using lookback::detail::checked_plus, lookback::detail::refused;
  std::uint64_t any = 0, sum = 0;
  for (index_t r = first; r < last; ++r) any |= lengths.word_at(data, r), sum += lengths.word_at(data, r);
  if (lengths.any_refused(any)) return refused;
  if constexpr (sizeof(Word) < 8) return static_cast<index_t>(sum);
  index_t total = 0;
  for (index_t r = first; r < last; ++r) total = checked_plus{}(total, static_cast<index_t>(lengths.word_at(data, r)));
  return total;
}

}  // namespace detail

/// Waits.
inline void measure_runs(executor const& workers, int threads, lookback::detail::untyped_lengths const& lengths, index_t runs,
                         index_t* row_ends) {
  constexpr index_t row = run_lengths<int>::row, rows_of_tile = 64;
  index_t const rows = tiles_of(runs, row), tiles = tiles_of(rows, rows_of_tile);
  lookback::detail::observe_pass("measure_runs", tiles, static_cast<int>(std::min<index_t>(threads, tiles)));
  tickets next;
  run_workers(workers, static_cast<int>(std::min<index_t>(threads, tiles)), [&](int, std::atomic<bool> const&) {
    for (index_t id; (id = next.claim()) < tiles;)
      for (index_t k = id * rows_of_tile; k < std::min(rows, (id + 1) * rows_of_tile); ++k)
        row_ends[k] = lengths.visit(
            [&](auto const* data) { return detail::total_of_row(lengths, data, k * row, std::min(runs, (k + 1) * row)); });
  });
  for (index_t k = 1; k < rows; ++k) row_ends[k] = lookback::detail::checked_plus{}(row_ends[k - 1], row_ends[k]);
}
template <class Strategy, class Carry, bool Reproducible, class Length>
void measure_runs(policy<Strategy, Carry, Reproducible> const& on, run_lengths<Length> const& runs) {
  index_t const n = count_of(runs.number), bytes = n * static_cast<index_t>(sizeof(Length));
  bool const alone = std::is_same_v<Strategy, sequential> || bytes < serial_below(on.tuning);
  measure_runs(on.executor, alone ? 1 : on.executor.workers(on.threads), lookback::detail::untyped_lengths::of(runs.data), n,
               runs.row_ends);
}

template <class Strategy, class Carry, bool Reproducible, class Length>
void write_total(policy<Strategy, Carry, Reproducible> const&, run_lengths<Length> const& runs, index_t* numbers) {
  lookback::detail::write_total(lookback::detail::untyped_lengths::of(runs.data),
                                lookback::detail::rows_of_runs(count_of(runs.number)), runs.row_ends, numbers);
}

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
