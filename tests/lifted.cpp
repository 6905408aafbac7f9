// Segmented scans as plain scans of pairs, by the strategy lifted<Base>, against a plain loop.
#include <lookback/segmented_scan.hpp>
#include <lookback/strategy.hpp>

#include "check_scan.hpp"
#include "described_heads.hpp"
#include "edge_sizes.hpp"
#include "random.hpp"
#include "types.hpp"

using namespace harness;

struct lifted : on_device {};

namespace {

/// Every form of a segmented scan as a scan of pairs: out of place off alignment, and in place.
template <class T, class Op>
void check_lifted(Op op, std::size_t n) {
  std::vector<std::size_t> means{0, 1, 7, 300, 5000};
  if (n > 50'000) means = {300};
  if (small()) means = {7};  // a tool sees fewer
  for (std::size_t const mean : means) {
    SCOPED_TRACE("segments of " + std::to_string(mean));
    auto const heads = heads_of(n, mean);
    auto const in = random_values<T>(n, n);
    array<T> const source(in, 1);
    array<flag> const flags(heads, 3);
    array<std::uint8_t> const bits(bits_of(heads), 1);
    array<std::int32_t> const keys(keys_of(heads), 1);
    each_form(op, random_values<T>(1, n + 1)[0], [&](oracle::form<T> how) {
      SCOPED_TRACE(describe(n, how.exclusive, how.initial.has_value(), how.from));
      auto whole = with_identity(op, how);
      whole.heads = heads;
      auto const want = oracle::scan<T>(in, op, whole);
      each_lifted([&](auto const& any) {
        auto const on = any.with(how.from);
        auto const check = [&](auto const& described) {
          array<T> out(n, 2), in_place(in);
          scan_as(on, source, described, out, op, how);
          EXPECT_TRUE(same(out.host(), want));
          scan_as(on, in_place, described, in_place, op, how);
          EXPECT_TRUE(same(in_place.host(), want)) << "in place";
          EXPECT_TRUE(out.intact() && in_place.intact());
        };
        check(lookback::head_flags(flags));
        check(lookback::head_bits(bits));
        check(lookback::keys(keys));
      });
    });
  }
}

struct are_equal {
  LOOKBACK_FN bool operator()(std::int64_t a, std::int64_t b) const { return a == b; }
};
struct twice {
  LOOKBACK_FN std::int32_t operator()(std::int32_t x) const { return 2 * x; }
};
struct half {
  LOOKBACK_FN std::int32_t operator()(std::int32_t x) const { return x / 2; }
};

}  // namespace

TEST_F(lifted, segmented_scans) {
  auto const few = std::vector<std::size_t>{65, 1000, up_to(30'011)};
  for (std::size_t const n : small() ? few : edge_sizes<std::int32_t>(1 << 21))
    check_lifted<std::int32_t>(lookback::plus<std::int32_t>{}, n);
  for (std::size_t const n : small() ? few : sizes<matrix>()) check_lifted<matrix>(times_matrix{}, n);
}

/// Other descriptions, sums that round, items and results through functions, initial values of segments: and what has no such form.
TEST_F(lifted, scans_of_other_forms) {
  std::size_t const n = up_to(30'011);
  auto const heads = heads_of(n, 50);
  auto const in = random_values<float>(n, 1);
  auto const sums = oracle::sums<float>(in, {{}, false, lookback::left_to_right, heads});
  std::vector<std::int32_t> ones(n, 1), places(n), of_rows(n), after(n);
  for (std::size_t i = 0; i < n; ++i) {
    places[i] = heads[i] ? 1 : places[i - 1] + 1;
    of_rows[i] = static_cast<std::int32_t>(i % 77 + 1);
    after[i] = static_cast<std::int32_t>(i / 77 * 1000 + i % 77 + 1);
  }
  std::vector<std::int32_t> initials((n - 1) / 77 + 1);
  for (std::size_t s = 0; s < initials.size(); ++s) initials[s] = static_cast<std::int32_t>(s) * 1000;
  auto const long_keys = keys_of(heads);
  array<float> const source(in);
  array<flag> const flags(heads);
  array<std::int64_t> const begins(offsets_of(heads));
  array<std::int64_t> const keys(std::vector<std::int64_t>(long_keys.begin(), long_keys.end()));
  array<std::int32_t> const items(ones), before(initials);
  each_lifted([&](auto const& on) {
    array<float> added(n);
    lookback::inclusive_segmented_scan(on, source, lookback::head_flags(flags), added);
    auto const found = added.host();
    for (std::size_t i = 0; i < n; ++i) ASSERT_NEAR(double{found[i]}, sums.want[i], sums.bound[i]) << "item " << i;
    array<std::int32_t> out(n);
    lookback::inclusive_segmented_scan(on, lookback::mapped(items, twice{}), lookback::keys(keys, are_equal{}),
                                       lookback::into(out, half{}));
    EXPECT_TRUE(same(out.host(), places));
    lookback::inclusive_segmented_scan(on, items, lookback::rows_of(77), out);
    EXPECT_TRUE(same(out.host(), of_rows));
    lookback::inclusive_segmented_scan(on, items, lookback::rows_of(77), out, lookback::plus<>{}, before);
    EXPECT_TRUE(same(out.host(), after));
    lookback::inclusive_scan(on, lookback::first(items, 100), out);
    EXPECT_EQ(out.host()[99], 100) << "a plain scan";
    EXPECT_THROW(lookback::inclusive_segmented_scan(on, items, lookback::offsets(begins), out), lookback::invalid_argument);
    EXPECT_THROW(lookback::inclusive_segmented_scan(on.with(lookback::reproducible), source, lookback::head_flags(flags), added),
                 lookback::invalid_argument);
  });
}
