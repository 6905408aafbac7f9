// How many vectors of 16 bytes a thread has of a tile: part of a tuning (gpu::tuning), for who compares them.
//
//   odd_strides   an odd number, one fewer where as many as the bytes say would be an even one: so neighbouring threads read their
//                 items from different banks of shared memory. The default
//   any_strides   as many as the bytes say: of an even number threads meet in a bank, all of a group where it is a power of two
//
// That meeting is the columns of 16 and 32 items a thread in which a course project of 2023 found its scan slow.
#pragma once

namespace lookback::gpu {

struct odd_strides {
  static constexpr bool even_too = false;
};
struct any_strides {
  static constexpr bool even_too = true;
};

}  // namespace lookback::gpu
