// run_length_encode of runs from short to one, and of none but those of two or more.
#include <lookback/run_length_encode.hpp>

#include "compaction.hpp"
#include "compaction_peers.hpp"
#include "main.hpp"

namespace bench {

inline void encode(benchmark::State& state, run_case const& how) {
  device d;
  auto const at = starts(how.n, how.mean_run);
  auto const keys = keys_at(at);
  auto in = d.filled(std::vector<std::uint32_t>(keys.begin(), keys.end())), values = d.empty<std::uint32_t>(how.n);
  auto lengths = d.empty<std::int32_t>(how.n);
  auto count = d.empty<std::int64_t>(1);
  double const items = static_cast<double>(how.n), runs = static_cast<double>(at.size() - 1);
  auto const ours = [&] { lookback::run_length_encode_async(d.on(), in, values, lengths, count.data()); };
  contest c(4 * items + 8 * runs, 8 * items);
  c.enter("lookback", d.timed(how.how, ours));
  enter_encode_peers(c, d, how.how, std::as_const(in).data(), values.data(), lengths.data(), count.data(), how.n);
  auto a = d.empty<std::uint32_t>(how.n), b = d.empty<std::uint32_t>(how.n);
  c.enter("copy", d.copy(how.how, a.data(), b.data(), how.n * 4));
  for (auto const& each : how.bars) c.must(each);
  c.run(state);

  ours();
  auto const number = static_cast<std::size_t>(d.fetched(count.data(), 1)[0]);
  if (number + 1 != at.size()) throw std::runtime_error(std::to_string(number) + " runs");
  auto const got = d.fetched(values.data(), number);
  auto const lasted = d.fetched(lengths.data(), number);
  for (std::size_t r = 0; r < number; ++r)
    if (got[r] != r || lasted[r] != at[r + 1] - at[r]) throw std::runtime_error("wrong result at run " + std::to_string(r));
}

inline void find_non_trivial(benchmark::State& state, run_case const& how) {
  device d;
  auto const at = starts(how.n, how.mean_run);
  auto const keys = keys_at(at);
  auto in = d.filled(std::vector<std::uint32_t>(keys.begin(), keys.end()));
  auto offsets = d.empty<std::int32_t>(how.n), lengths = d.empty<std::int32_t>(how.n);
  auto count = d.empty<std::int64_t>(1);
  std::vector<std::size_t> runs;
  for (std::size_t r = 0; r + 1 < at.size(); ++r)
    if (at[r + 1] - at[r] > 1) runs.push_back(r);
  double const items = static_cast<double>(how.n), found = static_cast<double>(runs.size());
  auto const ours = [&] { lookback::non_trivial_runs_async(d.on(), in, offsets, lengths, count.data()); };
  contest c(4 * items + 8 * found, 8 * items);
  c.enter("lookback", d.timed(how.how, ours));
  enter_non_trivial_peers(c, d, how.how, std::as_const(in).data(), offsets.data(), lengths.data(), count.data(), how.n);
  auto a = d.empty<std::uint32_t>(how.n), b = d.empty<std::uint32_t>(how.n);
  c.enter("copy", d.copy(how.how, a.data(), b.data(), how.n * 4));
  c.run(state);

  ours();
  auto const number = static_cast<std::size_t>(d.fetched(count.data(), 1)[0]);
  if (number != runs.size()) throw std::runtime_error(std::to_string(number) + " runs");
  auto const place = d.fetched(offsets.data(), number), lasted = d.fetched(lengths.data(), number);
  for (std::size_t k = 0; k < number; ++k)
    if (place[k] != at[runs[k]] || lasted[k] != at[runs[k] + 1] - at[runs[k]])
      throw std::runtime_error("wrong result at run " + std::to_string(k));
}

inline void add_non_trivial(std::string const& name, run_case how, int rounds) {
  add_case("non_trivial_runs/" + name, rounds, [how](benchmark::State& state) { find_non_trivial(state, how); });
}
inline void add(std::string const& name, run_case how, int rounds) {
  add_case("run_length_encode/" + name, rounds, [how](benchmark::State& state) { encode(state, how); });
}

}  // namespace bench

#include "run_length_encode_cases.hpp"

int main(int argc, char** argv) { return bench::run_cases(argc, argv, bench::add_run_length_encode_cases); }
