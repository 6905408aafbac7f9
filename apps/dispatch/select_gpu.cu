// Selections on the GPU, by the width of the elements alone: four kernels a width for every type and condition.
#include <lookback/partition_if.hpp>
#include <lookback/select_if.hpp>

#include "as_bits.hpp"
#include "by_strategy.hpp"
#include "compaction_tables.hpp"
#include "on_queue.cuh"

namespace lookback::dispatch {

namespace {

struct is_not_zero {
  LOOKBACK_FN bool operator()(std::uint8_t flag) const { return flag != 0; }
};

template <class Bits, class On>
void select_flagged_on(On const& on, select_request const& r) {
  auto const in = items_at<Bits>(r.in, r.n);
  auto const flags = items_at<std::uint8_t>(r.flags, r.n);
  auto const kept = room_at<Bits>(r.kept, r.n), rejected = room_at<Bits>(r.rejected, r.rejected ? r.n : 0);
  if (r.rejected) partition_if_async(on, in, stencil(flags), kept, rejected, is_not_zero{}, r.counts);
  else select_flagged_async(on, in, flags, kept, r.counts);
}

template <class Bits, class On>
void select_on(On const& on, select_request const& r) {
  if (r.flags) return select_flagged_on<Bits>(on, r);
  auto const in = items_at<Bits>(r.in, r.n);
  auto const kept = room_at<Bits>(r.kept, r.n), rejected = room_at<Bits>(r.rejected, r.rejected ? r.n : 0);
  auto const keep = bits_between_of<Bits>(r.type, r.low, r.high);
  if (r.rejected) partition_if_async(on, in, kept, rejected, keep, r.counts);
  else select_if_async(on, in, kept, keep, r.counts);
}

template <class Bits>
void select_of(place const& on, select_request const& r) {
  by_strategy<sizeof(Bits) >= 4>(on_queue(on), r.how, [&](auto const& queue) { select_on<Bits>(queue, r); });
}

}  // namespace

void select_gpu(place const& on, select_request const& r) {
  switch (size_of(r.type)) {
    case 1:
      return select_of<std::uint8_t>(on, r);
    case 2:
      return select_of<std::uint16_t>(on, r);
    case 4:
      return select_of<std::uint32_t>(on, r);
    default:
      return select_of<std::uint64_t>(on, r);
  }
}

}  // namespace lookback::dispatch
