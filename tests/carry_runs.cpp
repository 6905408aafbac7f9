// Results of runs that are cut into chunks are those of one call: what ends in a chunk, and first items of what begins in it.
#include <lookback/reduce_by_key.hpp>
#include <lookback/run_length_encode.hpp>
#include <lookback/unique.hpp>

#include "chunks.hpp"
#include "compare.hpp"
#include "fixture.hpp"
#include "keyed.hpp"
#include "refused.hpp"

using namespace harness;
using lookback::index_t;

struct carry_runs : on_device {};

/// Chunks leave results of what ends in them, and first items of what begins in them.
template <class T, class Equal>
void check_encode(std::vector<T> const& in, Equal equal, std::uint64_t seed) {
  std::size_t const n = in.size();
  auto const starts = starts_of_runs(in, equal);
  std::vector<T> want;
  std::vector<std::int32_t> want_lengths;
  std::vector<index_t> want_places;
  for (std::size_t r = 0; r + 1 < starts.size(); ++r) {
    want.push_back(in[starts[r]]);
    want_lengths.push_back(static_cast<std::int32_t>(starts[r + 1] - starts[r]));
    want_places.push_back(static_cast<index_t>(starts[r]));
  }
  each_policy([&](auto const& on) {
    array<T> const source(in);
    array<lookback::carried<std::int32_t, T>> state(2), beside(2);
    std::vector<T> got, firsts;
    std::vector<std::int32_t> lengths, others;
    std::vector<index_t> places;
    begin_and_end(on, cuts_some_empty(n, seed), state,
                  [&](auto const& chunk, std::size_t first, std::size_t last, std::size_t room, auto begun_with) {
                    array<T> values(last - first);
                    array<std::int32_t> length(room);
                    index_t const ended = lookback::run_length_encode(chunk, part(source, first, last), values, length, equal);
                    append(lengths, length, ended), append(got, values, begun_with(ended));
                  });
    begin_and_end(on, cuts_some_empty(n, seed + 1), beside,
                  [&](auto const& chunk, std::size_t first, std::size_t last, std::size_t room, auto begun_with) {
                    array<T> values(last - first);
                    array<index_t> place(last - first);
                    array<std::int32_t> length(room);
                    index_t const ended =
                        lookback::run_length_encode(chunk, part(source, first, last), values, length, place, equal);
                    append(others, length, ended);
                    append(firsts, values, begun_with(ended)), append(places, place, begun_with(ended));
                  });
    EXPECT_TRUE(same(got, want) && same(lengths, want_lengths));
    EXPECT_TRUE(same(firsts, want) && same(others, want_lengths) && same(places, want_places));
  });
}

TEST_F(carry_runs, runs_and_their_lengths) {
  each_cut_shape([](heads const& h, std::uint64_t seed) {
    check_encode(items_of<std::uint8_t>(h), lookback::equal_to{}, seed);
    if constexpr (!on_gpu) check_encode(items_of<double>(h), lookback::equal_to{}, seed);
    check_encode(items_of<triple>(h), lookback::equal_to{}, seed);
    check_encode(random_values<std::uint16_t>(h.size(), seed), is_near{}, seed);
  });
}

template <class Key, class T, class Op, class Equal = lookback::equal_to>
void check_reduce(std::vector<Key> const& keys, Op op, std::uint64_t seed, Equal equal = {}) {
  std::size_t const n = keys.size();
  auto const values = random_values<T>(n, seed);
  auto const want = reduced_by_key(keys, values, op, equal);
  auto const check = [&](auto const& on, bool in_place) {
    array<T> const source(values);
    array<lookback::carried<T, Key>> state(2);
    std::vector<Key> got_keys;
    std::vector<T> got;
    begin_and_end(on, cuts_some_empty(n, seed), state,
                  [&](auto const& chunk, std::size_t first, std::size_t last, std::size_t room, auto begun_with) {
                    array<Key> of(std::vector<Key>(keys.begin() + static_cast<std::ptrdiff_t>(first),
                                                   keys.begin() + static_cast<std::ptrdiff_t>(last)));
                    array<Key> apart(last - first);
                    auto& keys_out = in_place ? of : apart;
                    array<T> out(room);
                    index_t const ended = lookback::reduce_by_key(chunk, of, part(source, first, last), keys_out, out, op, equal);
                    append(got, out, ended), append(got_keys, keys_out, begun_with(ended));
                  });
    EXPECT_TRUE(same(got_keys, want.keys) && same(got, want.results));
  };
  each_policy([&](auto const& on) { check(on, false); });
  each_one_pass_policy([&](auto const& on) { check(on, true); });
}

