// What stands at the ends of a stream in tests: vectors that are read and written.
#pragma once
#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace harness {

/// Reads a vector: `room` full, but at its end.
template <class T>
auto reader_of(std::vector<T> const& all) {
  return [&all, at = std::size_t{0}](std::span<T> room) mutable {
    auto const items = std::min(room.size(), all.size() - at);
    std::copy_n(all.data() + at, items, room.data());
    at += items;
    return items;
  };
}
template <class T>
auto writer_to(std::vector<T>& all) {
  return [&all](std::span<T const> results) { all.insert(all.end(), results.begin(), results.end()); };
}

}  // namespace harness
