// Runs on the CPU: integers by their width alone, and so floats by their bits.
#include <lookback/run_length_encode.hpp>
#include <lookback/unique.hpp>

#include "by_strategy.hpp"
#include "compaction_tables.hpp"
#include "on_workers.hpp"

namespace lookback::dispatch {

namespace {

template <class T, class On>
void runs_on(On const& on, runs_request const& r) {
  auto const in = items_at<T>(r.in, r.n);
  auto const firsts = room_at<T>(r.firsts, r.n);
  if (r.lengths) run_length_encode_async(on, in, firsts, room_at<index_t>(r.lengths, r.n), r.count);
  else unique_async(on, in, firsts, r.count);
}

template <class T>
void runs_of(place const& on, runs_request const& r) {
  using state_type = carried<index_t, T>;
  static_assert(sizeof(state_type) <= sizeof(scan_state) && alignof(state_type) <= alignof(scan_state));
  if (r.state) {
    auto* const state = reinterpret_cast<state_type*>(r.state);
    auto const policy = on_workers(on, r.how).with(carry<index_t, T>{state, state});
    return unique_async(policy, items_at<T>(r.in, r.n), room_at<T>(r.firsts, r.n), r.count);
  }
  by_strategy<sizeof(T) >= 4>(on_workers(on, r.how), r.how, [&](auto const& policy) { runs_on<T>(policy, r); });
}

}  // namespace

void runs_cpu(place const& on, runs_request const& r) {
  if (!r.by_bits && r.type == element::f32) return runs_of<float>(on, r);
  if (!r.by_bits && r.type == element::f64) return runs_of<double>(on, r);
  with_width(r.type, [&]<class T>(T) { runs_of<T>(on, r); });
}

}  // namespace lookback::dispatch
