#include "matrix_market.hpp"

#include <complex>

#include "build_rows.hpp"
#include "market_lines.hpp"
#include "memory_left.hpp"

namespace lookback::app {

namespace {

char const* stop(char const* at, market_part part, line_failure& why) {
  why = {at, part};
  return nullptr;
}

char const* take_value(char const* at, char const* end, std::int64_t& value, line_failure& why) {
  auto const* const behind = read_value(at, end, value);
  return behind ? behind : stop(at, market_part::value, why);
}
char const* take_value(char const* at, char const* end, double& value, line_failure& why) {
  auto const* const behind = read_value(at, end, value);
  return behind ? behind : stop(at, market_part::value, why);
}
char const* take_value(char const* at, char const* end, std::complex<double>& value, line_failure& why) {
  double real = 0, imaginary = 0;
  at = take_value(at, end, real, why);
  if (!at) return nullptr;
  at = skip_blanks(at);
  auto const* const behind = read_value(at, end, imaginary);
  value = {real, imaginary};
  return behind ? behind : stop(at, market_part::imaginary, why);
}

// The least value that a file of integers may hold: of a skew-symmetric one each has a negative.
std::int64_t least_integer(market_header const& of) {
  if (of.field == market_field::unsigned_integer) return 0;
  return std::numeric_limits<std::int64_t>::min() + (of.symmetry == market_symmetry::skew_symmetric);
}

/// "row column value", or "row column" of a pattern.
template <class Index, class T>
struct entry_line {
  using item = entry<Index, T>;
  index_t rows, columns;
  bool pattern, skew;
  std::int64_t least;

  char const* read(char const* at, char const* end, item& to, line_failure& why) const {
    index_t row = 0, column = 0;
    char const* token = at;
    if (!(at = read_index(token, rows, row))) return stop(token, market_part::row, why);
    token = skip_blanks(at);
    if (!(at = read_index(token, columns, column))) return stop(token, market_part::column, why);
    if (skew && row == column) return stop(token, market_part::diagonal, why);
    to.row = static_cast<Index>(row), to.column = static_cast<Index>(column);
    if (pattern) {
      to.value = T{1};
      return at;
    }
    token = skip_blanks(at);
    at = take_value(token, end, to.value, why);
    if constexpr (std::is_integral_v<T>)
      if (at && to.value < least) return stop(token, market_part::value, why);
    return at;
  }
  static unsigned side(item const& e) { return (e.column < e.row ? 1u : 0u) | (e.column > e.row ? 2u : 0u); }
};

/// A value of an array.
template <class T>
struct value_line {
  using item = T;
  std::int64_t least;

