// The page of figures: what stands on it, what its pictures show and what they refuse.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <regex>

#include "report/drawing.hpp"
#include "report/failures.hpp"
#include "report/label_places.hpp"
#include "report/markup.hpp"
#include "report/page.hpp"

using namespace lookback;
using namespace lookback::app;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

namespace {

std::vector<std::string> labels(scale how, interval of, int most = 6) {
  std::vector<std::string> made;
  for (auto const& one : ticks_of(how, of, most))
    made.push_back(one.label.text + (one.label.exponent.empty() ? "" : "^" + one.label.exponent));
  return made;
}

/// What a call says when it refuses; nothing where it does not.
template <class Call>
std::string refusal_of(Call call) {
  try {
    call();
  } catch (invalid_argument const& e) {
    return e.what();
  }
  return {};
}

std::size_t count_of(std::string const& text, std::string const& what) {
  std::size_t count = 0;
  for (auto at = text.find(what); at != text.npos; at = text.find(what, at + what.size())) ++count;
  return count;
}

/// What no picture may hold: a coordinate that is no number, and letters beside the picture.
void expect_sound(std::string const& svg) {
  EXPECT_THAT(svg, AllOf(Not(HasSubstr("nan")), Not(HasSubstr("inf\"")), HasSubstr("mark")));
  for (auto const& how : {wide_layout, narrow_layout}) {
    auto const begin = svg.find("chart " + std::string(how.name));
    ASSERT_NE(begin, svg.npos);
    auto const one = svg.substr(begin, svg.find("</svg>", begin) - begin);
    std::regex const text("<text[^>]* x=\"([^\"]*)\"");
    for (std::sregex_iterator at(one.begin(), one.end(), text), end; at != end; ++at) {
      EXPECT_GE(std::stod((*at)[1]), 0) << (*at)[0];
      EXPECT_LE(std::stod((*at)[1]), how.width) << (*at)[0];
    }
  }
}

double const nothing = std::nan("");

line_data two_lines() {
  return {"Two lines",
          {"elements", "", scale::log2},
          {"throughput", "GB/s"},
          {{"ours", {{1024, 1.25}, {4096, 20.5}, {65536, 812.375}}}, {"copy", {{1024, 2}, {65536, 900}}, true}}};
}
bar_data phases() {
  return {"Phases", "time", "ms", true, {{"a", {{"load", 1.5}, {"store", 2.25}}}, {"b", {{"load", 3.125}, {"store", nothing}}}},
          {}};
}
heat_data cells() {
  heat_data made{"Cells", "throughput", "GB/s", {"items"}, {"threads"}, {"4", "8"}, {"64", "128"}, {}, outlined::highest};
  made.values = {{10.5, nothing}, {30.25, 41.75}};
  return made;
}

origin const here{"a machine", "abc123", "lookback scan --in 'a <b>'"};

}  // namespace

