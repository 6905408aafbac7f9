// Runs told by their lengths, on the GPU: where their rows end, and what their total is. Kernels know the type of a length only
// when they run, so that they are compiled once.
#pragma once
#include "../../model/run_lengths.hpp"
#include "launch.cuh"
#include "policy.cuh"
#include "scan_each.cuh"

namespace lookback::gpu {

/// Runs as kernels are given them. Behind the end of each row: how many rows there are.
struct measured_runs {
  lookback::detail::untyped_lengths lengths;
  lookback::size number;
  index_t* row_ends;

  template <class Length>
  static measured_runs of(run_lengths<Length> const& runs) {
    return {lookback::detail::untyped_lengths::of(runs.data), runs.number, runs.row_ends};
  }
  __host__ __device__ index_t* rows() const { return row_ends + tiles_of(number.bound, run_lengths<int>::row); }
};

namespace detail {

inline constexpr int runs_threads = 256, runs_warps = runs_threads / 32;

/// By one warp: how many items the runs [first, last) have, or `refused`. All lengths of a row are asked for at once.
template <class Word>
__device__ __forceinline__ index_t total_of_row(lookback::detail::untyped_lengths const& lengths, Word const* data, index_t first,
                                                index_t last) {
  constexpr int each = run_lengths<int>::row / 32;
  Word word[each];
#pragma unroll
  for (int k = 0; k < each; ++k) {
    index_t const r = first + k * 32 + threadIdx.x % 32;
    word[k] = r < last ? data[r] : Word{0};
  }
  std::uint64_t any = 0;
#pragma unroll
  for (int k = 0; k < each; ++k) any |= word[k];
  lookback::detail::checked_plus const plus;
  index_t total = 0;
#pragma unroll
  for (int k = 0; k < each; ++k) total = sizeof(Word) < 8 ? total + static_cast<index_t>(word[k]) : plus(total, word[k]);
  if (lengths.any_refused(any)) total = lookback::detail::refused;
  return fold_back(total, directed<lookback::detail::checked_plus>{plus, false}, 31);
}

/// The total of each row, to where its end will be. By a template, as all kernels of headers are.
template <int Threads>
__global__ void __launch_bounds__(Threads) row_totals_kernel(__grid_constant__ measured_runs const runs) {
  constexpr index_t row = run_lengths<int>::row;
  ptx::let_next_kernel_start();
  ptx::wait_for_kernel_before();
  index_t const n = items_in(runs.number), rows = tiles_of(n, row);
  index_t const first = index_t{blockIdx.x} * runs_warps + threadIdx.x / 32;
  if (first == 0 && threadIdx.x == 0) *runs.rows() = rows;
  for (index_t k = first; k < rows; k += index_t{gridDim.x} * runs_warps) {
    index_t const begin = k * row, end = min(n, begin + row);
    index_t const total = runs.lengths.visit([&](auto const* data) { return total_of_row(runs.lengths, data, begin, end); });
    if (threadIdx.x % 32 == 0) runs.row_ends[k] = total;
  }
}

template <int Threads>
__global__ void __launch_bounds__(Threads) write_total_kernel(__grid_constant__ measured_runs const runs, index_t* numbers) {
  if (threadIdx.x == 0) lookback::detail::write_total(runs.lengths, *runs.rows(), runs.row_ends, numbers);
}

}  // namespace detail

/// Leaves where rows of runs end. Only enqueues. Should the scan not be queued, the totals of rows lie in scratch in vain: nothing
/// else has begun.
template <class Strategy, class Carry, class Tuning, class Length>
void measure_runs(policy<Strategy, Carry, Tuning> const& on, run_lengths<Length> const& described) {
  auto const runs = measured_runs::of(described);
  index_t const rows = lookback::detail::rows_of_runs(runs.number.bound);
  index_t const resident = index_t{2048 / detail::runs_threads} * detail::multiprocessors(detail::current_device());
  detail::enqueue<&detail::row_totals_kernel<detail::runs_threads>>(
      static_cast<int>(std::clamp<index_t>(tiles_of(rows, detail::runs_warps), 1, resident)), detail::runs_threads, 0, on.stream,
      runs);
  scan_into(on, size{rows, runs.rows()}, source<elements<index_t>, no_segments, index_t>{{runs.row_ends}, {}, {}},
            lookback::detail::checked_plus{}, each<index_t>{runs.row_ends, false, {}});
}

/// Leaves at told what write_total says of runs that have been measured. Only enqueues.
template <class Strategy, class Carry, class Tuning, class Length>
void write_total(policy<Strategy, Carry, Tuning> const& on, run_lengths<Length> const& runs, index_t* numbers) {
  detail::enqueue_after<&detail::write_total_kernel<32>>(1, 32, on.stream, measured_runs::of(runs), numbers);
}

}  // namespace lookback::gpu
