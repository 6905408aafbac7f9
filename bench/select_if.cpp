// select_if by predicate, by flags and in place, of parts from nothing to all.
#include <lookback/select_if.hpp>

#include "compaction.hpp"
#include "compaction_peers.hpp"
#include "main.hpp"

namespace bench {

enum class by { predicate, flags, bits };

struct select_case {
  std::size_t n;
  double per_cent = 50;
  std::size_t run = 0;  // items of a run of kept ones; 0: each by itself
  by what = by::predicate;
  bool in_place = false;
  timing how = timing::single;
  std::vector<bar> bars{};
};

template <class T>
void select(benchmark::State& state, select_case const& how) {
  device d;
  auto const from = input_kept<T>(how.n, how.per_cent, how.run);
  auto const keep = from.keep;
  auto const kept = static_cast<double>(std::count_if(from.values.begin(), from.values.end(), keep));
  auto in = d.filled(from.values);
  auto out = d.template empty<T>(how.n);
  auto count = d.template empty<std::int64_t>(1);
  double const items = static_cast<double>(how.n), copied = 2 * items * sizeof(T);
  double const described = how.what == by::flags ? items : how.what == by::bits ? items / 8 : 0;
  std::vector<std::uint8_t> flags(how.what == by::flags ? how.n : 0), bits(how.what == by::bits ? how.n / 8 : 0);
  for (std::size_t i = 0; i < flags.size(); ++i) flags[i] = keep(from.values[i]);
  for (std::size_t i = 0; i < bits.size() * 8; ++i)
    bits[i / 8] = static_cast<std::uint8_t>(bits[i / 8] | keep(from.values[i]) << i % 8);
  auto const as_flags = d.filled(flags), as_bits = d.filled(bits);

  contest c((items + kept) * sizeof(T) + described, copied);
  auto const put_back = [&] { d.put_back(in.data(), out.data(), how.n * sizeof(T)); };
  auto const ours = [&] {
    if (how.what == by::flags) lookback::select_flagged_async(d.on(), in, as_flags, out, count.data());
    else if (how.what == by::bits) lookback::select_flagged_async(d.on(), in, lookback::packed_flags(as_bits), out, count.data());
    else if (how.in_place) lookback::select_if_async(d.on(), out, keep, count.data());
    else lookback::select_if_async(d.on(), in, out, keep, count.data());
  };
  if (how.in_place) c.enter("lookback", d.timed_after(put_back, ours));
  else c.enter("lookback", d.timed(how.how, ours));
  if (how.in_place) enter_select_in_place_peers(c, d, put_back, out.data(), count.data(), how.n, keep);
  else if (how.what == by::predicate)
    enter_select_peers(c, d, how.how, std::as_const(in).data(), out.data(), count.data(), how.n, keep);
  else if (how.what == by::flags)
    enter_flagged_peers(c, d, std::as_const(in).data(), as_flags.data(), out.data(), count.data(), how.n);
  auto a = d.template empty<T>(how.n), b = d.template empty<T>(how.n);
  c.enter("copy", d.copy(how.how, a.data(), b.data(), how.n * sizeof(T)));
  for (auto const& each : how.bars) c.must(each);
  c.run(state);

  if (how.in_place) put_back();
  ours();
  auto const left = d.fetched(count.data(), 1)[0];
  expect_kept(from.values, d.fetched(out.data(), static_cast<std::size_t>(left)), left,
              [&](std::size_t i) { return keep(from.values[i]); });
}

template <class T>
void add(std::string const& name, select_case how, int rounds) {
  add_case("select_if/" + name, rounds, [how](benchmark::State& state) { select<T>(state, how); });
}

}  // namespace bench

#include "select_if_cases.hpp"

int main(int argc, char** argv) { return bench::run_cases(argc, argv, bench::add_select_if_cases); }
