// One pass: a tile waits for the prefix of the one before it, and for nothing else, and publishes its own.
//
// Prefixes travel from tile to tile, one step after the other: what a step takes bounds the speed of a call, however many workers
// there are. Source: Yan, Long & Zhang, StreamScan, 2013, where it is called adjacent synchronization.
#pragma once
#include "../../../strategy.hpp"
#include "../descriptors.hpp"
#include "one_pass.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

template <class Work>
class prefix_exchange<chained, Work> {
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
    of_worker(prefix_exchange& all, detail::rooms<Work> const&, int) : work_{all.work_}, published_{all.published_} {}
    static void begin_tile() {}
    static void end_tile() {}

    /// A tile that knows its prefix needs no other: tile 0, and one in which a segment starts.
    void early(index_t tile, aggregate const& a) {
      if (tile == 0) published_.publish_prefix(tile, work_.combine(work_.first(), a));
      else if (a.complete) published_.publish_prefix(tile, work_.combine(maybe<prefix>{}, a));
    }
    maybe<prefix> late(index_t tile, aggregate const& a) {
      if (published_.wait_for(tile - 1) == status::failed) return {};
      maybe<prefix> const before{published_.prefix(tile - 1)};
      if (!a.complete) published_.publish_prefix(tile, work_.combine(before, a));
      return before;
    }
    static bool may_store(index_t) { return true; }

   private:
    Work const& work_;
    descriptors<aggregate, prefix>& published_;
  };

 private:
  Work const& work_;
  int workers_;
  descriptors<aggregate, prefix> published_;
};

template <class Work>
auto run_tiles(chained, Work& work, executor const& e, memory const& from, int workers) {
  return run_one_pass<chained>(work, e, from, workers);
}

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
