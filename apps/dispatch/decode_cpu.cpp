// Runs written out on the CPU, by the width of the values alone.
#include <lookback/run_length_decode.hpp>

#include "compaction_tables.hpp"
#include "on_workers.hpp"

namespace lookback::dispatch {

void decode_cpu(place const& on, decode_request const& r) {
  with_width(r.type, [&]<class T>(T) {
    run_length_decode_async(on_workers(on, r.how), items_at<T>(r.values, r.runs), items_at<index_t>(r.lengths, r.runs),
                            room_at<T>(r.out, r.n), r.count);
  });
}

}  // namespace lookback::dispatch
