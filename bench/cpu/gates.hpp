// Gates against other load, without which two threads look no faster than one (each measured): a sample is taken only while nobody
// else wants to run, and dropped if a thread of ours was pushed aside during it or somebody else wants to run at its end.
#pragma once
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_scheduler_observer.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <thread>

#include "../case.hpp"

namespace bench {

/// Threads of this process that want to run now, the calling one included: a worker of oneTBB looks for work for a while after a
/// call.
inline int own_runnable() {
  int running = 0;
  std::error_code gone;  // a thread may end while the folder is read
  for (auto const& task : std::filesystem::directory_iterator("/proc/self/task", gone)) {
    std::ifstream stat(task.path() / "stat");
    std::string line;
    std::getline(stat, line);
    auto const name_end = line.rfind(')');
    running += name_end != std::string::npos && line.compare(name_end, 4, ") R ") == 0;
  }
  return running;
}

/// Threads of anybody that want to run now, the calling one included.
inline int runnable() {
  std::ifstream load("/proc/loadavg");
  double ignored;
  int running = 1;
  load >> ignored >> ignored >> ignored >> running;
  return running;
}
/// Those of others.
inline int rivals() { return runnable() - own_runnable(); }

inline long pushed_aside() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_nivcsw;
}

inline double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// Waits, at most a tenth of a second, until nobody else wants to run, and no worker of the call before: those of OpenMP look for
/// work for some milliseconds, and what came next within them took up to 20 % longer.
inline void wait_for_quiet() {
  for (double const end = now() + 0.1; runnable() > 1 && now() < end;) std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

/// One of `repeats` calls, which are tried again, a few times, while something disturbs them. A call before them wakes the workers,
/// which have gone to sleep if the wait was long (a first call then costs 40 us and more), and brings back what others have pushed
/// out of the caches.
template <class Call, class Prepare = void (*)()>
sample gated(
    Call const& call, int repeats, Prepare const& prepare = [] {}) {
  sample s{0, false};
  for (int tries = 0; tries < 3 && !s.clean; ++tries) {
    wait_for_quiet();
    prepare();
    call();
    prepare();
    long const before = pushed_aside();
    double const start = now();
    for (int i = 0; i < repeats; ++i) call();
    double const end = now();
    s = {(end - start) / repeats, pushed_aside() == before && rivals() <= 0};
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
