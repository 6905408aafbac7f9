// Who runs the workers of a call: anything that can run one function several times and wait. Chosen at run time, called once a
// call.
#pragma once
#include <atomic>
#include <exception>

#include "../../observe.hpp"
#include "../simd/unit.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

/// workers(wanted) says how many run() will use at most, given that many wanted, 0 for all there are.
/// run(workers, body, context) calls body(context) at most `workers` times and at least once, at the same time where it can,
/// and returns when every call has returned; what they wrote is visible then. The body never throws. The engine is right with
/// any number of calls actually made: a worker that starts late finds no tile left.
struct executor {
  int (*workers)(int wanted);
  void (*run)(int workers, void (*body)(void*), void* context);
};

/// The calling thread alone.
inline constexpr executor in_this_thread{[](int) { return 1; }, [](int, void (*body)(void*), void* context) { body(context); }};

/// body(index, failing), index in [0, workers): `failing` turns true once any of them has thrown. The first exception that was
/// thrown is thrown again when all have returned.
template <class Body>
void run_workers(executor const& e, int workers, Body const& body) {
  struct shared {
    Body const& body;
    std::atomic<int> started{0};
    std::atomic<bool> failing{false}, caught{false};
    std::exception_ptr exception{};
  } all{body};
  e.run(
      workers,
      [](void* context) {
        auto& s = *static_cast<shared*>(context);
        lookback::detail::unobserved const here;
        try {
          s.body(s.started.fetch_add(1, std::memory_order_relaxed), s.failing);
        } catch (...) {
          s.failing.store(true, std::memory_order_relaxed);
          if (!s.caught.exchange(true)) s.exception = std::current_exception();
        }
      },
      &all);
  if (all.exception) std::rethrow_exception(all.exception);
}

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
