// Runs written out on the GPU, by the width of the values alone.
#include <lookback/run_length_decode.hpp>

#include "compaction_tables.hpp"
#include "on_queue.cuh"

namespace lookback::dispatch {

bool offers_decode_on_gpu(strategy how) { return how != strategy::sequential && how != strategy::reduce_then_scan; }

void decode_gpu(place const& on, decode_request const& r) {
  auto const decode = [&]<class T>(T) {
    run_length_decode_async(on_queue(on), items_at<T>(r.values, r.runs), items_at<index_t>(r.lengths, r.runs),
                            room_at<T>(r.out, r.n), r.count);
  };
  switch (size_of(r.type)) {
    case 1:
      return decode(std::uint8_t{});
    case 2:
      return decode(std::uint16_t{});
    case 4:
      return decode(std::uint32_t{});
    default:
      return decode(std::uint64_t{});
  }
}

}  // namespace lookback::dispatch
