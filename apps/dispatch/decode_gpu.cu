// Runs written out on the GPU, by the width of the values alone.
#include <lookback/run_length_decode.hpp>

#include "compaction_tables.hpp"
#include "on_queue.cuh"

namespace lookback::dispatch {

void decode_gpu(place const& on, decode_request const& r) {
  with_width(r.type, [&]<class T>(T) {
    run_length_decode_async(on_queue(on), items_at<T>(r.values, r.runs), items_at<index_t>(r.lengths, r.runs),
                            room_at<T>(r.out, r.n), r.count);
  });
}

}  // namespace lookback::dispatch
