#include "page.hpp"

#include "failures.hpp"
#include "markup.hpp"

namespace lookback::app {

namespace {

std::string tagged(std::string const& name, std::string_view prose) {
  return "<" + name + ">" + markup_prose(prose) + "</" + name.substr(0, name.find(' ')) + ">\n";
}

void expect_figure(bool holds, figure const& of, std::string const& found, std::string const& expected) {
  if (!holds) throw invalid_argument(printable("figure " + in_quotes(of.title) + ": found " + found + ", expected " + expected));
}

std::string origin_list(origin const& from) {
  std::string made = "<dl class=\"origin\">\n";
  auto const add = [&](char const* name, std::string const& value, bool code) {
    if (value.empty()) return;
    made += tagged("dt", name) + "<dd>" + (code ? "<code>" + markup_words(value) + "</code>" : markup_prose(value)) + "</dd>\n";
  };
  add("Machine", from.machine, false);
  add("Commit", from.commit, true);
  add("Command", from.command, true);
  add("Date", from.date, false);
  return made + "</dl>\n";
}

std::string table_of_numbers(figure_table const& numbers, std::string const& name) {
  // A box that scrolls must be reached by the keyboard, and says what it is.
  std::string made =
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"" + markup_text("Numbers: " + name) + "\">\n<table>\n";
  if (!numbers.caption.empty()) made += tagged("caption", numbers.caption);
  made += "<thead><tr>";
  for (auto const& cell : numbers.head) made += cell.empty() ? "<td></td>" : "<th scope=\"col\">" + markup_text(cell) + "</th>";
  made += "</tr></thead>\n<tbody>\n";
  for (auto const& row : numbers.rows) {
    made += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i)
      made += i == 0 ? "<th scope=\"row\">" + markup_text(row[i]) + "</th>" : "<td>" + markup_text(row[i]) + "</td>";
    made += "</tr>\n";
  }
  return made + "</tbody>\n</table>\n</div>\n";
}

template <class Data>
figure figure_of_data(Data const& data, std::string drawing, std::string note) {
  return {data.title, std::move(drawing), table_of(data), std::move(note), {}};
}

}  // namespace

figure figure_of(line_data const& data, std::string note) { return figure_of_data(data, line_chart(data), std::move(note)); }
figure figure_of(bar_data const& data, std::string note) { return figure_of_data(data, bar_chart(data), std::move(note)); }
figure figure_of(heat_data const& data, std::string note) { return figure_of_data(data, heat_map(data), std::move(note)); }

page::page(std::string title, origin from, std::string lead)
    : title_{std::move(title)}, lead_{std::move(lead)}, from_{std::move(from)} {}

page& page::section(std::string name, std::string lead) {
  if (in_section_) body_ += "</section>\n";
  in_section_ = true;
  body_ += "<section>\n" + tagged("h2", name);
  if (!lead.empty()) body_ += tagged("p", lead);
  return *this;
}

page& page::add(figure const& one) {
  expect_figure(!one.title.empty(), one, "no title", "one that says what is to be seen");
  expect_figure(one.drawing.find("<svg") != std::string::npos, one, "no drawing", "SVG");
  expect_figure(!one.numbers.rows.empty(), one, "no numbers", "a table of what is drawn");
  for (auto const& row : one.numbers.rows)
    expect_figure(row.size() == one.numbers.head.size(), one, std::to_string(row.size()) + " cells in a row",
                  std::to_string(one.numbers.head.size()) + ", as in the head");
  ++figures_;
  body_ += "<figure>\n" + tagged("figcaption", one.title) + one.drawing;
  if (!one.note.empty()) body_ += tagged("p class=\"note\"", one.note);
  body_ += "<details>\n<summary>Numbers and origin</summary>\n" + table_of_numbers(one.numbers, one.title) +
           origin_list(one.from.empty() ? from_ : one.from) + "</details>\n</figure>\n";
  return *this;
}

std::string page::text() const {
  if (figures_ == 0) throw invalid_argument(printable("page " + in_quotes(title_) + ": found no figure, expected at least one"));
  std::string made = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  made += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  made += "<meta name=\"color-scheme\" content=\"light dark\">\n";
  made +=
      "<title>" + markup_text(title_) + "</title>\n<style>\n" + std::string(page_style()) + "</style>\n</head>\n<body>\n<main>\n";
  made += "<header>\n" + tagged("h1", title_);
  if (!lead_.empty()) made += tagged("p", lead_);
  if (!from_.empty()) made += origin_list(from_);
  return made + "</header>\n" + body_ + (in_section_ ? "</section>\n" : "") + "</main>\n</body>\n</html>\n";
}

}  // namespace lookback::app
