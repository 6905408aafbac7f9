// One split of a sort by all workers: 256 classes of numbers, each greater than the one before.
//
//   sample   a few numbers say how far all of them probably reach
//   class    number >> shift, counted from the least of the sample on. One more holds what lies below the sample, and one what lies
//            above. Where no more than 256 are possible there is nothing outside
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "../../sink.hpp"
#include "../../source.hpp"
#include "../engine/scatter_into.hpp"
#include "../engine/strategies.hpp"
#include "../simd/unit.hpp"
#include "../sinks/scatter.hpp"
#include "gather.hpp"
#include "in_cache.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

/// Numbers lie in [least, most].
template <class Word>
struct number_range {
  Word least, most;
};

template <class Reader>
struct number_class {
  using bits = sorted_bits<Reader>;
  using word = typename bits::word;
  static constexpr int classes = 256;
  static constexpr bool is_total = true;

  bits of;
  int shift = 0;
  word first = 0;                     // number >> shift of class 0
  bool below = false, above = false;  // class 0 is also for what lies below it, the last one for what lies above

  template <class Record>
  int operator()(Record const& r) const {
    word const at = std::max(static_cast<word>(of(r) >> shift), first) - first;
    return static_cast<int>(std::min<word>(at, classes - 1));
  }
  bool is_outside(int c) const { return c == 0 ? below : c == classes - 1 && above; }
  /// Numbers of class c, where all lie in `all`.
  number_range<word> range_of(int c, number_range<word> const& all) const {
    word const least = static_cast<word>((first + static_cast<word>(c)) << shift),
               most = static_cast<word>(least + ((word{1} << shift) - 1));
    return {c == 0 && below ? all.least : least, c == classes - 1 && above ? all.most : most};
  }
};

/// Classes that divide evenly what most of a sample of n items reaches over: the few that are far from the others are outside. With
/// `whole` they divide all of the range.
template <class Items, class Reader, class Word>
number_class<Reader> sampled_classes(Items const& items, index_t n, sorted_bits<Reader> const& of, number_range<Word> const& all,
                                     bool whole) {
  constexpr Word classes = number_class<Reader>::classes;
  constexpr std::size_t largest = 1024;
  Word sample[largest], least = all.least, most = all.most;
  if (!whole) {
    std::size_t const number = std::clamp<std::size_t>(static_cast<std::size_t>(n / 512), 64, largest), few = number / 64;
    std::uint64_t state = 0x9e3779b97f4a7c15;
    for (std::size_t k = 0; k < number; ++k) {
      state = state * 6364136223846793005 + 1442695040888963407;
      sample[k] = of(items(static_cast<index_t>((state >> 16) % static_cast<std::uint64_t>(n))));
    }
    std::sort(sample, sample + number);
    least = sample[few], most = sample[number - 1 - few];
  }
  for (int shift = 0;; ++shift) {
    auto const at = [=](Word x) { return static_cast<Word>(x >> shift); };
    if (at(all.most) - at(all.least) < classes) return {of, shift, at(all.least), false, false};
    if (at(most) - at(least) >= classes - 2) continue;
    bool const below = at(least) > at(all.least);
    Word const first = static_cast<Word>(at(least) - (below ? 1 : 0));
    return {of, shift, first, below, at(all.most) - first >= classes};
  }
}

/// n records, the i-th of which is items(i). Counted when this is made.
template <class Record, class Reader, class Items>
class split_by_sample {
  using classify = number_class<Reader>;
  using word = typename classify::word;
  using source = generated<Items>;
  using sink = scatter<classify::classes, Record, classify>;
  using work_type = scatter_work<source, sink>;

 public:
  static constexpr int classes = classify::classes;

  /// All numbers lie in `all`, and with `whole` reach over all of it. Scratch comes from `from`.
  split_by_sample(sort_workers const& on, memory const& from, Items const& items, index_t n, sorted_bits<Reader> const& of,
                  number_range<word> const& all, bool whole)
      : all_{all}, class_of_{sampled_classes(items, n, of, all, whole)}, work_{work_of(on, items, n, class_of_, starts_.data())} {
    passes_.emplace(work_, on.executor, from, on.count);
    work_type::starts_of(passes_->reduce().value, starts_.data());
  }
  split_by_sample(split_by_sample const&) = delete;

  /// Of scratch, for up to `most` items.
  static index_t scratch_bytes(sort_workers const& on, Items const& items, index_t most) {
    return two_passes<work_type>::bytes(work_of(on, items, most, {}, nullptr), on.count);
  }

  index_t begin(int c) const { return starts_[static_cast<std::size_t>(c)]; }
  index_t count(int c) const { return begin(c + 1) - begin(c); }
  index_t largest() const {
    index_t most = 0;
    for (int c = 0; c < classes; ++c) most = std::max(most, count(c));
    return most;
  }
  number_range<word> range_of(int c) const { return class_of_.range_of(c, all_); }
  bool is_outside(int c) const { return class_of_.is_outside(c); }
  /// Is there but one number in every class?
  bool tells_all() const { return class_of_.shift == 0 && !class_of_.below && !class_of_.above; }

  /// Once. Scratch is given back.
  void move(Record* to) {
    work_.store_to(to);
    passes_->scan();
    passes_.reset();
  }

 private:
  static work_type work_of(sort_workers const& on, Items const& items, index_t n, classify const& by, index_t const* starts) {
    return {source{items}, sink{nullptr, by, starts, {}}, n, scatter_items(on.tuning, n, sizeof(Record), on.count),
            n * static_cast<index_t>(sizeof(Record)) > stream_above(on.tuning)};
  }

  number_range<word> all_;
  classify class_of_;
  std::array<index_t, static_cast<std::size_t>(classes + 1)> starts_;
  work_type work_;
  std::optional<two_passes<work_type>> passes_;
};

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
