// Gates against other load, without which two threads look no faster than one (each measured): a sample is taken only while nobody
// else wants to run, and dropped if a thread of ours was pushed aside during it.
#pragma once
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_scheduler_observer.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <thread>

#include "../case.hpp"

namespace bench {

/// Threads of the machine that want to run now, this one included.
inline int runnable() {
  std::ifstream load("/proc/loadavg");
  double ignored;
  int running = 1;
  load >> ignored >> ignored >> ignored >> running;
  return running;
}

inline long pushed_aside() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_nivcsw;
}

inline double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// Waits, at most a fifth of a second, until this thread is the only one that wants to run.
inline void wait_for_quiet() {
  for (double const end = now() + 0.2; runnable() > 1 && now() < end;) std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

/// One of `repeats` calls, which are tried again, a few times, while something disturbs them.
template <class Call>
sample gated(Call const& call, int repeats) {
  sample s{0, false};
  for (int tries = 0; tries < 4 && !s.clean; ++tries) {
    wait_for_quiet();
    long const before = pushed_aside();
    double const start = now();
    for (int i = 0; i < repeats; ++i) call();
    s = {(now() - start) / repeats, pushed_aside() == before};
  }
  return s;
}

inline void pin(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<unsigned>(cpu), &set);
  pthread_setaffinity_np(pthread_self(), sizeof set, &set);
}

/// Pins the workers of oneTBB to CPUs 1, 2, ... as they come, and the calling thread to CPU 0. One for the whole program.
class pinned_workers : tbb::task_scheduler_observer {
 public:
  explicit pinned_workers(int threads)
      : most_(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads)), threads_(threads) {
    (void)tbb::this_task_arena::max_concurrency();  // the arena counts CPUs before this thread is bound to one
    observe(true);
    pin(0);
  }
  void on_scheduler_entry(bool is_worker) override {
    thread_local bool bound = false;
    if (is_worker && !bound) pin(next_++ % threads_);
    bound = true;
  }

 private:
  tbb::global_control most_;
  int threads_;
  std::atomic<int> next_{1};
};

}  // namespace bench
