// Who runs the workers of a call: anything that can run one function several times and wait. Chosen at run time, called once a
// call.
#pragma once

namespace lookback::cpu {

/// run(workers, body, context) calls body(context) at most `workers` times and at least once, at the same time where it can,
/// and returns when every call has returned; what they wrote is visible then. The body never throws. The engine is right with
/// any number of calls actually made: a worker that starts late finds no tile left.
struct executor {
  int (*concurrency)();
  void (*run)(int workers, void (*body)(void*), void* context);
};

/// The calling thread alone.
inline constexpr executor in_this_thread{[] { return 1; }, [](int, void (*body)(void*), void* context) { body(context); }};

}  // namespace lookback::cpu
