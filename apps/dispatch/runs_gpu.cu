// Runs on the GPU, by the width of the elements alone.
#include <lookback/run_length_encode.hpp>
#include <lookback/unique.hpp>

#include "as_bits.hpp"
#include "by_strategy.hpp"
#include "compaction_tables.hpp"
#include "on_queue.cuh"

namespace lookback::dispatch {

namespace {

template <class Bits, class On, class Equal>
void runs_on(On const& on, runs_request const& r, Equal const& equal) {
  auto const in = items_at<Bits>(r.in, r.n);
  auto const firsts = room_at<Bits>(r.firsts, r.n);
  if (r.lengths) run_length_encode_async(on, in, firsts, room_at<index_t>(r.lengths, r.n), r.count, equal);
  else unique_async(on, in, firsts, r.count, equal);
}

template <class Bits, class Equal>
void runs_of(place const& on, runs_request const& r, Equal const& equal) {
  by_strategy<sizeof(Bits) >= 4>(on_queue(on), r.how, [&](auto const& queue) { runs_on<Bits>(queue, r, equal); });
}

}  // namespace

void runs_gpu(place const& on, runs_request const& r) {
  switch (size_of(r.type)) {
    case 1:
      return runs_of<std::uint8_t>(on, r, equal_to{});
    case 2:
      return runs_of<std::uint16_t>(on, r, equal_to{});
    case 4:
      return runs_of<std::uint32_t>(on, r, same_bits_of<std::uint32_t>(r.type, r.by_bits));
    default:
      return runs_of<std::uint64_t>(on, r, same_bits_of<std::uint64_t>(r.type, r.by_bits));
  }
}

}  // namespace lookback::dispatch
