#include "text_table.hpp"

#include <algorithm>
#include <optional>

#include "report/progress.hpp"
#include "text_records.hpp"

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

// Where a field is too large for T, that row goes to `where`; one that is no number counts for more.
template <class T>
obstacle read_numbers(key_column const& column, index_t rows, array& numbers, index_t& where) {
  numbers = make_array(element_of<T>(), rows);
  T* const out = numbers.memory.as<T>();
  auto found = obstacle::none;
  for (index_t row = 0; row < rows; ++row) {
    auto const result = parse_number(text_at(column, row), out[row]);
    if (result == parsed::ok) continue;
    if (result == parsed::not_a_number) return obstacle::no_number;
    if (found == obstacle::none) found = obstacle::too_large, where = row;
  }
  return found;
}

// The first type that holds all; none where a field is no number.
void read_as_numbers(key_column& column, std::string_view text, std::string const& file, text_layout const& of, index_t rows) {
  index_t where = 0;
  array numbers;
  auto found = read_numbers<std::int64_t>(column, rows, numbers, where);
  if (found != obstacle::none) found = read_numbers<std::uint64_t>(column, rows, numbers, where);
  if (found != obstacle::none) found = read_numbers<double>(column, rows, numbers, where);
  if (found == obstacle::too_large)
    refuse(file, line_of_row(text, file, of, where), in_quotes(text_at(column, where)), range_of<double>());
  column.is_text = found != obstacle::none;
  if (column.is_text) return;
  column.numbers = std::move(numbers);
  column.characters = {};
  column.begins = {};
}

// Where the records of a text are found: the rows, and what they hold of the columns.
class table_reader {
 public:
  table_reader(std::string_view text, std::string const& file, text_layout const& of)
      : text_{text}, file_{file}, of_{of}, records_(text, of.delimiter, of.comments, file), column_of_field_(of.fields) {
    auto const lines = lines_in(text);
    for (std::size_t k = 0; k < of.columns.size(); ++k) {
      auto& number = column_of_field_[of.columns[k]];
      if (number) continue;
      number = made_.columns.size();
      last_ = std::max(last_, of.columns[k]);
      auto& column = made_.columns.emplace_back();
      column.name = of.names[k].empty() ? "column " + text_of(of.columns[k]) : of.names[k];
      column.begins = make_array(element::i64, static_cast<index_t>(lines) + 1);
    }
    made_.begins.reserve(lines + 1);
  }

  text_table read() {
    progress line("parsing " + file_, static_cast<double>(text_.size()));
    if (of_.header) records_.next(0);
    auto const* const behind_header = records_.position();
    for (index_t row = 0; next(row); ++row) {
      if (row == 0) made_.begins.push_back((of_.header ? behind_header : records_.begin()) - text_.data());
      made_.begins.push_back(records_.position() - text_.data());
      if (row % 65536 == 0) line.at(static_cast<double>(made_.begins.back()));
    }
    if (made_.begins.empty()) made_.begins.push_back(of_.header ? behind_header - text_.data() : std::ssize(text_));
    for (auto& column : made_.columns) {
      column.begins.n = made_.rows() + 1;
      column.begins.shape = {column.begins.n};
      read_as_numbers(column, text_, file_, of_, made_.rows());
    }
    return std::move(made_);
  }

 private:
  bool next(index_t row) {
    bool const found = records_.each_field([&](std::size_t number, std::string_view field) {
      if (number >= column_of_field_.size() || !column_of_field_[number]) return;
      auto& column = made_.columns[*column_of_field_[number]];
      column.characters += field;
      column.begins.memory.as<index_t>()[row + 1] = std::ssize(column.characters);
    });
    if (!found) return false;
    std::size_t const fields = records_.fields();
    if (fields <= last_) refuse(file_, place(), counted(fields, "field"), "at least " + text_of(last_ + 1));
    if (fields > of_.fields && of_.delimiter != ' ')
      refuse(file_, place(), counted(fields, "field"), "as many as in the first line, " + text_of(of_.fields));
    return true;
  }
  std::string place() const { return "line " + text_of(records_.line()); }

  std::string_view text_;
  std::string const& file_;
  text_layout const& of_;
  text_records records_;
  std::vector<std::optional<std::size_t>> column_of_field_;
  std::size_t last_ = 0;  // of the fields that every row must have
  text_table made_;
};

}  // namespace

text_table read_text_table(std::string_view text, std::string const& file, text_layout const& of) {
  return table_reader(text, file, of).read();
}

}  // namespace lookback::app
