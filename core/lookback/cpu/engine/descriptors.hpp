// What every tile has told its successors, one cache line or more for each, and how a tile waits for it.
#pragma once
#include <atomic>
#include <cstddef>
#include <new>
#include <thread>
#include <type_traits>

#include "../../fn.hpp"
#include "../../model/descriptor.hpp"
#include "../run/memory.hpp"
#include "../simd/simd.hpp"

namespace lookback::cpu {

/// A descriptor for each of `tiles` tiles, all empty. Aggregate and prefix have a slot of their own, written once, before the
/// state that announces it; so a reader that has seen `aggregate` may read it whatever the owner does next.
/// `Publish` is the memory order of the announcement: release, and anything weaker is a bug (a test shows that it is found).
template <class Aggregate, class Prefix = Aggregate, std::memory_order Publish = std::memory_order_release>
class descriptors {
  static_assert(std::is_trivially_copyable_v<Aggregate> && std::is_trivially_copyable_v<Prefix>);

 public:
  using aggregate_type = Aggregate;
  using prefix_type = Prefix;

  /// Throws out_of_memory.
  descriptors(memory const& from, index_t tiles) : slots_{from, tiles} {
    for (index_t t = 0; t < tiles; ++t) ::new (static_cast<void*>(slots_.data() + t)) slot;
  }

  void publish_aggregate(index_t tile, Aggregate const& a) {
    ::new (static_cast<void*>(slots_.data()[tile].aggregate)) Aggregate(a);
    announce(tile, status::aggregate);
  }
  void publish_prefix(index_t tile, Prefix const& p) {
    ::new (static_cast<void*>(slots_.data()[tile].prefix)) Prefix(p);
    announce(tile, status::prefix);
  }
  void publish_failed(index_t tile) { announce(tile, status::failed); }

  /// Waits until `tile` has said something. Its owner claimed it before the caller claimed its own, and needs only tiles before
  /// it: so this ends.
  status wait_for(index_t tile) const {
    for (int spins = 0;; ++spins) {
      // acquire: who reads a state also reads the value written before it
      status const s = slots_.data()[tile].state.load(std::memory_order_acquire);
      if (s != status::empty) return s;
      if (spins < 64) pause();
      else std::this_thread::yield();  // the owner may have lost its core to this very thread
    }
  }
  Aggregate const& aggregate(index_t tile) const {
    return *std::launder(reinterpret_cast<Aggregate const*>(slots_.data()[tile].aggregate));
  }
  Prefix const& prefix(index_t tile) const { return *std::launder(reinterpret_cast<Prefix const*>(slots_.data()[tile].prefix)); }

 private:
  struct alignas(64) slot {
    std::atomic<status> state{status::empty};
    alignas(Aggregate) std::byte aggregate[sizeof(Aggregate)];
    alignas(Prefix) std::byte prefix[sizeof(Prefix)];
  };
  // release: makes the value visible to whoever acquires the state
  void announce(index_t tile, status s) { slots_.data()[tile].state.store(s, Publish); }

  scratch<slot> slots_;
};

}  // namespace lookback::cpu
