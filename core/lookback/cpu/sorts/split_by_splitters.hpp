// One split of a sort by comparisons by all workers: classes between splitters of a sample (splitters.hpp).
//
//   reduce  the class of each item is asked for, noted in a byte, and counted
//   scan    each record goes where its class says: the function is not asked again, which might answer otherwise
#pragma once
#include <array>
#include <cstdint>
#include <optional>

#include "../../sink.hpp"
#include "../../source.hpp"
#include "../engine/scatter_into.hpp"
#include "../engine/strategies.hpp"
#include "../run/memory.hpp"
#include "../simd/unit.hpp"
#include "../sinks/scatter.hpp"
#include "gather.hpp"
#include "sample_sort.hpp"
#include "splitters.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

/// Records that lie in memory, as a codec gives them.
template <class Record>
struct compared_at {
  Record const* data;
  auto const& item(index_t i) const { return data[i].item; }
  Record operator()(index_t i) const { return data[i]; }
};

/// The classes of items between splitters, a byte for each.
template <class Items, class T, class Order>
struct noted_class {
  static constexpr bool is_total = true;
  splitters<T, Order> const* by;
  Items items;
  std::uint8_t* all;
  void note(index_t begin, index_t count) const {
    by->tell([this, begin](index_t i) -> T const& { return items.item(begin + i); }, count, all + begin);
  }
  std::uint8_t const* noted(index_t begin) const { return all + begin; }
};

/// One split by all workers of n records, the i-th of which is items(i). Counted when this is made.
template <class Record, class Items, class Order>
class split_by_splitters {
  using T = decltype(Record::item);
  using classify = noted_class<Items, T, Order>;
  using sink = scatter<256, Record, classify>;
  using work_type = scatter_work<generated<Items>, sink>;

 public:
  split_by_splitters(sort_workers const& on, memory const& from, Items const& items, index_t n, Order const& order,
                     std::uint8_t* told)
      : by_{order}, work_{work_of(on, items, n, {&by_, items, told}, starts_.data())} {
    choose_splitters<T, Order>(
        by_, order, [&](index_t i) -> T const& { return items.item(i); }, n, sample_for_all<T, Order>(n), usable(on.tuning.simd));
    passes_.emplace(work_, on.executor, from, on.count);
    work_type::starts_of(passes_->reduce().value, starts_.data());
  }
  split_by_splitters(split_by_splitters const&) = delete;

  /// Of scratch, for up to `most` items.
  static index_t scratch_bytes(sort_workers const& on, Items const& items, index_t most) {
    return two_passes<work_type>::bytes(work_of(on, items, most, {nullptr, items, nullptr}, nullptr), on.count);
  }

  int classes() const { return by_.classes(); }
  bool is_of_equals(int c) const { return by_.is_of_equals(c); }
  index_t begin(int c) const { return starts_[static_cast<std::size_t>(c)]; }
  index_t count(int c) const { return begin(c + 1) - begin(c); }

  /// Once. Scratch is given back.
  void move(Record* to) {
    work_.store_to(to);
    passes_->scan();
    passes_.reset();
  }

 private:
  static work_type work_of(sort_workers const& on, Items const& items, index_t n, classify const& by, index_t const* starts) {
    return {generated<Items>{items}, sink{nullptr, by, starts, {}}, n, scatter_items(on.tuning, n, sizeof(Record), on.count),
            n * static_cast<index_t>(sizeof(Record)) > stream_above(on.tuning)};
  }

  splitters<T, Order> by_;
  std::array<index_t, 257> starts_;
  work_type work_;
  std::optional<two_passes<work_type>> passes_;
};

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
