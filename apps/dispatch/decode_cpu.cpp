// Runs written out on the CPU, by the width of the values alone.
#include <lookback/cpu.hpp>
#include <lookback/run_length_decode.hpp>

#include "compaction_tables.hpp"

namespace lookback::dispatch {

void decode_cpu(place const& on, decode_request const& r) {
  with_width(r.type, [&]<class T>(T) {
    auto const workers = cpu::on(r.how == strategy::sequential ? 1 : on.threads);
    run_length_decode_async(workers, items_at<T>(r.values, r.runs), items_at<index_t>(r.lengths, r.runs), room_at<T>(r.out, r.n),
                            r.count);
  });
}

}  // namespace lookback::dispatch
