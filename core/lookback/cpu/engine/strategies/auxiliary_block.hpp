// One pass: tiles publish their aggregates, and one worker at a time, the auxiliary, turns these into prefixes, tile after tile.
//
// On a GPU a block has nothing else to do. Here a worker that waits for its prefix takes the part over if nobody has it, goes as
// far as there are aggregates, and gives it back: so one worker alone finishes, too. A worker that loses its core meanwhile keeps
// the others waiting. Source: A Single Pass Scan Using look-back, 2023.
#pragma once
#include <atomic>
#include <thread>

#include "../../../strategy.hpp"
#include "one_pass.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

template <class Work>
class prefix_exchange<auxiliary_block, Work> : public published_tiles<Work> {
  using base = published_tiles<Work>;
  using typename base::prefix;

 public:
  using base::base;

  class of_worker : public plain_worker {
   public:
    of_worker(prefix_exchange& all, detail::rooms<Work> const&, int) : all_{all} {}

    void early(index_t tile, typename base::aggregate const& a) { all_.publish_early(tile, a); }
    /// A tile that is not complete waits for its own prefix too, which the auxiliary publishes.
    maybe<prefix> late(index_t tile, typename base::aggregate const& a) {
      auto& published = all_.published_;
      index_t const last = a.complete ? tile - 1 : tile;
      for (int spins = 0;; ++spins) {
        status const before = published.state(tile - 1);
        if (before == status::failed) return {};  // the auxiliary may be past it: a tile can fail when it is stored
        if (before == status::prefix && published.state(last) == status::prefix) return maybe<prefix>{published.prefix(tile - 1)};
        if (!all_.goes_on()) return {};
        if (spins < 64) pause();
        else std::this_thread::yield();  // who is waited for may have lost its core to this very thread
      }
    }

   private:
    prefix_exchange& all_;
  };

 private:
  /// As the auxiliary, if nobody is: from the first tile without a prefix to the first that has told nothing. False: a tile failed.
  bool goes_on() {
    // The first look leaves the line where it is. acquire: who was it before has stored next_
    if (taken_.test(std::memory_order_relaxed) || taken_.test_and_set(std::memory_order_acquire)) return true;
    struct turn {
      std::atomic_flag& taken;
      ~turn() { taken.clear(std::memory_order_release); }  // also where the operator throws
    } const mine{taken_};
    auto& published = this->published_;
    for (; next_ < this->work_.tiles(); ++next_) {
      status const s = published.state(next_);
      if (s == status::empty) return true;
      if (s == status::failed) return false;
      if (s == status::aggregate &&
          !published.resolve(next_, this->work_.combine(maybe<prefix>{published.prefix(next_ - 1)}, published.aggregate(next_))))
        return false;
    }
    return true;
  }

  alignas(64) std::atomic_flag taken_;
  index_t next_ = 0;  // the auxiliary's
};

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
