// One pass: a tile publishes its aggregate, then looks back for its prefix.
//
// Where no tile stores over what another reads, nobody waits for a worker that has lost its core: every worker has a second room,
// in which it computes what a predecessor has not published yet. Memory of it is touched only then. Source: Merrill & Garland 2016;
// for tiles with a head, van den Hurk 2022; for the second room, Smith, Levien & Owens 2025.
#pragma once
#include <utility>

#include "../../../strategy.hpp"
#include "../look_back.hpp"
#include "one_pass.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

namespace detail {

/// The aggregate of a tile that another worker has claimed and not published, computed in `room`. Absent where it has, meanwhile.
/// As a guest this worker may have to store the tile, which `before` comes before.
template <class Work, class Descriptors, class Room>
maybe<typename Work::aggregate> aggregate_of_other(Work const& work, Descriptors& published, Room const& room, index_t tile,
                                                   maybe<typename Work::prefix> const& before) {
  bool const as_guest = work.rereads() == rereading::as_guest;
  if (as_guest && !published.enter(tile)) return {};
  struct visit {
    Descriptors& published;
    index_t tile;
    bool inside;
    bool leave() { return std::exchange(inside, false) && published.leave(tile); }
    ~visit() { leave(); }  // by an exception: then the call fails, and nobody has to store the tile
  } here{published, tile, as_guest};
  auto held = work.hold(room, tile, 0);
  maybe<typename Work::aggregate> const a{work.reduce(room, held)};
  if (here.leave()) work.scan(room, held, work.needs_prefix(held) ? before : maybe<typename Work::prefix>{});
  return a;
}

}  // namespace detail

/// Helps: a worker computes what another one has claimed and not published.
template <class Work, bool Helps>
class look_back_exchange : public published_tiles<Work> {
  using base = published_tiles<Work>;
  using typename base::aggregate;
  using typename base::prefix;

 public:
  using base::base;
  int rooms() const { return has_spare() ? 2 * this->workers_ : this->workers_; }

  class of_worker {
   public:
    of_worker(look_back_exchange& all, detail::rooms<Work> const& rooms, int worker)
        : all_{all}, work_{all.work_}, published_{all.published_}, rooms_{rooms}, spare_{all.workers_ + worker} {}
    void begin_tile() {
      if constexpr (Helps) waits_.begin_tile();
    }
    void end_tile() {
      if constexpr (Helps) waits_.end_tile();
    }

    void early(index_t tile, aggregate const& a) { all_.publish_early(tile, a); }
    maybe<prefix> late(index_t tile, aggregate const& a) {
      auto const before = before_tile(tile);
      if (before.has && !a.complete) published_.publish_prefix(tile, work_.combine(before, a));
      return before;
    }
    bool may_store(index_t tile) { return !Helps || work_.rereads() != rereading::as_guest || published_.may_store(tile); }

   private:
    maybe<prefix> before_tile(index_t tile) {
      if constexpr (Helps)
        if (all_.has_spare())
          return look_back(
              published_, tile, work_.first(), waits_,
              [&](maybe<prefix> const& p, aggregate const& of) { return work_.combine(p, of); },
              [&](index_t other, maybe<prefix> const& p) {
                return detail::aggregate_of_other(work_, published_, rooms_.of(spare_), other, p);
              });
      return look_back(published_, tile, [&](prefix const& p, aggregate const& of) { return work_.combine(p, of); });
    }

    look_back_exchange& all_;
    Work const& work_;
    descriptors<aggregate, prefix>& published_;
    detail::rooms<Work> const& rooms_;
    int spare_;  // the room in which this worker computes other tiles
    patience waits_;
  };

 private:
  bool has_spare() const { return Helps && this->work_.rereads() != rereading::never; }
};

template <class Work>
class prefix_exchange<decoupled_look_back, Work> : public look_back_exchange<Work, true> {
 public:
  using look_back_exchange<Work, true>::look_back_exchange;
};

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
