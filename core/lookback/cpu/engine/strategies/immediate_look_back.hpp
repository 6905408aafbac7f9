// The decoupled look-back of a scan, asked for at once: a worker waits for the prefix of its tile before it claims and reduces
// another one. The default has two tiles in hand, and asks when those before have long published. Source: Merrill & Garland
// 2016, 4.1.
#pragma once
#include "decoupled_look_back.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

template <class Work>
class prefix_exchange<immediate_look_back, Work> : public look_back_exchange<Work, true> {
 public:
  static constexpr bool resolves_at_once = true;
  using look_back_exchange<Work, true>::look_back_exchange;
};

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
