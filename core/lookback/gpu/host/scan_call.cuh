// What the kernels of one scan are given, and what a block keeps of it in shared memory.
#pragma once
#include "../../policy.hpp"
#include "../../sink.hpp"
#include "../../source.hpp"
#include "../protocol/descriptors.cuh"
#include "workspace.cuh"

namespace lookback::gpu {

/// The types of one scan. Carried is what a carry holds, of a key of type char where nothing is carried. IsChunk says that the sink
/// tells results when they end, and that the call may be one of several that tell those of one.
template <class Items, class Segments, class T, class Op, class Sink, class Carried = carried<T, char>, bool IsChunk = false>
struct scan_parts {
  using items_type = Items;
  using segments_type = Segments;
  using value_type = T;
  using operator_type = Op;
  using sink_type = Sink;
  using carried_type = Carried;
  static constexpr bool is_chunk = IsChunk;
};

/// Layout: where things lie in the shared memory of a block, as its form has it.
template <class Parts, class Tiles, class Layout>
struct scan_call {
  using T = typename Parts::value_type;
  using carried_type = typename Parts::carried_type;
  source<typename Parts::items_type, typename Parts::segments_type, T> from;
  typename Parts::operator_type op;
  typename Parts::sink_type sink;
  lookback::size size;
  Tiles tiles{};  // epoch is filled in on the device
  scratch memory{};
  std::uint64_t* boundaries =
      nullptr;  // where the offsets of each tile begin, if segments come as offsets; of the last also where they end
  carried_type const* carry_in = nullptr;
  carried_type* carry_out = nullptr;
  bool reversed = false;  // from right to left
  bool in_order = false;  // fold the look-back forward: reproducible
  Layout layout{};
};

/// How many items a call has, once its kernel may read memory: a number that was refused is negative, and means none.
__device__ __forceinline__ index_t items_in(size const& n) { return n.count ? max(index_t{0}, min(*n.count, n.bound)) : n.bound; }

/// By one warp of the block that leaves a call as the last one: prepares the next call. Every other block has claimed and looked
/// back for the last time. When epochs run out they begin again: nothing may be left of the first ones.
__device__ __forceinline__ void end_call(scratch const& memory, std::uint32_t epoch) {
  int const lane = threadIdx.x % 32;
  bool const wraps = epoch == last_epoch;
  if (wraps) {
    for (std::uint64_t w = lane; w < memory.words_64_capacity; w += 32) memory.words_64[w] = 0;
    for (std::uint64_t w = lane; w < memory.words_128_capacity; w += 32) memory.words_128[w] = {0, 0};
  }
  if (lane != 0) return;
  if (wraps) memory.state->auxiliary = 0;
  memory.state->epoch_minus_one = wraps ? 0 : epoch;
  memory.state->ticket = 0;
  memory.state->left = 0;
}

/// The offsets that belong to one tile.
struct offset_window {
  index_t first, count, origin;  // number of the first one, how many, the position that is place 0 of the tile
  int at;                        // where the first one lies in the slots, if they are staged; else they are read from memory
};
inline constexpr int not_staged = -1;

/// What every block keeps. Windows is 1 where only the tile that is reduced next needs its offsets, else one a slot.
template <class T, int Slots, int Windows>
struct block_state {
  // Facts of the call. Here, not in registers: they are rare, and a register that spills costs more than a look here.
  index_t n, carried_items, global_begin;  // items of this call, of the calls before, and where these begin in the whole
  maybe<T> start;                          // what comes before tile 0
  std::uint32_t tile_count, epoch;
  bool continues;                // an open segment is carried in
  std::uint64_t loaded[Slots];   // barrier: the slot's arrays have arrived
  std::uint64_t offsets_loaded;  // barrier: the window's offsets have arrived
  std::uint64_t claimed;         // barrier: the moving warp has claimed, the staging warp may look at it
  std::uint32_t tile[Slots];     // which tile the slot holds, in scan order
  std::int32_t item_count[Slots];
  index_t item_begin[Slots];  // its items: found once, by the thread that claims it
  offset_window window[Windows];
};

}  // namespace lookback::gpu
