// What every kernel of the pipelines does first and last, whatever its tiles are.
#pragma once
#include "../../model/tile.hpp"
#include "../device/ptx.cuh"
#include "../device/warp.cuh"
#include "../host/scan_call.cuh"

namespace lookback::gpu {

/// One thread, before the first tile: what every thread of the block needs to know of the call.
template <class Work>
__device__ __forceinline__ void begin_call(Work const& work) {
  auto const& call = work.call;
  auto& state = work.state;
  state.n = items_in(call.size);
  if constexpr (requires { work.begin_chunk(); }) work.begin_chunk();
  state.tile_count = static_cast<std::uint32_t>(tiles_of(work.length(state.n), Work::form::tile_items));
  state.carried_items = call.carry_in ? call.carry_in->count : 0;
  state.global_begin = work.place_in_whole(state.n, state.carried_items);
  state.epoch = call.memory.state->epoch_minus_one + 1;  // advanced by the last block of the call before
  work.begin_call();
}
/// All threads, after the last tile: the last block to leave prepares the next call. Every other one has claimed and looked back
/// for the last time.
template <class Exchange, class Work>
__device__ __forceinline__ void leave_call(Work const& work) {
  __syncthreads();
  if (threadIdx.x / 32 != 0) return;
  call_state& shared_state = *work.call.memory.state;
  std::uint32_t left = 0;
  if (threadIdx.x == 0) left = ptx::add_acquire_release(&shared_state.left, 1);
  if (__shfl_sync(all_lanes, left, 0) != gridDim.x - 1) return;
  __syncwarp();                         // what any lane does from here comes after what every block did
  if constexpr (Exchange::ends_call) {  // every block has read the number of items: a count may take its place
    if (work.state.tile_count > 0) work.end_call();
    else if (threadIdx.x == 0) work.end_empty_call();
    end_call(work.call.memory, work.state.epoch);
  } else {  // a later kernel reads what this one told, in the same epoch
    if (threadIdx.x == 0) shared_state.ticket = 0, shared_state.left = 0;
  }
}

/// The kernel that runs a work by an exchange, `value`: each pipeline says it of its tiles.
template <class Work, class Exchange>
struct kernel_of;

}  // namespace lookback::gpu
