// The fixture of every test that runs on a back end: it skips, and says why, where there is none.
#pragma once
#include <gtest/gtest.h>

#include <harness.hpp>

namespace harness {

struct on_device : ::testing::Test {
  void SetUp() override {
    if (char const* reason = why_not()) GTEST_SKIP() << reason;
  }
};

}  // namespace harness
