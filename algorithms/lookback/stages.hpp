// Stages of one flow at the same time: chunk k + 2 is filled while chunk k + 1 is worked on and chunk k is drained.
//
//   slots      one chunk each; as many as there are, so many chunks are on their way, and no more memory is taken (back pressure)
//   fill       on a thread of its own: puts the next chunk into a slot, or says that there is none
//   work       on the calling thread
//   fetch      if there is one, on a thread of its own: what only enqueued its work is waited for and brought
//   drain      on a thread of its own: in the order in which chunks were filled
//
// A stage waits only for the one before it (for a chunk) and, in filling, for a free slot, which draining gives back: the oldest
// chunk can always go on. Where a stage throws, those before it end at their next chunk, and those behind it do what is there: all
// chunks before the one that failed are drained, unless draining itself failed. run_stages throws when all have ended: of several
// errors the first in time.
#pragma once
#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <lookback/error.hpp>
#include <mutex>
#include <span>
#include <thread>
#include <type_traits>

namespace lookback {

enum class stage { fill, work, fetch, drain };

/// Seconds for which each stage was at work, and from begin to end.
struct stage_times {
  double fill = 0, work = 0, fetch = 0, drain = 0, total = 0;
  /// The stage that took longest: what the others wait for.
  stage limit() const {
    double const most = std::max({fill, work, fetch, drain});
    return drain == most ? stage::drain : fill == most ? stage::fill : work == most ? stage::work : stage::fetch;
  }
};

namespace detail {

/// How many chunks each of `stages` stages has done, which of them have ended, and what was thrown.
class stage_counts {
 public:
  stage_counts(std::size_t stages, std::size_t slots) : last_{stages - 1}, slots_{slots} {}

  /// May stage s go on with its chunk number k? Waits until that is known; false if there is none for it, now or ever.
  bool next(std::size_t s, std::uint64_t k) {
    auto const behind_has_ended = [&] {
      for (std::size_t later = s + 1; later <= last_; ++later)
        if (ended_[later]) return true;
      return false;
    };
    auto const is_there = [&] { return s == 0 ? k - done_[last_] < slots_ : done_[s - 1] > k; };
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return is_there() || behind_has_ended() || (s > 0 && ended_[s - 1]); });
    return is_there() && !behind_has_ended();
  }
  void did(std::size_t s) {
    std::lock_guard lock(mutex_);
    ++done_[s];
    changed_.notify_all();
  }
  void end(std::size_t s) {
    std::lock_guard lock(mutex_);
    ended_[s] = true;
    changed_.notify_all();
  }
  /// In a handler: remembers what was thrown, if it is the first.
  void remember() {
    std::lock_guard lock(mutex_);
    if (!thrown_) thrown_ = std::current_exception();
  }
  /// When all have ended.
  void rethrow() const {
    if (thrown_) std::rethrow_exception(thrown_);
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t last_, slots_;
  std::array<std::uint64_t, 4> done_{};
  std::array<bool, 4> ended_{};
  std::exception_ptr thrown_;
};

class busy_clock {
  using clock = std::chrono::steady_clock;

 public:
  explicit busy_clock(double& seconds) : seconds_{seconds}, begin_{clock::now()} {}
  busy_clock(busy_clock const&) = delete;
  busy_clock& operator=(busy_clock const&) = delete;
  ~busy_clock() { seconds_ += std::chrono::duration<double>(clock::now() - begin_).count(); }

 private:
  double& seconds_;
  clock::time_point begin_;
};

}  // namespace detail

/// Runs stages on one chunk after another, in `slots`, one after another.
///
///   fill(slot)    returns false if there is no further chunk: then the slot holds none
///   work(slot)    makes results of what was filled
///   rest          drain(slot) takes them away; the slot is free afterwards. Or fetch(slot), which brings them first, and drain
///
/// Waits. Throws invalid_argument without slots, std::system_error where no thread can be had, and what a stage threw.
template <class Slot, std::size_t Extent, class Fill, class Work, class... Rest>
requires(sizeof...(Rest) == 1 || sizeof...(Rest) == 2) stage_times
    run_stages(std::span<Slot, Extent> slots, Fill fill, Work work, Rest... rest) {
  expects(!slots.empty(), "stages have at least one slot");
  auto const begin = std::chrono::steady_clock::now();
  stage_times times;
  constexpr std::size_t number = 2 + sizeof...(Rest);
  detail::stage_counts counts(number, slots.size());
  auto const slot_of = [&](std::uint64_t k) -> Slot& { return slots[static_cast<std::size_t>(k % slots.size())]; };
  // Calls one(slot) for chunk after chunk, until there is none or it returns false.
  auto const run = [&](std::size_t s, double& seconds, auto const& one) {
    try {
      for (std::uint64_t k = 0; counts.next(s, k); ++k) {
        bool any = false;
        {
          detail::busy_clock const busy(seconds);
          any = one(slot_of(k));
        }
        if (!any) break;
        counts.did(s);
      }
    } catch (...) {
      counts.remember();
    }
    counts.end(s);
  };
  auto const each = [](auto& one) { return [&one](Slot& slot) { return one(slot), true; }; };
  {
    std::array<std::jthread, number> threads;
    bool all_started = true;
    // Without a thread for it a stage has ended, and so have those that would have come.
    auto const start = [&](std::size_t s, double& seconds, auto one) {
      try {
        if (all_started) threads[s] = std::jthread([&run, s, &seconds, one] { run(s, seconds, one); });
      } catch (...) {
        counts.remember();
        all_started = false;
      }
      if (!all_started) counts.end(s);
    };
    start(0, times.fill, [&fill](Slot& slot) { return fill(slot); });
    double* const seconds[] = {&(number == 3 ? times.drain : times.fetch), &times.drain};
    std::size_t s = 2;
    ((start(s, *seconds[s - 2], each(rest)), ++s), ...);
    run(1, times.work, each(work));
  }  // all have ended
  counts.rethrow();
  times.total = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return times;
}

}  // namespace lookback
