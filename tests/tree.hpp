// The tree of `reproducible`, version 1 (core/README.md), written down a second time as plainly as can be.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
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

}  // namespace oracle
