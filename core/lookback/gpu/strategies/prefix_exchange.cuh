// What the tiles of a kernel tell each other is the strategy's, and a file a strategy. Sinks supply values alone.
//
//   prefix_exchange<Strategy, Part>::stores              the kernel stores its tiles; else it reduces them, and a later one stores
//     ::has_all_prefixes                                 a kernel before it has published the prefix of every tile
//     ::is_local                                         it stores each tile by itself, and a later one adds the prefix
//     ::ends_call                                        no kernel of the call comes after it
//     ::values<T>, ::counts                              descriptors of values, and of counts of items
//     ::looking_warps                                    warps that call `before` together, where tiles are staged. The first
//                                                        one publishes what they find
//     ::begin_block(warps)                               one thread, before the first tile: so many of them there are in a block
//     ::resolves_at_once                                 `before` of a tile comes before `early` of the block's next one
//     ::tells_from_last_warp                             `early` may come before all of a tile has been reduced
//     ::early(tiles, id, aggregate, complete)            one thread: the tile has been reduced. complete: its aggregate is its
//                                                        prefix, as that of tile 0 is and that of a tile with a head
//     ::before<T>(tiles, id, complete, fold, in_order, call)
//                                                        one warp: what comes before tile id > 0, in every lane. in_order: from
//                                                        left to right, one tile after another
//     ::before_of_each<Counters>(tiles_of, id, call)    one warp: the same of several sums of counts; lane c has that of c
//     ::late(tiles, id, prefix)                          one thread: the prefix of a tile that was not complete
//
// `tiles` are descriptors (descriptors.cuh, counters.cuh). Calls with the same id come in this order, `before` and `late` in the
// order in which the block claimed its tiles, and `early` of a block's next tile before `before` of this one, if it is not asked
// for at once. So a strategy may wait for tiles with smaller numbers, and for nothing else.
#pragma once
#include "../../operators.hpp"
#include "../../strategy.hpp"
#include "../device/warp.cuh"
#include "../protocol/descriptors.cuh"

namespace lookback::gpu {

struct call_state;

/// What a strategy may use of a call besides its descriptors; and which of how many warps asks.
struct exchange_call {
  call_state* state;
  index_t tiles;
  int warp = 0, warps = 1;
};

/// What a kernel does with every tile: all that there is to do, or its share.
enum class part { whole, reduce, scan, propagate };

template <class Strategy, part Part = part::whole>
struct prefix_exchange;

/// What holds for an exchange that does not say otherwise.
struct plain_exchange {
  static constexpr int looking_warps = 1;
  static constexpr bool resolves_at_once = false, tells_from_last_warp = false;
  __device__ __forceinline__ static void begin_block(int) {}
};

/// Shared memory that a strategy takes beside the state of a block, where it publishes values of T.
template <class Strategy, class T>
inline constexpr int bytes_beside_state = 0;

/// The descriptors of a strategy.
template <class Strategy>
struct descriptor_types {
  template <class T>
  using values = descriptors<T>;
  using counts = count_descriptors;
};

/// What strategies of one pass have in common.
template <class Strategy>
struct one_pass_exchange : plain_exchange, descriptor_types<Strategy> {
  static constexpr bool stores = true, has_all_prefixes = false, is_local = false, ends_call = true;
};

/// A kernel for which one before it has published the prefixes of all tiles.
template <class Strategy>
struct known_prefix_exchange : plain_exchange, descriptor_types<Strategy> {
  static constexpr bool stores = true, has_all_prefixes = true, is_local = false, ends_call = true;
  template <class Tiles, class T>
  __device__ __forceinline__ static void early(Tiles const&, index_t, T const&, bool) {}
  template <class T, class Tiles, class Fold, class InOrder>
  __device__ __forceinline__ static T before(Tiles const& tiles, index_t id, bool, Fold const&, InOrder, exchange_call const&) {
    room<T> before;
    tiles.peek(id - 1, before);
    return before.value;
  }
  template <int Counters, class TilesOf>
  __device__ __forceinline__ static index_t before_of_each(TilesOf const& tiles_of, index_t id, exchange_call const&) {
    int const lane = threadIdx.x % 32;
    room<index_t> before;
    before.value = 0;
    if (lane < Counters) tiles_of(lane).peek(id - 1, before);
    return before.value;
  }
  template <class Tiles, class T>
  __device__ __forceinline__ static void late(Tiles const&, index_t, T const&) {}
};

/// A kernel that tells what its tiles are worth, and asks for nothing.
template <class Strategy>
struct publishing_exchange : plain_exchange, descriptor_types<Strategy> {
  static constexpr bool has_all_prefixes = false, ends_call = false;
  template <class Tiles, class T>
  __device__ __forceinline__ static void early(Tiles const& tiles, index_t id, T const& aggregate, bool complete) {
    tiles.publish(id, complete ? status::prefix : status::aggregate, aggregate);
  }
};

using sum_of_counts = directed<plus<index_t>>;

/// One kernel for all tiles.
template <class Strategy, class Policy, class Launch, class Resolve>
void run_kernels(Strategy, Policy const&, Launch& launch, Resolve const&) {
  launch.template enqueue<prefix_exchange<Strategy>>();
}

}  // namespace lookback::gpu
