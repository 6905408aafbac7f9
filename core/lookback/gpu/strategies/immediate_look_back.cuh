// The decoupled look-back, asked for at once: a block waits for the prefix of its tile before it reduces another one. The default
// asks one tile later, when those before have long published; what that is worth is seen beside it. Source: Merrill & Garland
// 2016, 4.1.
#pragma once
#include "decoupled_look_back.cuh"

namespace lookback::gpu {

template <>
struct prefix_exchange<immediate_look_back> : prefix_exchange<decoupled_look_back> {
  static constexpr bool resolves_at_once = true;
};

}  // namespace lookback::gpu
