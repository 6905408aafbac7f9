// Pictures: what they show, where it stands, and what they refuse.
#include "pictures.hpp"

using namespace lookback;
using namespace lookback::app;
using namespace pictures;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

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

TEST(line_chart, draws_points_in_the_order_of_x) {
  auto mixed = two_lines();
  std::swap(mixed.lines[0].points[0], mixed.lines[0].points[2]);
  EXPECT_EQ(line_chart(mixed), line_chart(two_lines()));
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

TEST(heat_map, is_darker_the_higher_and_outlines_the_best) {
  heat_data two{"Two", "rate", "GB/s", {"items"}, {"threads"}, {"1", "2"}, {"32"}, {{1, 9}}, outlined::highest};
  auto const drawn = heat_map(two);
  EXPECT_TRUE(std::regex_search(drawn, std::regex("\"h0[^>]*>\\s*<rect[^>]*><title>[^<]*: 1 ")));
  EXPECT_TRUE(std::regex_search(drawn, std::regex("\"h6[^>]*>\\s*<rect[^>]*><title>[^<]*: 9 ")));
  two.best = outlined::none;
  EXPECT_EQ(count_of(drawn, "\"best\""), 4u) << "in the cell and in the key, in both layouts";
  EXPECT_EQ(count_of(heat_map(two), "\"best\""), 0u);
}
