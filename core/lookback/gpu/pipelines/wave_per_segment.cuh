// The sink `per_segment` over runs for few items. What the heads of a tile end, and what begins there, is gathered in shared memory
// while one warp looks back; only the first head of the tile wants what comes before.
#pragma once
#include "../tiles/folded_tiles.cuh"
#include "../tiles/gather_columns.cuh"
#include "wave_heads.cuh"

namespace lookback::gpu {

template <class Parts>
struct runs_wave {
  using Items = typename Parts::items_type;
  using T = typename Parts::value_type;
  using Op = typename Parts::operator_type;
  using Sink = typename Parts::sink_type;
  using Out = typename Sink::value_type;
  /// What is gathered of a tile: values, which become results when they leave, and columns.
  template <class... Columns>
  static arrays<T, Columns...> gathered_of(arrays<Out, Columns...>);
  using gathered = decltype(gathered_of(typename Sink::stored{}));
  using form = gathering_shape<Items, T, gathered>;
  using descriptors_type = descriptors<numbered<T>>;
  using call_type = scan_call<Parts, descriptors_type, wave_layout>;
  /// Keys may be stored over keys: see compact_wave.
  static constexpr bool possible =
      form::possible && is_runs<typename Parts::segments_type> && sizeof(T) <= 8 && is_read_at_once<arrays_t<Items>>;

  /// Few segments are counted in 32 bits.
  struct few {
    T value;
    int count;
  };
  struct few_told {
    descriptors_type tiles;
    __device__ __forceinline__ status peek(index_t tile, room<few>& value) const {
      room<numbered<T>> wide;
      status const state = tiles.peek(tile, wide);
      value.value = few{wide.value.value, static_cast<int>(wide.value.count)};
      return state;
    }
  };
  struct few_fold {
    directed<Op> op;
    __device__ __forceinline__ few operator()(few const& earlier, few const& later) const {
      return {later.count > 0 ? later.value : static_cast<T>(op(earlier.value, later.value)), earlier.count + later.count};
    }
  };
  struct state_type : wave_block {
    room<few> before;
    bool begins;             // is the first item of the tile a head
    room<T> warp_value[32];  // folded back to the nearest head
    std::uint32_t warp_heads[32];
  };
  static constexpr int gathered_bytes(int threads) { return threads * form::bytes_of_thread + 16 * gathered::count; }

  /// Calls f(place, column) for each column: where its elements are gathered.
  template <class F>
  __device__ __forceinline__ static void each_area(columns<> const&, int, F&&) {}
  template <class Column, class... Rest, class F>
  __device__ __forceinline__ static void each_area(columns<Column, Rest...> const& all, int at, F&& f) {
    using stored = typename Column::value_type;
    f(slot_memory_at<stored>(at), all.first);
    each_area(all.rest, at + area_of<stored>(), f);
  }
  template <class Stored>
  __device__ __forceinline__ static int area_of() {
    return static_cast<int>(blockDim.x) * form::items_per_thread * static_cast<int>(sizeof(Stored)) + 15 & ~15;
  }

