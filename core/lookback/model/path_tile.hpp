// Tiles along the path that merges items and ends of segments: how many threads one has, and how many items each of them. Both back
// ends read it here, because sums of floats that are `reproducible` depend on it (core/README.md, the tree of ends, version 1):
// changing a number changes results, and needs a new version.
#pragma once
#include <algorithm>

#include "../source.hpp"

namespace lookback {

namespace detail {

template <class... Ts>
constexpr int widest(arrays<Ts...>, int out) {
  return std::max({out, 1, static_cast<int>(sizeof(Ts))...});
}
template <class... Ts>
constexpr int bytes_of_arrays(arrays<Ts...>) {
  return (0 + ... + static_cast<int>(sizeof(Ts)));
}
/// The last array, from number First on, whose elements a T may take the place of; -1 for none.
template <class T, int First, class... Ts>
constexpr int last_array_for(arrays<Ts...>) {
  int last = -1, k = 0;
  ((last = k >= First && sizeof(Ts) == sizeof(T) && alignof(Ts) >= alignof(T) ? k : last, ++k), ...);
  return last;
}

}  // namespace detail

/// Bytes that a step of the path takes in fast memory: the arrays of an item and a T made of it, which takes the place of an
/// element where it can; or an offset of 8 bytes, if that is more.
template <class Arrays, class T>
struct path_step {
  static constexpr int evaluated_over = detail::last_array_for<T, 0>(Arrays{});
  static constexpr int bytes_behind = evaluated_over < 0 ? static_cast<int>(sizeof(T)) : 0;
  static constexpr int width = detail::widest(Arrays{}, sizeof(T));
  static constexpr int bytes = std::max(detail::bytes_of_arrays(Arrays{}) + bytes_behind, 8);

  /// Of a thread that has so many bytes. As many as those of equal parts of a slot would be. An odd number: neighbours of a thread
  /// are read one after the other, and an even stride would make threads meet in one bank. Two are better than one.
  static constexpr int items_in(int bytes_per_thread) {
    int const part = (bytes_per_thread + 16) / bytes;
    return part <= 2 ? std::max(part, 1) : std::min((part - 1) / 2 * 2 + 1, 31);
  }
};

/// The tile of the tree. T: what is summed; Arrays: what is read of an item.
template <class Arrays, class T>
struct path_tile {
  using step = path_step<Arrays, T>;
  static constexpr bool wide = step::width > 16;
  static constexpr int threads = wide ? 192 : step::bytes > 8 ? 320 : 288;  // docs/lab/gpu.md, Values scanned in their slot
  static constexpr int bytes_per_thread = wide ? 192 : step::bytes > 8 ? 72 : 88;
  static constexpr int items = step::items_in(bytes_per_thread);  // of a thread
  static constexpr int warp_items = 32 * items, warps = threads / 32;
  static constexpr int steps = threads * items;
};

}  // namespace lookback
