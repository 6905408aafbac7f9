// Entries in any order become compressed sparse rows.
//
//   1. entries are dealt to buckets, each of some rows next to each other, stably
//   2. a bucket, which fits into a cache, is dealt to its rows by counting
//   3. a row whose columns do not rise is sorted, stably; entries of one place are added up
// Threads share pieces of the input in 1 and buckets in 2 and 3. The result does not depend on how many there are: what is added
// up is added in the order of the file.
#pragma once
#include <algorithm>
#include <bit>
#include <complex>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "market_header.hpp"
#include "market_lines.hpp"
#include "matrix.hpp"
#include "memory_left.hpp"

namespace lookback::app {

template <class Index, class T>
struct entry {
  Index row, column;
  T value;
};

namespace detail {

/// What stands on the other side of the diagonal for a value.
template <class T>
T mirrored(market_symmetry symmetry, T value) {
  if (symmetry == market_symmetry::skew_symmetric) return -value;
  if constexpr (!std::is_arithmetic_v<T>)
    if (symmetry == market_symmetry::hermitian) return std::conj(value);
  return value;
}

/// f(entry) for each entry and, in a symmetric matrix, each entry's other.
template <class Index, class T, class F>
void each_entry(market_items<entry<Index, T>> const& in, market_symmetry symmetry, F&& f) {
  for (index_t i = 0; i < in.n; ++i) {
    auto const& e = in.items[static_cast<std::size_t>(i)];
    f(e);
    if (symmetry != market_symmetry::general && e.row != e.column) f(entry<Index, T>{e.column, e.row, mirrored(symmetry, e.value)});
  }
}

/// Rows [bucket << bits, (bucket + 1) << bits) are those of a bucket.
struct row_buckets {
  int bits;
  index_t rows, buckets;
  row_buckets(index_t of_rows, index_t entries) : rows{of_rows} {
    constexpr index_t most = 512;  // as many lines of a cache are written at a time
    constexpr index_t work = 1 << 16;
    index_t const wanted = std::clamp<index_t>(std::max(entries, rows) / work, 1, most);
    bits = std::bit_width(static_cast<std::uint64_t>(rows / wanted));  // 2^bits > rows / wanted
    buckets = rows == 0 ? 0 : ((rows - 1) >> bits) + 1;
  }
  index_t first_row(index_t bucket) const { return std::min(bucket << bits, rows); }
};

template <class T>
bool add_to(T& sum, T value) {
  if constexpr (std::is_integral_v<T>) return !__builtin_add_overflow(sum, value, &sum);
  sum += value;
  return true;
}

template <class Column, class T>
void sort_row(Column* columns, T* values, std::size_t n) {
  constexpr std::size_t few = 24;
  if (n <= few) {
    for (std::size_t i = 1; i < n; ++i) {
      Column const column = columns[i];
      T const value = values[i];
      auto k = i;
      for (; k > 0 && columns[k - 1] > column; --k) columns[k] = columns[k - 1], values[k] = values[k - 1];
      columns[k] = column, values[k] = value;
    }
    return;
  }
  struct pair {
    Column column;
    T value;
  };
  auto const pairs = std::make_unique_for_overwrite<pair[]>(n);
  for (std::size_t i = 0; i < n; ++i) pairs[i] = {columns[i], values[i]};
  std::stable_sort(pairs.get(), pairs.get() + n, [](pair const& a, pair const& b) { return a.column < b.column; });
  for (std::size_t i = 0; i < n; ++i) columns[i] = pairs[i].column, values[i] = pairs[i].value;
}

/// A place whose sum does not fit its type.
struct overflowed {
  index_t row, column;
};

/// Sorts rows [first, last) and adds up what has one place, so that the rows stand at the front of where they were. In and out:
/// offsets[r + 1] is where row r ends. Returns where the last one does; of no use once `overflow` is set.
template <class Offset, class Column, class T>
index_t settle_rows(index_t first, index_t last, index_t begin, Offset* offsets, Column* columns, T* values,
                    std::optional<overflowed>& overflow) {
  index_t to = begin;
  for (index_t row = first; row < last; ++row) {
    index_t const end = offsets[row + 1];
    if (std::adjacent_find(columns + begin, columns + end, std::greater<>()) != columns + end)
      sort_row(columns + begin, values + begin, static_cast<std::size_t>(end - begin));
    if (to == begin && std::adjacent_find(columns + begin, columns + end) == columns + end) {
      to = end;
    } else {
      index_t const row_begin = to;
      for (index_t i = begin; i < end; ++i) {
        if (to != row_begin && columns[to - 1] == columns[i]) {
          if (!add_to(values[to - 1], values[i])) overflow = overflow.value_or(overflowed{row, columns[i]});
        } else {
          columns[to] = columns[i], values[to++] = values[i];
        }
      }
    }
    begin = end;
    offsets[row + 1] = static_cast<Offset>(to);
  }
  return to;
}

/// Entries of a bucket to its rows. offsets[r + 1] of its rows are 0 before, then where row r ends.
template <class Offset, class Index, class T>
void deal_to_rows(std::span<entry<Index, T> const> in, index_t first, index_t last, index_t begin, Offset* offsets, Index* columns,
                  T* values) {
  for (auto const& e : in) ++offsets[static_cast<index_t>(e.row) + 1];
  auto at = static_cast<Offset>(begin);
  for (index_t row = first; row < last; ++row) at += std::exchange(offsets[row + 1], at);
  for (auto const& e : in) {  // until it ends, offsets[r + 1] is where row r goes on
    auto const to = offsets[static_cast<index_t>(e.row) + 1]++;
    columns[to] = e.column, values[to] = e.value;
  }
}

}  // namespace detail

/// The rows of a matrix of the header's sizes and symmetry. `in` is given back on the way. Offsets are of type Offset, which must
/// hold the number of entries.
template <class Offset, class Index, class T>
matrix build_rows(market_header const& header, std::string const& file, std::vector<market_items<entry<Index, T>>> in,
                  int threads) {
  // How many go from each piece to each bucket, then where.
  index_t const stored =
      std::accumulate(in.begin(), in.end(), index_t{0}, [](index_t n, auto const& items) { return n + items.n; });
  detail::row_buckets const buckets(header.rows, stored);
  auto const pieces = static_cast<index_t>(in.size());
  auto const width = static_cast<std::size_t>(buckets.buckets);
  std::vector<index_t> goes(in.size() * width);
  each_piece(threads, pieces, [&](index_t piece) {
    auto* const count = goes.data() + static_cast<std::size_t>(piece) * width;
    detail::each_entry(in[static_cast<std::size_t>(piece)], header.symmetry,
                       [&](auto const& e) { ++count[e.row >> buckets.bits]; });
  });
  std::vector<index_t> begins(width + 1);
  index_t n = 0;
  for (std::size_t bucket = 0; bucket < width; ++bucket) {
    begins[bucket] = n;
    for (std::size_t piece = 0; piece < in.size(); ++piece) n += std::exchange(goes[piece * width + bucket], n);
  }
  begins[width] = n;

  host_memory const dealt(static_cast<std::size_t>(n) * sizeof(entry<Index, T>));
  auto* const entries = dealt.as<entry<Index, T>>();
  each_piece(threads, pieces, [&](index_t piece) {
    auto* const to = goes.data() + static_cast<std::size_t>(piece) * width;
    auto& items = in[static_cast<std::size_t>(piece)];
    detail::each_entry(items, header.symmetry, [&](auto const& e) { entries[to[e.row >> buckets.bits]++] = e; });
    items.items.reset();
  });

  matrix made;
  made.rows = header.rows, made.columns = header.columns;
  made.from = file;
  made.offsets = make_array(element_of<Offset>(), header.rows + 1);
  made.column_indices = make_array(element_of<Index>(), n);
  made.values = make_array(element_of<T>(), n);
  auto* const offsets = made.offsets.memory.template as<Offset>();
  auto* const columns = made.column_indices.memory.template as<Index>();
  auto* const values = made.values.memory.template as<T>();
  std::vector<index_t> ends(width);
  std::vector<std::optional<detail::overflowed>> overflows(width);
  each_piece(threads, buckets.buckets, [&](index_t bucket) {
    auto const b = static_cast<std::size_t>(bucket);
    index_t const first = buckets.first_row(bucket), last = buckets.first_row(bucket + 1);
    std::span<entry<Index, T> const> const its(entries + begins[b], entries + begins[b + 1]);
    detail::deal_to_rows(its, first, last, begins[b], offsets, columns, values);
    ends[b] = detail::settle_rows(first, last, begins[b], offsets, columns, values, overflows[b]);
  });
  for (auto const& at : overflows)
    if (at)
      refuse(file, "row " + text_of(at->row + 1) + ", column " + text_of(at->column + 1), "entries whose sum is too large",
             "a sum that is " + range_of<std::int64_t>());

  // Where entries were added up there are gaps between buckets.
  index_t to = 0;
  for (std::size_t b = 0; b < width; ++b) {
    index_t const gap = begins[b] - to;
    if (gap != 0) {
      std::copy(columns + begins[b], columns + ends[b], columns + to);
      std::copy(values + begins[b], values + ends[b], values + to);
      auto const bucket = static_cast<index_t>(b);
      for (index_t row = buckets.first_row(bucket); row < buckets.first_row(bucket + 1); ++row)
        offsets[row + 1] -= static_cast<Offset>(gap);
    }
    to += ends[b] - begins[b];
  }
  for (array* const of : {&made.column_indices, &made.values}) of->n = to, of->shape = {to}, of->from = file;
  made.offsets.from = file;
  return made;
}

}  // namespace lookback::app
