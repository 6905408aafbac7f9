// Sparse matrices whose products are exact in any order, on the host and where a policy runs.
#pragma once
#include <cstdint>
#include <lookback/csr.hpp>
#include <string>
#include <type_traits>
#include <vector>

#include "array.hpp"
#include "random.hpp"

namespace harness {

/// Rows of these lengths, columns in any order and more than once, small integers as values: every sum is exact in any order.
template <class Value>
struct sparse {
  std::size_t columns = 0;
  std::vector<std::int64_t> offsets{0};
  std::vector<std::size_t> column_indices;
  std::vector<Value> values;
  std::size_t rows() const { return offsets.size() - 1; }
};

template <class Value>
Value small_value(generator& random) {
  auto const part = [&] { return static_cast<int>(random.below(7)) - 3; };
  if constexpr (std::is_arithmetic_v<Value>) return static_cast<Value>(part());
  else {
    auto const real = static_cast<typename Value::value_type>(part());
    return {real, static_cast<typename Value::value_type>(part())};
  }
}

template <class Value>
std::vector<Value> small_values(std::size_t n, std::uint64_t seed) {
  generator random(seed);
  std::vector<Value> values(n);
  for (auto& v : values) v = small_value<Value>(random);
  return values;
}

template <class Value>
sparse<Value> random_matrix_of(std::vector<std::size_t> const& lengths, std::size_t columns, std::uint64_t seed) {
  generator random(seed);
  sparse<Value> made;
  made.columns = columns;
  for (std::size_t const length : lengths) {
    for (std::size_t k = 0; k < length; ++k) {
      made.column_indices.push_back(random.below(columns));
      made.values.push_back(small_value<Value>(random));
    }
    made.offsets.push_back(static_cast<std::int64_t>(made.values.size()));
  }
  return made;
}

/// What a matrix is made of.
template <class Value, class Column, class Offset>
struct matrix_kind {
  using value = Value;
  using column = Column;
  using offset = Offset;
};

/// A matrix where the policy runs.
template <class Value, class Column, class Offset>
struct placed {
  std::size_t rows, columns;
  array<Offset> offsets;
  array<Column> column_indices;
  array<Value> values;
  explicit placed(sparse<Value> const& a, std::size_t misaligned = 0)
      : rows{a.rows()},
        columns{a.columns},
        offsets(std::vector<Offset>(a.offsets.begin(), a.offsets.end()), misaligned),
        column_indices(std::vector<Column>(a.column_indices.begin(), a.column_indices.end()), 2 * misaligned),
        values(a.values, 3 * misaligned) {}
  auto view() const {
    return lookback::csr_view{static_cast<lookback::index_t>(rows), static_cast<lookback::index_t>(columns), offsets,
                              column_indices, values};
  }
};

/// What Y = A X must be, of K columns side by side, as a plain loop: add and multiply may be those of any semiring.
template <class Value, class T, class Add, class Multiply>
std::vector<T> multiplied_rows(sparse<Value> const& a, std::vector<T> const& x, std::size_t k, T zero, Add add, Multiply multiply) {
  std::vector<T> y(a.rows() * k, zero);
  for (std::size_t r = 0; r < a.rows(); ++r)
    for (auto i = static_cast<std::size_t>(a.offsets[r]); i < static_cast<std::size_t>(a.offsets[r + 1]); ++i)
      for (std::size_t j = 0; j < k; ++j) y[r * k + j] = add(y[r * k + j], multiply(a.values[i], x[a.column_indices[i] * k + j]));
  return y;
}
template <class Value, class T>
std::vector<T> multiplied_rows(sparse<Value> const& a, std::vector<T> const& x, std::size_t k) {
  return multiplied_rows(
      a, x, k, T{}, [](T p, T q) { return static_cast<T>(p + q); }, [](Value p, T q) { return static_cast<T>(p * q); });
}

struct named_lengths {
  std::string name;
  std::vector<std::size_t> lengths;
  std::size_t columns;
};

inline std::vector<std::size_t> geometric_lengths(std::size_t rows, std::uint64_t mean, std::uint64_t seed) {
  generator random(seed);
  std::vector<std::size_t> lengths(rows);
  for (auto& l : lengths)
    while (random.below(mean + 1) != 0) ++l;
  return lengths;
}

/// A matrix most of whose nonzeros are in few columns, whose numbers have no order: the lower a drawn number, the more are drawn
/// below it.
template <class Value>
sparse<Value> power_law(std::size_t rows, std::size_t columns, std::uint64_t mean) {
  auto a = random_matrix_of<Value>(geometric_lengths(rows, mean, 5), columns, 8);
  generator random(11);
  for (auto& c : a.column_indices) c = random.below(1 + random.below(columns)) * 7919 % columns;
  return a;
}

inline std::vector<named_lengths> matrices() {
  std::vector<named_lengths> all;
  std::size_t const many = up_to(100'003);
  all.push_back({"no row", {}, 5});
  all.push_back({"one row, empty", {0}, 1});
  all.push_back({"one row of one", {1}, 1});
  all.push_back({"one row of all", {many}, 1000});
  all.push_back({"rows without a nonzero", std::vector<std::size_t>(many, 0), 3});
  all.push_back({"ten rows of very many", std::vector<std::size_t>(10, many / 10), many});
  all.push_back({"very many of ten", std::vector<std::size_t>(many / 10, 10), 10});
  for (std::size_t const length : {1, 5, 15, 16, 17, 63, 64, 65, 600})
    all.push_back({"rows of " + std::to_string(length), std::vector<std::size_t>(1 + many / length, length), 777});
  for (std::uint64_t const mean : {1, 3, 20, 300})
    all.push_back({"geometric, mean " + std::to_string(mean), geometric_lengths(many / mean, mean, mean), 4099});
  for (std::size_t const at : {std::size_t{0}, many / 20, many / 10 - 1}) {
    auto lengths = geometric_lengths(many / 10, 3, at);
    lengths[at] = many;
    all.push_back({"a row of very many among short ones, at " + std::to_string(at), lengths, 4099});
  }
  auto mostly_empty = geometric_lengths(many, 3, 9);
  for (std::size_t r = 0; r < mostly_empty.size(); ++r)
    if (r % 50 != 7 || (r > many / 3 && r < many / 2)) mostly_empty[r] = 0;
  all.push_back({"most rows empty", mostly_empty, 4099});
  return all;
}

}  // namespace harness
