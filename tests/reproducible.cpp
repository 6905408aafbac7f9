// reproducible: the bits of one tree, written down in tree.hpp, on both back ends, every run, thread count, SIMD level and
// alignment.
#include <algorithm>
#include <cstring>
#include <lookback/reduce_by_key.hpp>

#include "check_scan.hpp"
#include "compare.hpp"
#include "keyed.hpp"
#include "random.hpp"
#include "shapes.hpp"
#include "tree.hpp"

using namespace harness;
using lookback::index_t;

struct reproducible : on_device {};

template <class T, class Op>
std::vector<T> by_the_tree(std::vector<T> in, Op op, bool reversed) {
  oracle::plain_tree<T, Op> const tree{op, reversed, {}};
  if (reversed) std::reverse(in.begin(), in.end());
  auto out = tree.inclusive(in, std::vector<bool>(in.size()));
  if (reversed) std::reverse(out.begin(), out.end());
  return out;
}

template <class T, class Op>
void check_same_bits(Op op) {
  for (std::size_t const n : {std::size_t{1}, std::size_t{1000}, up_to(300007)})
    for (auto const from : {lookback::left_to_right, lookback::right_to_left}) {
      SCOPED_TRACE(describe(n, false, false, from));
      auto const in = random_values<T>(n, n);
      auto const want = by_the_tree(in, op, from == lookback::right_to_left);
      expected<T, Op> const right(in, op, {{}, false, from, {}});
      EXPECT_TRUE(right(want));
      each_reproducible_policy([&](auto const& policy) {
        for (std::size_t const misaligned : {0, 1, 3}) {
          array<T> const source(in, misaligned);
          array<T> out(n, misaligned);
          lookback::inclusive_scan(policy.with(from), source, out, op);
          auto const got = out.host();
          ASSERT_EQ(std::memcmp(want.data(), got.data(), n * sizeof(T)), 0) << "misaligned " << misaligned;
        }
      });
    }
}

TEST_F(reproducible, sums_have_the_same_bits) {
  check_same_bits<float>(lookback::plus<float>{});
  check_same_bits<double>(lookback::plus<double>{});
}

/// Results of segments by keys: the same bits on every run and for any number of threads, on one back end and SIMD level; by
/// offsets they are the same everywhere (reproducible_ends.cpp).
void check_same_results(std::vector<std::uint32_t> const& keys, std::vector<index_t> const& offsets) {
  std::size_t const n = keys.size();
  auto const in = random_values<float>(n, n);
  array<std::uint32_t> const by(keys);
  array<index_t> const at(offsets);
  std::vector<float> first_by_keys, first_by_offsets;
  each_run([&](auto const& on) {
    array<float> const values(in);
    array<std::uint32_t> keys_out(n);
    array<float> sums(n);
    auto const runs = static_cast<std::size_t>(lookback::reduce_by_key(on, by, values, keys_out, sums));
    auto got = sums.host();
    got.resize(runs);
    if (first_by_keys.empty()) first_by_keys = got;
    EXPECT_TRUE(same(got, first_by_keys));
    array<float> rows(offsets.size() - 1);
    lookback::segmented_reduce(on, values, lookback::offsets(at), rows);
    if (first_by_offsets.empty()) first_by_offsets = rows.host();
    EXPECT_TRUE(same(rows.host(), first_by_offsets));
  });
}

TEST_F(reproducible, sums_of_segments_have_the_same_bits_on_every_run) {
  std::size_t const n = up_to(on_gpu ? 20'000'003 : 3'000'003);
  for (auto const& s : {heads(n, 0), short_long_short(n)}) {
    auto h = s;
    h[0] = 1;
    check_same_results(items_of<std::uint32_t>(h), offsets_of<index_t>(h, 2, 3));
  }
  auto few = heads(up_to(10'007), 0);
  few[0] = 1;
  check_same_results(items_of<std::uint32_t>(few), offsets_of<index_t>(few));
}

struct user_plus {
  LOOKBACK_FN float operator()(float a, float b) const { return a + b; }
};
TEST_F(reproducible, sums_of_segments_by_a_users_operator_are_refused) {
  array<float> const in(std::vector<float>(100, 1)), keys(std::vector<float>(100, 2));
  array<float> keys_out(100), out(100);
  each_run([&](auto const& on) {
    EXPECT_THROW(lookback::reduce_by_key(on, keys, in, keys_out, out, user_plus{}), lookback::invalid_argument);
  });
}

TEST_F(reproducible, maxima_have_the_same_bits) { check_same_bits<float>(lookback::maximum<float>{}); }
