// Calls that must be refused before anything is written.
#pragma once
#include <gtest/gtest.h>

#include <functional>
#include <lookback/error.hpp>
#include <string>

#include "array.hpp"
#include "compare.hpp"

namespace harness {

/// The call is refused with a sentence that has `why` in it, and no element changed.
template <class T>
void expect_refused(array<T>& memory, std::function<void()> const& call, std::string const& why = "expected: ") {
  auto const before = memory.host();
  try {
    call();
    ADD_FAILURE() << "not refused";
  } catch (lookback::invalid_argument const& refused) {
    EXPECT_NE(std::string(refused.what()).find(why), std::string::npos) << refused.what();
  }
  EXPECT_TRUE(same(memory.host(), before));
  EXPECT_TRUE(memory.intact());
}

}  // namespace harness
