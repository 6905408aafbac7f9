// The sort of more records than a cache holds: all workers split them; then each part is one worker's. A part that would keep one
// worker busy longer than the others together is split by all of them again.
//
// Scratch for all of it is had when the first split has been counted, before anything but scratch is written.
#pragma once
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <numeric>

#include "../run/memory.hpp"
#include "../simd/unit.hpp"
#include "gather.hpp"
#include "in_cache.hpp"
#include "reserved_memory.hpp"
#include "split_by_sample.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

/// Records that lie in memory.
template <class Record>
struct records_at {
  Record const* data;
  Record operator()(index_t i) const { return data[i]; }
};

template <class Record, class Reader>
class part_sorter {
  using bits = sorted_bits<Reader>;
  using word = typename bits::word;
  using range = number_range<word>;
  using split_again = split_by_sample<Record, Reader, records_at<Record>>;
  static constexpr index_t size = sizeof(Record);

 public:
  part_sorter(sort_workers const& on, bits const& of, sorted_records<Record> const& sorted)
      : on_{on}, of_{of}, sorted_{sorted}, sorter_{of, sorted} {}

  /// All the scratch that a sort of n items takes, at most; each piece in whole lines.
  template <class Items>
  static index_t scratch_bytes(sort_workers const& on, Items const& items, index_t n) {
    index_t const own = std::min(n, most_alone(on, n, size)) * on.count;
    return split_by_sample<Record, Reader, Items>::scratch_bytes(on, items, n) + 2 * whole_lines(n * size) +
           whole_lines(own * size) + whole_lines(split_again::scratch_bytes(on, {nullptr}, n));
  }

  /// items(i) is the record of item i, for n > 0 of them. False if all have one number: then nothing is stored.
  template <class Items>
  bool sort(Items const& items, index_t n) {
    split_by_sample<Record, Reader, Items> split{on_, on_.memory, items, n, of_, {0, of_.mask}, false};
    index_t const largest = split.largest();
    if (largest == n) return false;
    if (sorted_.are_numbers && split.tells_all()) {
      lookback::detail::observe_way("counted, then written", "there are so few different numbers that each has a class of its own");
      return fill(split, n), true;
    }
    lookback::detail::observe_way("split by all workers, parts sorted in their caches",
                                  "the records are more than one worker sorts in its cache", 0, 0, sorted_.are_numbers ? 3 : 0,
                                  sorted_.are_numbers ? 2 : 0);
    most_ = most_alone(on_, n, size);
    own_size_ = std::min(largest, most_);
    index_t const large = largest > most_ ? largest : 0;
    scratch<Record> const records{on_.memory, n}, elsewhere{on_.memory, large}, own{on_.memory, own_size_ * on_.count};
    index_t const more = large > 0 ? split_again::scratch_bytes(on_, {nullptr}, large) : 0;
    scratch<std::byte> const bytes{on_.memory, more};
    reserved_memory reserved{bytes.data(), more};
    own_ = own.data(), reserved_ = &reserved;
    split.move(records.data());
    sort_parts(split, records.data(), 0, [&](index_t) { return elsewhere.data(); });
    return true;
  }

 private:
  /// The parts of a split, whose records lie from `records` on. `elsewhere(begin)` is as much memory as the part has that begins
  /// there.
  template <class Split, class Elsewhere>
  void sort_parts(Split const& split, Record* records, index_t at, Elsewhere const& elsewhere) {
    constexpr int classes = Split::classes;
    std::array<std::uint8_t, static_cast<std::size_t>(classes)> order;
    std::iota(order.begin(), order.end(), std::uint8_t{0});
    std::sort(order.begin(), order.end(), [&](int a, int b) { return split.count(a) > split.count(b); });
    int large = 0, all = 0;
    for (int c = 0; c < classes; ++c) large += split.count(c) > most_, all += split.count(c) > 0;
    for (int k = 0; k < large; ++k) {
      int const c = order[static_cast<std::size_t>(k)];
      index_t const begin = split.begin(c);
      range r = split.range_of(c);
      if (split.is_outside(c)) r = range_of(records + begin, split.count(c));
      sort_large(records + begin, elsewhere(begin), split.count(c), r, split.is_outside(c), at + begin);
    }
    on_.each_tile(all - large, 1, [&](int worker, index_t k, index_t) {
      int const c = order[static_cast<std::size_t>(large + k)];
      range const r = split.range_of(c);
      index_t const begin = split.begin(c);
      sorter_.sort(records + begin, own_ + own_size_ * worker, split.count(c), width_of(static_cast<word>(r.least ^ r.most)),
                   at + begin);
    });
  }

  /// n numbers of which it is known how many there are of each.
  template <class Split>
  void fill(Split const& split, index_t n) const {
    on_.each_tile(n, on_.tile_of(size), [&](int, index_t begin, index_t end) {
      std::array<Record, static_cast<std::size_t>(1024 / size)> some;
      for (int c = 0; c < Split::classes; ++c) {
        index_t const last = std::min(end, split.begin(c + 1));
        index_t at = std::max(begin, split.begin(c));
        if (at < last) some.fill(bits::template record_of_number<Record>(split.range_of(c).least));
        for (index_t m; at < last; at += m) sorted_(some.data(), m = std::min<index_t>(last - at, some.size()), at);
      }
    });
  }

  /// m records, whose numbers lie in r, and with `whole` reach over all of it.
  void sort_large(Record* from, Record* to, index_t m, range const& r, bool whole, index_t at) {
    if (r.least != r.most) {
      split_again split{on_, reserved_->pieces(), {from}, m, of_, r, whole};
      if (split.largest() < m) {
        split.move(to);
        return sort_parts(split, to, at, [&](index_t begin) { return from + begin; });
      }
    }
    on_.each_tile(m, on_.tile_of(size), [&](int, index_t begin, index_t end) { sorted_(from + begin, end - begin, at + begin); });
  }

  /// What the numbers of m > 0 records reach over, exactly: so the next split of them has nothing outside.
  range range_of(Record const* from, index_t m) const {
    std::atomic<word> least{of_.mask}, most{0};
    on_.each_tile(m, on_.tile_of(size), [&](int, index_t begin, index_t end) {
      range here{of_.mask, 0};
      for (index_t i = begin; i < end; ++i) {
        word const x = of_(from[i]);
        here.least = std::min(here.least, x), here.most = std::max(here.most, x);
      }
      for (word seen = least; here.least < seen && !least.compare_exchange_weak(seen, here.least);) {
      }
      for (word seen = most; here.most > seen && !most.compare_exchange_weak(seen, here.most);) {
      }
    });
    return {least, most};
  }

  sort_workers on_;
  bits of_;
  sorted_records<Record> sorted_;
  in_cache<Record, Reader> sorter_;
  index_t most_ = 0, own_size_ = 0;  // items of a part that is one worker's, and room for them
  Record* own_ = nullptr;
  reserved_memory* reserved_ = nullptr;
};

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
