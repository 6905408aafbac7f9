// The sink `each` for few items: a plain scan.
#pragma once
#include "one_wave.cuh"

namespace lookback::gpu {

template <class Parts>
struct each_wave {
  using Items = typename Parts::items_type;
  using T = typename Parts::value_type;
  using Out = typename Parts::sink_type::value_type;
  using form = wave_shape<Items, T, Out>;
  using descriptors_type = descriptors<T>;
  using call_type = scan_call<Parts, descriptors_type, wave_layout>;
  struct state_type : wave_block {
    room<T> before;
    room<T> warp_total[32];
  };

  static constexpr bool possible = form::possible;
  static constexpr int gathered_bytes(int) { return 0; }

  template <bool Full>
  __device__ __forceinline__ static void tile(call_type const& call, state_type& state, int begin, int end) {
    constexpr int N = form::items, rows = form::rows;
    int const lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    scan_order const order{false};
    using fold = directed<typename Parts::operator_type>;
    fold const op{call.op, false};
    wave_rows<Items, N, rows, false> mine;
    mine.template read<Full>(call.from.items, begin, end);
    auto const value = [&](int r, int j) { return static_cast<T>(mine.value(call.from.items, r, j)); };

    // What comes before this thread's part of each row, in its warp; then the warp's total.
    room<T> before_row[rows], run;
    bool has = false;
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      room<T> total;
#pragma unroll
      for (int j = 0; j < N; ++j)
        if (Full || j < mine.items[r]) total.value = j == 0 ? value(r, 0) : op(total.value, value(r, j));
      int const filled = Full ? 32 : __popc(__ballot_sync(all_lanes, mine.items[r] > 0));  // the first lanes
      total.value = warp_scan(total.value, op, order, 0, filled);
      T const earlier = shuffle(total.value, max(lane - 1, 0));
      if (!has) before_row[r].value = earlier;  // absent in lane 0
      else before_row[r].value = lane > 0 && (Full || lane < filled) ? op(run.value, earlier) : run.value;
      if (Full || filled > 0) {
        T const whole = shuffle(total.value, filled - 1);
        run.value = has ? op(run.value, whole) : whole;
        has = true;
      }
    }
    if (lane == 0) state.warp_total[warp].value = run.value;
    __syncthreads();

    // Every warp scans the totals of all.
    constexpr int warp_items = 32 * form::items_per_thread;
    int const filled_warps = Full ? warps : (end - begin + warp_items - 1) / warp_items;
    room<T> totals;
    if (lane < filled_warps) totals.value = state.warp_total[lane].value;
    bool const start = call.from.initial.has;
    int const id = static_cast<int>(state.ticket);
    constexpr bool any_order = detail::redux_of<fold>::kind != 0;
    if constexpr (!any_order) totals.value = warp_scan(totals.value, op, order, 0, filled_warps);
    if (warp == 0) {
      descriptors_type tiles = call.tiles;
      tiles.epoch = state.epoch;
      room<T> before;
      T total = any_order ? fold_back(totals.value, op, filled_warps - 1) : shuffle(totals.value, filled_warps - 1);
      if (id == 0 && start) before.value = call.from.initial.value, total = op(before.value, total);
      if (lane == 0) tiles.publish(id, id == 0 ? status::prefix : status::aggregate, total);
      if (id > 0) before.value = fold_all_before<T>(tiles, id, op);
      if (lane == 0) state.before.value = before.value;
    }
    __syncthreads();

    room<T> before;
    bool has_before = id > 0 || start;
    if (has_before) before.value = state.before.value;
    if (warp > 0 && (Full || warp < filled_warps)) {
      room<T> earlier_warps;
      if constexpr (any_order) earlier_warps.value = fold_back(totals.value, op, warp - 1);
      else earlier_warps.value = shuffle(totals.value, warp - 1);
      T const earlier = earlier_warps.value;
      before.value = has_before ? op(before.value, earlier) : earlier;
      has_before = true;
    }
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      if (!Full && mine.items[r] == 0) continue;
      bool const inside = r > 0 || lane > 0;
      bool has_run = has_before || inside;
      run.value = !has_before ? before_row[r].value : inside ? op(before.value, before_row[r].value) : before.value;
      gpu::run<Out, N> out;
#pragma unroll
      for (int j = 0; j < N; ++j) {
        if (!Full && j >= mine.items[r]) continue;
        T const x = value(r, j), earlier = has_run ? run.value : x;
        run.value = has_run ? op(run.value, x) : x;
        has_run = true;
        out.set(j, call.sink(mine.place(r, j), earlier, run.value));
      }
      detail::write_run<N>(call.sink.out + mine.place(r, 0), out, mine.items[r], Full);
    }
  }
  __device__ __forceinline__ static void end_empty_call(call_type const&) {}
};

}  // namespace lookback::gpu
