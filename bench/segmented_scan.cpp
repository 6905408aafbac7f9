// Segmented scans by every description, for segments from short to longer than any tile.
#include <lookback/segmented_scan.hpp>

#include "main.hpp"
#include "matrices.hpp"
#include "peers.hpp"
#include "verify.hpp"

namespace bench {

enum class description { flags, bits, offsets, keys8, keys16, keys32, keys64 };

struct segmented_case {
  std::size_t n;
  double mean_length;
  description by = description::flags;
  bool against_peers = true;
  std::vector<bar> bars{};
};

template <class T>
void segmented_sum(benchmark::State& state, segmented_case const& how) {
  device d;
  auto const at = starts(how.n, how.mean_length);
  auto in = d.filled(uniform<T>(how.n)), out = d.template empty<T>(how.n);
  double const items = static_cast<double>(how.n), copied = 2 * items * sizeof(T);

  auto const run = [&](double described, auto const& segments) {
    contest c(copied + described, copied);
    c.enter("lookback", d.timed(timing::single, [&, segments] {
      lookback::inclusive_segmented_scan(d.on(), in, segments, out, lookback::plus<T>{});
    }));
    segmented_peers const peers(d, at);
    if (how.against_peers) peers.enter(c, d, in.data(), out.data(), how.n);
    auto from = d.template empty<T>(how.n), to = d.template empty<T>(how.n);
    c.enter("copy", d.copy(timing::single, from.data(), to.data(), how.n * sizeof(T)));
    for (auto const& b : how.bars) c.must(b);
    c.run(state);
    lookback::inclusive_segmented_scan(d.on(), in, segments, out, lookback::plus<T>{});
    auto const some = std::min(how.n, verified_items);
    expect_sums(uniform<T>(how.n, some), d.fetched(out.data(), some), false, at);
  };
  auto const by_keys = [&](auto key) {
    using K = decltype(key);
    auto const numbers = keys_at(at);
    auto const keys = d.filled(std::vector<K>(numbers.begin(), numbers.end()));
    run(items * sizeof(K), lookback::keys(keys));
  };
  if (how.by == description::flags) {
    auto const flags = d.filled(flags_at(at));
    run(items, lookback::head_flags(flags));
  } else if (how.by == description::bits) {
    auto const bits = d.filled(bits_at(at));
    run(items / 8, lookback::head_bits(bits));
  } else if (how.by == description::keys8) {
    by_keys(std::uint8_t{});
  } else if (how.by == description::keys16) {
    by_keys(std::uint16_t{});
  } else if (how.by == description::keys32) {
    by_keys(std::uint32_t{});
  } else if (how.by == description::keys64) {
    by_keys(std::uint64_t{});
  } else {
    auto const offsets = d.filled(at);
    run(4 * static_cast<double>(at.size()), lookback::offsets(offsets));
  }
}

template <class T>
void add(std::string const& name, segmented_case how, int rounds) {
  add_case("segmented_scan/" + name, rounds, [how](benchmark::State& state) { segmented_sum<T>(state, how); });
}

}  // namespace bench

#include "segmented_scan_cases.hpp"

int main(int argc, char** argv) { return bench::run_cases(argc, argv, bench::add_segmented_scan_cases); }
