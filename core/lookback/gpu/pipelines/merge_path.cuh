// A pass over tiles of a path, of which results do not wait for the prefix: one result for each segment, by offsets.
//
//   mover    a warp without items: asks where a claimed tile lies, or searches for it if the table does not know, waits until
//            a slot is free and starts its copies. The next ticket is on its way meanwhile, and nobody waits for all this
//   teller   a warp without items: as soon as tile i is scanned, joins what warps have of one segment and publishes it
//   looker   a warp without items: when tile i is published, looks back for tile i-1 and stores its first segment
//   others   scan tile i · tile i+1 has arrived: what is read elsewhere is asked for, ends are marked, and values made · tile i is
//            joined: its results · its slot is free
//
// Whoever waits has had something to do since what it waits for was begun: values are made by all while the teller joins, and
// results of the tile before are stored while the last warp makes values. A block holds a ticket for each slot and one more.
//
// The looker is one tile behind on purpose: descriptors that are being written are read again and again otherwise. It begins with
// tile i when the block's next one is published, or there is none, and then waits for smaller numbers only. (A strategy that asks
// at once has it begin when tile i is published; it waits for smaller numbers only, too.) The next one is published after copies,
// and after look-backs of the block's tiles four before it or earlier (of its own, and of those whose slots were freed for it),
// which are smaller than i. So the unfinished tile with the smallest number can always go on. Were teller and looker one warp,
// whoever waits for a slow block would publish late, and others wait for it.
//
// Which barrier says what: merge_path_state.cuh. The lanes of a warp arrive at one each by itself: it costs nothing, and racecheck
// does not follow one that arrives for all.
//
// What values are made of may lie apart, in a region fewer than there are slots (path_shape). Whoever leaves slot s to the mover
// has made the values of the tile after it, so the region that the next tile in s takes is free. Only the first regions have nobody
// before them to wait for: a barrier of its own tells when the block's first tile is made.
//
// What is done with a tile is the work's (per_segment_by_offsets.cuh): reduce, mark_ends, end_reduce, scan, store; publish_early,
// look_back_late.
#pragma once
#include "../tiles/path_tiles.cuh"
#include "call.cuh"
#include "merge_path_state.cuh"

namespace lookback::gpu {

/// The mover: every lane of one warp.
template <class Work>
__device__ __forceinline__ void move_tiles(Work const& work) {
  static_assert(Work::form::input_regions == Work::slots - 1, "who frees a slot has read the region that its next tile takes");
  auto& state = work.state;
  int const lane = threadIdx.x % 32;
  bool const single = state.tile_count <= gridDim.x;  // a tile for every block, and no more
  // The table has just been begun: where the first two tiles lie is searched for at once, or the second would come late. Where
  // there are few, others should have the second, and the first is searched for as any that the table does not know; what is found
  // beside it is not needed then. One place in the text for all: there is less to read before the first tile.
  bool const takes_two = state.tile_count > 4 * gridDim.x;
  std::uint32_t opening[2] = {0, 0}, phases = 0;
  if (lane == 0) {
    opening[0] = work.next_ticket(false);
    if (takes_two) opening[1] = work.next_ticket(false);
  }
  opening[0] = __shfl_sync(all_lanes, opening[0], 0), opening[1] = __shfl_sync(all_lanes, opening[1], 0);
  typename Work::path_bound second{};
  std::uint32_t ticket = opening[0];
  for (int s = 0, region = 0, tiles = 0;; s = s + 1 == Work::slots ? 0 : s + 1, ++tiles) {
    auto bounds = second;
    if (!second.known && (tiles > 0 || !takes_two)) bounds = work.ask_path(ticket);
    second.known = false;
    if (ticket < state.tile_count && !work.are_known(bounds)) {
      typename Work::path_bound found[2];
      work.search_path({ticket, tiles == 0 ? opening[1] : ticket}, found);
      bounds = found[0];
      if (tiles == 0 && takes_two) second = found[1];
    }
    if (tiles >= Work::slots) {
      ptx::barrier_wait(&state.freed[s], phases >> s & 1);
      phases ^= 1u << s;
    } else if (tiles == Work::form::input_regions && work.call.layout.input_region_bytes > 0) {
      ptx::barrier_wait(&state.first_made, 0);
    }
    std::uint32_t next = opening[1];  // on its way while this one's copies are started
    if (lane == 0 && !(tiles == 0 && takes_two)) next = work.next_ticket(single || ticket >= state.tile_count);
    if (lane == 0) work.take(s, ticket);
    __syncwarp();
    work.find_path(s, region, bounds);
    region = region + 1 == Work::form::input_regions ? 0 : region + 1;
    __syncwarp();
    work.load(s);
    if (ticket >= state.tile_count) return;
    ticket = __shfl_sync(all_lanes, next, 0);
  }
}

/// The threads that have items.
template <class Exchange, class Work>
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
  // The first tile has none before it. It goes the way of all others, so that what it needs is in the caches of instructions for
  // the second.
  bool any = false;
  int slot = Work::slots - 1;
  for (int parity = 1;; parity ^= 1) {
    int const ahead = slot + 1 == Work::slots ? 0 : slot + 1;
    bool const has = any;
    if (has) work.scan(slot, parity);
    any = arrived(ahead);
    made(ahead, any, parity ^ 1);
    if (has) {
      ptx::barrier_wait(&state.joined[slot], ~phases >> slot & 1);  // as often used as the slot
      if constexpr (Exchange::stores) work.store(slot);
    }
    // The next copies come after what was written in the slot, and read in the region apart of the tile ahead. Of the first round,
    // which frees no slot, first_made says the latter.
    ptx::fence_for_copy_engine();
    __syncwarp();
    ptx::barrier_arrive(has ? &state.freed[slot] : &state.first_made);
    ptx::barrier_wait(&state.made, parity ^ 1);
    if (!any) return;
    slot = ahead;
  }
}

