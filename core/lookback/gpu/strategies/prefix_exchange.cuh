// What the tiles of a kernel tell each other is the strategy's, and a file a strategy. Sinks supply values alone.
//
//   prefix_exchange<Strategy, Part>::stores              the kernel stores its tiles; else it reduces them, and a later one stores
//     ::has_all_prefixes                                 a kernel before it has published the prefix of every tile
//     ::early(tiles, id, aggregate, complete)            one thread: the tile has been reduced. complete: its aggregate is its
//                                                        prefix, as that of tile 0 is and that of a tile with a head
//     ::before<T>(tiles, id, complete, fold, in_order, call)
//                                                        one warp: what comes before tile id > 0, in every lane. in_order: from
//                                                        left to right, one tile after another
//     ::before_of_each<Counters>(tiles_of, id, call)    one warp: the same of several sums of counts; lane c has that of c
//     ::late(tiles, id, prefix)                          one thread: the prefix of a tile that was not complete
//
// `tiles` are descriptors (descriptors.cuh, counters.cuh). Calls with the same id come in this order, `before` and `late` in the
// order in which the block claimed its tiles, and `early` of a block's next tile before `before` of this one. So a strategy may
// wait for tiles with smaller numbers, and for nothing else.
#pragma once
#include "../../operators.hpp"
#include "../../strategy.hpp"
#include "../device/warp.cuh"
#include "../protocol/descriptors.cuh"

namespace lookback::gpu {

struct call_state;

/// What a strategy may use of a call besides its descriptors.
struct exchange_call {
  call_state* state;
  index_t tiles;
};

/// Which tiles of a call a kernel works on: all of them at once, or all of them in two kernels.
enum class part { whole, reduce, scan };

template <class Strategy, part Part = part::whole>
struct prefix_exchange;

/// What strategies of one pass have in common.
struct one_pass_exchange {
  static constexpr bool stores = true, has_all_prefixes = false;
};

using sum_of_counts = directed<plus<index_t>>;

/// One kernel for all tiles.
template <class Strategy, class Policy, class Launch, class Resolve>
void run_kernels(Strategy, Policy const&, Launch& launch, Resolve const&) {
  launch.template enqueue<prefix_exchange<Strategy>>();
}

}  // namespace lookback::gpu
