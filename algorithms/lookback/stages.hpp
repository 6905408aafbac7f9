// Three stages of one flow at the same time: chunk k + 2 is filled while chunk k + 1 is worked on and chunk k is drained.
//
//   slots      one chunk each; as many as there are, so many chunks are on their way, and no more memory is taken (back pressure)
//   fill       on a thread of its own: puts the next chunk into a slot, or says that there is none
//   work       on the calling thread
//   drain      on a thread of its own: in the order in which chunks were filled
//
// A stage waits only for the one before it (for a chunk) and, in filling, for a free slot, which draining gives back: the oldest
// chunk can always go on. Where a stage throws, those before it end at their next chunk, and those behind it do what is there: all
// chunks before the one that failed are drained, unless draining itself failed. run_stages throws when all have ended: of several
// errors the first in time.
#pragma once
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <lookback/error.hpp>
#include <mutex>
#include <span>
#include <thread>

namespace lookback {

enum class stage { fill, work, drain };

/// Seconds for which each stage was at work, and from begin to end.
struct stage_times {
  double fill = 0, work = 0, drain = 0, total = 0;
  /// The stage that took longest: what the others wait for.
  stage limit() const { return drain >= fill && drain >= work ? stage::drain : fill >= work ? stage::fill : stage::work; }
};

namespace detail {

/// How many chunks each stage has done, which of them have ended, and what was thrown.
class stage_counts {
 public:
  explicit stage_counts(std::size_t slots) : slots_{slots} {}

  /// May a stage go on with its chunk number k? Waits until that is known; false if there is none for it, now or ever.
  bool next_to_fill(std::uint64_t k) {
    auto const is_over = [&] { return work_ended_ || drain_ended_; };
    return wait([&] { return is_over() || k - drained_ < slots_; }, [&] { return !is_over(); });
  }
  bool next_to_work(std::uint64_t k) {
    return wait([&] { return filled_ > k || fill_ended_ || drain_ended_; }, [&] { return filled_ > k && !drain_ended_; });
  }
  bool next_to_drain(std::uint64_t k) {
    return wait([&] { return worked_ > k || work_ended_; }, [&] { return worked_ > k; });
  }
  void did(stage s) {
    std::lock_guard lock(mutex_);
    ++(s == stage::fill ? filled_ : s == stage::work ? worked_ : drained_);
    changed_.notify_all();
  }
  void end(stage s) {
    std::lock_guard lock(mutex_);
    (s == stage::fill ? fill_ended_ : s == stage::work ? work_ended_ : drain_ended_) = true;
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
  template <class Known, class Any>
  bool wait(Known const& is_known, Any const& there_is_one) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, is_known);
    return there_is_one();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t slots_;
  std::uint64_t filled_ = 0, worked_ = 0, drained_ = 0;
  bool fill_ended_ = false, work_ended_ = false, drain_ended_ = false;
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

/// Runs `fill`, `work` and `drain` on one chunk after another, in `slots`, one after another.
///
///   fill(slot)    returns false if there is no further chunk: then the slot holds none
///   work(slot)    makes results of what was filled
///   drain(slot)   takes them away; the slot is free afterwards
///
/// Waits. Throws invalid_argument without slots, std::system_error where no thread can be had, and what a stage threw.
template <class Slot, std::size_t Extent, class Fill, class Work, class Drain>
stage_times run_stages(std::span<Slot, Extent> slots, Fill fill, Work work, Drain drain) {
  expects(!slots.empty(), "stages have at least one slot");
  auto const begin = std::chrono::steady_clock::now();
  stage_times times;
  detail::stage_counts counts(slots.size());
  auto const slot_of = [&](std::uint64_t k) -> Slot& { return slots[static_cast<std::size_t>(k % slots.size())]; };
  // Calls one(slot) for chunk after chunk, until there is none or it returns false.
  auto const run = [&](stage s, double& seconds, auto const& one, auto const& next) {
    try {
      for (std::uint64_t k = 0; next(k); ++k) {
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
  {
    std::jthread filler, drainer;
    try {
      filler = std::jthread([&] { run(stage::fill, times.fill, fill, [&](std::uint64_t k) { return counts.next_to_fill(k); }); });
      drainer = std::jthread([&] {
        run(
            stage::drain, times.drain, [&](Slot& slot) { return drain(slot), true; },
            [&](std::uint64_t k) { return counts.next_to_drain(k); });
      });
    } catch (...) {  // without a thread for it a stage has ended
      counts.remember();
      counts.end(filler.joinable() ? stage::drain : stage::fill);
    }
    run(
        stage::work, times.work, [&](Slot& slot) { return work(slot), true; },
        [&](std::uint64_t k) { return counts.next_to_work(k); });
  }  // both have ended
  counts.rethrow();
  times.total = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return times;
}

}  // namespace lookback
