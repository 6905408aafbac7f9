// split_by: a stable split by the highest bits, beside a copy. No library has a device-wide split into 256 classes, nor has std or
// oneTBB one for a CPU: there are no peers.
#include <bit>
#include <lookback/split_by.hpp>
#include <utility>

#include "main.hpp"
#include "sorts.hpp"

namespace bench {

/// One of k classes, which is a power of two.
template <int k>
struct highest_bits {
  static constexpr int shift = 32 - std::bit_width(unsigned{k} - 1);
  LOOKBACK_FN int operator()(std::uint32_t x) const { return static_cast<int>(x >> shift); }
};
/// Does item i lie where its class does?
template <int k>
struct is_in_its_class {
  std::uint32_t const* items;
  lookback::index_t const* starts;
  LOOKBACK_FN bool operator()(std::size_t i) const {
    int const c = highest_bits<k>{}(items[i]);
    auto const at = static_cast<lookback::index_t>(i);
    return starts[c] <= at && at < starts[c + 1];
  }
};

/// Fewest bytes: every item is read once and written once. It is read twice, since classes are counted first.
template <int k>
void split(benchmark::State& state, std::size_t n) {
  device d;
  auto const in = generated<std::uint32_t>(d, n, keys_of<std::uint32_t>("uniform", n));
  auto out = d.template empty<std::uint32_t>(n);
  auto starts = d.template empty<lookback::index_t>(k + 1);
  double const moved = 8.0 * static_cast<double>(n);
  contest c(moved, moved);
  auto const ours = [&] { lookback::split_by_async<k>(d.on(), in, out, highest_bits<k>{}, starts); };
  c.enter("lookback", d.timed(timing::single, ours));
  auto a = d.template empty<std::uint32_t>(n), b = d.template empty<std::uint32_t>(n);
  c.enter("copy", d.copy(timing::single, a.data(), b.data(), n * sizeof(std::uint32_t)));
  c.run(state);
  ours();
  expect_keys(d, in.data(), std::as_const(out).data(), n,
              is_in_its_class<k>{std::as_const(out).data(), std::as_const(starts).data()});
}

inline void add_split_by_cases() {
  constexpr int power = on_gpu ? 28 : 26, rounds = on_gpu ? 20 : 9;
  std::string const size = "/u32/2^" + std::to_string(power);
  add_case("split_by/16" + size, rounds, [](benchmark::State& state) { split<16>(state, std::size_t{1} << power); });
  add_case("split_by/256" + size, rounds, [](benchmark::State& state) { split<256>(state, std::size_t{1} << power); });
}

}  // namespace bench

int main(int argc, char** argv) { return bench::run_cases(argc, argv, bench::add_split_by_cases); }
