// Publish early, resolve late: a scan as one pass of persistent blocks.
//
//   slot of tile i-1   its output leaves (copy engine)                      then it is refilled with tile i+2
//   slot of tile i     B: prefix known, scan, gather the output  C: store
//   slot of tile i+1   A: reduced, aggregate published *before* tile i asks for its prefix
//   warp 0 publishes tile i+1 · warp 1 looks back for tile i · warp 2 claims and loads tile i+2, and stores
//   tile i (results of segments: a warp for each column) · warp 3 stages offsets
//
// A warp apart (form::has_look_back_warp), which has no items, looks back for tile i while the others reduce tile i+1; it has no
// part in barrier A, so that tile i+1 is published whatever tile i waits for. A block that is alone on its multiprocessor asks for
// its next ticket before it reduces tile i+1.
//
// By the time a block asks for the prefix of tile i, its predecessors have long published: they did so one tile earlier. The loads
// of the tiles ahead never wait for a prefix. Barriers (A of the threads that have items, B and C of all): once each per tile; no
// C where what leaves a tile was gathered before B.
//
// Two options of a strategy change that. Asked at once, the prefix of tile i is waited for before tile i+1 is reduced, between two
// more barriers of all. With several warps that look back the last ones help warp 1, or the one apart, when they have reduced.
//
// What is done with a tile is the work of a sink (each.cuh, compact.cuh, per_segment_by_heads.cuh):
//   reduce          its items, from the slot; what a thread remembers is its summary
//   publish_early   by one warp: what the tile is worth by itself
//   look_back_late  by one warp: what comes before it
//   hold            what a thread takes out of the slot, or gathers, before the prefix is known
//   scan            with the prefix; output is gathered in the slot
//   store           what was gathered leaves
#pragma once
#include "../tiles/item_tiles.cuh"
#include "call.cuh"

