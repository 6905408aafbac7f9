// The sink `compact` of one class for few items, by predicate or of heads of runs. What is kept of a tile is gathered in shared
// memory while one warp looks back.
//
// In place: a tile tells its count only when it has read all its items, and stores when it knows the counts of all tiles before it,
// so that a store touches only what has been read. The item left of a tile may have been stored anew by then, but only if all
// before it are kept: as it was.
#pragma once
#include "wave_heads.cuh"

namespace lookback::gpu {

/// Does the class of an item come of the array that is staged? A payload beside a class of its place alone is loaded, not looked
/// at.
template <class Items>
inline constexpr bool decides_by_what_is_staged = true;
template <class First, class Second>
inline constexpr bool decides_by_what_is_staged<beside<First, Second>> = arrays_t<Second>::count > 0;

template <class Parts>
struct compact_wave {
  using Items = typename Parts::items_type;
  using Segments = typename Parts::segments_type;
  using Sink = typename Parts::sink_type;
  using Out = typename Sink::value_type;
  using form = gathering_shape<Items, Out, arrays<Out>>;
  using descriptors_type = count_descriptors;
  using call_type = scan_call<Parts, descriptors_type, wave_layout>;
  /// Is there such a kernel for these types? In place, what is moved must have arrived before the tile tells its count: it has if
  /// the count depends on it, as it does not on the second of two arrays (core/README.md, Memory orders).
  static constexpr bool possible = form::possible && Sink::classes == 1 && decltype(Sink::beside)::count == 0 &&
                                   arrays_t<Items>::count == 1 && is_read_at_once<arrays_t<Items>> &&
                                   decides_by_what_is_staged<Items> && (std::is_same_v<Segments, no_segments> || is_runs<Segments>);
  struct state_type : wave_block {
    int warp_total[32];
    int before;
  };
  /// Counts of few items have 32 bits, which one instruction adds up.
  struct few_counts {
    descriptors_type tiles;
    __device__ __forceinline__ status peek(index_t tile, room<int>& count) const {
      room<index_t> wide;
      status const state = tiles.peek(tile, wide);
      count.value = static_cast<int>(wide.value);
      return state;
    }
  };

  static constexpr int gathered_bytes(int threads) { return threads * form::bytes_of_thread; }

  template <bool Full>
  __device__ __forceinline__ static void tile(call_type const& call, state_type& state, int begin, int end) {
    constexpr int most = form::items_per_thread;
    int const lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    wave_items<Items, form::items, form::rows> mine;
    std::uint32_t kept = 0;
    if constexpr (is_runs<Segments>) {
      left_of_warp const before(call.from, begin + static_cast<int>(threadIdx.x) * most, end);
      mine.template read<Full>(call.from.items, begin, end);
      kept = heads_of_thread<Full>(call.from, mine, before);
    } else {
      mine.template read<Full>(call.from.items, begin, end);
#pragma unroll
      for (int k = 0; k < most; ++k)
        if (mine.template has<Full>(k) && static_cast<int>(mine.value(call.from.items, k)) == 0) kept |= 1u << k;
    }
    auto const own = static_cast<std::uint32_t>(__popc(kept)), upto = sum_of_lanes_upto(own);
    if (lane == 31) state.warp_total[warp] = static_cast<int>(upto);
    __syncthreads();

    int const others = lane < warps ? state.warp_total[lane] : 0, id = static_cast<int>(state.ticket);
    int const total = __reduce_add_sync(all_lanes, others);
    descriptors_type tiles = call.tiles;
    tiles.epoch = state.epoch;
    if (threadIdx.x == 0) tiles.publish(id, id == 0 ? status::prefix : status::aggregate, total);
    int rank = __reduce_add_sync(all_lanes, lane < warp ? others : 0) + static_cast<int>(upto - own);
    Out* const gathered = slot_memory_at<Out>(0);
#pragma unroll
    for (int k = 0; k < most; ++k)
      if (kept >> k & 1) gathered[rank++] = static_cast<Out>(mine.value(call.sink.payload, k));
    if (warp == 0) {
      int before = 0;
      if (id > 0) before = fold_all_before<int>(few_counts{tiles}, id, directed<plus<int>>{{}, false});
      if (lane == 0) {
        state.before = before;
        if (end == state.items) call.sink.counts[0] = before + total;
      }
    }
    __syncthreads();

    bool const backwards = call.sink.reversed[0];
    Out* const out = call.sink.outputs[0] + (backwards ? -1 - state.before : state.before);
    for (int k = threadIdx.x; k < total; k += blockDim.x) out[backwards ? -k : k] = gathered[k];
  }
  __device__ __forceinline__ static void end_empty_call(call_type const& call) { call.sink.counts[0] = 0; }
};

}  // namespace lookback::gpu
