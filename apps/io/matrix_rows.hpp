// Compressed sparse rows of two rules: how long each row is, and what its columns are.
#pragma once
#include <limits>
#include <span>

#include "generate/matrix_values.hpp"
#include "parallel.hpp"

namespace lookback::app {

/// Throws usage_error naming the option whose value is not from low to high.
inline void expect_between(char const* option, index_t found, index_t low, index_t high) {
  if (found < low || found > high)
    throw usage_error(std::string(option) + ": found " + text_of(found) + ", expected " + text_of(low) + " to " + text_of(high));
}
inline constexpr index_t most_rows = index_t{1} << 40;  // rows times columns can be beyond 2^63: see expect_countable

/// Throws out_of_memory where about so many nonzeros could not even be counted.
inline void expect_countable(double nonzeros) {
  if (!(nonzeros < 0x1p60)) throw out_of_memory("no memory for " + text_of(nonzeros) + " nonzeros");
}

/// Where the nonzeros of a row begin; those of row `rows` at the end of all.
inline index_t offset_at(array const& offsets, index_t row) {
  return offsets.type == element::i32 ? reinterpret_cast<std::int32_t const*>(offsets.data)[row]
                                      : reinterpret_cast<std::int64_t const*>(offsets.data)[row];
}
inline index_t offset_at(matrix const& of, index_t row) { return offset_at(of.offsets, row); }

/// Calls f(pointer) with the column indices, i32 or i64; those of a matrix that is no constant are its own, to be written.
template <class F>
void with_columns(matrix& of, F&& f) {
  if (of.column_indices.type == element::i32) f(of.column_indices.memory.as<std::int32_t>());
  else f(of.column_indices.memory.as<std::int64_t>());
}
template <class F>
void with_columns(matrix const& of, F&& f) {
  if (of.column_indices.type == element::i32) f(reinterpret_cast<std::int32_t const*>(of.column_indices.data));
  else f(reinterpret_cast<std::int64_t const*>(of.column_indices.data));
}

/// rows + 1 offsets, of i64 where there are 2^31 nonzeros or more. length_of(row) is pure, and called more than once.
template <class LengthOf>
array offsets_of_rows(index_t rows, int threads, LengthOf const& length_of) {
  array made = make_array(element::i32, rows + 1);  // too many rows are found before anything is drawn
  // Blocks of rows are measured first, so that each can then write its offsets by itself.
  constexpr index_t block = 4096;
  index_t const blocks = (rows + block - 1) / block;
  std::vector<index_t> before(static_cast<std::size_t>(blocks) + 1);
  auto const each_block = [&](auto const& work) {
    in_parts(
        blocks, threads,
        [&](index_t begin, index_t end) {
          for (index_t b = begin; b < end; ++b) work(static_cast<std::size_t>(b), b * block, std::min(rows, (b + 1) * block));
        },
        1);
  };
  each_block([&](std::size_t b, index_t row, index_t end) {
    for (; row < end; ++row) before[b + 1] += length_of(row);
  });
  for (std::size_t b = 1; b < before.size(); ++b) before[b] += before[b - 1];
  if (before.back() > std::numeric_limits<std::int32_t>::max()) made = make_array(element::i64, rows + 1);
  auto const write = [&](auto* offsets) {
    using offset = std::remove_reference_t<decltype(*offsets)>;
    each_block([&](std::size_t b, index_t row, index_t end) {
      for (index_t at = before[b]; row < end; ++row) offsets[row + 1] = static_cast<offset>(at += length_of(row));
    });
  };
  if (made.type == element::i32) write(made.memory.as<std::int32_t>());
  else write(made.memory.as<std::int64_t>());
  return made;
}

/// Offsets and columns; values are the caller's to make.
///   length_of(row)       pure, called more than once
///   fill(row, columns)   writes them to a span of i32 or i64 of that length
template <class LengthOf, class Fill>
matrix matrix_of_rows(index_t rows, index_t columns, generation const& how, LengthOf const& length_of, Fill const& fill) {
  expect_value_type(how.type);
  matrix made;
  made.rows = rows, made.columns = columns;
  made.offsets = offsets_of_rows(rows, how.threads, length_of);
  bool const wide = columns > index_t{1} << 31;
  made.column_indices = make_array(wide ? element::i64 : element::i32, offset_at(made, rows));
  with_columns(made, [&](auto* out) {
    in_parts(rows, how.threads, [&](index_t begin, index_t end) {
      // From the last, so that what a wrong rule writes behind its row is not covered by the next one, but seen.
      for (index_t row = end; row-- > begin;) {
        index_t const first = offset_at(made, row);
        fill(row, std::span(out + first, static_cast<std::size_t>(offset_at(made, row + 1) - first)));
      }
    });
  });
  return made;
}

}  // namespace lookback::app
