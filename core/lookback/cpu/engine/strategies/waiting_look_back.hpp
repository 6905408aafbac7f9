// The decoupled look-back without the second room: who needs a tile of a worker that has lost its core waits for it, as blocks of a
// GPU do. What the room is worth is seen beside it. Source: Merrill & Garland 2016.
#pragma once
#include "../../../strategy.hpp"
#include "../look_back.hpp"
#include "one_pass.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

template <class Work>
class prefix_exchange<waiting_look_back, Work> : public published_tiles<Work> {
  using base = published_tiles<Work>;
  using typename base::aggregate;
  using typename base::prefix;

 public:
  using base::base;

  class of_worker : public plain_worker {
   public:
    of_worker(prefix_exchange& all, detail::rooms<Work> const&, int) : all_{all} {}

    void early(index_t tile, aggregate const& a) { all_.publish_early(tile, a); }
    maybe<prefix> late(index_t tile, aggregate const& a) {
      auto const combine = [&](prefix const& p, aggregate const& of) { return all_.work_.combine(p, of); };
      maybe<prefix> const before = look_back(all_.published_, tile, combine);
      if (before.has && !a.complete) all_.published_.publish_prefix(tile, all_.work_.combine(before, a));
      return before;
    }

   private:
    prefix_exchange& all_;
  };
};

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
