// The scans of the textbooks (bench/textbook) on any n, by operands that may not be swapped; their steps and their work.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "../bench/textbook/blelloch.hpp"
#include "../bench/textbook/brent_kung.hpp"
#include "../bench/textbook/horn.hpp"
#include "../bench/textbook/naive_copy.hpp"
#include "../bench/textbook/sklansky.hpp"
#include "../bench/textbook/tree_segmented.hpp"
#include "random.hpp"

namespace {

struct joined {
  std::string operator()(std::string const& a, std::string const& b) const { return a + b; }
};
std::vector<std::string> letters(std::size_t n) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < n; ++i) all.emplace_back(1, static_cast<char>('a' + i % 26));
  return all;
}

}  // namespace

TEST(cpu_textbook, scans_of_any_size) {
  for (std::size_t n = 0; n <= 130; ++n) {
    SCOPED_TRACE("n = " + std::to_string(n));
    auto const in = letters(n);
    std::vector<std::string> inclusive, exclusive;
    std::string all;
    for (auto const& x : in) exclusive.push_back(all), all += x, inclusive.push_back(all);
    textbook::machine on, copies;
    EXPECT_EQ(textbook::naive_copy(copies, in), in);
    EXPECT_EQ(copies.steps(), 1u);
    EXPECT_EQ(copies.operations(), 0u);
    EXPECT_EQ(textbook::horn_scan(on, in, joined{}), inclusive);
    EXPECT_EQ(textbook::sklansky_scan(on, in, joined{}), inclusive);
    EXPECT_EQ(textbook::brent_kung_scan(on, in, joined{}), inclusive);
    EXPECT_EQ(textbook::blelloch_scan(on, in, joined{}, std::string{}), exclusive);
  }
}

TEST(cpu_textbook, segments_of_any_shape) {
  harness::generator random(1);
  for (std::size_t n = 0; n <= 130; ++n)
    for (std::size_t const mean : {1, 2, 5, 40, 1000}) {
      SCOPED_TRACE("n = " + std::to_string(n) + ", segments of " + std::to_string(mean));
      auto const in = letters(n);
      std::vector<std::uint8_t> heads(n);
      std::vector<std::string> want;
      std::string open;
      for (std::size_t i = 0; i < n; ++i) {
        heads[i] = i == 0 || random.below(mean) == 0;
        if (heads[i]) open.clear();
        want.push_back(open), open += in[i];
      }
      textbook::machine on;
      EXPECT_EQ(textbook::tree_segmented_scan(on, in, heads, joined{}, std::string{}), want);
    }
}

/// What the textbooks say of a power of two.
TEST(cpu_textbook, steps_and_work) {
  constexpr std::size_t n = 1024, depth = 10;
  textbook::machine horn, blelloch;
  textbook::horn_scan(horn, std::vector<int>(n, 1), std::plus<>{});
  textbook::blelloch_scan(blelloch, std::vector<int>(n, 1), std::plus<>{}, 0);
  EXPECT_EQ(horn.steps(), depth);
  EXPECT_EQ(horn.operations(), n * depth - (n - 1));
  EXPECT_EQ(blelloch.steps(), 2 * depth);
  EXPECT_EQ(blelloch.operations(), 2 * (n - 1));
}
