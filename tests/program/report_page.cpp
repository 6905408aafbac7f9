// The page of figures: what stands on it and what it refuses.
#include "pictures.hpp"
#include "report/markup.hpp"
#include "report/page.hpp"

using namespace lookback;
using namespace lookback::app;
using namespace pictures;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

namespace {

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

TEST(page, says_nothing_of_an_origin_that_it_does_not_know) {
  page made("A page", {"a machine", "", "a command"});
  made.add(figure_of(two_lines()));
  EXPECT_EQ(count_of(made.text(), "<dt>Commit"), 0u);
  EXPECT_GE(count_of(made.text(), "<dt>Command"), 1u);
}
