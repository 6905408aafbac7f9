// The executor on oneTBB: the calling thread and isolated tasks of its arena.
#pragma once
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <exception>
#include <thread>

#include "../simd/unit.hpp"
#include "executor.hpp"
#include "machine.hpp"

// Present where the program runs under ThreadSanitizer, null elsewhere. oneTBB's own library is not instrumented, so that what
// orders a task's start and end must be said here; suppressions would hide real races (docs/lab/cpu.md).
extern "C" {
[[gnu::weak]] void __tsan_acquire(void* address);
[[gnu::weak]] void __tsan_release(void* address);
}

namespace lookback::cpu::inline LOOKBACK_UNIT {

namespace detail {

inline void tsan_acquire(void* address) {
  if (__tsan_acquire) __tsan_acquire(address);
}
inline void tsan_release(void* address) {
  if (__tsan_release) __tsan_release(address);
}

struct tbb_work {
  void (*body)(void*);
  void* context;
  bool spawned = false;
  char started = 0, ended = 0;  // addresses for the annotations alone
  void operator()() {
    // Isolated: an operator that itself waits in oneTBB must not be handed another worker of this call, which would then wait
    // for the very tile that lies suspended beneath it.
    tbb::this_task_arena::isolate([this] { body(context); });
  }
};

// A task may be given the memory of one that has ended, of another call too: oneTBB orders the two. One address for all.
inline char tasks_ended = 0;

// What a task holds. oneTBB writes it into the task when it spawns, reads it and the task's own fields when it runs, and destroys
// it last: so the acquire must follow the spawning, and the release is the destructor's. What is read before the acquire is
// hidden from ThreadSanitizer.
struct tbb_worker {
  tbb_work* work;
  explicit tbb_worker(tbb_work* w) : work{w} {}
  tbb_worker(tbb_worker const&) = default;
  __attribute__((no_sanitize("thread"))) void operator()() const {  // builtins: std::atomic's functions are not hidden
    if (__tsan_acquire)
      while (!__atomic_load_n(&work->spawned, __ATOMIC_RELAXED)) std::this_thread::yield();
    tsan_acquire(&work->started);
    (*work)();
  }
  ~tbb_worker() { tsan_release(&work->ended), tsan_release(&tasks_ended); }
};

inline void run_on_tbb(int workers, void (*body)(void*), void* context) {
  tbb_work work{body, context};
  if (workers <= 1) return work();
  // Isolated as a whole: who waits for the last workers begins no other call meanwhile, which this one would have to wait for. (It
  // would also be given the memory of this call's ended tasks before the acquire below has said that they have ended.)
  tbb::this_task_arena::isolate([&work, workers] {
    tbb::task_group group;
    try {
      for (int i = 1; i < workers; ++i) tsan_acquire(&tasks_ended), group.run(tbb_worker{&work});
    } catch (std::exception const&) {  // no thread could be created: fewer workers do as well
    }
    tsan_release(&work.started);
    __atomic_store_n(&work.spawned, true, __ATOMIC_RELAXED);
    work();
    group.wait();
    tsan_acquire(&work.ended);
  });
}

}  // namespace detail

/// No more workers than the arena of the calling thread has slots, nor than the process's cgroups grant it cores.
inline constexpr executor tbb_tasks{[](int wanted) {
                                      int const slots = within_quota(tbb::this_task_arena::max_concurrency());
                                      return wanted > 0 && wanted < slots ? wanted : slots;
                                    },
                                    detail::run_on_tbb};

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