TEST(markup, says_what_the_text_says) {
  EXPECT_EQ(markup_text("a<b> & \"c\" 'd'"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
  EXPECT_EQ(markup_text("\u00fc\u00d7\U0001f600"), "\u00fc\u00d7\U0001f600");
  EXPECT_EQ(markup_text("\xff\x1b[1m"), "\\xff\\x1b[1m");
  EXPECT_EQ(markup_text(""), "");
}

TEST(markup, raises_powers_in_prose_alone) {
  EXPECT_EQ(markup_prose("2^20 & 10^9, x^y ^2 3^"), "2<sup>20</sup> &amp; 10<sup>9</sup>, x^y ^2 3^");
  EXPECT_EQ(markup_words("scan  --to 2^20 <x>"), "<span>scan</span>  <span>--to</span> <span>2^20</span> <span>&lt;x&gt;</span>");
}

TEST(ticks, stand_at_round_numbers) {
  EXPECT_THAT(labels(scale::linear, {0, 10}), ElementsAre("0", "2", "4", "6", "8", "10"));
  EXPECT_THAT(labels(scale::linear, {0, 1}), ElementsAre("0", "0.2", "0.4", "0.6", "0.8", "1.0"));
  EXPECT_THAT(labels(scale::linear, {-3, 4000}), ElementsAre("0", "1,000", "2,000", "3,000", "4,000"));
  EXPECT_THAT(labels(scale::linear, {0, 3e9}, 3), ElementsAre("0", "1\u00d710^9", "2\u00d710^9", "3\u00d710^9"));
}

TEST(ticks, of_logarithms_are_powers) {
  EXPECT_THAT(labels(scale::log2, {0x1p10, 0x1p28}), ElementsAre("2^12", "2^16", "2^20", "2^24", "2^28"));
  EXPECT_THAT(labels(scale::log2, {32, 1024}), ElementsAre("32", "64", "128", "256", "512", "1,024"));
  EXPECT_THAT(labels(scale::log10, {0.01, 1000}), ElementsAre("0.01", "0.1", "1", "10", "100", "1,000"));
  EXPECT_THAT(labels(scale::log10, {1, 20}), ElementsAre("1", "2", "5", "10", "20"));
  EXPECT_THAT(labels(scale::log10, {1e-200, 1e200}), ElementsAre("10^-200", "10^-100", "10^0", "10^100", "10^200"));
}

TEST(ticks, are_few_and_some) {
  for (auto const how : {scale::linear, scale::log2, scale::log10})
    for (double const low : {1e-300, 1e-9, 0.3, 1.0, 7.0, 1e6, 1e12})
      for (double const factor : {1.000001, 1.01, 1.7, 3.0, 12.0, 1e3, 1e9, 1e30})
        for (int const most : {1, 3, 6}) {
          auto const ticks = ticks_of(how, {low, low * factor}, most);
          ASSERT_GE(ticks.size(), 1u) << low << " " << factor;
          ASSERT_LE(ticks.size(), static_cast<std::size_t>(most) + 2) << low << " " << factor;
          for (auto const& one : ticks) {
            // A tick at the end of an axis may be beyond it by rounding.
            ASSERT_GE(one.value, low - 1e-6 * low * factor);
            ASSERT_LE(one.value, low * factor * (1 + 1e-6));
          }
        }
}

TEST(axes, of_one_value_have_two_ends) {
  for (auto const how : {scale::linear, scale::log2, scale::log10})
    for (double const value : {1e-300, 1.0, 5.0, 1e12}) {
      auto const [low, high] = opened(how, {value, value});
      EXPECT_LT(low, value);
      EXPECT_GT(high, value);
      EXPECT_TRUE(std::isfinite(ruler(how, {low, high}, 0, 100).place(value)));
    }
  EXPECT_EQ(opened(scale::linear, {0, 0}).high, 1);
  EXPECT_EQ(rounded(scale::linear, {0, 0}, 5).high, 1);
}

TEST(axes, end_above_all_values) {
  EXPECT_EQ(rounded(scale::linear, {3, 812}, 6).low, 0);
  EXPECT_EQ(rounded(scale::linear, {3, 812}, 6).high, 1000);
  EXPECT_EQ(rounded(scale::linear, {-3, 4}, 4).low, -4);
  EXPECT_EQ(rounded(scale::log2, {3, 5}, 6).low, 2);
  EXPECT_EQ(rounded(scale::log2, {3, 5}, 6).high, 8);
  EXPECT_DOUBLE_EQ(rounded(scale::log10, {0.3, 3}, 6).low, 0.2);
  EXPECT_DOUBLE_EQ(rounded(scale::log10, {0.3, 3}, 6).high, 5);
  EXPECT_DOUBLE_EQ(rounded(scale::log10, {0.3, 60}, 6).high, 100);
}

TEST(numbers, have_the_digits_that_count) {
  EXPECT_EQ(three_digit_text(0), "0");
  EXPECT_EQ(three_digit_text(0.01234), "0.0123");
  EXPECT_EQ(three_digit_text(9.996), "10.0");
  EXPECT_EQ(three_digit_text(99.96), "100");
  EXPECT_EQ(three_digit_text(1234.4), "1,234");
  EXPECT_EQ(three_digit_text(1.5e9), "1.50e+09");
  EXPECT_EQ(number_text(16777216), "16,777,216");
  EXPECT_EQ(number_text(812.3456789), "812.346");
  EXPECT_EQ(number_text(nothing), "-");
}

TEST(label_places, move_labels_apart_and_no_further) {
  EXPECT_THAT(label_places({10, 100}, 20, 0, 200), ElementsAre(10, 100));
  EXPECT_THAT(label_places({50, 50}, 20, 0, 200), ElementsAre(40, 60));
  EXPECT_THAT(label_places({60, 50}, 20, 0, 200), ElementsAre(65, 45));
  EXPECT_THAT(label_places({0, 0, 0}, 20, 0, 200), ElementsAre(0, 20, 40));
  EXPECT_THAT(label_places({200, 199}, 20, 0, 200), ElementsAre(200, 180));
  EXPECT_THAT(label_places({}, 20, 0, 200), SizeIs(0));
  EXPECT_THAT(label_places({7, 7, 7}, 10, 0, 20), ElementsAre(0, 10, 20));  // no more room than that
  EXPECT_THAT(refusal_of([] { label_places({1, 2, 3}, 10, 0, 19); }), HasSubstr("found 19 for 3 of them, expected at least 20"));
}

TEST(texts, are_shortened_between_characters) {
  EXPECT_EQ(shortened("short", 10, 100), "short");
  auto const cut = shortened("\u00fc\u00fc\u00fc\u00fc\u00fc\u00fc\u00fc\u00fc", 10, 40);
  EXPECT_EQ(cut, "\u00fc\u00fc\u00fc\u2026");
  EXPECT_LE(text_width(cut, 10), 40);
}

TEST(line_chart, draws_every_point) {
  auto const svg = line_chart(two_lines());
  expect_sound(svg);
  EXPECT_EQ(count_of(svg, "<svg"), 2u);  // wide and narrow
  EXPECT_EQ(count_of(svg, "ours, 65,536: 812.375 GB/s"), 2u);
  EXPECT_EQ(count_of(svg, "class=\"dot mark\""), 6u);
  EXPECT_THAT(svg, AllOf(HasSubstr("role=\"img\""), HasSubstr("<title>Two lines</title>"), HasSubstr("ceiling mark")));
}

TEST(line_chart, leaves_a_gap_where_a_value_is_missing) {
  auto data = two_lines();
  data.lines[0].points = {{1024, 1}, {2048, nothing}, {4096, 3}, {8192, 4}};
  auto const svg = line_chart(data);
  expect_sound(svg);
  EXPECT_TRUE(std::regex_search(svg, std::regex("class=\"line\" d=\"M[^ML]*M[^ML]*L[^ML]*\""))) << svg;
}

TEST(line_chart, draws_single_equal_and_far_values) {
  using points = std::vector<point>;
  for (auto const how : {scale::linear, scale::log2, scale::log10})
    for (auto const& some :
         {points{{5, 3}}, points{{1, 7}, {2, 7}}, points{{1, 7}, {1, 8}}, points{{1e-12, 1e-290}, {1e12, 1e290}}})
      expect_sound(line_chart({"t", {"x", "", how}, {"y", "", how}, {{"s", some}, {"top", {{1, 9}}, true}}}));
  expect_sound(line_chart({"t", {"x"}, {"y"}, {{"s", {{0, 0}}}}}));
  expect_sound(line_chart({"t", {"x"}, {"y"}, {{"s", {{-2, -5}, {-1, -5}}}}}));
}

TEST(line_chart, has_ceilings_across_it_wherever_they_were_measured) {
  auto near = two_lines(), far = two_lines();
  near.lines[1].points = {{4096, 900}};
  far.lines[1].points = {{0x1p40, 900}};
  expect_sound(line_chart(near));
  EXPECT_EQ(line_chart(near), line_chart(far));
}

TEST(line_chart, has_a_legend_where_names_are_long) {
  auto data = two_lines();
  data.lines[0].name = std::string(200, 'm');
  auto const svg = line_chart(data);
  expect_sound(svg);
  EXPECT_THAT(svg, AllOf(HasSubstr("m\u2026</text>"), Not(HasSubstr("leader"))));
}

TEST(line_chart, refuses_what_it_cannot_draw) {
  auto const of = [](std::vector<series> lines, scale how = scale::linear) {
    return refusal_of([&] { line_chart({"T", {"x", "", how}, {"y"}, lines}); });
  };
  EXPECT_EQ(of({}), "chart 'T': found no series, expected at least one");
  EXPECT_EQ(of({{"s", {}}}), "chart 'T': found no values in 's', expected at least one point of each series");
  EXPECT_THAT(of({{"s", {{1, nothing}}}}), HasSubstr("no values in 's'"));
  EXPECT_THAT(of({{"s", {{1, INFINITY}}}}), HasSubstr("found inf in 's', expected a value up to 1e300"));
  EXPECT_THAT(of({{"s", {{nothing, 1}}}}), HasSubstr("a point without x in 's'"));
  EXPECT_THAT(of({{"s", {{0, 1}}}}, scale::log2), HasSubstr("found 0 in 's', expected a positive value on a logarithmic axis"));
}

TEST(bar_chart, draws_lengths_that_compare) {
  auto const svg = bar_chart(phases());
  expect_sound(svg);
  EXPECT_EQ(count_of(svg, "bar mark"), 6u);
  EXPECT_THAT(svg, AllOf(HasSubstr("a, store: 2.25 ms"), HasSubstr(">3.75</text>"), HasSubstr(">3.12</text>")));
  expect_sound(bar_chart({"t", "speedup", "", false, {{"one", {{"", 0}}}}, {}}));
  auto const compared =
      bar_chart({"t", "speedup", "", false, {{"a", {{"", 2}}}, {"b", {{"", nothing}}}}, reference_line{"CUB", 4}});
  expect_sound(compared);
  EXPECT_THAT(compared, AllOf(HasSubstr("CUB"), HasSubstr("not measured"), HasSubstr("class=\"ceiling\"")));
}

TEST(bar_chart, has_remarks_behind_its_bars_and_a_column_of_them) {
  bar_data const of{
      "t",      "time", "ms", true, {{"ours", {{"a", 1}, {"b", 2}}, "1.50x"}, {"theirs", {{"a", 4.5}}}}, reference_line{"CUB", 4},
      "speedup"};
  auto const svg = bar_chart(of);
  expect_sound(svg);
  EXPECT_THAT(svg, AllOf(HasSubstr(">3.00, 1.50x</text>"), HasSubstr(">4.50</text>")));
  auto const numbers = table_of(of);
  EXPECT_THAT(numbers.head, ElementsAre("", "a", "b", "total", "speedup"));
  EXPECT_THAT(numbers.rows[0], ElementsAre("ours", "1", "2", "3", "1.50x"));
  EXPECT_THAT(numbers.rows[1].back(), "");
  EXPECT_THAT(numbers.rows[2], ElementsAre("CUB", "", "", "4", "")) << "below the totals";
}

TEST(bar_chart, refuses_what_it_cannot_draw) {
  auto const of = [](std::vector<bar_row> rows) { return refusal_of([&] { bar_chart({"T", "q", "", true, rows, {}}); }); };
  EXPECT_EQ(of({}), "chart 'T': found no rows, expected at least one");
  EXPECT_THAT(of({{"a", {}}, {"b", {{"p", nothing}}}}), HasSubstr("found no values in any row"));
  EXPECT_THAT(of({{"a", {{"p", -1}}}}), HasSubstr("found -1 in 'a', expected a length of a bar, which is not negative"));
  EXPECT_THAT(of({{"a", {{"p", INFINITY}}}}), HasSubstr("found inf in 'a'"));
  EXPECT_THAT(of({{"a", {{"p", 1}}, "2x"}}), HasSubstr("found '2x' behind a bar, expected a heading of the remarks"));
  bar_data const grouped{"T", "q", "", false, {{"a", {{"p", 1}, {"r", 2}}, "2x"}}, {}, "speedup"};
  EXPECT_THAT(refusal_of([&] { bar_chart(grouped); }), HasSubstr("found '2x' behind bars of several parts"));
}

TEST(heat_map, says_which_cells_are_missing) {
  auto const svg = heat_map(cells());
  expect_sound(svg);
  EXPECT_EQ(count_of(svg, "cell mark"), 6u);
  EXPECT_EQ(count_of(svg, "class=\"absent\""), 2u);
  EXPECT_EQ(count_of(svg, "threads 64, items 8: not measured"), 2u);
  auto equal = cells();
  equal.values = {{5, 5}, {5, nothing}};
  expect_sound(heat_map(equal));
  EXPECT_THAT(heat_map(equal), HasSubstr("all cells: 5.00 GB/s"));
  equal.values = {{-1e300, 1e300}, {0, nothing}};
  expect_sound(heat_map(equal));
}

TEST(heat_map, refuses_what_it_cannot_draw) {
  auto const of = [](std::vector<std::vector<double>> values) {
    auto data = cells();
    data.values = values;
    return refusal_of([&] { heat_map(data); });
  };
  EXPECT_THAT(of({}), HasSubstr("found 0 rows of values, expected 2"));
  EXPECT_THAT(of({{1, 2}, {3}}), HasSubstr("found 1 cell in row '128', expected 2 cells"));
  EXPECT_THAT(of({{nothing, nothing}, {nothing, nothing}}), HasSubstr("found no value in any cell"));
  EXPECT_THAT(of({{1, 2}, {3, INFINITY}}), HasSubstr("found inf in '128'"));
}

TEST(page, has_a_table_with_every_number_drawn) {
  auto const text = page("T", here).add(figure_of(two_lines())).add(figure_of(phases())).add(figure_of(cells())).text();
  EXPECT_EQ(count_of(text, "<figure>"), 3u);
  EXPECT_EQ(count_of(text, "<details>"), 3u);
  std::vector<double> drawn{1024, 65536, 1.25, 20.5, 812.375, 2, 900, 1.5, 2.25, 3.125, 3.75, 10.5, 30.25, 41.75};
  for (double const number : drawn) {
    auto const cell = ">" + number_text(number) + "</t";
    EXPECT_GE(count_of(text, cell), 1u) << cell;
  }
  EXPECT_EQ(count_of(text, "<td>-</td>"), 3u);  // what is missing: a point, a part and a cell
}

TEST(page, is_one_file_that_needs_no_other) {
  auto const text =
      page("A <title> of 2^20", here, "Lead & more").section("S", "of it").add(figure_of(two_lines(), "A note")).text();
  EXPECT_THAT(text, ::testing::StartsWith("<!DOCTYPE html>\n<html lang=\"en\">"));
  EXPECT_THAT(text, AllOf(Not(HasSubstr("<script")), Not(HasSubstr("http:")), Not(HasSubstr("https:")), Not(HasSubstr("url("))));
  EXPECT_THAT(text,
              AllOf(HasSubstr("<title>A &lt;title&gt; of 2^20</title>"), HasSubstr("<h1>A &lt;title&gt; of 2<sup>20</sup></h1>")));
  EXPECT_THAT(text, AllOf(HasSubstr("Lead &amp; more"), HasSubstr("A note"), HasSubstr("name=\"viewport\"")));
  EXPECT_EQ(count_of(text, "abc123"), 2u);  // on the page and with its figure
  EXPECT_EQ(count_of(text, "<span>&lt;b&gt;&#39;</span>"), 2u);
  for (std::string const name : {"main", "header", "section", "figure", "svg", "g", "table", "dl", "text"})
    EXPECT_EQ(count_of(text, "<" + name + ">") + count_of(text, "<" + name + " "), count_of(text, "</" + name + ">")) << name;
}

TEST(page, shows_where_a_figure_of_its_own_is_from) {
  auto other = figure_of(two_lines());
  other.from = {"another machine", "def456", "lookback sort"};
  auto const text = page("T", here).add(other).text();
  EXPECT_EQ(count_of(text, "another machine"), 1u);
  EXPECT_EQ(count_of(text, "abc123"), 1u);
}

TEST(page, refuses_figures_that_show_nothing) {
  page made("T", here);
  EXPECT_EQ(refusal_of([&] { static_cast<void>(made.text()); }), "page 'T': found no figure, expected at least one");
  EXPECT_THAT(refusal_of([&] { made.add({"", "<svg", {"", {"a"}, {{"1"}}}}); }), HasSubstr("found no title"));
  EXPECT_THAT(refusal_of([&] { made.add({"f", "", {"", {"a"}, {{"1"}}}}); }), HasSubstr("figure 'f': found no drawing"));
  EXPECT_THAT(refusal_of([&] { made.add({"f", "<svg", {}}); }), HasSubstr("found no numbers"));
  EXPECT_THAT(refusal_of([&] {
                made.add({"f", "<svg", {"", {"a", "b"}, {{"1"}}}});
              }),
              HasSubstr("found 1 cells in a row, expected 2"));
}

// ---- where things are drawn

namespace {

/// The numbers that a pattern with groups finds, match by match.
std::vector<double> numbers_in(std::string const& svg, std::string const& pattern) {
  std::vector<double> found;
  std::regex const all(pattern);
  for (std::sregex_iterator at(svg.begin(), svg.end(), all), end; at != end; ++at)
    for (std::size_t group = 1; group < at->size(); ++group) found.push_back(std::stod((*at)[group]));
  return found;
}

}  // namespace

TEST(ruler, places_values_between_its_ends) {
  ruler const numbers(scale::linear, {10, 20}, 100, 200);
  EXPECT_DOUBLE_EQ(numbers.place(10), 100);
  EXPECT_DOUBLE_EQ(numbers.place(15), 150);
  ruler const powers(scale::log2, {2, 32}, 0, 80);
  EXPECT_DOUBLE_EQ(powers.place(8), 40);
}

TEST(axes, of_numbers_begin_at_zero) {
  EXPECT_EQ(rounded(scale::linear, {5, 9}, 6).low, 0);
  EXPECT_LE(rounded(scale::linear, {-3, 9}, 6).low, -3);
}

TEST(line_chart, draws_points_in_the_order_of_x) {
  auto mixed = two_lines();
  std::swap(mixed.lines[0].points[0], mixed.lines[0].points[2]);
  EXPECT_EQ(line_chart(mixed), line_chart(two_lines()));
}

TEST(bar_chart, has_parts_one_behind_the_other) {
  auto const at = numbers_in(bar_chart(phases()), "class=\"bar mark\" x=\"([0-9.]+)\" y=\"[0-9.]+\" width=\"([0-9.]+)\"");
  ASSERT_GE(at.size(), 4u);
  EXPECT_NEAR(at[2], at[0] + at[1], 0.2) << "where the second part begins";
  EXPECT_NEAR(at[3] / at[1], 1.5, 0.02);
}

TEST(bar_chart, cuts_bars_that_would_hide_the_others) {
  bar_data of{"t", "time", "", false, {{"short", {{"", 2}}}, {"long", {{"", 40}}}}, {}, "", 4};
  auto const svg = bar_chart(of);
  expect_sound(svg);
  EXPECT_THAT(svg, AllOf(HasSubstr(">40.0, cut</text>"), HasSubstr(">2.00</text>"), HasSubstr("long: 40")));
  auto const widths = numbers_in(svg, "class=\"bar mark\" x=\"[0-9.]+\" y=\"[0-9.]+\" width=\"([0-9.]+)\"");
  ASSERT_EQ(widths.size(), 4u) << "in both layouts";
  EXPECT_NEAR(widths[1] / widths[0], 2, 0.02);
  EXPECT_EQ(table_of(of).rows[1].back(), "40");
}

TEST(bar_chart, has_room_for_what_bars_are_measured_against) {
  bar_data one{"One", "speedup", "", false, {{"a", {{"speedup", 1}}}}, reference_line{"a copy", 10}};
  auto const at = numbers_in(bar_chart(one), "class=\"ceiling\" x1=\"([0-9.]+)\"");
  ASSERT_EQ(at.size(), 2u) << "in both layouts";
  EXPECT_LE(at[0], wide_layout.width);
  EXPECT_LE(at[1], narrow_layout.width);
}

TEST(heat_map, is_darker_the_higher_and_outlines_the_best) {
  heat_data two{"Two", "rate", "GB/s", {"items"}, {"threads"}, {"1", "2"}, {"32"}, {{1, 9}}, outlined::highest};
  auto const drawn = heat_map(two);
  EXPECT_TRUE(std::regex_search(drawn, std::regex("\"h0[^>]*>\\s*<rect[^>]*><title>[^<]*: 1 ")));
  EXPECT_TRUE(std::regex_search(drawn, std::regex("\"h6[^>]*>\\s*<rect[^>]*><title>[^<]*: 9 ")));
  two.best = outlined::none;
  EXPECT_EQ(count_of(drawn, "\"best\""), 4u) << "in the cell and in the key, in both layouts";
  EXPECT_EQ(count_of(heat_map(two), "\"best\""), 0u);
}

TEST(page, says_nothing_of_an_origin_that_it_does_not_know) {
  page made("A page", {"a machine", "", "a command"});
  made.add(figure_of(two_lines()));
  EXPECT_EQ(count_of(made.text(), "<dt>Commit"), 0u);
  EXPECT_GE(count_of(made.text(), "<dt>Command"), 1u);
}
