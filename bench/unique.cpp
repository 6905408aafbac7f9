// unique of runs from short to long.
#include <lookback/unique.hpp>

#include "compaction.hpp"
#include "compaction_peers.hpp"
#include "main.hpp"

namespace bench {

;

inline void runs(benchmark::State& state, run_case const& how) {
  device d;
  auto const at = starts(how.n, how.mean_run);
  auto const keys = keys_at(at);
  std::vector<std::uint32_t> const values(keys.begin(), keys.end());
  auto in = d.filled(values), out = d.empty<std::uint32_t>(how.n);
  auto count = d.empty<std::int64_t>(1);
  double const items = static_cast<double>(how.n), kept = static_cast<double>(at.size() - 1);
  auto const put_back = [&] { d.put_back(in.data(), out.data(), how.n * 4); };
  auto const ours = [&] {
    if (how.in_place) lookback::unique_async(d.on(), out, count.data());
    else lookback::unique_async(d.on(), in, out, count.data());
  };
  contest c(4 * (items + kept), 8 * items);
  if (how.in_place) c.enter("lookback", d.timed_after(put_back, ours));
  else c.enter("lookback", d.timed(how.how, ours));
  if (!how.in_place) enter_unique_peers(c, d, how.how, std::as_const(in).data(), out.data(), count.data(), how.n);
  auto a = d.empty<std::uint32_t>(how.n), b = d.empty<std::uint32_t>(how.n);
  c.enter("copy", d.copy(how.how, a.data(), b.data(), how.n * 4));
  for (auto const& each : how.bars) c.must(each);
  c.run(state);

  if (how.in_place) put_back();
  ours();
  auto const left = d.fetched(count.data(), 1)[0];
  expect_kept(values, d.fetched(out.data(), static_cast<std::size_t>(left)), left,
              [&](std::size_t i) { return i == 0 || values[i] != values[i - 1]; });
}

inline void add(std::string const& name, run_case how, int rounds) {
  add_case("unique/" + name, rounds, [how](benchmark::State& state) { runs(state, how); });
}

}  // namespace bench

#include "unique_cases.hpp"

int main(int argc, char** argv) { return bench::run_cases(argc, argv, bench::add_unique_cases); }
