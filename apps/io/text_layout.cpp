#include "text_layout.hpp"

#include <algorithm>

#include "text_records.hpp"

namespace lookback::app {

namespace {

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

// The number of a column in the first record: a number itself, or found by name. A name makes that record a header.
std::size_t column_of(std::string const& wanted, std::vector<std::string> const& first, header_line header,
                      std::string const& place, std::string const& file, bool& by_name) {
  // Digits are an index where they can be: a number in the first line is more often data than the name of a column.
  std::size_t column = 0;
  if (parse_number(wanted, column) == parsed::ok && column < first.size()) return column;
  auto const at = std::find(first.begin(), first.end(), wanted);
  if (at == first.end() || header == header_line::no)
    refuse(file, place, counted(first.size(), "column") + ": " + shown_names(first),
           "a column '" + wanted + "' (" + (header == header_line::no ? "--header no: " : "a name, or ") + "a number from 0)");
  by_name = true;
  return static_cast<std::size_t>(at - first.begin());
}

// An empty field is a missing value, not a name.
bool is_name(std::string const& field) {
  double number = 0;
  return !field.empty() && parse_number(field, number) == parsed::not_a_number;
}

}  // namespace

std::string counted(std::size_t number, std::string const& noun) { return text_of(number) + " " + noun + (number == 1 ? "" : "s"); }

text_layout layout_of(std::string_view text, std::string const& file, char delimiter, std::vector<std::string> const& wanted,
                      header_line header, std::string const& column_option) {
  text_layout found{delimiter != 0 ? delimiter : delimiter_of(text), delimiter == 0, false, 1, {}, {}, {}};
  text_records records(text, found.delimiter, found.comments, file);
  std::vector<std::string> first;
  if (!records.next(first)) {
    if (!wanted.empty()) refuse(file, "line 1", "an empty file", "column '" + wanted[0] + "'");
    if (header == header_line::yes) refuse(file, "line 1", "an empty file", "a header, as --header yes says");
    found.columns = {0}, found.names = {""};
    return found;
  }
  found.fields = first.size();
  std::string const line = "line " + text_of(records.line());
  if (wanted.empty() && first.size() > 1)
    throw usage_error(file + ": " + line + ": found " + text_of(first.size()) + " columns (" + shown_names(first) +
                      "), choose one with " + column_option + " NAME|INDEX");
  bool by_name = false;
  for (auto const& one : wanted) found.columns.push_back(column_of(one, first, header, line, file, by_name));
  if (wanted.empty()) found.columns = {0};
  bool const names = std::all_of(found.columns.begin(), found.columns.end(), [&](std::size_t at) { return is_name(first[at]); });
  found.header = header == header_line::yes || by_name || (names && header == header_line::automatic);
  for (std::size_t const at : found.columns) found.names.push_back(found.header ? first[at] : "");
  if (!found.header) return found;
  found.note = file + ": " + line + " is taken for a header: " + shown_names(first);
  if (header == header_line::automatic && !by_name) found.note += " (--header no reads it as data)";
  return found;
}

bool tells_layout(std::string_view text, std::string const& file, char delimiter) {
  if (delimiter == 0) return !first_line(behind_mark(text)).empty();
  return text_records(text, delimiter, false, file).each_field([](std::size_t, std::string_view) {});
}

std::size_t lines_in(std::string_view text) {
  auto const feeds = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  if (text.find('\r') == std::string_view::npos) return feeds + 1;
  std::size_t returns = text.back() == '\r';  // those that no LF follows
  for (std::size_t i = 0; i + 1 < text.size(); ++i)
    returns += static_cast<std::size_t>(text[i] == '\r') & static_cast<std::size_t>(text[i + 1] != '\n');
  return feeds + returns + 1;
}

char delimiter_named(std::string const& path) {
  std::string const ending = extension_of(extension_of(path) == ".gz" ? path.substr(0, path.size() - 3) : path);
  return ending == ".csv" ? ',' : ending == ".tsv" ? '\t' : '\0';
}

}  // namespace lookback::app
