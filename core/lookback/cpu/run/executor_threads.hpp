// The executor on plain std::thread, for builds without oneTBB and for ThreadSanitizer, which sees all of it.
#pragma once
#include <algorithm>
#include <system_error>
#include <thread>
#include <vector>

#include "executor.hpp"

namespace lookback::cpu {

namespace detail {

inline void run_on_threads(int workers, void (*body)(void*), void* context) {
  std::vector<std::thread> threads;
  try {
    threads.reserve(static_cast<std::size_t>(workers));
    for (int i = 1; i < workers; ++i) threads.emplace_back(body, context);
  } catch (std::bad_alloc const&) {  // fewer workers do as well
  } catch (std::system_error const&) {
  }
  body(context);
  for (auto& thread : threads) thread.join();
}

}  // namespace detail

inline constexpr executor std_threads{
    [](int wanted) { return wanted > 0 ? wanted : std::max(1, static_cast<int>(std::thread::hardware_concurrency())); },
    detail::run_on_threads};

}  // namespace lookback::cpu
