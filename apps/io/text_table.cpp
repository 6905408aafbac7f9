#include "text_table.hpp"

#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>

#include "memory_left.hpp"
#include "report/progress.hpp"
#include "text_records.hpp"
#include "workers.hpp"

namespace lookback::app {

namespace {

std::string_view text_at(key_column const& column, index_t row) {
  auto const* const begins = column.begins.as<index_t>().data();
  return std::string_view(column.characters)
      .substr(static_cast<std::size_t>(begins[row]), static_cast<std::size_t>(begins[row + 1] - begins[row]));
}

std::string line_of_row(std::string_view text, std::string const& file, text_layout const& of, index_t row) {
  text_records records(text, of.delimiter, of.comments, file);
  for (index_t i = of.header ? -1 : 0; i <= row; ++i) records.next(0);
  return "line " + text_of(records.line());
}

// What stands against all fields being numbers of type T.
enum class obstacle { none, no_number, too_large };

// Where a field is too large for T, the first such row goes to `where`; one that is no number counts for more.
template <class T>
obstacle read_numbers(key_column const& column, index_t rows, int threads, array& numbers, index_t& where) {
  numbers = make_array(element_of<T>(), rows);
  T* const out = numbers.memory.as<T>();
  std::atomic<bool> is_text{false};
  std::atomic<index_t> first_large{rows};
  constexpr index_t block = 1 << 14;
  each_piece(threads, (rows + block - 1) / block, [&](index_t b) {
    if (is_text.load(std::memory_order_relaxed)) return;
    for (index_t row = b * block; row < std::min(rows, (b + 1) * block); ++row) {
      auto const result = parse_number(text_at(column, row), out[row]);
      if (result == parsed::ok) continue;
      if (result == parsed::not_a_number) return is_text.store(true, std::memory_order_relaxed);
      for (index_t now = first_large.load(); row < now && !first_large.compare_exchange_weak(now, row);) {
      }
    }
  });
  if (is_text) return obstacle::no_number;
  where = first_large;
  return where < rows ? obstacle::too_large : obstacle::none;
}

// The first type that holds all; none where a field is no number.
void read_as_numbers(key_column& column, std::string_view text, std::string const& file, text_layout const& of, index_t rows,
                     int threads) {
  index_t where = 0;
  array numbers;
  auto found = read_numbers<std::int64_t>(column, rows, threads, numbers, where);
  if (found == obstacle::too_large) found = read_numbers<std::uint64_t>(column, rows, threads, numbers, where);
  if (found != obstacle::none) found = read_numbers<double>(column, rows, threads, numbers, where);
  if (found == obstacle::too_large)
    refuse(file, line_of_row(text, file, of, where), in_quotes(text_at(column, where)), range_of<double>());
  column.is_text = found != obstacle::none;
  if (column.is_text) return;
  column.numbers = std::move(numbers);
  column.characters = {};
  column.begins = {};
}

// Which columns of a record are wanted, and where among the columns of the table.
struct wanted_columns {
  explicit wanted_columns(text_layout const& of) : of_field(of.fields) {
    for (std::size_t k = 0; k < of.columns.size(); ++k) {
      auto& number = of_field[of.columns[k]];
      if (number) continue;
      number = names.size();
      last = std::max(last, of.columns[k]);
      names.push_back(of.names[k].empty() ? "column " + text_of(of.columns[k]) : of.names[k]);
    }
  }
  std::vector<std::optional<std::size_t>> of_field;
  std::size_t last = 0;  // of the fields that every row must have
  std::vector<std::string> names;
};

// What a piece of the text holds: where its records end, and its fields, one behind another.
struct table_piece {
  struct fields {
    std::string characters;
    std::vector<index_t> ends;
  };
  bool has_header = false;
  index_t begin = 0;          // of its first record
  std::vector<index_t> ends;  // of its records, with the line ends
  std::vector<fields> columns;
};

// A piece begins where a line does; it is the whole text, or a part of one, which begins at `at` of it.
table_piece read_table_piece(std::string_view text, std::size_t at, std::size_t bytes, std::string const& file,
                             text_layout const& of, wanted_columns const& wanted) {
  bool const is_first = at == 0;
  auto const part = text.substr(at, bytes);
  auto records =
      is_first ? text_records(part, of.delimiter, of.comments, file) : text_records(part, of.delimiter, of.comments, file, 1);
  auto const place = [&] { return "line " + text_of(records.line()); };
  auto const in_text = [&](char const* p) { return static_cast<index_t>(p - text.data()); };
  table_piece made;
  made.columns.resize(wanted.names.size());
  bool const begins_behind_header = is_first && of.header;
  if (begins_behind_header) {
    made.has_header = records.next(0);
    made.begin = in_text(records.position());
  }
  auto const take = [&](std::size_t number, std::string_view field) {
    if (number >= wanted.of_field.size() || !wanted.of_field[number]) return;
    auto& column = made.columns[*wanted.of_field[number]];
    column.characters += field;
    column.ends.push_back(std::ssize(column.characters));
  };
  // The number of bytes is that of the whole where one thread reads it.
  std::optional<progress> line;
  if (bytes == text.size()) line.emplace("parsing " + file, static_cast<double>(bytes));
  while (records.each_field(take)) {
    std::size_t const fields = records.fields();
    if (fields <= wanted.last) refuse(file, place(), counted(fields, "field"), "at least " + text_of(wanted.last + 1));
    if (fields > of.fields && of.delimiter != ' ')
      refuse(file, place(), counted(fields, "field"), "as many as in the first line, " + text_of(of.fields));
    if (made.ends.empty() && !begins_behind_header) made.begin = in_text(records.begin());
    made.ends.push_back(in_text(records.position()));
    if (line && made.ends.size() % 65536 == 0) line->at(static_cast<double>(made.ends.back()));
  }
  return made;
}

// Where pieces of about so many bytes begin, each behind an LF, and where the last ends.
std::vector<std::size_t> cuts_of(std::string_view text, std::size_t bytes) {
  std::vector<std::size_t> at{0};
  while (at.back() + bytes < text.size()) {
    auto const feed = text.find('\n', at.back() + bytes);
    if (feed == std::string_view::npos || feed + 1 == text.size()) break;
    at.push_back(feed + 1);
  }
  at.push_back(text.size());
  return at;
}

// All pieces by several threads; nothing where one threw. A piece may begin inside a quoted field; then the piece before it ends in
// that field and throws. So if no piece throws all were read right, by induction from the first. And only whoever reads all knows
// the number of a line.
std::optional<std::vector<table_piece>> read_pieces(std::string_view text, std::string const& file, text_layout const& of,
                                                    wanted_columns const& wanted, int threads, std::size_t bytes_of_piece) {
  auto const cuts = cuts_of(text, bytes_of_piece);
  if (cuts.size() == 2) return {};
  progress line("parsing " + file, static_cast<double>(text.size()));
  auto const shower = std::this_thread::get_id();
  std::vector<table_piece> pieces(cuts.size() - 1);
  try {
    each_piece(threads, std::ssize(pieces), [&](index_t k) {
      auto const at = static_cast<std::size_t>(k);
      pieces[at] = read_table_piece(text, cuts[at], cuts[at + 1] - cuts[at], file, of, wanted);
      if (std::this_thread::get_id() == shower) line.at(static_cast<double>(cuts[at + 1]));
    });
  } catch (bad_data const&) {
    return {};
  }
  if (of.header && !pieces[0].has_header) return {};  // all of the first piece is blank
  return pieces;
}

// Pieces one behind another. They are freed on the way, column by column.
text_table joined(std::vector<table_piece>& pieces, std::string_view text, std::string const& file, bool has_header,
                  wanted_columns const& wanted, int threads) {
  text_table made;
  std::vector<index_t> first_row{0};
  for (auto const& piece : pieces) first_row.push_back(first_row.back() + std::ssize(piece.ends));
  auto const rows = static_cast<std::size_t>(first_row.back());
  made.begins.resize(rows + 1);
  auto const first = std::find_if(pieces.begin(), pieces.end(), [](table_piece const& piece) { return !piece.ends.empty(); });
  made.begins[0] = has_header ? pieces[0].begin : first != pieces.end() ? first->begin : std::ssize(text);
  each_piece(threads, std::ssize(pieces), [&](index_t k) {
    auto& ends = pieces[static_cast<std::size_t>(k)].ends;
    std::copy(ends.begin(), ends.end(), made.begins.begin() + first_row[static_cast<std::size_t>(k)] + 1);
    ends = {};
  });
  for (std::size_t c = 0; c < wanted.names.size(); ++c) {
    std::vector<index_t> at{0};
    for (auto const& piece : pieces) at.push_back(at.back() + std::ssize(piece.columns[c].characters));
    auto& column = made.columns.emplace_back();
    column.name = wanted.names[c];
    expect_memory(file, "the column '" + column.name + "'", static_cast<std::size_t>(at.back()) + (rows + 1) * sizeof(index_t), 1);
    column.begins = make_array(element::i64, static_cast<index_t>(rows) + 1);
    if (pieces.size() == 1) column.characters = std::move(pieces[0].columns[c].characters);
    else column.characters.resize(static_cast<std::size_t>(at.back()));
    each_piece(threads, std::ssize(pieces), [&](index_t k) {
      auto& from = pieces[static_cast<std::size_t>(k)].columns[c];
      auto const begin = at[static_cast<std::size_t>(k)];
      if (pieces.size() > 1) std::copy(from.characters.begin(), from.characters.end(), column.characters.begin() + begin);
      std::transform(from.ends.begin(), from.ends.end(),
                     column.begins.memory.as<index_t>() + first_row[static_cast<std::size_t>(k)] + 1,
                     [begin](index_t end) { return begin + end; });
      from = {};
    });
  }
  return made;
}

}  // namespace

text_table read_text_table(std::string_view text, std::string const& file, text_layout const& of, int threads,
                           std::size_t bytes_of_piece) {
  wanted_columns const wanted(of);
  auto pieces = read_pieces(text, file, of, wanted, threads, bytes_of_piece);
  if (!pieces) pieces.emplace().push_back(read_table_piece(text, 0, text.size(), file, of, wanted));
  auto made = joined(*pieces, text, file, of.header, wanted, threads);
  for (auto& column : made.columns) read_as_numbers(column, text, file, of, made.rows(), threads);
  return made;
}

}  // namespace lookback::app
