// The decoupled look-back with descriptors of two words: a value, and what tells of it. Who publishes has a fence between the two,
// and so has who reads. It takes values of every size, at two accesses where a packed descriptor takes one. Source: Merrill &
// Garland 2016, 4.4.
#pragma once
#include "decoupled_look_back.cuh"

namespace lookback::gpu {

template <>
struct descriptor_types<fenced_look_back> {
  template <class T>
  using values = split_descriptors<T>;
  using counts = split_descriptors<index_t>;
};

template <>
struct prefix_exchange<fenced_look_back> : prefix_exchange<decoupled_look_back> {
  template <class T>
  using values = descriptor_types<fenced_look_back>::values<T>;
  using counts = descriptor_types<fenced_look_back>::counts;
};

}  // namespace lookback::gpu
