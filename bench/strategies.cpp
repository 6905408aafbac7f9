// The strategies beside each other: the same call, another exchange of prefixes. The default is "lookback"; "bytes" are what it has
// to move, whatever a strategy moves.
#include <lookback/reduce_by_key.hpp>
#include <lookback/scan.hpp>
#include <lookback/segmented_scan.hpp>
#include <lookback/select_if.hpp>
#include <lookback/strategy.hpp>

#include "compaction.hpp"
#include "main.hpp"
#include "naive_copy.hpp"
#include "networks.hpp"

namespace bench {

/// Enters call(on) under every strategy that the call has, and a copy of n items of T. IsScan: it stores every value.
template <class T, bool IsScan = false, bool HasSegments = false, class Call>
void compare_strategies(benchmark::State& state, device& d, std::size_t n, double bytes, Call call) {
  contest c(bytes, 2.0 * static_cast<double>(n * sizeof(T)));
  auto const enter = [&](char const* name, auto how) {
    c.enter(name, d.timed(timing::single, [&d, call, how] { call(d.on().with(how)); }));
  };
  enter("lookback", lookback::decoupled_look_back{});
  enter("chained", lookback::chained{});
  enter("auxiliary_block", lookback::auxiliary_block{});
  enter("immediate_look_back", lookback::immediate_look_back{});
  enter("reduce_then_scan", lookback::reduce_then_scan{});
  if constexpr (IsScan) enter("scan_then_propagate", lookback::scan_then_propagate{});
  if constexpr (IsScan && !HasSegments) each_network(enter);
  if constexpr (IsScan && !HasSegments)
    each_way_to_load([&](char const* name, auto how) {
      enter(name, how);
      c.enter(std::string("chained_") + name,
              d.timed(timing::single, [&d, call, how] { call(d.on().with(how).with(lookback::chained{})); }));
    });
  if constexpr (HasSegments) {
    enter("lifted", lookback::lifted<lookback::decoupled_look_back>{});
    enter("lifted_reduce_then_scan", lookback::lifted<lookback::reduce_then_scan>{});
  }
  if constexpr (on_gpu) {
    enter("sequential_look_back", lookback::sequential_look_back{});
    enter("fenced_look_back", lookback::fenced_look_back{});
    enter("wide_look_back", lookback::wide_look_back{});
    if constexpr (HasSegments) enter("fast_tracked_look_back", lookback::fast_tracked_look_back{});
  } else {
    enter("waiting_look_back", lookback::waiting_look_back{});
    enter("sequential", lookback::sequential{});
  }
  auto a = d.template empty<T>(n), b = d.template empty<T>(n);
  c.enter("copy", d.copy(timing::single, a.data(), b.data(), n * sizeof(T)));
  c.enter("naive_copy", naive_copy(d, a.data(), b.data(), n));
  c.run(state);
}

template <class T>
void scans(benchmark::State& state, std::size_t n) {
  device d;
  auto in = d.filled(uniform<T>(n)), out = d.template empty<T>(n);
  compare_strategies<T, true>(state, d, n, 2.0 * static_cast<double>(n * sizeof(T)),
                              [&](auto const& on) { lookback::inclusive_scan(on, in, out); });
}

/// Segments of `mean` items by flags of a byte.
inline void segmented_scans(benchmark::State& state, std::size_t n, double mean) {
  device d;
  std::vector<std::uint8_t> flags(n);
  for (auto const at : starts(n, mean))
    if (static_cast<std::size_t>(at) < n) flags[static_cast<std::size_t>(at)] = 1;
  auto in = d.filled(uniform<float>(n)), out = d.empty<float>(n);
  auto heads = d.filled(flags);
  compare_strategies<float, true, true>(state, d, n, 9.0 * static_cast<double>(n), [&](auto const& on) {
    lookback::inclusive_segmented_scan(on, in, lookback::head_flags(heads), out);
  });
}

inline void selections(benchmark::State& state, std::size_t n) {
  device d;
  auto const from = input_kept<std::uint32_t>(n, 50, 0);
  auto in = d.filled(from.values), out = d.empty<std::uint32_t>(n);
  auto count = d.empty<std::int64_t>(1);
  compare_strategies<std::uint32_t>(state, d, n, 6.0 * static_cast<double>(n),
                                    [&](auto const& on) { lookback::select_if_async(on, in, out, from.keep, count.data()); });
}

/// Runs of `mean` keys.
inline void reductions_by_key(benchmark::State& state, std::size_t n, double mean) {
  device d;
  auto const at = starts(n, mean);
  auto const numbers = keys_at(at);
  auto keys = d.filled(std::vector<std::uint32_t>(numbers.begin(), numbers.end())), keys_out = d.empty<std::uint32_t>(n);
  auto values = d.filled(uniform<float>(n)), sums = d.empty<float>(n);
  auto count = d.empty<std::int64_t>(1);
  compare_strategies<float>(state, d, n, 8.0 * static_cast<double>(n + at.size() - 1),
                            [&](auto const& on) { lookback::reduce_by_key_async(on, keys, values, keys_out, sums, count.data()); });
}

/// Segments of `mean` items by offsets.
inline void segmented_reductions(benchmark::State& state, std::size_t n, double mean) {
  device d;
  auto const at = starts(n, mean);
  auto in = d.filled(uniform<float>(n)), out = d.empty<float>(at.size() - 1);
  auto offsets = d.filled(std::vector<std::int64_t>(at.begin(), at.end()));
  compare_strategies<float>(state, d, n, 4.0 * static_cast<double>(n) + 12.0 * static_cast<double>(at.size()),
                            [&](auto const& on) { lookback::segmented_reduce(on, in, lookback::offsets(offsets), out); });
}

inline void add_strategy_cases() {
  for (int const power : {20, 24, on_gpu ? 28 : 26}) {
    std::size_t const n = std::size_t{1} << power;
    int const rounds = power > 24 ? 20 : 60;
    auto const add = [&](std::string const& name, auto body) {
      add_case("strategies/" + name + "_2^" + std::to_string(power), rounds, [=](benchmark::State& state) { body(state, n); });
    };
    add("scan_i32", scans<std::int32_t>);
    add("scan_f64", scans<double>);
    add("segmented_scan_f32_mean_1000", [](benchmark::State& state, std::size_t items) { segmented_scans(state, items, 1000); });
    add("select_if_u32_half", selections);
    add("reduce_by_key_u32_f32_mean_10", [](benchmark::State& state, std::size_t items) { reductions_by_key(state, items, 10); });
    add("segmented_reduce_f32_mean_64", [](benchmark::State& state, std::size_t items) { segmented_reductions(state, items, 64); });
  }
}

}  // namespace bench

int main(int argc, char** argv) { return bench::run_cases(argc, argv, bench::add_strategy_cases); }
