// What the library does for the calls of a thread, for people who want to know: which way it takes and why, its kernels or its
// passes over tiles, and the scratch memory that it asks for.
//
//   lookback::observation seen;
//   {
//     lookback::observing const now(seen);
//     lookback::inclusive_scan(on, in, out, lookback::plus<int>{});
//   }
//   for (auto const& way : seen.ways) std::puts((way.what + ": " + way.why).c_str());
//
// A call that is not observed reads one variable of its thread for each of these. An observed call waits, on a GPU, where the
// device decides how the call runs. To be observed changes neither what a call leaves nor what it throws.
#pragma once
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "fn.hpp"

namespace lookback {

/// How a call is run, one of the ways in core/README.md, and the reason for it.
struct observed_way {
  std::string what, why;
  index_t tiles = 0, tile_items = 0;  // 0 where the call has none, or their number is not known yet
  double reads = 1, writes = 1;  // how often all of the input is read from memory, and all of the output is written; 0: not known
};

/// A kernel, or workers of a CPU that go over tiles. Copies and fills of memory are not told.
struct observed_pass {
  std::string name;          // of the kernel without its types, or of the strategy
  index_t parts = 0;         // blocks, or tiles
  int threads = 0;           // of a block, or workers of the pass
  index_t shared_bytes = 0;  // of a block, beside what the kernel declares; 0 on a CPU
  index_t times = 1;         // that many of these ran one behind the other

  bool is_as(observed_pass const& other) const {
    return name == other.name && parts == other.parts && threads == other.threads && shared_bytes == other.shared_bytes;
  }
};

/// All calls of one thread while an `observing` lives. What a call has other threads do is part of the call.
struct observation {
  std::vector<observed_way> ways;
  std::vector<observed_pass> passes;
  std::size_t scratch_bytes = 0;  // the sum of all that the calls asked for
  bool is_complete = true;        // false: there was no memory to note something

  /// Kernels, or passes over tiles.
  index_t pass_count() const {
    index_t count = 0;
    for (auto const& pass : passes) count += pass.times;
    return count;
  }
  void add(observed_way way) { ways.push_back(std::move(way)); }
  void add(observed_pass pass) {
    if (!passes.empty() && passes.back().is_as(pass)) passes.back().times += pass.times;
    else passes.push_back(std::move(pass));
  }
};

namespace detail {
inline constinit thread_local observation* observed = nullptr;

/// f(observation) if this thread is observed. What f throws stays here: a call shall not fail because it is observed.
template <class F>
void observe(F const& f) noexcept {
  if (!observed) [[likely]]
    return;
  try {
    f(*observed);
  } catch (...) {
    observed->is_complete = false;
  }
}
inline void observe_way(char const* what, char const* why, index_t tiles = 0, index_t tile_items = 0, double reads = 1,
                        double writes = 1) noexcept {
  observe([&](observation& seen) { seen.add(observed_way{what, why, tiles, tile_items, reads, writes}); });
}
inline void observe_pass(char const* name, index_t parts, int threads) noexcept {
  observe([&](observation& seen) { seen.add(observed_pass{name, parts, threads, 0, 1}); });
}
inline void observe_scratch(std::size_t bytes) noexcept {
  if (observed) [[unlikely]]
    observed->scratch_bytes += bytes;
}

/// While it lives, this thread is not observed: a worker tells nothing of its own.
class unobserved {
 public:
  unobserved() = default;
  unobserved(unobserved const&) = delete;
  unobserved& operator=(unobserved const&) = delete;
  ~unobserved() { observed = before_; }

 private:
  observation* before_ = std::exchange(observed, nullptr);
};
}  // namespace detail

/// While it lives, the calls of this thread are noted in `to`. Of several, the innermost one notes them.
class observing {
 public:
  explicit observing(observation& to) : before_{std::exchange(detail::observed, &to)} {}
  observing(observing const&) = delete;
  observing& operator=(observing const&) = delete;
  ~observing() { detail::observed = before_; }

 private:
  observation* before_;
};

}  // namespace lookback
