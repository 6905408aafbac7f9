// The decoupled look-back with a window for each of several warps: together they ask for four times as many tiles at once as one
// warp does, and then they meet. Warps that have items help, when they have reduced the tile that follows. Where only one warp can
// look back, on the merge path and in blocks of few warps, it does so as by default. Source: the parallel look-back of a course
// project of 2023, by more than one warp.
#pragma once
#include "decoupled_look_back.cuh"

namespace lookback::gpu {

template <>
struct prefix_exchange<wide_look_back> : prefix_exchange<decoupled_look_back> {
  static constexpr int looking_warps = 4;

  __device__ __forceinline__ static void begin_block(int warps) { ptx::barrier_init(&meeting(), 32 * warps); }

  template <class T, class Tiles, class Fold, class InOrder>
  __device__ __forceinline__ static T before(Tiles const& tiles, index_t id, bool, Fold const& fold, InOrder,
                                             exchange_call const& call) {
    return call.warps > 1 ? before_tile<T>(tiles, id, fold, call) : look_back<T>(tiles, id, fold);
  }
  template <int Counters, class TilesOf>
  __device__ __forceinline__ static index_t before_of_each(TilesOf const& tiles_of, index_t id, exchange_call const& call) {
    if (call.warps == 1) return prefix_exchange<decoupled_look_back>::before_of_each<Counters>(tiles_of, id, call);
    index_t mine = 0;
    for (int c = 0; c < Counters; ++c) {
      index_t const before = before_tile<index_t>(tiles_of(c), id, sum_of_counts{{}, false}, call);
      if (static_cast<int>(threadIdx.x % 32) == c) mine = before;
    }
    return mine;
  }

 private:
  /// Warp 0 asks the 32 tiles that are next, warp 1 those before them. The windows are put together once all have been read.
  template <class T, class Tiles, class Fold>
  __device__ __forceinline__ static T before_tile(Tiles const& tiles, index_t id, Fold const& fold, exchange_call const& call) {
    __shared__ __align__(16) unsigned char memory[looking_warps * sizeof(room<T>)];  // raw: T need not be default-constructible
    __shared__ bool has_prefix[looking_warps];
    auto* const told = reinterpret_cast<room<T>*>(memory);
    room<T> before;
    bool is_first = true;
    for (index_t last = id - 1;; last -= 32 * call.warps) {
      index_t const mine = last - 32 * call.warp;
      detail::window<T, 1> window;
      bool found = true;  // before tile 0 there is nothing: a window nearer by has its prefix
      if (mine >= 0) {
        window.read(tiles, mine);
        found = window.found;
        T const folded = fold_back(window.value[0].value, fold, found ? window.lane : 31);
        if (threadIdx.x % 32 == 0) told[call.warp].value = folded;
      }
      if (threadIdx.x % 32 == 0) has_prefix[call.warp] = found;
      meet(0);
      bool done = false;
      for (int w = 0; w < call.warps && !done; ++w) {
        before.value = is_first ? told[w].value : fold(told[w].value, before.value);
        is_first = false, done = has_prefix[w];
      }
      meet(1);  // before the next windows take the place of these
      if (done) return before.value;
    }
  }
  /// A barrier in memory, not one of the block's sixteen: these are for all of its threads, or racecheck does not follow. Of the
  /// two times that warps meet for a round the first has phase 0.
  __device__ __forceinline__ static void meet(std::uint32_t phase) {
    ptx::barrier_arrive(&meeting());
    ptx::barrier_wait(&meeting(), phase);
  }
  __device__ __forceinline__ static std::uint64_t& meeting() {
    __shared__ std::uint64_t barrier;
    return barrier;
  }
};

template <class T>
inline constexpr int bytes_beside_state<wide_look_back, T> =
    prefix_exchange<wide_look_back>::looking_warps* static_cast<int>(sizeof(room<T>) + sizeof(bool)) +
    static_cast<int>(sizeof(std::uint64_t));

}  // namespace lookback::gpu
