// A pass over tiles of a path, of which results do not wait for the prefix: one result for each segment, by offsets.
//
//   mover    one warp more than those that have items: claims a tile, asks where it lies, waits until a slot is free and starts its
//            copies. All this takes as long as a tile, and nobody waits for it
//   others   tile i+1 has arrived: what is read elsewhere is asked for · results of tile i, meanwhile · values of tile i+1 are made
//            · the slot of tile i is free · A · warp 0 publishes tile i+1, warp 1 looks back for tile i
//
// One barrier a tile. A block holds a ticket for each slot and one more; it publishes tile i+1 before it looks back for tile i, and
// waits for smaller numbers only, so that the unfinished tile with the smallest number can always go on.
//
// What is done with a tile is the work's (per_end.cuh): reduce, hold, end_reduce, publish_early, look_back_late.
#pragma once
#include "pipeline.cuh"

namespace lookback::gpu {

/// The mover: every lane of one warp.
template <class Work>
__device__ __forceinline__ void move_tiles(Work const& work) {
  auto& state = work.state;
  int const lane = threadIdx.x % 32;
  bool const single = state.tile_count <= gridDim.x;  // a tile for every block, and no more
  auto const claim = [&](bool none) { return __shfl_sync(all_lanes, lane == 0 ? work.next_ticket(none) : 0, 0); };
  std::uint32_t ticket = claim(false), phases = 0;
  for (int s = 0, tiles = 0;; s = s + 1 == Work::slots ? 0 : s + 1, ++tiles) {
    auto const asked = work.ask_path(ticket);
    if (tiles >= Work::slots) {
      ptx::barrier_wait(&state.freed[s], phases >> s & 1);
      phases ^= 1u << s;
    }
    if (lane == 0) work.take(s, ticket);
    __syncwarp();
    work.find_path(s, asked);
    __syncwarp();
    work.load(s);
    if (ticket >= state.tile_count) return;
    ticket = claim(single);
  }
}

/// The threads that have items.
template <pass Pass, class Work>
__device__ __forceinline__ void work_on_tiles(Work const& work) {
  auto& state = work.state;
  int const warp = threadIdx.x / 32;
  std::uint32_t phases = 0;
  typename Work::summary next;
  auto const arrived = [&](int s) {
    ptx::barrier_wait(&state.loaded[s], phases >> s & 1);
    phases ^= 1u << s;
    bool const any = work.holds_tile(s);
    if (any) work.reduce(s, next);
    return any;
  };
  auto const all_made = [] { ptx::barrier_of(1, Work::form::threads); };
  bool any = arrived(0);
  if (any) work.end_reduce(0, next);
  all_made();
  if (warp == publishing_warp && any) work.publish_early(0, 0);
  int slot = 0;
  for (int parity = 0; any; parity ^= 1) {
    int const ahead = slot + 1 == Work::slots ? 0 : slot + 1;
    any = arrived(ahead);
    if constexpr (Pass != pass::reduce_only) work.hold(slot, parity);
    if (any) work.end_reduce(ahead, next);
    __syncwarp();
    if (threadIdx.x % 32 == 0) ptx::barrier_arrive(&state.freed[slot]);
    all_made();  // A
    if (warp == publishing_warp && any) work.publish_early(ahead, parity ^ 1);
    if constexpr (Pass != pass::reduce_only)
      if (warp == looking_warp) work.look_back_late(parity);
    slot = ahead;
  }
}

template <class Work, pass Pass>
__global__ void __launch_bounds__(block_threads<typename Work::form>, Work::form::blocks)
    path_kernel(__grid_constant__ typename Work::call_type const call) {
  using form = typename Work::form;
  using state_type = typename Work::state_type;
  __shared__ __align__(16) unsigned char state_memory[sizeof(state_type)];  // raw: T need not be default-constructible
  state_type& state = *reinterpret_cast<state_type*>(state_memory);
  Work const work{call, state};
  bool const moves = threadIdx.x >= form::threads;
  ptx::let_next_kernel_start();
  if (threadIdx.x == form::threads) {
    for (int s = 0; s < form::slots; ++s) {
      ptx::barrier_init(&state.loaded[s], ptx::has_copy_engine() ? 32 : 33);  // the mover's lanes, and what they copy
      ptx::barrier_init(&state.freed[s], form::warps);
    }
    ptx::fence_barrier_init();
  }
  ptx::wait_for_kernel_before();
  if (threadIdx.x == form::threads) begin_call(work);
  __syncthreads();
  if (state.tile_count > gridDim.x) work.tabulate_boundaries();
  if (moves) move_tiles(work);
  else work_on_tiles<Pass>(work);
  leave_call<Pass>(work);
}

}  // namespace lookback::gpu
