#include "text_column.hpp"

#include <algorithm>

#include "report/progress.hpp"
#include "text_records.hpp"

namespace lookback::app {

namespace {

// What the first record says about the rest.
struct layout {
  char delimiter;
  bool comments;  // '#' lines, as numpy.savetxt writes them; never in .csv, where a header may begin so
  bool header;
  std::size_t column, fields;  // the one that is read, of how many in the first record
  std::string name;            // of the column, where there is a header
  std::string note;            // that there is one
};

std::string counted(std::size_t number, std::string const& noun) { return text_of(number) + " " + noun + (number == 1 ? "" : "s"); }

// The first line that holds more than blanks and is no comment.
std::string_view first_line(std::string_view text) {
  while (!text.empty()) {
    auto const line = text.substr(0, text.find_first_of("\r\n"));
    auto const begin = line.find_first_not_of(" \t");
    if (begin != std::string_view::npos && line[begin] != '#') return line;
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return text;
}

// Delimiters between quotes do not count.
char delimiter_of(std::string_view text) {
  auto const line = first_line(behind_mark(text));
  std::string outside;
  bool inside = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    bool const begins = i == 0 || std::string_view("\t,; ").find(line[i - 1]) != std::string_view::npos;
    if (line[i] == '"' && (inside || begins)) inside = !inside;
    else if (!inside) outside += line[i];
  }
  for (char const c : {'\t', ',', ';', ' '})
    if (outside.find(c) != std::string::npos) return c;
  return ',';
}

std::string shown_names(std::vector<std::string> const& names) {
  constexpr std::size_t most = 12, longest = 40;
  std::string list;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i)
    list += (i ? ", " : "") + printable(names[i].substr(0, longest)) + (names[i].size() > longest ? "..." : "");
  return list + (names.size() > most ? ", ..." : "");
}

layout layout_of(std::string_view text, std::string const& file, char delimiter, std::optional<std::string> const& wanted,
                 header_line header, std::string const& column_option) {
  layout found{delimiter != 0 ? delimiter : delimiter_of(text), delimiter == 0, false, 0, 1, {}, {}};
  text_records records(text, found.delimiter, found.comments, file);
  std::vector<std::string> first;
  if (!records.next(first)) {
    if (wanted) refuse(file, "line 1", "an empty file", "column '" + *wanted + "'");
    if (header == header_line::yes) refuse(file, "line 1", "an empty file", "a header, as --header yes says");
    return found;
  }
  found.fields = first.size();
  std::string const line = "line " + text_of(records.line());
  if (!wanted && first.size() > 1)
    throw usage_error(file + ": " + line + ": found " + text_of(first.size()) + " columns (" + shown_names(first) +
                      "), choose one with " + column_option + " NAME|INDEX");
  // Digits are an index where they can be: a number in the first line is more often data than the name of a column.
  bool const by_name = wanted && (parse_number(*wanted, found.column) != parsed::ok || found.column >= first.size());
  if (by_name) {
    auto const at = std::find(first.begin(), first.end(), *wanted);
    if (at == first.end() || header == header_line::no)
      refuse(file, line, counted(first.size(), "column") + ": " + shown_names(first),
             "a column '" + *wanted + "' (" + (header == header_line::no ? "--header no: " : "a name, or ") + "a number from 0)");
    found.column = static_cast<std::size_t>(at - first.begin());
  }
  auto const& field = first[found.column];
  // An empty field is a missing value, not a name.
  double number = 0;
  bool const is_name = !field.empty() && parse_number(field, number) == parsed::not_a_number;
  found.header = header == header_line::yes || by_name || (is_name && header == header_line::automatic);
  if (!found.header) return found;
  found.name = field;
  found.note = file + ": " + line + " is taken for a header: " + shown_names(first);
  if (header == header_line::automatic && !by_name) found.note += " (--header no reads it as data)";
  return found;
}

// At least as many as there are records.
std::size_t lines_in(std::string_view text) {
  auto const feeds = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  if (text.find('\r') == std::string_view::npos) return feeds + 1;
  std::size_t returns = text.back() == '\r';  // those that no LF follows
  for (std::size_t i = 0; i + 1 < text.size(); ++i)
    returns += static_cast<std::size_t>(text[i] == '\r') & static_cast<std::size_t>(text[i + 1] != '\n');
  return feeds + returns + 1;
}

// Reads the column as T. Where `only_try` is set, a field that is no T ends it with false instead of an error.
template <class T>
bool read_as(std::string_view text, std::string const& file, layout const& of, bool only_try, array& made) {
  text_records records(text, of.delimiter, of.comments, file);
  progress line("parsing " + file, static_cast<double>(text.size()));
  T* const out = made.memory.as<T>();
  if (of.header) records.next(of.column);
  for (index_t n = 0; records.next(of.column); made.n = ++n) {
    if (records.fields() <= of.column)
      refuse(file, "line " + text_of(records.line()), counted(records.fields(), "field"), "at least " + text_of(of.column + 1));
    auto const result = parse_number(records.field_text(), out[n]);
    if (result != parsed::ok) {
      if (only_try) return false;
      auto const field = records.field_text();
      refuse(file, "line " + text_of(records.line()), field.empty() ? "an empty field" : in_quotes(field), range_of<T>());
    }
    if (of.delimiter != ' ' && records.fields() > of.fields)
      refuse(file, "line " + text_of(records.line()), counted(records.fields(), "field"),
             "as many as in the first line, " + text_of(of.fields));
    if (n % 65536 == 0) line.at(static_cast<double>(records.position() - text.data()));
  }
  return true;
}

}  // namespace

array read_text_column(std::string_view text, std::string const& file, char delimiter, std::optional<std::string> const& column,
                       std::optional<element> type, header_line header, std::string const& column_option) {
  expect_utf8(text, file);
  auto const of = layout_of(text, file, delimiter, column, header, column_option);
  auto const lines = static_cast<index_t>(lines_in(text));
  for (element const as : {element::i64, element::u64, element::f64}) {
    array made = make_array(type.value_or(as), lines);
    made.n = 0;
    made.from = file;
    made.column = of.name;
    if (of.header) made.notes.push_back(of.note);
    bool const only_try = !type && as != element::f64;
    bool const done =
        with_type(made.type, [&]<class T>(std::type_identity<T>) { return read_as<T>(text, file, of, only_try, made); });
    if (!done) continue;
    made.shape = {made.n};
    return made;
  }
  return {};  // not reached: the last type is no trial
}

}  // namespace lookback::app
