// How tiles of items come into shared memory: part of a tuning (gpu::tuning), for who compares them.
//
//   by_copy_engine   sm_90: one copy for each array, by the copy engine; before that as coalesced. The default
//   coalesced        by the threads that have items, 16 bytes each: neighbouring threads bring neighbouring bytes
//   strided_loads    the same, but a thread brings about what it will scan: neighbouring threads are as far apart as a thread has
//   bytes
//
// Source: Yan, Long & Zhang, StreamScan, 2013, 3.3, where threads in one order read from memory, and in the other keep in
// registers.
#pragma once

namespace lookback::gpu {

struct by_copy_engine {
  static constexpr bool by_threads = false, strided = false;
};
struct coalesced {
  static constexpr bool by_threads = true, strided = false;
};
struct strided_loads {
  static constexpr bool by_threads = true, strided = true;
};

}  // namespace lookback::gpu
