// The executor on plain std::thread, for builds without oneTBB and for ThreadSanitizer, which sees all of it.
#pragma once
#include <system_error>
#include <thread>
#include <vector>

#include "../simd/unit.hpp"
#include "executor.hpp"
#include "machine.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

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

/// As many as are wanted, else one for each core that the process may use.
inline constexpr executor std_threads{[](int wanted) { return wanted > 0 ? wanted : usable_cores(); }, detail::run_on_threads};

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
