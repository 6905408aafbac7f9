// reduce_by_key: sums of floats over runs of keys, from short to long.
#include <lookback/reduce_by_key.hpp>

#include "compaction.hpp"
#include "compaction_peers.hpp"
#include "main.hpp"

namespace bench {

/// Runs of a mean of 0 keys: lengths by a power law.
inline void reduce(benchmark::State& state, run_case const& how) {
  device d;
  auto const at = how.mean_run > 0 ? starts(how.n, how.mean_run) : power_law_starts(how.n);
  auto const numbers = keys_at(at);
  auto const host_values = uniform<float>(how.n);
  auto keys = d.filled(std::vector<std::uint32_t>(numbers.begin(), numbers.end())), keys_out = d.empty<std::uint32_t>(how.n);
  auto values = d.filled(host_values), sums = d.empty<float>(how.n);
  auto count = d.empty<std::int64_t>(1);
  double const items = static_cast<double>(how.n), runs = static_cast<double>(at.size() - 1);
  auto const ours = [&] { lookback::reduce_by_key_async(d.on(), keys, values, keys_out, sums, count.data()); };
  contest c(8 * (items + runs), 8 * items);
  c.enter("lookback", d.timed(how.how, ours));
  enter_reduce_peers(c, d, how.how, std::as_const(keys).data(), std::as_const(values).data(), keys_out.data(), sums.data(),
                     count.data(), how.n);
  auto a = d.empty<float>(how.n), b = d.empty<float>(how.n);
  c.enter("copy", d.copy(how.how, a.data(), b.data(), how.n * 4));
  for (auto const& each : how.bars) c.must(each);
  c.run(state);

  ours();
  auto const number = static_cast<std::size_t>(d.fetched(count.data(), 1)[0]);
  if (number + 1 != at.size()) throw std::runtime_error(std::to_string(number) + " runs");
  auto const got_keys = d.fetched(keys_out.data(), number);
  auto const got = d.fetched(sums.data(), number);
  for (std::size_t r = 0; r < number && static_cast<std::size_t>(at[r + 1]) <= verified_items; ++r) {
    double want = 0;
    for (auto i = static_cast<std::size_t>(at[r]); i < static_cast<std::size_t>(at[r + 1]); ++i) want += double{host_values[i]};
    if (got_keys[r] != r || std::abs(double{got[r]} - want) > 16 * 0x1p-23 * want)
      throw std::runtime_error("wrong result at run " + std::to_string(r));
  }
}

inline void add(std::string const& name, run_case how, int rounds) {
  add_case("reduce_by_key/" + name, rounds, [how](benchmark::State& state) { reduce(state, how); });
}

}  // namespace bench

#include "reduce_by_key_cases.hpp"

int main(int argc, char** argv) { return bench::run_cases(argc, argv, bench::add_reduce_by_key_cases); }
