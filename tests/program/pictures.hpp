// What tests of pictures and pages share: small pictures, and what is looked for in SVG.
#pragma once
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <regex>
#include <string>
#include <vector>

#include "report/chart.hpp"
#include "report/drawing.hpp"
#include "report/failures.hpp"

namespace pictures {

using namespace lookback;
using namespace lookback::app;

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

inline std::size_t count_of(std::string const& text, std::string const& what) {
  std::size_t count = 0;
  for (auto at = text.find(what); at != text.npos; at = text.find(what, at + what.size())) ++count;
  return count;
}

/// What no picture may hold: a coordinate that is no number, and letters beside the picture.
inline void expect_sound(std::string const& svg) {
  using ::testing::HasSubstr, ::testing::Not;
  EXPECT_THAT(svg, ::testing::AllOf(Not(HasSubstr("nan")), Not(HasSubstr("inf\"")), HasSubstr("mark")));
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

inline double const nothing = std::nan("");

inline line_data two_lines() {
  return {"Two lines",
          {"elements", "", scale::log2},
          {"throughput", "GB/s"},
          {{"ours", {{1024, 1.25}, {4096, 20.5}, {65536, 812.375}}}, {"copy", {{1024, 2}, {65536, 900}}, true}}};
}
inline bar_data phases() {
  return {"Phases", "time", "ms", true, {{"a", {{"load", 1.5}, {"store", 2.25}}}, {"b", {{"load", 3.125}, {"store", nothing}}}},
          {}};
}
inline heat_data cells() {
  heat_data made{"Cells", "throughput", "GB/s", {"items"}, {"threads"}, {"4", "8"}, {"64", "128"}, {}, outlined::highest};
  made.values = {{10.5, nothing}, {30.25, 41.75}};
  return made;
}

/// The numbers that a pattern with groups finds, match by match.
inline std::vector<double> numbers_in(std::string const& svg, std::string const& pattern) {
  std::vector<double> found;
  std::regex const all(pattern);
  for (std::sregex_iterator at(svg.begin(), svg.end(), all), end; at != end; ++at)
    for (std::size_t group = 1; group < at->size(); ++group) found.push_back(std::stod((*at)[group]));
  return found;
}

}  // namespace pictures