namespace lookback::gpu {

template <class Work, class Exchange>
__global__ void __launch_bounds__(block_threads<typename Work::form>, Work::form::blocks)
    scan_kernel(__grid_constant__ typename Work::call_type const call) {
  using form = typename Work::form;
  using state_type = typename Work::state_type;
  constexpr int slots = form::slots, mover = 32 * moving_warp;
  constexpr bool look_back_apart = form::has_look_back_warp;
  constexpr bool claims_early =
      look_back_apart && form::blocks == 1;  // no other block would have work while this one waits for a ticket
  __shared__ __align__(16) unsigned char state_memory[sizeof(state_type)];  // raw: T need not be default-constructible
  state_type& state = *reinterpret_cast<state_type*>(state_memory);

  int const thread = threadIdx.x, warp = thread / 32;
  Work const work{call, state};
  bool const has_items = work.has_items();
  // Asked for at once, the prefix of tile i is waited for before tile i+1 is reduced.
  constexpr bool looks_late = Exchange::stores && !Exchange::resolves_at_once;
  ptx::let_next_kernel_start();
  if (thread == mover) {
    for (int s = 0; s < slots; ++s) ptx::barrier_init(&state.loaded[s], work.loads_by_engine() ? 1 : form::threads + 1);
    ptx::barrier_init(&state.offsets_loaded, 1);
    ptx::barrier_init(&state.claimed, 1);
    Exchange::begin_block(work.template lookers<Exchange>);
    ptx::fence_barrier_init();
  }
  ptx::wait_for_kernel_before();
  if (thread == mover) {
    begin_call(work);
    std::uint32_t ticket[slots - 1];
#pragma unroll
    for (int s = 0; s < slots - 1; ++s) ticket[s] = work.next_ticket(s > 0 && state.tile_count <= gridDim.x);
#pragma unroll
    for (int s = 0; s < slots - 1; ++s) work.take(s, ticket[s]);
  }
  if constexpr (Work::takes_offsets)
    for (int w = thread; w < form::tile_items / 32; w += block_threads<form>)
      slot_memory_at<std::uint32_t>(call.layout.bitmap_at)[w] = 0;
  ptx::fence_for_copy_engine();
  __syncthreads();
  bool const single = state.tile_count <= gridDim.x;  // a tile for every block, and no more
  bool const staged_apart = work.by_offsets();        // offsets have a window of their own
  bool const loads = work.loads_by_engine() ? warp == moving_warp : has_items;
  for (int s = 0; s < slots - 1; ++s)
    if (loads) work.load(s);
  if constexpr (Work::takes_offsets) {
    if (staged_apart && warp == staging_warp) work.stage_offsets(0);
    if (staged_apart && !single) work.tabulate_boundaries();
  }
  __syncthreads();  // what lanes have put at edges is told to all by one of them: racecheck sees a barrier, not that

  std::uint32_t phases = 0;  // bit s: which completion of slot s comes next; bit 31: of the window
  auto const reduce = [&](int s, typename Work::summary& mine) {
    ptx::barrier_wait(&state.loaded[s], phases >> s & 1);
    phases ^= 1u << s;
    if (!work.holds_tile(s)) return;
    if (staged_apart) {
      ptx::barrier_wait(&state.offsets_loaded, phases >> 31);
      phases ^= 1u << 31;
    }
    work.reduce(s, mine);
  };
  typename Work::summary now, next;
  if (has_items) reduce(0, now);
  if constexpr (look_back_apart)
    if (!has_items && work.holds_tile(0)) work.pass_reduce();
  __syncthreads();
  if (warp == publishing_warp && work.holds_tile(0)) work.publish_early(0, 0);
  if constexpr (Work::takes_offsets)
    if (staged_apart && warp == staging_warp) work.stage_offsets(1);
  __syncthreads();  // before the totals of tile 1 take the place of those of tile 0

  int slot = 0;
  for (int parity = 0;; parity ^= 1) {
    if (!work.holds_tile(slot)) break;
    int const ahead = slot + 1 == slots ? 0 : slot + 1, behind = slot == 0 ? slots - 1 : slot - 1;
    typename Work::held held;
    if constexpr (Exchange::stores && Exchange::resolves_at_once) {
      __syncthreads();  // the store of tile i-1 has read its prefix
      if (work.template looks_back<Exchange>()) work.look_back_late(slot, parity);
      __syncthreads();
    }
    if (!has_items) {
      if constexpr (look_back_apart) {
        if (work.holds_tile(ahead)) work.pass_reduce();
        work.pass_totals();
      }
      if constexpr (looks_late) work.look_back_late(slot, parity);
    } else {
      [[maybe_unused]] std::uint32_t ticket;
      if constexpr (claims_early)
        if (thread == mover) ticket = work.next_ticket(single);
      reduce(ahead, next);
      if (look_back_apart && thread % 32 == 0) ptx::bulk_wait_read<0>();
      work.sync_totals();  // A: warp totals of tile i+1 are there
      if (warp == publishing_warp && work.holds_tile(ahead)) work.publish_early(ahead, parity ^ 1);
      if constexpr (looks_late && (!look_back_apart || Exchange::looking_warps > 1))
        if (work.template looks_back<Exchange>()) work.look_back_late(slot, parity);
      // The output of tile i-1 has left its slot: the copies of tile i+2 run while tile i waits and is scanned.
      if (thread == mover) {
        if (!look_back_apart) ptx::bulk_wait_read<0>();
        if constexpr (!claims_early) ticket = work.next_ticket(single);
        work.take(behind, ticket);
        if constexpr (Work::takes_offsets)
          if (staged_apart) ptx::barrier_arrive(&state.claimed);
      }
      if constexpr (Work::takes_offsets)
        if (staged_apart && warp == staging_warp) {
          if (thread == 32 * staging_warp) work.prefetch_offsets(ahead);
          __syncwarp();
          ptx::barrier_wait(&state.claimed, parity);  // one completion per tile
          work.stage_offsets(ahead + 1 == slots ? 0 : ahead + 1);
        }
      if (warp == moving_warp) work.bring(behind);
      if constexpr (Exchange::stores) work.hold(slot, parity, now, held);
    }
    __syncthreads();  // B: the prefix of tile i is there
    if constexpr (Exchange::stores) {
      if (has_items) work.scan(slot, parity, now, held);
      else if constexpr (look_back_apart) work.pass_scan(parity);
    }
    if constexpr (Exchange::stores)
      if (work.goes_on_together(parity)) __syncthreads();  // C: the output of tile i is gathered
    if (!work.loads_by_engine() && has_items) work.load(behind);
    if constexpr (Exchange::stores)
      if (has_items) work.store(slot, parity);
    now = next;
    slot = ahead;
  }
  if (thread % 32 == 0) ptx::bulk_wait_read<0>();  // the copies out still read this block's shared memory

  leave_call<Exchange>(work);
}

template <class Work, class Exchange>
requires(!Work::form::along_path) struct kernel_of<Work, Exchange> {
  static constexpr auto value = &scan_kernel<Work, Exchange>;
};

}  // namespace lookback::gpu
