// Segments that break sorts of segments: lengths around what sorts them on chip, and where they lie.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <harness.hpp>
#include <lookback/fn.hpp>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "random.hpp"

namespace harness {

/// Segment s is items [begins[s], ends[s]) of n.
struct segments_of {
  std::string name;
  std::size_t n = 0;
  std::vector<lookback::index_t> begins, ends;
  bool touching = true;  // in order, side by side, from 0 on: offsets say it, too

  std::vector<lookback::index_t> offsets() const {
    std::vector<lookback::index_t> all{0};
    all.insert(all.end(), ends.begin(), ends.end());
    return all;
  }
};

/// Side by side, and `behind` items of no segment.
inline segments_of side_by_side(std::string name, std::vector<std::size_t> const& lengths, std::size_t behind = 0) {
  segments_of s{std::move(name), 0, {}, {}, true};
  for (std::size_t const length : lengths) {
    s.begins.push_back(static_cast<lookback::index_t>(s.n));
    s.ends.push_back(static_cast<lookback::index_t>(s.n += length));
  }
  s.n += behind;
  return s;
}

/// The same lengths with up to 4 items between them, and in no order.
inline segments_of scattered_about(segments_of const& from) {
  generator random(from.n);
  segments_of s{from.name + ", shuffled and with gaps", 0, {}, {}, false};
  for (std::size_t k = 0; k < from.begins.size(); ++k) {
    s.n += random.below(5);
    s.begins.push_back(static_cast<lookback::index_t>(s.n));
    s.n += static_cast<std::size_t>(from.ends[k] - from.begins[k]);
    s.ends.push_back(static_cast<lookback::index_t>(s.n));
  }
  s.n += random.below(5);
  for (std::size_t k = s.begins.size(); k > 1; --k) {
    std::size_t const other = random.below(k);
    std::swap(s.begins[k - 1], s.begins[other]), std::swap(s.ends[k - 1], s.ends[other]);
  }
  return s;
}

/// `number` lengths of [least, most].
inline std::vector<std::size_t> lengths_between(std::size_t number, std::size_t least, std::size_t most) {
  generator random(number + least);
  std::vector<std::size_t> lengths(number);
  for (auto& length : lengths) length = least + random.below(most - least + 1);
  return lengths;
}
inline std::vector<std::size_t> around(std::vector<std::size_t> const& middles) {
  std::vector<std::size_t> lengths;
  for (std::size_t const middle : middles)
    for (std::size_t const length : {middle - 1, middle, middle + 1}) lengths.push_back(length);
  return lengths;
}

/// Without the largest: what every type can bear.
inline std::vector<segments_of> segment_shapes() {
  std::vector<segments_of> all;
  all.push_back(side_by_side("none", {}, 100));
  all.push_back(side_by_side("all empty", std::vector<std::size_t>(1000), 1000));
  all.push_back(side_by_side("all of 1", std::vector<std::size_t>(3000, 1)));
  all.push_back(side_by_side("of 0 to 3", lengths_between(5000, 0, 3)));
  all.push_back(side_by_side("around a warp", lengths_between(500, 30, 34)));
  all.push_back(side_by_side("around lanes and their quarters", around({8, 16, 40, 72, 136, 264}), 3));
  all.push_back(side_by_side("around warps", around({288, 544, 1056}), 3));
  all.push_back(side_by_side("around blocks", around({2304, 4352, 5632})));
  all.push_back(side_by_side("around the largest", around({17'408})));
  all.push_back(side_by_side("one of all", {up_to(50'021)}));

  auto lengths = lengths_between(6000, 0, 5);
  lengths[2500] = up_to(60'000);
  all.push_back(side_by_side("one huge and many tiny", lengths));

  generator random(1);
  lengths.resize(1500);
  for (auto& length : lengths) length = static_cast<std::size_t>(std::min(2 / (random.unit() + 1e-9), 20'000.0));
  all.push_back(side_by_side("power law", lengths));
  return all;
}

}  // namespace harness
