// Properties that hold for random cases: what fails is shrunk to the smallest that does. The seed is printed; RC_PARAMS="seed=..."
// repeats it.
#pragma once
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <iostream>
#include <string>

#include "fixture.hpp"
#include "random.hpp"

namespace harness {

/// Mostly few, sometimes as many as many small tiles have.
inline std::size_t any_number_of_items() {
  std::size_t const most = *rc::gen::element(std::size_t{3}, std::size_t{70}, std::size_t{700}, std::size_t{9000});
  return *rc::gen::inRange<std::size_t>(0, most);
}

/// Items begin a segment from everywhere to rarely.
inline std::vector<std::uint8_t> any_heads(std::size_t n, generator& random) {
  std::uint64_t const spacing = *rc::gen::element(1, 2, 3, 20, 500, 100000);
  std::vector<std::uint8_t> starts(n);
  for (auto& s : starts) s = random.below(spacing) == 0;
  return starts;
}

/// Runs a property on so many cases, fewer under a tool, and tells the seed.
template <class Property>
void check_property(char const* what, int cases, Property property) {
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  params.maxSuccess = drawn_cases(cases);
  rc::detail::TestMetadata metadata;
  metadata.id = metadata.description = what;
  auto const result = rc::detail::checkTestable(property, metadata, params);
  std::cout << what << ": seed=" << params.seed << '\n';
  rc::detail::printResultMessage(result, std::cout);
  std::cout << '\n';
  rc::detail::SuccessResult success;
  EXPECT_TRUE(result.match(success)) << "seed=" << params.seed;
}

/// Says so where two arrays differ.
inline void holds(::testing::AssertionResult const& matches) {
  RC_LOG(std::string(matches.message()));
  RC_ASSERT(static_cast<bool>(matches));
}

}  // namespace harness