TEST_F(carry_runs, sums_by_key) {
  each_cut_shape([](heads const& h, std::uint64_t seed) {
    check_reduce<std::uint32_t, std::int32_t>(items_of<std::uint32_t>(h), lookback::plus<std::int32_t>{}, seed);
    check_reduce<std::int64_t, ends>(items_of<std::int64_t>(h), join_ends{}, seed);
    if constexpr (!on_gpu) check_reduce<float, matrix>(items_of<float>(h), times_matrix{}, seed);
    check_reduce<triple, std::uint16_t>(items_of<triple>(h), lookback::maximum<std::uint16_t>{}, seed);
    check_reduce<std::uint16_t, ends>(random_values<std::uint16_t>(h.size(), seed), join_ends{}, seed, is_near{});
  });
}

// Every strategy begins with what an earlier chunk has left.
TEST_F(carry_runs, under_every_strategy) {
  std::size_t const n = up_to(20'011);
  for (auto const& s : shapes(n, tile_items<std::int32_t>())) {
    SCOPED_TRACE(s.name);
    auto const keys = items_of<std::uint32_t>(s.heads);
    auto const values = random_values<ends>(n, 1);
    auto const want = reduced_by_key(keys, values, join_ends{}, lookback::equal_to{});
    each_strategy([&](auto const& on) {
      array<std::uint32_t> const of(keys);
      array<ends> const source(values);
      array<lookback::carried<ends, std::uint32_t>> state(2);
      array<lookback::carried<index_t, std::uint32_t>> kept(2);
      std::vector<std::uint32_t> got_keys, firsts;
      std::vector<ends> got;
      begin_and_end(on, cuts_some_empty(n, 3), state,
                    [&](auto const& chunk, std::size_t first, std::size_t last, std::size_t room, auto begun_with) {
                      array<std::uint32_t> keys_out(last - first);
                      array<ends> out(room);
                      index_t const ended = lookback::reduce_by_key(chunk, part(of, first, last), part(source, first, last),
                                                                    keys_out, out, join_ends{});
                      append(got, out, ended), append(got_keys, keys_out, begun_with(ended));
                    });
      closing_chunks(on, cuts_some_empty(n, 4), kept, [&](auto const& chunk, std::size_t first, std::size_t last) {
        array<std::uint32_t> out(last - first);
        append(firsts, out, lookback::unique(chunk, part(of, first, last), out));
      });
      EXPECT_TRUE(same(got_keys, want.keys) && same(got, want.results) && same(firsts, want.keys));
    });
  }
}

// Floats: the same bits as in one call, if the cuts are multiples of a tile.
TEST_F(carry_runs, cuts_at_tiles_keep_the_bits_of_floats) {
  std::size_t const n = up_to(400'009);
  for (auto const& s : shapes(n, tile_items<double>())) {
    SCOPED_TRACE(s.name);
    auto const keys = items_of<std::uint32_t>(s.heads);
    auto const values = random_values<float>(n, 4);
    auto const check = [&](auto const& on) {
      array<std::uint32_t> const of(keys);
      array<float> const source(values);
      array<std::uint32_t> keys_out(n);
      array<float> whole(n);
      index_t const runs = lookback::reduce_by_key(on, of, source, keys_out, whole);
      std::vector<float> got, want;
      append(want, whole, runs);
      array<lookback::carried<float, std::uint32_t>> state(2);
      auto const tile = tile_items_under<double>(on);  // a key and a value
      closing_chunks(on, cuts_some_empty(n, 8, tile), state, [&](auto const& chunk, std::size_t first, std::size_t last) {
        array<float> out(last - first + 1);
        append(got, out,
               lookback::reduce_by_key(chunk, part(of, first, last), part(source, first, last), part(keys_out, first, last), out));
      });
      ASSERT_EQ(got.size(), want.size());
      EXPECT_EQ(std::memcmp(got.data(), want.data(), got.size() * sizeof(float)), 0);
    };
    each_steady_policy(check);
    each_run(check);  // with `reproducible`
  }
}

TEST_F(carry_runs, what_has_no_room_for_what_was_open_is_refused) {
  std::vector<std::int32_t> const three{1, 2, 2};
  each_policy([&](auto const& on) {
    array<std::int32_t> const keys(three), values(three);
    array<std::int32_t> keys_out(3), out(3);
    array<lookback::carried<std::int32_t, std::int32_t>> state(2);
    using carry = lookback::carry<std::int32_t, std::int32_t>;
    auto const first = on.with(carry{nullptr, state.data()});
    EXPECT_EQ(lookback::reduce_by_key(first, keys, values, keys_out, out), 1);
    auto const last = on.with(carry{state.data(), nullptr});
    expect_refused(
        out, [&] { lookback::reduce_by_key(last, keys, values, keys_out, out); }, "room for");
    expect_refused(
        out, [&] { lookback::run_length_encode(last, keys, keys_out, out); }, "room for");
    array<std::int32_t> both(6);  // four results, and keys from the last of them on
    std::span<std::int32_t> const sums(both.data(), 4), beside(both.data() + 3, 3);
    expect_refused(
        both, [&] { lookback::reduce_by_key(last, keys, values, beside, sums); }, "outputs do not overlap");
    expect_refused(
        out, [&] { lookback::segmented_reduce(last, values, lookback::keys(keys), out); }, "room for");
  });
}
