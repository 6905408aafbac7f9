// run_length_decode of runs from short to one, and of lengths by a power law.
#include <lookback/run_length_decode.hpp>

#include "compaction.hpp"
#include "compaction_peers.hpp"
#include "main.hpp"

namespace bench {

inline void decode(benchmark::State& state, std::vector<std::int32_t> const& at, run_case const& how) {
  device d;
  std::size_t const number = at.size() - 1;
  std::vector<std::int32_t> lasting(number);
  for (std::size_t r = 0; r < number; ++r) lasting[r] = at[r + 1] - at[r];
  auto values = d.filled(uniform<std::uint32_t>(number)), out = d.empty<std::uint32_t>(how.n);
  auto lengths = d.filled(lasting);
  auto count = d.empty<std::int64_t>(1);
  double const items = static_cast<double>(how.n), runs = static_cast<double>(number);
  auto const ours = [&] { lookback::run_length_decode_async(d.on(), values, lengths, out, count.data()); };
  contest c(4 * items + 8 * runs, 8 * items);
  c.enter("lookback", d.timed(how.how, ours));
  enter_decode_peers(c, d, how.how, std::as_const(values).data(), std::as_const(lengths).data(), number, out.data(), how.n);
  auto a = d.empty<std::uint32_t>(how.n), b = d.empty<std::uint32_t>(how.n);
  c.enter("copy", d.copy(how.how, a.data(), b.data(), how.n * 4));
  for (auto const& each : how.bars) c.must(each);
  c.run(state);

  d.put_back(a.data(), out.data(), how.n * 4);
  ours();
  if (d.fetched(count.data(), 1)[0] != static_cast<std::int64_t>(how.n)) throw std::runtime_error("a wrong number of items");
  auto const got = d.fetched(out.data(), how.n);
  auto const from = d.fetched(values.data(), number);
  for (std::size_t r = 0; r < number; ++r)
    for (auto i = static_cast<std::size_t>(at[r]); i < static_cast<std::size_t>(at[r + 1]); ++i)
      if (got[i] != from[r]) throw std::runtime_error("wrong result at item " + std::to_string(i));
}

/// Runs of a mean of 0 items: lengths by a power law.
inline void add(std::string const& name, run_case how, int rounds) {
  add_case("run_length_decode/" + name, rounds, [how](benchmark::State& state) {
    decode(state, how.mean_run > 0 ? starts(how.n, how.mean_run) : power_law_starts(how.n), how);
  });
}

}  // namespace bench

#include "run_length_decode_cases.hpp"

int main(int argc, char** argv) { return bench::run_cases(argc, argv, bench::add_run_length_decode_cases); }
