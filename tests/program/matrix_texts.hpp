// Matrices as texts that a test can compare, a reader of Matrix Market that is slow and obvious, and what its tests share.
#pragma once
#include <gmock/gmock.h>
#include <zlib.h>

#include <cctype>
#include <complex>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "io/matrix.hpp"
#include "io/numbers.hpp"

namespace matrix_texts {

using namespace lookback;
using namespace lookback::app;

template <class T>
std::string shown_value(T const& value) {
  if constexpr (std::is_arithmetic_v<T>) return text_of(value);
  else return text_of(value.real()) + (std::signbit(value.imag()) ? "" : "+") + text_of(value.imag()) + "i";
}

inline index_t index_in(array const& of, index_t i) {
  auto const at = static_cast<std::size_t>(i);
  return of.type == element::i32 ? of.as<std::int32_t>()[at] : of.as<std::int64_t>()[at];
}

/// "2 x 3 of f64: 1,1=5 2,3=7", in the order in which they stand; bits of values show, but for those of a NaN.
inline std::string shown(matrix const& m) {
  std::string text = text_of(m.rows) + " x " + text_of(m.columns) + " of " + dispatch::name_of(m.values.type) + ":";
  if (m.offsets.n != m.rows + 1 || index_in(m.offsets, 0) != 0 || m.column_indices.n != m.values.n) return text + " broken";
  with_matrix_type(m.values.type, [&]<class T>(std::type_identity<T>) {
    for (index_t row = 0; row < m.rows; ++row)
      for (index_t k = index_in(m.offsets, row); k < index_in(m.offsets, row + 1); ++k)
        text += " " + text_of(row + 1) + "," + text_of(index_in(m.column_indices, k) + 1) + "=" +
                shown_value(m.values.as<T>()[static_cast<std::size_t>(k)]);
  });
  return index_in(m.offsets, m.rows) == m.nonzeros() ? text : text + " broken";
}

/// "3 of f64: 1 0 2"
inline std::string shown(array const& a) {
  std::string text = text_of(a.n) + " of " + dispatch::name_of(a.type) + ":";
  with_matrix_type(a.type, [&]<class T>(std::type_identity<T>) {
    for (auto const& value : a.as<T>()) text += " " + shown_value(value);
  });
  return text;
}

/// What shown() must say of a valid file: words one by one, entries in a map.
template <class T>
std::string shown_by_reference(std::string const& text) {
  std::istringstream lines(text);
  std::string line;
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rest;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::vector<std::string> of{std::istream_iterator<std::string>(words), {}};
    if (head.empty()) {
      for (auto& word : of)
        for (char& c : word) c = static_cast<char>(std::tolower(c));
      head = of;
    } else if (!of.empty() && of[0][0] != '%') {
      rest.push_back(of);
    }
  }
  index_t const rows = std::stoll(rest[0][0]), columns = std::stoll(rest[0][1]);
  std::map<std::pair<index_t, index_t>, T> entries;
  auto const add = [&](index_t row, index_t column, T value) {
    auto const [at, is_new] = entries.insert({{row, column}, value});
    if (!is_new) at->second += value;
  };
  auto const add_both = [&](index_t row, index_t column, T value) {
    add(row, column, value);
    if (row == column || head[4] == "general") return;
    if (head[4] == "skew-symmetric") value = -value;
    if constexpr (!std::is_arithmetic_v<T>)
      if (head[4] == "hermitian") value = std::conj(value);
    add(column, row, value);
  };
  auto const value_of = [&](std::vector<std::string> const& words, std::size_t at) -> T {
    if (head[3] == "pattern") return T{1};
    if constexpr (std::is_integral_v<T>) return std::stoll(words[at]);
    else if constexpr (std::is_same_v<T, double>) return std::strtod(words[at].c_str(), nullptr);
    else return {std::strtod(words[at].c_str(), nullptr), std::strtod(words[at + 1].c_str(), nullptr)};
  };
  std::size_t next = 1;
  if (head[2] == "coordinate")
    for (; next < rest.size(); ++next) add_both(std::stoll(rest[next][0]), std::stoll(rest[next][1]), value_of(rest[next], 2));
  else
    for (index_t column = 1; column <= columns; ++column)
      for (index_t row = head[4] == "general" ? 1 : head[4] == "skew-symmetric" ? column + 1 : column; row <= rows; ++row)
        add_both(row, column, value_of(rest[next++], 0));
  if (head[2] == "array" && head[4] == "skew-symmetric")
    for (index_t row = 1; row <= rows; ++row) add(row, row, T{});
  std::string made = text_of(rows) + " x " + text_of(columns) + " of " + dispatch::name_of(element_of<T>()) + ":";
  for (auto const& [place, value] : entries)
    made += " " + text_of(place.first) + "," + text_of(place.second) + "=" + shown_value(value);
  return made;
}

/// What zlib makes of a text: behind a gzip header, or, with -MAX_WBITS, as it stands in an archive.
inline std::string compressed(std::string const& text, int window_bits = 16 + MAX_WBITS) {
  std::string made(compressBound(text.size()) + 64, '\0');
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, window_bits, 9, Z_DEFAULT_STRATEGY);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(made.data());
  stream.avail_out = static_cast<uInt>(made.size());
  deflate(&stream, Z_FINISH);
  made.resize(stream.total_out);
  deflateEnd(&stream);
  return made;
}

/// `call` throws an E whose text holds every one of `named`.
template <class E, class F>
void throws(F&& call, std::vector<std::string> const& named) {
  try {
    call();
    ADD_FAILURE() << "not refused; expected: " << ::testing::PrintToString(named);
  } catch (E const& e) {
    for (auto const& text : named) EXPECT_THAT(e.what(), ::testing::HasSubstr(text));
  }
}

}  // namespace matrix_texts
