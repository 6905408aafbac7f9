// The plain scans that a CPU is measured by: against the best of std, std with execution::par and tbb::parallel_scan, and against a
// copy by as many threads with streaming stores.
#pragma once

namespace bench {

/// The case on pages of 2 MB, and beside it the same on pages of 4 KB, which has no bar: there the page tables are measured too.
template <class T>
void add_on_both_pages(std::string const& name, scan_case how, int rounds) {
  add<T>(name, how, rounds);
  how.bars.clear();
  add_case("scan/" + name + "_4k_pages", rounds, [how](benchmark::State& state) {
    small_pages const pages;
    sum<T>(state, how);
  });
}

/// The larger of all so far. Ours keeps a NaN, the peers' std::max need not.
template <class T>
void add_maximum(std::string const& name, std::size_t n, int rounds, std::vector<bar> bars) {
  add_case("scan/" + name, rounds, [n, bars](benchmark::State& state) {
    device d;
    auto in = d.filled(uniform<T>(n)), out = d.template empty<T>(n), from = d.template empty<T>(n), to = d.template empty<T>(n);
    double const bytes = 2.0 * static_cast<double>(n * sizeof(T));
    contest c(bytes, bytes);
    c.enter("lookback", d.timed(timing::single, [&] { lookback::inclusive_scan(d.on(), in, out, lookback::maximum<T>{}); }));
    enter_scan_peers(c, d, timing::single, std::as_const(in).data(), out.data(), n, false, std::numeric_limits<T>::lowest(),
                     larger{});
    c.enter("copy", d.copy(timing::single, from.data(), to.data(), n * sizeof(T)));
    for (auto const& b : bars) c.must(b);
    c.run(state);
  });
}

inline void add_scan_cases() {
  bar const copy{"share_of_copy", 0.83, 0.95};
  for (int const power : {27, 24}) {
    std::string const at = "_2^" + std::to_string(power);
    std::size_t const n = std::size_t{1} << power;
    int const rounds = power == 27 ? 9 : 25;
    add_on_both_pages<std::int32_t>("inclusive_i32" + at, {.n = n, .bars = {{"x_best", 1.6, 1.85}, copy}}, rounds);
    add_on_both_pages<double>("inclusive_f64" + at, {.n = n, .bars = {{"x_best", 1.6, 1.85}, copy}}, rounds);
    add_on_both_pages<float>("inclusive_f32" + at, {.n = n, .bars = {{"x_best", 2.2, 2.5}, copy}}, rounds);
    add_on_both_pages<std::int32_t>("in_place_i32" + at, {.n = n, .in_place = true, .bars = {{"x_best", 1.8, 2.0}}}, rounds);
  }
  std::size_t const medium = std::size_t{1} << 24, cached = std::size_t{1} << 20;
  add_on_both_pages<std::int32_t>("inclusive_i32_2^20", {.n = cached, .bars = {{"x_best", 3.0, 4.0}}}, 51);
  add_on_both_pages<float>("inclusive_f32_2^20", {.n = cached, .bars = {{"x_best", 4.0, 6.0}}}, 51);
  add_on_both_pages<double>("inclusive_f64_2^20", {.n = cached, .bars = {{"x_best", 2.5, 3.5}}}, 51);
  add_maximum<float>("maximum_f32_2^23", std::size_t{1} << 23, 25, {{"x_best", 1.6, 2.5}});
  add_maximum<double>("maximum_f64_2^23", std::size_t{1} << 23, 25, {{"x_best", 1.6, 1.85}});
  add<std::int32_t>("exclusive_i32_2^24", {.n = medium, .exclusive = true, .bars = {copy}}, 25);
  add<std::int32_t>("right_to_left_i32_2^24",
                    {.n = medium, .reverse = true, .beside_plain = true, .bars = {{"of_plain", 0.98, 1.0}}}, 25);
  add<float>("reproducible_f32_2^24", {.n = medium, .reproducible = true, .beside_plain = true, .bars = {{"of_plain", 0.5, 0.8}}},
             25);
  add_matrices(std::size_t{1} << 20, 15);
}

}  // namespace bench
