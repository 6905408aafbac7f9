// How a call on the CPU runs: a value that every `.with(...)` copies with one thing changed.
#pragma once
#include <type_traits>

#include "../../policy.hpp"
#include "../../strategy.hpp"
#include "../simd/unit.hpp"
#include "../sinks/reproducible_tree.hpp"
#include "executor.hpp"
#include "memory.hpp"
#include "tuning.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

/// Where and how on the CPU: threads, direction, tuning, executor and memory are run-time values; strategy, carry and
/// reproducible are types, because each is other code.
template <class Strategy = decoupled_look_back, class Carry = no_carry, bool Reproducible = false>
class policy {
 public:
  using back_end = policy<>;
  using strategy_type = Strategy;
  using carry_type = Carry;
  static constexpr bool is_reproducible = Reproducible;

  int threads = 0;                                // most workers of one call; 0: as many as the executor has
  lookback::direction direction = left_to_right;  // of the scan
  cpu::tuning tuning{};                           // sizes, zero for the default
  cpu::executor executor = in_this_thread;        // who runs the workers
  cpu::memory memory = heap;                      // where scratch comes from, but for a small room of one worker
  [[no_unique_address]] Carry carry{};            // state of a call cut into chunks

  template <lookback::strategy Other>
  policy<Other, Carry, Reproducible> with(Other) const {
    return copy<Other, Carry, Reproducible>(carry);
  }
  template <class T, class Key>
  policy<Strategy, lookback::carry<T, Key>, Reproducible> with(lookback::carry<T, Key> c) const {
    return copy<Strategy, lookback::carry<T, Key>, Reproducible>(c);
  }
  policy<Strategy, Carry, true> with(reproducible_t) const { return copy<Strategy, Carry, true>(carry); }
  stably<policy> with(stable_t) const { return {*this}; }
  policy with(lookback::direction d) const { return changed(&policy::direction, d); }
  policy with(cpu::tuning t) const { return changed(&policy::tuning, t); }
  policy with(cpu::executor e) const { return changed(&policy::executor, e); }
  policy with(cpu::memory m) const { return changed(&policy::memory, m); }

 private:
  template <class Member, class Value>
  policy changed(Member member, Value value) const {
    policy other = *this;
    other.*member = value;
    return other;
  }
  template <class S, class C, bool R>
  policy<S, C, R> copy(C const& c) const {
    policy<S, C, R> other;
    other.threads = threads, other.direction = direction, other.tuning = tuning;
    other.executor = executor, other.memory = memory, other.carry = c;
    return other;
  }
};

/// One thread, the calling one: the serial kernel.
inline constexpr policy<sequential> seq{};

/// Items of a tile for items of `item_bytes` bytes: what the source reads of one, and no less than the accumulator has. Chunks
/// of a call that is cut at multiples of it give the bits of one call.
template <class Strategy, class Carry, bool Reproducible>
index_t tile_items(policy<Strategy, Carry, Reproducible> const& on, index_t item_bytes) {
  if (Reproducible) return tree<float>::items;  // a multiple of that of doubles
  return on.tuning.tile_items > 0 ? on.tuning.tile_items : default_tile_items(on.tuning, item_bytes);
}

/// Scratch of one call, for `count` elements of T: where the parts of an algorithm leave things for each other.
template <class T, class Strategy, class Carry, bool Reproducible>
scratch<T> scratch_for(policy<Strategy, Carry, Reproducible> const& on, index_t count, std::type_identity<T>) {
  return {on.memory, count};
}

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
