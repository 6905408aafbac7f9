// One pass: a tile waits for the prefix of the one before it, and for nothing else, and publishes its own.
//
// Prefixes travel from tile to tile, one step after the other: what a step takes bounds the speed of a call, however many workers
// there are. Source: Yan, Long & Zhang, StreamScan, 2013, where it is called adjacent synchronization.
#pragma once
#include "../../../strategy.hpp"
#include "one_pass.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

template <class Work>
class prefix_exchange<chained, Work> : public published_tiles<Work> {
  using base = published_tiles<Work>;

 public:
  using base::base;

  class of_worker : public plain_worker {
   public:
    of_worker(prefix_exchange& all, detail::rooms<Work> const&, int) : all_{all} {}

    void early(index_t tile, typename base::aggregate const& a) { all_.publish_if_complete(tile, a); }
    maybe<typename base::prefix> late(index_t tile, typename base::aggregate const& a) {
      auto& published = all_.published_;
      if (published.wait_for(tile - 1) == status::failed) return {};
      maybe<typename base::prefix> const before{published.prefix(tile - 1)};
      if (!a.complete) published.publish_prefix(tile, all_.work_.combine(before, a));
      return before;
    }

   private:
    prefix_exchange& all_;
  };
};

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
