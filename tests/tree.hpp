// The trees of `reproducible`, version 1 (core/README.md), written down a second time as plainly as can be.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace oracle {

/// A sum, or nothing; `starts`: a segment starts in it, so that nothing before it matters.
template <class T>
struct part {
  std::optional<T> value;
  bool starts = false;
};

/// The tree from left to right; from right to left it is run on the mirrored input with mirrored operands.
template <class T, class Op>
struct plain_tree {
  Op op;
  bool mirrored;
  std::optional<T> initial;
  static constexpr std::size_t run = 80 / sizeof(T), threads = 384, items = threads * run;

  part<T> join(part<T> const& a, part<T> const& b) const {
    if (!a.value || (b.value && b.starts)) return {b.value, a.starts || b.starts};
    if (!b.value) return a;
    return {mirrored ? op(*b.value, *a.value) : op(*a.value, *b.value), a.starts};
  }
  /// x in the order of the scan; the first tile holds `first` places, of which the last x.size() % items exist.
  std::vector<T> inclusive(std::vector<T> const& x, std::vector<bool> const& starts) const {
    std::size_t const n = x.size(), short_by = (items - n % items) % items;
    // Tile edges are multiples from the left in memory: from the right the first tile is the short one, and lacks its first places.
    std::size_t const skipped = mirrored ? short_by : 0;
    auto const item = [&](std::size_t place) -> part<T> {
      if (place < skipped || place - skipped >= n) return {};
      std::size_t const i = place - skipped;
      part<T> const here{x[i], starts[i]};
      if (!starts[i] || !initial) return here;
      return {mirrored ? op(x[i], *initial) : op(*initial, x[i]), true};
    };
    std::vector<T> out(n);
    part<T> before{starts[0] && segmented(starts) ? std::optional<T>{} : initial, false};
    for (std::size_t tile = 0; tile < (n + short_by) / items; ++tile) {
      std::vector<part<T>> lane(threads), warp_before(threads / 32);
      for (std::size_t t = 0; t < threads; ++t)
        for (std::size_t k = 0; k < run; ++k) lane[t] = join(lane[t], item(tile * items + t * run + k));
      part<T> all;
      for (std::size_t w = 0; w < threads / 32; ++w) {
        for (std::size_t d = 1; d < 32; d *= 2) {
          std::array<part<T>, 32> old;
          std::copy_n(lane.data() + w * 32, 32, old.data());
          for (std::size_t l = d; l < 32; ++l) lane[w * 32 + l] = join(old[l - d], old[l]);
        }
        warp_before[w] = all;
        all = join(all, lane[w * 32 + 31]);
      }
      for (std::size_t t = 0; t < threads; ++t) {
        part<T> sum = join(before, warp_before[t / 32]);
        if (t % 32 > 0) sum = join(sum, lane[t - 1]);
        for (std::size_t k = 0; k < run; ++k) {
          std::size_t const place = tile * items + t * run + k;
          sum = join(sum, item(place));
          if (place >= skipped && place - skipped < n) out[place - skipped] = *sum.value;
        }
      }
      before = join(before, all);
    }
    return out;
  }
  static bool segmented(std::vector<bool> const& starts) {
    for (bool s : starts)
      if (s) return true;
    return false;
  }
};

/// The tree of ends: results of segments by offsets, in tiles of threads * run steps.
template <class T, class Op>
struct plain_tree_of_ends {
  Op op;
  std::optional<T> initial;
  T empty;
  std::size_t threads, run;

  /// Nothing, or what lies behind the last end; `starts`: there is an end.
  part<T> join(part<T> const& a, part<T> const& b) const {
    if (b.starts || !a.value) return {b.value, a.starts || b.starts};
    if (!b.value) return a;
    return {op(*a.value, *b.value), a.starts};
  }
  /// lanes[l] becomes what lanes up to l have together.
  void scan(std::vector<part<T>>& lanes) const {
    for (std::size_t d = 1; d < lanes.size(); d *= 2) {
      auto const old = lanes;
      for (std::size_t l = d; l < lanes.size(); ++l) lanes[l] = join(old[l - d], old[l]);
    }
  }
  T begun(T const& sum) const { return initial ? op(*initial, sum) : sum; }

