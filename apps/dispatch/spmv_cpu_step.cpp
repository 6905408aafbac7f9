#include "by_strategy.hpp"
#include "call_spmv.hpp"
#include "on_workers.hpp"

namespace lookback::dispatch {

// By the library's own tiles, which additions_of_step_cpu() counts.
step_sums sum_step_cpu(place const& on, step_request const& r) {
  step_sums sums{};
  if (r.reproducible) sum_step_on(cpu::on(on.threads).with(reproducible), r, &sums);
  else
    by_strategy<true>(on_workers({.threads = on.threads}, r.how), r.how,
                      [&](auto const& policy) { sum_step_on(policy, r, &sums); });
  return sums;
}

// A tile is added block by block, a block in four chains of packs of two doubles or more, and what comes before a tile is added to
// it. Tiles of the sum that reads fewer bytes a place are the larger ones, those of the other are more.
index_t additions_of_step_cpu(index_t n) {
  using parts = cpu::each_parts<changes, double, plus<double>, per_segment<double, as_it_is>, true>;
  index_t const path = n + 1;  // items and the end
  auto const tile_of = [&](index_t item_bytes) { return cpu::default_path_items({}, item_bytes, path, cpu::serial_below({})); };
  index_t const larger = tile_of(sizeof(double) + 1), smaller = tile_of(16);
  return std::min(n, parts::block / 8 + 16 + tiles_of(larger, parts::block) + tiles_of(path, smaller));
}

}  // namespace lookback::dispatch
