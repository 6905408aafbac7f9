// One pass: tiles publish their aggregates, and one worker at a time, the auxiliary, turns these into prefixes, tile after tile.
//
// On a GPU a block has nothing else to do. Here a worker that waits for its prefix takes the part over if nobody has it, goes as
// far as there are aggregates, and gives it back: so one worker alone finishes, too. A worker that loses its core meanwhile keeps
// the others waiting. Source: A Single Pass Scan Using look-back, 2023.
#pragma once
#include <atomic>
#include <thread>

#include "../../../strategy.hpp"
#include "../descriptors.hpp"
#include "one_pass.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

template <class Work>
class prefix_exchange<auxiliary_block, Work> {
  using aggregate = typename Work::aggregate;
  using prefix = typename Work::prefix;

 public:
  prefix_exchange(Work const& work, memory const& from, int workers)
      : work_{work}, workers_{workers}, published_{from, work.tiles()} {}
  int rooms() const { return workers_; }
  void publish_failed(index_t tile) { published_.publish_failed(tile); }
  prefix const& last() const { return published_.prefix(work_.tiles() - 1); }

  class of_worker {
   public:
    of_worker(prefix_exchange& all, detail::rooms<Work> const&, int) : all_{all} {}
    static void begin_tile() {}
    static void end_tile() {}

    void early(index_t tile, aggregate const& a) {
      auto& published = all_.published_;
      if (tile == 0) published.publish_prefix(tile, all_.work_.combine(all_.work_.first(), a));
      else if (a.complete) published.publish_prefix(tile, all_.work_.combine(maybe<prefix>{}, a));
      else published.publish_aggregate(tile, a);
    }
    /// A tile that is not complete waits for its own prefix too, which the auxiliary publishes.
    maybe<prefix> late(index_t tile, aggregate const& a) {
      index_t const last = a.complete ? tile - 1 : tile;
      for (int spins = 0;; ++spins) {
        status const before = all_.published_.state(tile - 1);
        if (before == status::failed) return {};  // the auxiliary may be past it: a tile can fail when it is stored
        if (before == status::prefix && all_.published_.state(last) == status::prefix)
          return maybe<prefix>{all_.published_.prefix(tile - 1)};
        if (!all_.goes_on()) return {};
        if (spins < 64) pause();
        else std::this_thread::yield();  // who is waited for may have lost its core to this very thread
      }
    }
    static bool may_store(index_t) { return true; }

   private:
    prefix_exchange& all_;
  };

 private:
  /// As the auxiliary, if nobody is: from the first tile without a prefix to the first that has told nothing. False: a tile failed.
  bool goes_on() {
    if (taken_.test_and_set(std::memory_order_acquire)) return true;  // acquire: who was it before has stored next_
    struct turn {
      std::atomic_flag& taken;
      ~turn() { taken.clear(std::memory_order_release); }  // also where the operator throws
    } const mine{taken_};
    bool fails = false;
    for (; next_ < work_.tiles(); ++next_) {
      status const s = published_.state(next_);
      fails = s == status::failed;
      if (s == status::empty || fails) break;
      if (s == status::aggregate)
        published_.publish_prefix(next_, work_.combine(maybe<prefix>{published_.prefix(next_ - 1)}, published_.aggregate(next_)));
    }
    return !fails;
  }

  Work const& work_;
  int workers_;
  descriptors<aggregate, prefix> published_;
  alignas(64) std::atomic_flag taken_;
  index_t next_ = 0;  // the auxiliary's
};

template <class Work>
auto run_tiles(auxiliary_block, Work& work, executor const& e, memory const& from, int workers) {
  return run_one_pass<auxiliary_block>(work, e, from, workers);
}

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
