// The classes of a sample sort: between splitters, which lie in an implicit tree that is walked without a branch.
//
//            s3              from node b to 2 b, or to 2 b + 1 where the splitter there does not come after x: as often as the
//        s1      s5          tree is deep. The leaf says how many splitters do not come after x. Several items walk side by side:
//      s0  s2  s4  s6        what one waits for, others fill
//
// Where a sample holds a splitter twice, each splitter has a class of its equals, which is in order as it is:
//
//   | before s0 | equal to s0 | between s0 and s1 | equal to s1 | ...
//
// Source: Sanders & Winkel, Super scalar sample sort, 2004; Axtmann, Witt, Ferizovic & Sanders, In-place parallel super scalar
// samplesort, 2017.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "../../fn.hpp"
#include "../simd/unit.hpp"
#include "few.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

template <class T, class Order>
class splitters {
 public:
  /// A tree of wide items would leave the first-level cache.
  static constexpr int most_classes = 256, most_ways = sizeof(T) <= 32 ? 256 : 128;

  explicit splitters(Order const& order) : order_{order} {}

  /// From a sample in order: `ways` times `step` items. Ways is a power of two.
  template <class Record>
  void choose(Record const* sample, int ways, int step) {
    number_ = 0, has_equals_ = false;
    T* const all = sorted_.data();
    for (int k = 1; k < ways; ++k) {
      T const& x = sample[k * step - 1].item;
      if (number_ > 0 && !order_(all[number_ - 1], x)) has_equals_ = true;
      else std::memcpy(static_cast<void*>(all + number_++), &x, sizeof(T));
    }
    if (has_equals_ && 2 * number_ + 1 > most_classes) return choose(sample, ways / 2, 2 * step);
    depth_ = static_cast<int>(std::bit_width(static_cast<unsigned>(number_)));
    T* const tree = tree_.data();
    for (int level = 0; level < depth_; ++level)
      for (int k = 0, apart = 1 << (depth_ - level); k < 1 << level; ++k)
        std::memcpy(static_cast<void*>(tree + (1 << level) + k), all + std::min(k * apart + apart / 2, number_) - 1, sizeof(T));
  }

  int classes() const { return has_equals_ ? 2 * number_ + 1 : number_ + 1; }
  /// Are all items of class c equal?
  bool is_of_equals(int c) const { return has_equals_ && c % 2 == 1; }

  /// told[i] = the class of at(i), for i < count.
  template <class At>
  void tell(At const& at, index_t count, std::uint8_t* told) const {
    if (has_equals_) tell_by<true>(at, count, told);
    else tell_by<false>(at, count, told);
  }

 private:
  template <bool WithEquals, class At>
  void tell_by(At const& at, index_t count, std::uint8_t* told) const {
    constexpr int some = 8;
    T const* const tree = tree_.data();
    int const depth = depth_;
    index_t i = 0;
    for (; i + some <= count; i += some) {
      std::uint64_t node[some];
      for (auto& each : node) each = 1;
      for (int level = 0; level < depth; ++level)
#pragma GCC unroll 8
        for (int k = 0; k < some; ++k) node[k] = step(at(i + k), tree, node[k]);
      for (int k = 0; k < some; ++k) told[i + k] = class_at<WithEquals>(at(i + k), node[k]);
    }
    for (; i < count; ++i) {
      std::uint64_t node = 1;
      for (int level = 0; level < depth; ++level) node = step(at(i), tree, node);
      told[i] = class_at<WithEquals>(at(i), node);
    }
  }
  /// In this form the compiler makes a move by condition of it; of a sum it makes a chain of five instructions, or vectors out of
  /// single items.
  std::uint64_t step(T const& x, T const* tree, std::uint64_t node) const {
    return order_(x, tree[node]) ? 2 * node : 2 * node + 1;
  }
  template <bool WithEquals>
  std::uint8_t class_at(T const& x, std::uint64_t node) const {
    auto const leaf = static_cast<std::uint32_t>(node) - (std::uint32_t{1} << depth_);
    if constexpr (!WithEquals) return static_cast<std::uint8_t>(leaf);
    // The last splitters of the tree repeat, where it is not full.
    std::uint32_t const before = std::min(leaf, static_cast<std::uint32_t>(number_)), below = before - (before > 0);
    bool const equal = !order_(sorted_.data()[below], x);
    return static_cast<std::uint8_t>(2 * before - (static_cast<std::uint32_t>(before > 0) & static_cast<std::uint32_t>(equal)));
  }

  Order order_;
  int number_ = 0, depth_ = 0;
  bool has_equals_ = false;
  room_of<T, most_ways> sorted_, tree_;
};

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