  char const* read(char const* at, char const* end, T& to, line_failure& why) const {
    char const* const token = at;
    at = take_value(at, end, to, why);
    if constexpr (std::is_integral_v<T>)
      if (at && to < least) return stop(token, market_part::value, why);
    return at;
  }
  static unsigned side(T const&) { return 0; }
};

template <class Index, class T>
auto read_entries(market_body const& body) {
  auto const& of = body.header;
  return read_lines(body, entry_line<Index, T>{of.rows, of.columns, of.field == market_field::pattern,
                                               of.symmetry == market_symmetry::skew_symmetric, least_integer(of)});
}

/// f(row, column, value) of each value of an array, in the order of the file: down the columns.
template <class T, class F>
void each_value(market_body const& body, F&& f) {
  auto const& of = body.header;
  bool const skew = of.symmetry == market_symmetry::skew_symmetric;
  auto const read = read_lines(body, value_line<T>{least_integer(of)});
  index_t row = skew ? 1 : 0, column = 0;
  for (auto const& piece : read)
    for (index_t i = 0; i < piece.n; ++i) {
      f(row, column, piece.items[static_cast<std::size_t>(i)]);
      if (++row < of.rows) continue;
      ++column;
      row = of.is_symmetric() ? column + skew : 0;
    }
}

/// f(std::type_identity<T>) with the type that the field's values get.
template <class F>
auto with_field(market_field field, F&& f) {
  switch (field) {
    case market_field::integer:
    case market_field::unsigned_integer:
      return f(std::type_identity<std::int64_t>{});
    case market_field::complex:
      return f(std::type_identity<std::complex<double>>{});
    default:
      return f(std::type_identity<double>{});
  }
}

constexpr index_t many = index_t{1} << 31;

/// f(std::type_identity<Offset>, std::type_identity<Index>) as the sizes need.
template <class F>
matrix with_indices(market_header const& of, index_t entries, F&& f) {
  using narrow = std::type_identity<std::int32_t>;
  using wide = std::type_identity<std::int64_t>;
  bool const wide_offsets = entries >= many, wide_columns = of.rows > many || of.columns > many;
  if (wide_offsets) return wide_columns ? f(wide{}, wide{}) : f(wide{}, narrow{});
  return wide_columns ? f(narrow{}, wide{}) : f(narrow{}, narrow{});
}

// The text itself, unless its first line ends in CR alone: then a copy with LF for each such CR. Only the first line is looked at:
// a search of the whole text would slow down every file.
std::string_view with_line_feeds(std::string_view text, std::string& held) {
  auto const end = std::min(text.find_first_of("\r\n"), text.size()), behind = text.find_first_not_of('\r', end);
  if (end == text.size() || text[end] == '\n' || (behind != std::string_view::npos && text[behind] == '\n')) return text;
  held = text;
  for (std::size_t i = end; i < held.size(); ++i)
    if (held[i] == '\r' && (i + 1 == held.size() || held[i + 1] != '\n')) held[i] = '\n';
  return held;
}

std::string place_of_sizes(market_body const& body) { return body.file + ": line " + text_of(body.header.size_line); }

std::string surplus_note(market_body const& body) {
  auto const& of = body.header;
  return place_of_sizes(body) + ": " + text_of(of.entries) + " entries in a matrix of " + text_of(of.rows) + " x " +
         text_of(of.columns) + ": duplicate entries were added up";
}

template <class Offset>
void expect_rows(market_body const& body) {
  auto const rows = static_cast<std::size_t>(body.header.rows);
  expect_memory(place_of_sizes(body), "a matrix of " + text_of(rows) + " rows", rows + 1, sizeof(Offset));
}

template <class T>
matrix read_coordinates(market_body const& body) {
  auto const& of = body.header;
  return with_indices(
      of, of.entries * (of.is_symmetric() ? 2 : 1),
      [&]<class Offset, class Index>(std::type_identity<Offset>, std::type_identity<Index>) {
        expect_rows<Offset>(body);
        auto entries = read_entries<Index, T>(body);
        unsigned sides = 0;
        for (auto const& piece : entries) sides |= piece.sides;
        auto made = build_rows<Offset>(of, body.file, std::move(entries), body.how.threads);
        if (of.is_symmetric() && sides == 3)
          made.notes.push_back(body.file +
                               ": symmetric, with entries on both sides of the diagonal: each entry also counts as its "
                               "mirror image, and duplicate entries were added up");
        else if (of.has_surplus()) made.notes.push_back(surplus_note(body));
        return made;
      });
}

template <class T>
matrix read_dense(market_body const& body) {
  auto const& of = body.header;
  index_t const n = of.rows * of.columns;  // no more than twice what the file holds
  return with_indices(of, n, [&]<class Offset, class Index>(std::type_identity<Offset>, std::type_identity<Index>) {
    expect_rows<Offset>(body);
    matrix made;
    made.rows = of.rows, made.columns = of.columns;
    made.offsets = make_array(element_of<Offset>(), of.rows + 1);
    made.column_indices = make_array(element_of<Index>(), n);
    made.values = make_array(element_of<T>(), n);
    made.from = made.offsets.from = made.column_indices.from = made.values.from = body.file;
    auto* const offsets = made.offsets.memory.as<Offset>();
    auto* const columns = made.column_indices.memory.as<Index>();
    auto* const values = made.values.memory.as<T>();
    for (index_t row = 0; row <= of.rows; ++row) offsets[row] = static_cast<Offset>(row * of.columns);
    for (index_t i = 0, column = 0; i < n; ++i, column = column + 1 == of.columns ? 0 : column + 1)
      columns[i] = static_cast<Index>(column);
    each_value<T>(body, [&](index_t row, index_t column, T value) {
      values[row * of.columns + column] = value;
      if (of.is_symmetric() && row != column) values[column * of.columns + row] = detail::mirrored(of.symmetry, value);
    });
    return made;
  });
}

}  // namespace

matrix read_matrix_market(std::string_view given, std::string const& file, reading const& how) {
  std::string held;
  auto const text = with_line_feeds(given, held);
  auto const header = parse_market_header(text, file);
  market_body const body(text, file, header, how);
  return with_field(header.field,
                    [&]<class T>(std::type_identity<T>) { return header.dense ? read_dense<T>(body) : read_coordinates<T>(body); });
}

array read_market_vector(std::string_view given, std::string const& file, reading const& how) {
  std::string held;
  auto const text = with_line_feeds(given, held);
  auto const header = parse_market_header(text, file);
  market_body const body(text, file, header, how);
  if (header.rows != 1 && header.columns != 1)
    refuse(file, "line " + text_of(header.size_line), "a matrix of " + text_of(header.rows) + " x " + text_of(header.columns),
           "a vector: one column or one row");
  index_t const n = header.rows * header.columns;
  return with_field(header.field, [&]<class T>(std::type_identity<T>) {
    expect_memory(place_of_sizes(body), "a vector of " + text_of(n), static_cast<std::size_t>(n), sizeof(T));
    array made = make_array(element_of<T>(), n);
    made.from = file;
    auto* const to = made.memory.as<T>();  // at row + column: one of them is 0
    auto const add = [&](index_t row, index_t column, T value) {
      if (!detail::add_to(to[row + column], value))
        refuse(file, "row " + text_of(row + 1) + ", column " + text_of(column + 1), "entries whose sum is too large",
               "a sum that is " + range_of<std::int64_t>());
    };
    if (header.has_surplus()) made.notes.push_back(surplus_note(body));
    if (header.dense) each_value<T>(body, [&](index_t row, index_t column, T value) { to[row + column] = value; });
    else
      for (auto const& piece : read_entries<index_t, T>(body))
        for (index_t i = 0; i < piece.n; ++i) {
          auto const& e = piece.items[static_cast<std::size_t>(i)];
          add(e.row, e.column, e.value);
        }
    return made;
  });
}

}  // namespace lookback::app
