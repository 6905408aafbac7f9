// The order of few strings, by one thread of a CPU: what the rounds of sort_strings.hpp do, but one segment after another.
//
//   skip    a segment that its keys did not split: what all of it have in common
//   keys    of the strings of a segment: the next seven characters each
//   sort    keys with their strings: insertion, then merges
//   push    strings with equal keys that go on: a segment for later
//
// A segment of two to four strings is sorted by comparing them to their ends.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <lookback/strings_of.hpp>
#include <utility>

namespace lookback::detail {

/// `On` is there so that programs with code for several machines have this once for each.
template <class On>
class few_strings {
  struct keyed {
    std::uint64_t key;
    std::uint32_t string;
  };
  struct open_segment {
    index_t begin, end;
    string_segment has;
  };
  static constexpr index_t run = 16;      // by insertion; 8 and 4 take as long
  static constexpr index_t compared = 4;  // 2 to 4 strings take 0.8 to 0.9 of the time by keys; 5 took 1.4 times theirs

 public:
  /// For `most` strings; aligned as std::uint64_t is.
  static constexpr index_t scratch_bytes(index_t most) {
    return most / 2 * static_cast<index_t>(sizeof(open_segment)) + 2 * most * static_cast<index_t>(sizeof(keyed));
  }

  few_strings(strings_of const& of, bool falls, index_t most, std::byte* scratch)
      : of_{of},
        falls_{falls ? ~std::uint64_t{0} : 0},
        open_{reinterpret_cast<open_segment*>(scratch)},
        keys_{reinterpret_cast<keyed*>(open_ + most / 2)},
        aside_{keys_ + most} {}

  /// Leaves n >= 2 strings in order, which have `depth` characters in common. Equal ones stay as they are.
  void sort(std::uint32_t* strings, index_t n, index_t depth) {
    push({0, n, {depth, 0}});
    while (number_ > 0) {
      open_segment const s = open_[--number_];
      if (s.end - s.begin <= compared) insert_strings(strings + s.begin, s.end - s.begin, s.has.depth);
      else sort_segment(strings + s.begin, s);
    }
  }

 private:
  /// Segments that wait have no string in common, and two at least: so half as many as there are strings have room.
  void push(open_segment const& s) { open_[number_++] = s; }

  void insert_strings(std::uint32_t* strings, index_t n, index_t depth) const {
    for (index_t i = 1; i < n; ++i) {
      std::uint32_t const x = strings[i];
      index_t k = i;
      for (; k > 0 && is_before(x, strings[k - 1], depth); --k) strings[k] = strings[k - 1];
      strings[k] = x;
    }
  }
  bool is_before(std::uint32_t a, std::uint32_t b, index_t depth) const {
    index_t const common = of_.common(a, b, depth, strings_of::equal);
    return common != strings_of::equal && key(a, depth + common) < key(b, depth + common);
  }
  std::uint64_t key(std::uint32_t string, index_t depth) const { return of_.key(string, depth) ^ falls_; }

  void sort_segment(std::uint32_t* strings, open_segment const& s) {
    index_t const n = s.end - s.begin, common = s.has.looks > 0 ? common_of(strings, n, s.has) : 0;
    if (common == strings_of::equal) return;
    index_t const depth = s.has.depth + common, next_depth = depth + static_cast<index_t>(strings_of::step);
    for (index_t i = 0; i < n; ++i) keys_[i] = {key(strings[i], depth), strings[i]};
    keyed const* const sorted = sort_keys(n);
    index_t looks = 0;
    if (sorted[0].key == sorted[n - 1].key) looks = s.has.looks > 0 && common >= s.has.looks ? 4 * s.has.looks : first_looks;
    for (index_t i = 0, end = 0; i < n; i = end) {
      for (end = i; end < n && sorted[end].key == sorted[i].key; ++end) strings[end] = sorted[end].string;
      bool const goes_on = ((sorted[i].key ^ falls_) & 0xFF) == strings_of::goes_on;
      if (goes_on && end - i > 1) push({s.begin + i, s.begin + end, {next_depth, looks}});
    }
  }

  index_t common_of(std::uint32_t const* strings, index_t n, string_segment const& has) const {
    index_t common = strings_of::equal;
    for (index_t i = 1; i < n && common > 0; ++i)
      common = std::min(common, of_.common(strings[0], strings[i], has.depth, std::min(common, has.looks)));
    return common;
  }

  /// Sorts n keys, stably. Returns where they are.
  keyed const* sort_keys(index_t n) const {
    for (index_t i = 0; i < n; i += run) insert_keys(keys_ + i, std::min(run, n - i));
    keyed *from = keys_, *to = aside_;
    for (index_t length = run; length < n; length *= 2) {
      for (index_t i = 0; i < n; i += 2 * length) {
        index_t const middle = std::min(i + length, n);
        merge_keys(from + i, from + middle, from + std::min(middle + length, n), to + i);
      }
      std::swap(from, to);
    }
    return from;
  }
  static void insert_keys(keyed* keys, index_t n) {
    for (index_t i = 1; i < n; ++i) {
      keyed const x = keys[i];
      index_t k = i;
      for (; k > 0 && x.key < keys[k - 1].key; --k) keys[k] = keys[k - 1];
      keys[k] = x;
    }
  }
  /// Of two sorted runs that lie side by side, the second one no longer. Nobody foresees which item comes next, so no branch
  /// depends on it. Runs of one length are merged from both ends at once: each end takes as many items as a run has.
  static void merge_keys(keyed const* a, keyed const* middle, keyed const* end, keyed* to) {
    keyed const* b = middle;
    if (b == end || middle[-1].key <= b->key) {
      std::copy(a, end, to);
      return;
    }
    if (end - b == middle - a) {
      keyed const *last_a = middle - 1, *last_b = end - 1;
      for (keyed* last = to + (end - a) - 1; to < last; ++to, --last) {
        bool const is_b = b->key < a->key, is_last_a = last_b->key < last_a->key;
        *to = *(is_b ? b : a), *last = *(is_last_a ? last_a : last_b);
        b += is_b, a += !is_b, last_a -= is_last_a, last_b -= !is_last_a;
      }
      return;
    }
    while (a != middle && b != end) {
      bool const is_b = b->key < a->key;
      *to++ = *(is_b ? b : a);
      b += is_b, a += !is_b;
    }
    std::copy(b, end, std::copy(a, middle, to));
  }

  strings_of of_;
  std::uint64_t falls_;  // all ones turn the order of keys round
  open_segment* open_;
  keyed *keys_, *aside_;
  index_t number_ = 0;
};

}  // namespace lookback::detail
