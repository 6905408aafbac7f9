// partition_if to two outputs, and to one with the rejects in reverse or in order.
#include <lookback/partition_if.hpp>

#include "compaction.hpp"
#include "compaction_peers.hpp"
#include "main.hpp"

namespace bench {

struct partition_case {
  std::size_t n;
  double per_cent = 50;
  bool one_output = false, stable = false;
  std::vector<bar> bars{};
};

template <class T>
void partition(benchmark::State& state, partition_case const& how) {
  device d;
  auto const from = input_kept<T>(how.n, how.per_cent, 0);
  auto const keep = from.keep;
  auto in = d.filled(from.values);
  auto kept = d.template empty<T>(how.n), rejected = d.template empty<T>(how.n);
  auto counts = d.template empty<std::int64_t>(2);
  double const bytes = 2 * static_cast<double>(how.n) * sizeof(T);
  auto const ours = [&] {
    if (how.stable) lookback::partition_if_async(d.on().with(lookback::stable), in, kept, keep, counts.data());
    else if (how.one_output) lookback::partition_if_async(d.on(), in, kept, keep, counts.data());
    else lookback::partition_if_async(d.on(), in, kept, rejected, keep, counts.data());
  };
  contest c(bytes, bytes);
  c.enter("lookback", d.timed(timing::single, ours));
  if (!how.stable)
    enter_partition_peers(c, d, std::as_const(in).data(), kept.data(), rejected.data(), counts.data(), how.n, keep, how.one_output);
  auto a = d.template empty<T>(how.n), b = d.template empty<T>(how.n);
  c.enter("copy", d.copy(timing::single, a.data(), b.data(), how.n * sizeof(T)));
  for (auto const& each : how.bars) c.must(each);
  c.run(state);

  ours();
  auto const count = d.fetched(counts.data(), 1)[0];
  expect_kept(from.values, d.fetched(kept.data(), static_cast<std::size_t>(count)), count,
              [&](std::size_t i) { return keep(from.values[i]); });
  auto const left = how.n - static_cast<std::size_t>(count);
  auto rest = d.fetched(how.one_output ? kept.data() + count : rejected.data(), left);
  if (how.one_output && !how.stable) std::reverse(rest.begin(), rest.end());
  expect_kept(from.values, rest, static_cast<std::int64_t>(left), [&](std::size_t i) { return !keep(from.values[i]); });
}

template <class T>
void add(std::string const& name, partition_case how, int rounds) {
  add_case("partition_if/" + name, rounds, [how](benchmark::State& state) { partition<T>(state, how); });
}

}  // namespace bench

#include "partition_if_cases.hpp"

int main(int argc, char** argv) { return bench::run_cases(argc, argv, bench::add_partition_if_cases); }
