// A pass over tiles of a path, of which results do not wait for the prefix: one result for each segment, by offsets.
//
//   mover    a warp without items: asks where a claimed tile lies, waits until a slot is free and starts its copies. The next
//            ticket is on its way meanwhile, and nobody waits for all this
//   teller   a warp without items: as soon as tile i is scanned, joins what warps have of one segment and publishes it; then looks
//            back for tile i-1
//   others   scan tile i · tile i+1 has arrived: what is read elsewhere is asked for, ends are marked, and values made · tile i is
//            joined: its results · its slot is free
//
// Whoever waits has had something to do since what it waits for was begun: values are made by all while the teller joins, and
// results of the tile before are stored while the last warp makes values. A block holds a ticket for each slot and one more. Tile i
// is published before the teller looks back for tile i-1, which waits for smaller numbers only: the unfinished tile with the
// smallest number can always go on. The lanes of a warp arrive at a barrier each by itself: it costs nothing, and racecheck does
// not follow one that arrives for all.
//
// What is done with a tile is the work's (per_end.cuh): reduce, mark_ends, end_reduce, scan, store; publish_early, look_back_late.
#pragma once
#include "pipeline.cuh"

namespace lookback::gpu {

/// The mover: every lane of one warp.
template <class Work>
__device__ __forceinline__ void move_tiles(Work const& work) {
  auto& state = work.state;
  int const lane = threadIdx.x % 32;
  bool const single = state.tile_count <= gridDim.x;  // a tile for every block, and no more
  std::uint32_t ticket = __shfl_sync(all_lanes, lane == 0 ? work.next_ticket(false) : 0, 0), phases = 0;
  for (int s = 0, tiles = 0;; s = s + 1 == Work::slots ? 0 : s + 1, ++tiles) {
    auto const asked = work.ask_path(ticket);
    if (tiles >= Work::slots) {
      ptx::barrier_wait(&state.freed[s], phases >> s & 1);
      phases ^= 1u << s;
    }
    std::uint32_t const next =
        lane == 0 ? work.next_ticket(single || ticket >= state.tile_count) : 0;  // on its way while this one's copies are started
    if (lane == 0) work.take(s, ticket);
    __syncwarp();
    work.find_path(s, asked);
    __syncwarp();
    work.load(s);
    if (ticket >= state.tile_count) return;
    ticket = __shfl_sync(all_lanes, next, 0);
  }
}

/// The threads that have items.
template <pass Pass, class Work>
__device__ __forceinline__ void work_on_tiles(Work const& work) {
  auto& state = work.state;
  std::uint32_t phases = 0;
  typename Work::summary next;
  auto const arrived = [&](int s) {
    ptx::barrier_wait(&state.loaded[s], phases >> s & 1);
    phases ^= 1u << s;
    bool const any = work.holds_tile(s);
    if (any) work.reduce(s, next);
    return any;
  };
  auto const made = [&](int s, bool any, int parity) {
    if (any) {
      work.mark_ends(s, parity);
      work.end_reduce(s, next);
    }
    __syncwarp();  // together
    ptx::barrier_arrive(&state.made);
  };
  bool any = arrived(0);
  made(0, any, 0);
  ptx::barrier_wait(&state.made, 0);
  int slot = 0;
  for (int parity = 0; any; parity ^= 1) {
    int const ahead = slot + 1 == Work::slots ? 0 : slot + 1;
    work.scan(slot, parity);
    any = arrived(ahead);
    made(ahead, any, parity ^ 1);
    ptx::barrier_wait(&state.joined[slot], ~phases >> slot & 1);  // as often used as the slot
    if constexpr (Pass != pass::reduce_only) work.store(slot);
    ptx::fence_for_copy_engine();  // the next copy into the slot comes after what was written there
    __syncwarp();
    ptx::barrier_arrive(&state.freed[slot]);
    ptx::barrier_wait(&state.made, parity ^ 1);
    slot = ahead;
  }
}

/// The teller: every lane of one warp.
template <pass Pass, class Work>
__device__ __forceinline__ void tell_of_tiles(Work const& work) {
  auto& state = work.state;
  std::uint32_t phases = 0;
  bool before = false;
  for (int s = 0, parity = 0;; s = s + 1 == Work::slots ? 0 : s + 1, parity ^= 1) {
    ptx::barrier_wait(&state.loaded[s], phases >> s & 1);
    bool const any = work.holds_tile(s);
    if (any) {
      ptx::barrier_wait(&state.scanned[s], phases >> s & 1);
      work.publish_early(s, parity);
      __syncwarp();
      ptx::barrier_arrive(&state.freed[s]);
    }
    if constexpr (Pass != pass::reduce_only)
      if (before) work.look_back_late(parity ^ 1);
    if (!any) return;
    phases ^= 1u << s;
    before = true;
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
  int const warp = threadIdx.x / 32;
  ptx::let_next_kernel_start();
  if (threadIdx.x == form::threads) {
    for (int s = 0; s < form::slots; ++s) {
      ptx::barrier_init(&state.loaded[s], ptx::has_copy_engine() ? 32 : 33);  // the mover's lanes, and what they copy
      ptx::barrier_init(&state.freed[s], form::threads + 32);
      ptx::barrier_init(&state.scanned[s], form::threads);
      ptx::barrier_init(&state.joined[s], 32);
    }
    ptx::barrier_init(&state.made, form::threads);
    ptx::fence_barrier_init();
  }
  work.begin_block();
  ptx::wait_for_kernel_before();
  if (threadIdx.x == form::threads) begin_call(work);
  __syncthreads();
  if (state.tile_count > gridDim.x) work.tabulate_boundaries();
  if (warp == form::warps) move_tiles(work);
  else if (warp > form::warps) tell_of_tiles<Pass>(work);
  else work_on_tiles<Pass>(work);
  leave_call<Pass>(work);
}

}  // namespace lookback::gpu
