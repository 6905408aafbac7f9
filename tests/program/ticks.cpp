// Axes: where ticks and labels stand, and what they say.
#include "pictures.hpp"
#include "report/label_places.hpp"

using namespace lookback;
using namespace lookback::app;
using namespace pictures;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

namespace {

std::vector<std::string> labels(scale how, interval of, int most = 6) {
  std::vector<std::string> made;
  for (auto const& one : ticks_of(how, of, most))
    made.push_back(one.label.text + (one.label.exponent.empty() ? "" : "^" + one.label.exponent));
  return made;
}

}  // namespace

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

TEST(axes, of_numbers_begin_at_zero) {
  EXPECT_EQ(rounded(scale::linear, {5, 9}, 6).low, 0);
  EXPECT_LE(rounded(scale::linear, {-3, 9}, 6).low, -3);
}

TEST(ruler, places_values_between_its_ends) {
  ruler const numbers(scale::linear, {10, 20}, 100, 200);
  EXPECT_DOUBLE_EQ(numbers.place(10), 100);
  EXPECT_DOUBLE_EQ(numbers.place(15), 150);
  ruler const powers(scale::log2, {2, 32}, 0, 80);
  EXPECT_DOUBLE_EQ(powers.place(8), 40);
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
