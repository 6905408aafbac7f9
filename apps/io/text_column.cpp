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
  std::size_t column;
  std::string name;  // of the column, where there is a header
};

char delimiter_of(std::string_view text) {
  auto const line = text.substr(0, text.find('\n'));
  for (char const c : {'\t', ',', ';'})
    if (line.find(c) != std::string_view::npos) return c;
  return line.find(' ') == std::string_view::npos ? ',' : ' ';
}

layout layout_of(std::string_view text, std::string const& file, char delimiter, std::optional<std::string> const& wanted) {
  layout found{delimiter != 0 ? delimiter : delimiter_of(text), delimiter == 0, false, 0, {}};
  text_records records(text, found.delimiter, found.comments, file);
  std::vector<std::string> first;
  if (!records.next(first)) {
    if (wanted) refuse(file, "line 1", "an empty file", "column '" + *wanted + "'");
    return found;
  }
  auto const names = [&] {
    std::string list;
    for (std::size_t i = 0; i < first.size() && i < 12; ++i) list += (i ? ", " : "") + first[i];
    return list + (first.size() > 12 ? ", ..." : "");
  };
  if (!wanted && first.size() > 1)
    throw usage_error(file + ": line 1: found " + text_of(first.size()) + " columns (" + names() +
                      "), choose one with --column NAME|INDEX");
  // Digits are an index: a number in the first line is more often data than the name of a column.
  bool const by_index = !wanted || parse_number(*wanted, found.column) == parsed::ok;
  if (!by_index) found.column = static_cast<std::size_t>(std::find(first.begin(), first.end(), *wanted) - first.begin());
  if (found.column >= first.size())
    refuse(file, "line 1", text_of(first.size()) + (first.size() == 1 ? " column: " : " columns: ") + names(),
           "a column '" + *wanted + "' (a name, or a number from 0)");
  double number = 0;
  found.header = !by_index || parse_number(first[found.column], number) == parsed::not_a_number;
  if (found.header) found.name = first[found.column];
  return found;
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
      refuse(file, "line " + text_of(records.line()), text_of(records.fields()) + " fields", "at least " + text_of(of.column + 1));
    auto const result = parse_number(records.field_text(), out[n]);
    if (result != parsed::ok) {
      if (only_try) return false;
      auto const field = records.field_text();
      std::string const shown =
          field.empty() ? "an empty field" : "'" + std::string(field.substr(0, 40)) + (field.size() > 40 ? "...'" : "'");
      refuse(file, "line " + text_of(records.line()), shown, range_of<T>());
    }
    if (n % 65536 == 0) line.at(static_cast<double>(records.position() - text.data()));
  }
  return true;
}

}  // namespace

array read_text_column(std::string_view text, std::string const& file, char delimiter, std::optional<std::string> const& column,
                       std::optional<element> type) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  auto const of = layout_of(text, file, delimiter, column);
  auto const lines = std::count(text.begin(), text.end(), '\n') + 1;
  for (element const as : {element::i64, element::u64, element::f64}) {
    array made = make_array(type.value_or(as), lines);
    made.n = 0;
    made.from = file;
    made.column = of.name;
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
