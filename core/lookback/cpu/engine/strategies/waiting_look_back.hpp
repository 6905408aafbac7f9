// The decoupled look-back without the second room: a tile of a worker that has lost its core is waited for, as on a GPU. What the
// room is worth is seen beside it. Source: Merrill & Garland 2016.
#pragma once
#include "decoupled_look_back.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

template <class Work>
class prefix_exchange<waiting_look_back, Work> : public look_back_exchange<Work, false> {
 public:
  using look_back_exchange<Work, false>::look_back_exchange;
};

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
