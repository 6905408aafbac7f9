// The sizes at which scans break: nothing, one, around a vector, a warp, a tile and a look-back window, and a large prime.
#pragma once
#include <algorithm>
#include <cstddef>
#include <harness.hpp>
#include <vector>

namespace harness {

/// For elements of T, up to `largest` bytes of them.
template <class T>
std::vector<std::size_t> edge_sizes(std::size_t largest_bytes = small() ? 1u << 18 : 1u << 24) {
  std::vector<std::size_t> sizes{0, 1, 2, 3, 15, 16, 17, 31, 32, 33, 127, 128, 129, 1000};
  std::size_t const tile = tile_items<T>();
  for (std::size_t const middle : {tile, 2 * tile, look_back_window * tile})
    for (std::size_t const n : {middle - 1, middle, middle + 1}) sizes.push_back(n);
  sizes.push_back(1000003);
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  sizes.erase(std::upper_bound(sizes.begin(), sizes.end(), largest_bytes / sizeof(T)), sizes.end());
  return sizes;
}

/// So many items of T that every worker has five tiles: on a GPU slots are filled anew, and what one tile leaves in a slot meets
/// the next.
template <class T>
std::size_t many_tiles() {
  return small() ? up_to(1'000'003) : 5 * workers() * tile_items<T>() - 1001;
}

}  // namespace harness