/// The teller: every lane of one warp.
template <class Exchange, class Work>
__device__ __forceinline__ void publish_tiles(Work const& work) {
  auto& state = work.state;
  constexpr bool looks = Exchange::stores;
  [[maybe_unused]] std::uint32_t phases = 0, looked = 0;
  for (int s = 0, k = 0, tiles = 0;; s = s + 1 == Work::slots ? 0 : s + 1, k = (k + 1) % published_tiles, ++tiles) {
    ptx::barrier_wait(&state.loaded[s], phases >> s & 1);
    bool const any = work.holds_tile(s);
    if (any) ptx::barrier_wait(&state.scanned[s], phases >> s & 1);
    if constexpr (looks)
      if (tiles >= published_tiles) {
        ptx::barrier_wait(&state.looked_back[k], looked >> k & 1);
        looked ^= 1u << k;
      }
    if (any) work.publish_early(s, k);
    else work.publish_end(k);
    __syncwarp();
    if constexpr (looks) ptx::barrier_arrive(&state.published[k]);
    if (!any) return;
    ptx::barrier_arrive(&state.freed[s]);
    phases ^= 1u << s;
  }
}

/// The looker: every lane of one warp.
template <class Exchange, class Work>
__device__ __forceinline__ void look_back_for_tiles(Work const& work) {
  if constexpr (Exchange::stores) {
    auto& state = work.state;
    std::uint32_t phases = 0;
    auto const look_back_for = [&](int k) {
      work.look_back_late(k);
      __syncwarp();
      ptx::barrier_arrive(&state.looked_back[k]);
    };
    for (int k = 0, before = -1;; before = k, k = (k + 1) % published_tiles) {
      ptx::barrier_wait(&state.published[k], phases >> k & 1);
      phases ^= 1u << k;
      if constexpr (Exchange::resolves_at_once) {
        if (work.ends_with(k)) return;
        look_back_for(k);
      } else {
        if (before >= 0) look_back_for(before);
        if (work.ends_with(k)) return;
      }
    }
  }
}

template <class Work, class Exchange>
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
    for (int k = 0; k < published_tiles; ++k)
      ptx::barrier_init(&state.published[k], 32), ptx::barrier_init(&state.looked_back[k], 32);
    ptx::barrier_init(&state.made, form::threads);
    ptx::barrier_init(&state.first_made, form::threads);
    ptx::fence_barrier_init();
  }
  work.begin_block();
  ptx::wait_for_kernel_before();
  if (threadIdx.x == form::threads) begin_call(work);
  work.keep_values();
  __syncthreads();
  if (warp == form::warps) {  // the first tiles are searched for while others make the table
    move_tiles(work);
  } else {
    if (state.tile_count > gridDim.x) work.tabulate_boundaries();
    if (warp == form::warps + 1) publish_tiles<Exchange>(work);
    else if (warp > form::warps) look_back_for_tiles<Exchange>(work);
    else work_on_tiles<Exchange>(work);
  }
  leave_call<Exchange>(work);
}

template <class Work, class Exchange>
requires Work::form::along_path struct kernel_of<Work, Exchange> {
  static constexpr auto value = &path_kernel<Work, Exchange>;
};

}  // namespace lookback::gpu
