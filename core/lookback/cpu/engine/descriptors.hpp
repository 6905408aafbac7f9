// What every tile has told its successors, one cache line or more for each, and how a tile waits for it.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <thread>
#include <type_traits>

#include "../../fn.hpp"
#include "../../model/descriptor.hpp"
#include "../run/memory.hpp"
#include "../simd/simd.hpp"
#include "../simd/unit.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

/// A descriptor for each of `tiles` tiles, all empty. Aggregate and prefix have a slot of their own, written once, before the
/// state that announces it; so a reader that has seen `aggregate` may read it whatever the owner does next.
/// `Publish` is the memory order of the announcement: release, and anything weaker is a bug (a test shows that it is found).
template <class Aggregate, class Prefix = Aggregate, std::memory_order Publish = std::memory_order_release>
class descriptors {
  static_assert(std::is_trivially_copyable_v<Aggregate> && std::is_trivially_copyable_v<Prefix>);
  static_assert(alignof(Aggregate) <= 64 && alignof(Prefix) <= 64, "values are aligned to 64 bytes at most, as scratch memory is");

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
  /// By one who is not the owner: the prefix of a tile that has published its aggregate. False: the owner has failed meanwhile.
  bool resolve(index_t tile, Prefix const& p) {
    ::new (static_cast<void*>(slots_.data()[tile].prefix)) Prefix(p);
    status told = status::aggregate;
    return slots_.data()[tile].state.compare_exchange_strong(told, status::prefix, Publish, std::memory_order_relaxed);
  }
  void publish_failed(index_t tile) { announce(tile, status::failed); }

  /// Where a tile is stored over what it has read, other workers may read it only as guests, and its owner stores it only if there
  /// are none: else the last guest to leave does. So nobody waits, and nobody reads what is being overwritten.
  ///
  /// May a worker that is not the owner read `tile`? Not once the owner is about to store it, which has published it before.
  bool enter(index_t tile) {
    auto& guests = slots_.data()[tile].guests;
    std::uint32_t now = guests.load(std::memory_order_acquire);
    do {
      if (now & owner_is_done) return false;
    } while (!guests.compare_exchange_weak(now, now + 1, std::memory_order_acquire));
    return true;
  }
  /// A guest has read `tile`. True: the owner has left it to this guest to store.
  bool leave(index_t tile) {
    // release: what this guest has read, it has read before anybody stores; acquire: the same of the owner and other guests
    return slots_.data()[tile].guests.fetch_sub(1, std::memory_order_acq_rel) == (owner_is_done | 1);
  }
  /// The owner, which has published `tile`, wants to store it. False: guests are reading it, and the last of them will store it.
  bool may_store(index_t tile) { return slots_.data()[tile].guests.fetch_or(owner_is_done, std::memory_order_acq_rel) == 0; }

  // acquire: who reads a state also reads the value written before it
  status state(index_t tile) const { return slots_.data()[tile].state.load(std::memory_order_acquire); }

  /// Waits until `tile` has said something. Its owner claimed it before the caller claimed its own, and needs only tiles before
  /// it: so this ends, but not before the owner has a core.
  status wait_for(index_t tile) const {
    for (int spins = 0;; ++spins) {
      status const s = state(tile);
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
    std::atomic<std::uint32_t> guests{0};  // how many there are, and whether the owner is done with the tile
    alignas(Aggregate) std::byte aggregate[sizeof(Aggregate)];
    alignas(Prefix) std::byte prefix[sizeof(Prefix)];
  };
  static constexpr std::uint32_t owner_is_done = std::uint32_t{1} << 31;
  // release: makes the value visible to whoever acquires the state
  void announce(index_t tile, status s) { slots_.data()[tile].state.store(s, Publish); }

  scratch<slot> slots_;
};

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
