// The segmented scans that a CPU is measured by, against the plain loop that a user writes.
#pragma once

namespace bench {

/// The larger of all so far in the segment.
template <class T>
void add_segmented_maximum(std::string const& name, std::size_t n, double mean_length, int rounds) {
  add_case("segmented_scan/" + name, rounds, [n, mean_length](benchmark::State& state) {
    device d;
    segmented_peers const peers(d, starts(n, mean_length));
    auto in = d.filled(uniform<T>(n)), out = d.template empty<T>(n), from = d.template empty<T>(n), to = d.template empty<T>(n);
    double const items = static_cast<double>(n), copied = 2 * items * sizeof(T);
    contest c(copied + items, copied);
    c.enter("lookback", d.timed(timing::single, [&] {
      lookback::inclusive_segmented_scan(d.on(), in, lookback::head_flags(peers.flags), out, lookback::maximum<T>{});
    }));
    peers.enter(c, d, std::as_const(in).data(), out.data(), n, larger{});
    c.enter("copy", d.copy(timing::single, from.data(), to.data(), n * sizeof(T)));
    c.run(state);
  });
}

inline void add_segmented_scan_cases() {
  constexpr std::size_t medium = std::size_t{1} << 24;
  add<float>("f32_2^24_mean_2_flags", {.n = medium, .mean_length = 2, .bars = {{"x_loop", 10, 14}}}, 15);
  add<float>("f32_2^24_mean_32_flags", {.n = medium, .mean_length = 32, .bars = {{"x_loop", 2.3, 3}}}, 15);
  add<float>("f32_2^24_mean_10000_flags", {.n = medium, .mean_length = 10000}, 15);
  add<float>("f32_2^24_mean_32_bits", {.n = medium, .mean_length = 32, .by = description::bits}, 15);
  add<float>("f32_2^24_mean_32_offsets", {.n = medium, .mean_length = 32, .by = description::offsets}, 15);
  add_segmented_maximum<float>("maximum_f32_2^24_mean_32_flags", medium, 32, 15);
}

}  // namespace bench
