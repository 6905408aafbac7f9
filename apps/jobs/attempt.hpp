// The one other place that catches: where many files are tried and some may fail.
#pragma once
#include <new>
#include <string>
#include <system_error>

#include "report/failures.hpp"

namespace lookback::app {

/// Runs f; returns what went wrong, or nothing.
template <class F>
std::string attempt(F&& f) {
  try {
    f();
    return {};
  } catch (error const& e) {
    return e.what();
  } catch (std::system_error const& e) {  // no thread, no folder
    return e.what();
  } catch (std::bad_alloc const&) {
    return "out of memory";
  }
}

}  // namespace lookback::app
