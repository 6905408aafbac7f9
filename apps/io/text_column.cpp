#include "text_column.hpp"

#include "report/progress.hpp"
#include "text_layout.hpp"
#include "text_records.hpp"

namespace lookback::app {

namespace {

// Reads the column as T. Where `only_try` is set, a field that is no T ends it with false instead of an error.
template <class T>
bool read_as(std::string_view text, std::string const& file, text_layout const& of, bool only_try, array& made) {
  text_records records(text, of.delimiter, of.comments, file);
  progress line("parsing " + file, static_cast<double>(text.size()));
  T* const out = made.memory.as<T>();
  std::size_t const column = of.columns[0];
  if (of.header) records.next(column);
  for (index_t n = 0; records.next(column); made.n = ++n) {
    if (records.fields() <= column)
      refuse(file, "line " + text_of(records.line()), counted(records.fields(), "field"), "at least " + text_of(column + 1));
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
  std::vector<std::string> wanted;
  if (column) wanted.push_back(*column);
  auto const of = layout_of(text, file, delimiter, wanted, header, column_option);
  auto const lines = static_cast<index_t>(lines_in(text));
  for (element const as : {element::i64, element::u64, element::f64}) {
    array made = make_array(type.value_or(as), lines);
    made.n = 0;
    made.from = file;
    made.column = of.names[0];
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
