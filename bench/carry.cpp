// Calls that are cut into eight chunks, each with the carry of the one before it, beside the same in one call (of_plain) and a
// copy.
#include <lookback/reduce_by_key.hpp>
#include <lookback/run_length_encode.hpp>
#include <lookback/scan.hpp>
#include <lookback/select_if.hpp>
#include <numeric>
#include <span>

#include "compaction.hpp"
#include "main.hpp"

namespace bench {

constexpr std::size_t chunks = 8, many = std::size_t{1} << (on_gpu ? 28 : 25);

/// Arrays of `many` elements, of which a chunk is given its part.
template <class T>
std::span<T> part(array<T>& of, std::size_t k) {
  return std::span<T>(of.data(), many).subspan(k * (many / chunks), many / chunks);
}
template <class T>
std::span<T const> items(array<T> const& of, std::size_t k) {
  return std::span<T const>(of.data(), many).subspan(k * (many / chunks), many / chunks);
}

/// Calls in_chunk(on, k) for each, with two states in turn. Where `ends`, the last one has none to hand on.
template <class T, class Key, class Call>
void each_chunk(device& d, array<lookback::carried<T, Key>>& states, bool ends, Call in_chunk) {
  for (std::size_t k = 0; k < chunks; ++k) {
    auto* const out = ends && k + 1 == chunks ? nullptr : states.data() + (k + 1) % 2;
    in_chunk(d.on().with(lookback::carry<T, Key>{k == 0 ? nullptr : states.data() + k % 2, out}), k);
  }
}

template <class Ours, class Whole>
void compare(benchmark::State& state, device& d, double bytes, Ours ours, Whole whole) {
  contest c(bytes, 8.0 * many);
  c.enter("lookback", d.timed(timing::single, ours));
  c.enter("plain", d.timed(timing::single, whole));
  auto a = d.empty<std::uint32_t>(many), b = d.empty<std::uint32_t>(many);
  c.enter("copy", d.copy(timing::single, a.data(), b.data(), 4 * many));
  c.must({"of_plain", 0.9, 0.97});
  c.run(state);
}

/// Throws unless the counts of all chunks are that of one call.
inline void expect_counts(device& d, array<std::int64_t> const& counts) {
  auto const got = d.fetched(counts.data(), chunks + 1);
  auto const sum = std::accumulate(got.begin(), got.begin() + chunks, std::int64_t{0});
  if (sum != got[chunks]) throw std::runtime_error(std::to_string(sum) + " results of chunks, not " + std::to_string(got[chunks]));
}

inline void scan(benchmark::State& state) {
  device d;
  auto const in = d.filled(uniform<std::int32_t>(many));
  auto out = d.empty<std::int32_t>(many), want = d.empty<std::int32_t>(many);
  auto states = d.filled(std::vector<lookback::carried<std::int32_t, char>>(2));
  auto const whole = [&] { lookback::inclusive_scan(d.on(), in, want); };
  auto const ours = [&] {
    each_chunk(d, states, false, [&](auto const& on, std::size_t k) { lookback::inclusive_scan(on, items(in, k), part(out, k)); });
  };
  compare(state, d, 8.0 * many, ours, whole);
  ours(), whole();
  auto const last = many - 1;
  if (d.fetched(out.data() + last, 1) != d.fetched(want.data() + last, 1)) throw std::runtime_error("wrong last sum");
}

inline void select(benchmark::State& state) {
  device d;
  auto const from = input_kept<std::int32_t>(many, 50, 0);
  auto const in = d.filled(from.values);
  auto out = d.empty<std::int32_t>(many);
  auto counts = d.filled(std::vector<std::int64_t>(chunks + 1));
  auto states = d.filled(std::vector<lookback::carried<lookback::index_t, char>>(2));
  auto const whole = [&] { lookback::select_if_async(d.on(), in, out, from.keep, counts.data() + chunks); };
  auto const ours = [&] {
    each_chunk(d, states, true, [&](auto const& on, std::size_t k) {
      lookback::select_if_async(on, items(in, k), part(out, k), from.keep, counts.data() + k);
    });
  };
  compare(state, d, 6.0 * many, ours, whole);
  ours(), whole();
  expect_counts(d, counts);
}

/// Runs of four keys on average.
struct runs_of_four {
  device d;
  array<std::uint32_t> in = [this] {
    auto const keys = keys_at(starts(many, 4));
    return d.filled(std::vector<std::uint32_t>(keys.begin(), keys.end()));
  }();
  array<std::int64_t> counts = d.filled(std::vector<std::int64_t>(chunks + 1));
};

inline void encode(benchmark::State& state) {
  runs_of_four r;
  auto& d = r.d;
  auto values = d.empty<std::uint32_t>(many);
  auto lengths = d.empty<std::int32_t>(many + 1);
  auto states = d.filled(std::vector<lookback::carried<std::int32_t, std::uint32_t>>(2));
  auto const whole = [&] { lookback::run_length_encode_async(d.on(), r.in, values, lengths, r.counts.data() + chunks); };
  auto const ours = [&] {
    each_chunk(d, states, true, [&](auto const& on, std::size_t k) {
      // The last chunk has room for a result more.
      std::span<std::int32_t> const room(lengths.data() + k * (many / chunks), many / chunks + (k + 1 == chunks));
      lookback::run_length_encode_async(on, items(std::as_const(r.in), k), part(values, k), room, r.counts.data() + k);
    });
  };
  compare(state, d, 6.0 * many, ours, whole);
  ours(), whole();
  expect_counts(d, r.counts);
}

inline void reduce(benchmark::State& state) {
  runs_of_four r;
  auto& d = r.d;
  auto const in = d.filled(uniform<float>(many));
  auto keys = d.empty<std::uint32_t>(many);
  auto sums = d.empty<float>(many + 1);
  auto states = d.filled(std::vector<lookback::carried<float, std::uint32_t>>(2));
  auto const whole = [&] { lookback::reduce_by_key_async(d.on(), r.in, in, keys, sums, r.counts.data() + chunks); };
  auto const ours = [&] {
    each_chunk(d, states, true, [&](auto const& on, std::size_t k) {
      std::span<float> const room(sums.data() + k * (many / chunks), many / chunks + (k + 1 == chunks));
      lookback::reduce_by_key_async(on, items(std::as_const(r.in), k), items(in, k), part(keys, k), room, r.counts.data() + k);
    });
  };
  compare(state, d, 10.0 * many, ours, whole);
  ours(), whole();
  expect_counts(d, r.counts);
}

inline void add_cases() {
  int const rounds = 30;
  add_case("carry/scan_i32", rounds, scan);
  add_case("carry/select_if_half_i32", rounds, select);
  add_case("carry/run_length_encode_runs_of_4", rounds, encode);
  add_case("carry/reduce_by_key_runs_of_4", rounds, reduce);
}

}  // namespace bench

int main(int argc, char** argv) { return bench::run_cases(argc, argv, bench::add_cases); }
