// Adds what comes before a tile to values that were scanned as if nothing did: the last kernel of scan_then_propagate. Its items
// are what was stored. Up to the first head of a tile they belong to the segment that is open where it begins.
#pragma once
#include "each.cuh"

namespace lookback::gpu {

template <class Parts, class Form, class Exchange>
struct propagate_work : each_work<Parts, Form, Exchange> {
  using base = each_work<Parts, Form, Exchange>;
  using base::call;
  using base::has_segments;
  using base::N;
  using base::op;
  using base::order;
  using base::scan_warp;
  using base::state;
  using base::warps;
  using typename base::held;
  using typename base::Out;
  using typename base::runs;
  using typename base::summary;
  using typename base::T;

  /// What comes before tile 0 is in its values already.
  __device__ __forceinline__ void begin_call() const { state.continues = false; }

  /// Nothing is folded: where heads are is all that matters.
  __device__ __forceinline__ void reduce(int s, summary& mine) const {
    if constexpr (has_segments) {
      tile const t = this->tile_in(s);
      mine.heads = this->read_heads(s, t, threadIdx.x * N, this->items_of_thread(t));
      mine.head_lanes = order().ballot(mine.heads.any());
      if (threadIdx.x % 32 == 0) state.warp_has_head[scan_warp()] = mine.head_lanes != 0;
    }
  }
  __device__ __forceinline__ void publish_early(int, int parity) const {
    int const lane = threadIdx.x % 32;
    unsigned heads = 0;
    if constexpr (has_segments) heads = __ballot_sync(all_lanes, lane < warps && state.warp_has_head[min(lane, warps - 1)]);
    if (lane == 0) state.head_warps[parity] = heads;
  }
  __device__ __forceinline__ void look_back_late(int s, int) const {
    tile const t = this->tile_in(s);
    if (t.id == 0) return;
    T const before =
        Exchange::template before<T>(this->tiles(), t.id, false, op(), std::false_type{}, {call.memory.state, this->tile_count()});
    if (threadIdx.x % 32 == 0) state.before[0].value = before;
  }

  __device__ __forceinline__ void scan(int s, int parity, summary const& mine, held const&) const {
    tile const t = this->tile_in(s);
    int const place = threadIdx.x * N;
    int const items = this->items_of_thread(t);
    bool open = is_open(t, parity, mine);
    room<T> before;
    if (open) before.value = state.before[0].value;
    index_t const first = order().reversed ? t.end - 1 : t.begin;
    auto const value_at = [&](int j, T const& local) {
      // An exclusive scan has nothing by itself for the first item of a tile.
      bool const is_first = call.sink.exclusive && t.begin + place + j == first;
      return is_first ? before.value : static_cast<T>(op()(before.value, local));
    };
    gpu::run<Out, N> out;
    if (items == N) {
      runs staged;
      this->load_items(staged, s, t, place);
      this->each_item([&](int j, bool) {
        if constexpr (has_segments) open = open && !mine.heads.test(j);
        T const local = this->value(staged, t.begin + place, j);
        out.set(j, open ? value_at(j, local) : local);
      });
    } else {
      this->each_item_of_short_run(s, t, place, items, [&](int j, bool, T const& local) {
        if constexpr (has_segments) open = open && !mine.heads.test_at(j);
        if (open) call.sink.out[t.begin + place + j] = value_at(j, local);
      });
    }
    if (base::gather_moves(t)) __syncthreads();  // others still read where this thread will write
    if (items == N) out.store(this->slot(s) + phase_of(call.sink.out + t.begin) + place * static_cast<int>(sizeof(Out)));
    ptx::fence_for_copy_engine();
  }

 private:
  /// Does this thread begin in the segment that is open where the tile begins?
  __device__ __forceinline__ bool is_open(tile t, int parity, [[maybe_unused]] summary const& mine) const {
    if (t.id == 0) return false;
    if constexpr (has_segments)
      return !(state.head_warps[parity] & ((1u << scan_warp()) - 1)) && !(mine.head_lanes & ((1u << order().lane()) - 1));
    else return true;
  }
};

}  // namespace lookback::gpu