  /// sums[i]: of the segment that ends with item i of a tile, if ends[i], as far as it lies in the tile. What the tile leaves open.
  part<T> sum_tile(std::vector<T> const& x, std::vector<bool> const& ends, std::vector<T>& sums) const {
    sums = x;
    std::vector<part<T>> warps;
    for (std::size_t w = 0; w < x.size(); w += 32 * run) {
      std::vector<part<T>> lanes;
      std::vector<std::optional<std::size_t>> first;
      for (std::size_t t = w; t < std::min(x.size(), w + 32 * run); t += run) {
        part<T> open;
        std::optional<std::size_t> first_end;
        for (std::size_t i = t; i < std::min(x.size(), t + run); ++i) {
          open.value = open.value ? op(*open.value, x[i]) : x[i];
          if (!ends[i]) continue;
          sums[i] = *open.value;
          if (!first_end) first_end = i;
          open = {{}, true};
        }
        lanes.push_back(open), first.push_back(first_end);
      }
      scan(lanes);
      for (std::size_t l = 1; l < lanes.size(); ++l)
        if (first[l] && lanes[l - 1].value) sums[*first[l]] = op(*lanes[l - 1].value, sums[*first[l]]);
      warps.push_back(lanes.back());
    }
    auto before = warps;
    scan(before);
    for (std::size_t w = 1; w < warps.size(); ++w)
      for (std::size_t i = w * 32 * run; i < std::min(x.size(), (w + 1) * 32 * run); ++i) {
        if (!ends[i]) continue;
        if (before[w - 1].value) sums[i] = op(*before[w - 1].value, sums[i]);
        break;
      }
    return before.empty() ? part<T>{} : before.back();
  }

  std::vector<T> results(std::vector<T> const& x, std::vector<std::int64_t> const& offsets) const {
    std::vector<T> out;
    std::size_t const segments = offsets.size() - 1, steps = x.size() + segments;
    std::size_t item = 0;
    std::optional<T> before;  // of the segment that is open where a tile begins; nothing before its first item
    for (std::size_t step = 0; step < steps;) {
      std::size_t const begin = item, first = out.size();
      std::vector<T> mine, sums;
      std::vector<bool> ends;
      std::vector<std::int64_t> places;  // of ends
      for (std::size_t const upto = std::min(steps, step + threads * run); step < upto; ++step) {
        if (first + places.size() < segments && offsets[first + places.size() + 1] == static_cast<std::int64_t>(item)) {
          places.push_back(offsets[first + places.size() + 1]);
          if (item > begin) ends.back() = true;
        } else {
          mine.push_back(x[item++]), ends.push_back(false);
        }
      }
      part<T> const open = sum_tile(mine, ends, sums);
      for (std::size_t k = 0; k < places.size(); ++k) {
        std::int64_t const from = offsets[first + k], to = places[k];
        bool const earlier = k == 0 && from < static_cast<std::int64_t>(begin), none = to == static_cast<std::int64_t>(begin);
        if (from == to) out.push_back(empty);
        else if (none) out.push_back(*before);
        else {
          T const sum = sums[static_cast<std::size_t>(to) - begin - 1];
          out.push_back(earlier ? op(*before, sum) : begun(sum));
        }
      }
      // A segment goes on from tile to tile by what each has of it.
      if (!places.empty() || begin == 0) before = open.value ? std::optional<T>{begun(*open.value)} : std::nullopt;
      else if (!before) before = begun(*open.value);
      else before = op(*before, *open.value);
    }
    return out;
  }
};

}  // namespace oracle
