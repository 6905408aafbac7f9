// What a compaction leaves: so many elements at the front of an array, and nothing outside of it.
#pragma once
#include <gtest/gtest.h>

#include <lookback/fn.hpp>
#include <vector>

#include "array.hpp"
#include "compare.hpp"

namespace harness {

/// The first elements of `out` are `want`, `count` says how many, and nobody has written beside the array.
template <class T>
void expect_front(array<T> const& out, lookback::index_t count, std::vector<T> const& want) {
  ASSERT_EQ(count, std::ssize(want));
  auto got = out.host();
  got.resize(want.size());
  EXPECT_TRUE(same(got, want));
  EXPECT_TRUE(out.intact());
}

/// And behind them is what was there before.
template <class T>
void expect_front(array<T> const& out, lookback::index_t count, std::vector<T> const& want, std::vector<T> const& before) {
  expect_front(out, count, want);
  auto const got = out.host();
  auto const middle = static_cast<std::ptrdiff_t>(want.size());
  EXPECT_TRUE(same(std::vector<T>(got.begin() + middle, got.end()), std::vector<T>(before.begin() + middle, before.end())));
}

}  // namespace harness