  template <bool Full>
  __device__ __forceinline__ static void tile(call_type const& call, state_type& state, int begin, int end) {
    constexpr int most = form::items_per_thread;
    int const lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    directed<Op> const op{call.op, false};
    scan_order const order{false};
    wave_items<Items, form::items, form::rows> mine;
    left_of_warp const left(call.from, begin + static_cast<int>(threadIdx.x) * most, end);
    mine.template read<Full>(call.from.items, begin, end);
    auto const value = [&](int k) { return static_cast<T>(mine.value(call.from.items, k)); };

    // Of the lanes, back to the nearest head: what comes before this one in its warp, and the warp's total.
    std::uint32_t const heads = heads_of_thread<Full>(call.from, mine, left);
    room<T> own;
#pragma unroll
    for (int k = 0; k < most; ++k)
      if (mine.template has<Full>(k)) own.value = k == 0 || (heads >> k & 1) ? value(k) : static_cast<T>(op(own.value, value(k)));
    int const filled = Full ? 32 : __popc(__ballot_sync(all_lanes, mine.items[0] > 0));  // the first lanes
    unsigned const lanes_with_heads = __ballot_sync(all_lanes, heads != 0);
    own.value = warp_scan(own.value, op, order, last_lane_upto(lanes_with_heads, lane), filled);
    auto const count = static_cast<std::uint32_t>(__popc(heads)), upto = sum_of_lanes_upto(count);
    room<T> run;
    run.value = shuffle(own.value, max(lane - 1, 0));
    if (lane == (Full ? 31 : max(filled, 1) - 1)) state.warp_value[warp].value = own.value;
    if (lane == 31) state.warp_heads[warp] = upto;
    __syncthreads();

    // Every warp scans the totals of all.
    constexpr int warp_items = 32 * form::items_per_thread;
    int const filled_warps = Full ? warps : (end - begin + warp_items - 1) / warp_items;
    room<T> totals;
    std::uint32_t warp_heads = 0;
    if (lane < filled_warps) totals.value = state.warp_value[lane].value, warp_heads = state.warp_heads[lane];
    unsigned const warps_with_heads = __ballot_sync(all_lanes, warp_heads != 0);
    totals.value = warp_scan(totals.value, op, order, last_lane_upto(warps_with_heads, lane), filled_warps);
    int const id = static_cast<int>(state.ticket), tile_heads = static_cast<int>(__reduce_add_sync(all_lanes, warp_heads));
    few total{shuffle(totals.value, filled_warps - 1), tile_heads};
    descriptors_type tiles = call.tiles;
    tiles.epoch = state.epoch;
    if (threadIdx.x == 0) {
      tiles.publish(id, id == 0 ? status::prefix : status::aggregate, numbered<T>{total.value, total.count});
      state.begins = heads & 1;
    }

    // What comes before this thread in its tile, back to the nearest head; the first thread has nothing.
    T const warps_before = shuffle(totals.value, max(warp - 1, 0));
    if (warp > 0 && (Full || mine.items[0] > 0) && (lanes_with_heads & ((1u << lane) - 1)) == 0)
      run.value = lane > 0 ? static_cast<T>(op(warps_before, run.value)) : warps_before;
    int rank = static_cast<int>(__reduce_add_sync(all_lanes, lane < warp ? warp_heads : 0) + upto - count);
    T* const values = slot_memory_at<T>(0);
    std::uint32_t const anew = threadIdx.x == 0 ? heads | 1 : heads;
#pragma unroll
    for (int k = 0; k < most; ++k) {
      if (heads >> k & 1) {
        values[rank] = run.value;
        each_area(call.sink.firsts, area_of<T>(), [&](auto* area, auto const& column) {
          using stored = typename std::remove_cvref_t<decltype(column)>::value_type;
          area[rank] = static_cast<stored>(mine.value(column.payload, k));
        });
        ++rank;
      }
      if (mine.template has<Full>(k)) run.value = anew >> k & 1 ? value(k) : static_cast<T>(op(run.value, value(k)));
    }
    if (warp == 0) {
      few_fold const fold{op};
      room<few> before;
      if (id > 0) before.value = fold_all_before<few, 4>(few_told{tiles}, id, fold);
      if (lane == 0) {
        state.before.value = id > 0 ? before.value : few{total.value, 0};
        if (id > 0) total = fold(before.value, total);
        if (end == state.items) {
          call.sink.out[total.count - 1] = static_cast<Out>(call.sink.f(total.value));
          if (call.sink.count) *call.sink.count = total.count;
        }
      }
    }
    __syncthreads();

    few const& before = state.before.value;
    int const skipped = before.count == 0 ? 1 : 0;  // the first head of all ends nothing
    Out* const out = call.sink.out + before.count - 1;
    for (int k = static_cast<int>(threadIdx.x) + skipped; k < tile_heads; k += blockDim.x) {
      T ended = values[k];
      if (k == 0) ended = state.begins ? before.value : static_cast<T>(op(before.value, ended));
      out[k] = static_cast<Out>(call.sink.f(ended));
    }
    each_area(call.sink.firsts, area_of<T>(), [&](auto const* area, auto const& column) {
      for (int k = threadIdx.x; k < tile_heads; k += blockDim.x) column.out[before.count + k] = area[k];
    });
  }
  __device__ __forceinline__ static void end_empty_call(call_type const& call) {
    if (call.sink.count) *call.sink.count = 0;
  }
};

}  // namespace lookback::gpu
