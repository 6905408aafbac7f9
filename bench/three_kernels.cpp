// Compactions in one pass beside those of textbooks, which mark, scan and scatter in kernels of their own, and beside two passes
// over the same tiles.
#include "peers/three_kernels.hpp"

#include <lookback/reduce_by_key.hpp>
#include <lookback/run_length_encode.hpp>
#include <lookback/select_if.hpp>
#include <lookback/strategy.hpp>

#include "compaction.hpp"
#include "compaction_peers.hpp"
#include "main.hpp"

namespace bench {

/// The results of a compaction: so many elements as *count says, in two arrays, which may be one.
template <class A, class B>
struct results {
  std::int64_t* count;
  A* first;
  B* second;
  std::size_t room;

  void overwrite(device& d) const {
    must(cudaMemsetAsync(count, 0xFF, sizeof *count, d.stream()));
    must(cudaMemsetAsync(first, 0xFF, room * sizeof(A), d.stream()));
    must(cudaMemsetAsync(second, 0xFF, room * sizeof(B), d.stream()));
  }
  /// Throws unless both calls leave the same.
  template <class Ours, class Theirs>
  void expect_same(device& d, Ours const& ours, Theirs const& theirs) const {
    overwrite(d);
    ours();
    auto const number = d.fetched(count, 1)[0];
    auto const firsts = d.fetched(first, room);
    auto const seconds = d.fetched(second, room);
    overwrite(d);
    theirs();
    if (d.fetched(count, 1)[0] != number) throw std::runtime_error("three kernels have another number of results");
    auto const kept = static_cast<std::ptrdiff_t>(number);
    auto const other_firsts = d.fetched(first, room);
    auto const other_seconds = d.fetched(second, room);
    if (!std::equal(firsts.begin(), firsts.begin() + kept, other_firsts.begin()) ||
        !std::equal(seconds.begin(), seconds.begin() + kept, other_seconds.begin()))
      throw std::runtime_error("three kernels have other results");
  }
};

/// Runs the contest of ours(on), of three kernels, by `call`, of CUB, which `enter_cub` enters, and of a copy of n elements of 4
/// bytes.
template <class Ours, class Call, class EnterCub, class Results>
void compare_passes(benchmark::State& state, device& d, std::size_t n, double bytes, Ours const& ours, Call const& call,
                    EnterCub const& enter_cub, Results const& of) {
  contest c(bytes, 8.0 * static_cast<double>(n));
  c.enter("lookback", d.timed(timing::single, [&] { ours(d.on()); }));
  c.enter("reduce_then_scan", d.timed(timing::single, [&] { ours(d.on().with(lookback::reduce_then_scan{})); }));
  cub_peer::scratch need;
  call(need);
  auto memory = d.empty<std::byte>(need.bytes);
  auto const in_memory = [&] {
    cub_peer::scratch s{memory.data(), memory.size()};
    call(s);
  };
  c.enter("three_kernels", d.timed(timing::single, in_memory));
  enter_cub(c);
  auto a = d.empty<std::uint32_t>(n), b = d.empty<std::uint32_t>(n);
  c.enter("copy", d.copy(timing::single, a.data(), b.data(), n * 4));
  c.run(state);
  of.expect_same(
      d, [&] { ours(d.on()); }, in_memory);
}

inline void select_half(benchmark::State& state, std::size_t n) {
  device d;
  auto const from = input_kept<std::uint32_t>(n, 50, 0);
  auto const kept = static_cast<double>(std::count_if(from.values.begin(), from.values.end(), from.keep));
  auto const in = d.filled(from.values);
  auto out = d.empty<std::uint32_t>(n);
  auto count = d.empty<std::int64_t>(1);
  auto const items = static_cast<std::int64_t>(n);
  compare_passes(
      state, d, n, 4 * (static_cast<double>(n) + kept),
      [&](auto const& on) { lookback::select_if_async(on, in, out, from.keep, count.data()); },
      [&](cub_peer::scratch& s) { three_kernels::select_if(s, in.data(), out.data(), count.data(), items, from.keep, d.stream()); },
      [&](contest& c) { enter_select_peers(c, d, timing::single, in.data(), out.data(), count.data(), n, from.keep); },
      results<std::uint32_t, std::uint32_t>{count.data(), out.data(), out.data(), n});
}

/// Runs of 10 items on average.
inline void encode_runs(benchmark::State& state, std::size_t n) {
  device d;
  auto const at = starts(n, 10);
  auto const numbers = keys_at(at);
  auto const in = d.filled(std::vector<std::uint32_t>(numbers.begin(), numbers.end()));
  auto values = d.empty<std::uint32_t>(n);
  auto lengths = d.empty<std::int32_t>(n);
  auto count = d.empty<std::int64_t>(1);
  auto const items = static_cast<std::int64_t>(n);
  compare_passes(
      state, d, n, 4 * static_cast<double>(n) + 8 * static_cast<double>(at.size() - 1),
      [&](auto const& on) { lookback::run_length_encode_async(on, in, values, lengths, count.data()); },
      [&](cub_peer::scratch& s) {
        three_kernels::run_length_encode(s, in.data(), values.data(), lengths.data(), count.data(), items, d.stream());
      },
      [&](contest& c) { enter_encode_peers(c, d, timing::single, in.data(), values.data(), lengths.data(), count.data(), n); },
      results<std::uint32_t, std::int32_t>{count.data(), values.data(), lengths.data(), n});
}

/// The same runs as keys, with values that are small whole numbers: sums of them are exact in any order.
inline void reduce_runs(benchmark::State& state, std::size_t n) {
  device d;
  auto const at = starts(n, 10);
  auto const numbers = keys_at(at);
  auto const keys = d.filled(std::vector<std::uint32_t>(numbers.begin(), numbers.end()));
  std::vector<float> small(n);
  for (std::size_t i = 0; i < n; ++i) small[i] = static_cast<float>(i * 2654435761u >> 7 & 15);
  auto const values = d.filled(small);
  auto keys_out = d.empty<std::uint32_t>(n);
  auto sums = d.empty<float>(n);
  auto count = d.empty<std::int64_t>(1);
  auto const items = static_cast<std::int64_t>(n);
  compare_passes(
      state, d, n, 8.0 * static_cast<double>(n + at.size() - 1),
      [&](auto const& on) { lookback::reduce_by_key_async(on, keys, values, keys_out, sums, count.data()); },
      [&](cub_peer::scratch& s) {
        three_kernels::reduce_by_key(s, keys.data(), values.data(), keys_out.data(), sums.data(), count.data(), items, d.stream());
      },
      [&](contest& c) {
        enter_reduce_peers(c, d, timing::single, keys.data(), values.data(), keys_out.data(), sums.data(), count.data(), n);
      },
      results<std::uint32_t, float>{count.data(), keys_out.data(), sums.data(), n});
}

inline void add_three_kernel_cases() {
  for (int const power : {24, 28}) {
    auto const add = [&](std::string const& name, auto body) {
      add_case("three_kernels/" + name + "_2^" + std::to_string(power), 30,
               [=](benchmark::State& state) { body(state, std::size_t{1} << power); });
    };
    add("select_if_u32_half", select_half);
    add("run_length_encode_u32_mean_10", encode_runs);
    add("reduce_by_key_u32_f32_mean_10", reduce_runs);
  }
}

}  // namespace bench

int main(int argc, char** argv) { return bench::run_cases(argc, argv, bench::add_three_kernel_cases); }
