// Maps fused into a scan, on both sides; input that lies in no memory; a number of items that does.
#include <lookback/sink.hpp>
#include <lookback/source.hpp>

#include "check_scan.hpp"
#include "random.hpp"

using namespace harness;

struct fusion : on_device {};

struct square_wide {
  LOOKBACK_FN std::int64_t operator()(std::int32_t x) const { return static_cast<std::int64_t>(x) * x; }
};
struct halved {
  LOOKBACK_FN double operator()(std::int64_t x) const { return 0.5 * static_cast<double>(x); }
};
struct collatz {
  LOOKBACK_FN std::int64_t operator()(lookback::index_t i) const { return i % 2 == 0 ? i / 2 : 3 * i + 1; }
};

std::size_t const number = up_to(300007);
using adding = lookback::plus<std::int64_t>;
using scan_form = oracle::form<std::int64_t>;

TEST_F(fusion, a_map_in_front) {
  auto const in = random_values<std::int32_t>(number, 1);
  std::vector<std::int64_t> squares(number);
  for (std::size_t i = 0; i < number; ++i) squares[i] = square_wide{}(in[i]);
  each_form(adding{}, std::int64_t{7}, [&](scan_form const& how) {
    auto const want = oracle::scan<std::int64_t>(squares, adding{}, with_identity(adding{}, how));
    each_policy([&](auto const& policy) {
      array<std::int32_t> const source(in, 1);
      array<std::int64_t> out(number, 1);
      scan_as(policy.with(how.from), lookback::mapped(source, square_wide{}), out, adding{}, how);
      EXPECT_TRUE(same(out.host(), want));
      EXPECT_TRUE(out.intact());
    });
  });
}

inline void scan_a_map_of_a_lambda() {
  auto const in = random_values<std::int32_t>(number, 2);
  std::vector<std::int64_t> mapped(number);
  for (std::size_t i = 0; i < number; ++i) mapped[i] = square_wide{}(in[i] / 2);
  auto const want = oracle::scan<std::int64_t>(mapped, adding{}, {});
  auto const halved = [] ON_DEVICE(std::int32_t x) { return x / 2; };
  each_policy([&](auto const& on) {
    array<std::int32_t> const source(in);
    array<std::int64_t> out(number);
    lookback::inclusive_scan(on, lookback::mapped(lookback::mapped(source, halved), square_wide{}), out);
    EXPECT_TRUE(same(out.host(), want));
  });
}

TEST_F(fusion, a_lambda_in_front_of_a_map) { scan_a_map_of_a_lambda(); }

TEST_F(fusion, a_map_behind) {
  auto const in = random_values<std::int32_t>(number, 3);
  std::vector<std::int64_t> const items(in.begin(), in.end());
  each_form(adding{}, std::int64_t{7}, [&](scan_form const& how) {
    std::vector<double> want(number);
    auto const sums = oracle::scan<std::int64_t>(items, adding{}, with_identity(adding{}, how));
    for (std::size_t i = 0; i < number; ++i) want[i] = halved{}(sums[i]);
    each_policy([&](auto const& policy) {
      array<std::int32_t> const source(in);
      array<double> out(number, 1);
      scan_as(policy.with(how.from), source, lookback::into(out, halved{}), adding{}, how);
      EXPECT_TRUE(same(out.host(), want));
      EXPECT_TRUE(out.intact());
    });
  });
}

TEST_F(fusion, lazy_input) {
  std::vector<std::int64_t> items(number);
  for (std::size_t i = 0; i < number; ++i) items[i] = collatz{}(static_cast<lookback::index_t>(i));
  each_form(adding{}, std::int64_t{7}, [&](scan_form const& how) {
    auto const want = oracle::scan<std::int64_t>(items, adding{}, with_identity(adding{}, how));
    each_policy([&](auto const& policy) {
      array<std::int64_t> out(number);
      scan_as(policy.with(how.from), lookback::generate(static_cast<lookback::index_t>(number), collatz{}), out, adding{}, how);
      EXPECT_TRUE(same(out.host(), want));
    });
  });
}

TEST_F(fusion, segmented_from_lazy_input_through_a_map) {
  std::vector<std::int64_t> items(number);
  for (std::size_t i = 0; i < number; ++i) items[i] = collatz{}(static_cast<lookback::index_t>(i));
  oracle::heads rows(number, 0);
  for (std::size_t i = 0; i < number; i += 1000) rows[i] = 1;
  auto const sums = oracle::scan<std::int64_t>(items, adding{}, scan_form{{}, false, lookback::left_to_right, rows});
  std::vector<double> want(number);
  for (std::size_t i = 0; i < number; ++i) want[i] = halved{}(sums[i]);
  each_policy([&](auto const& on) {
    array<double> out(number);
    lookback::inclusive_segmented_scan(on, lookback::generate(static_cast<lookback::index_t>(number), collatz{}),
                                       lookback::rows_of(1000), lookback::into(out, halved{}));
    EXPECT_TRUE(same(out.host(), want));
  });
}

TEST_F(fusion, the_first_items_only) {
  auto const in = random_values<std::int64_t>(number, 4);
  for (std::size_t const few : {std::size_t{0}, std::size_t{1}, std::size_t{1000}, number - 1}) {
    std::vector<std::int64_t> const front(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(few));
    auto const want = oracle::scan<std::int64_t>(front, adding{}, {});
    each_policy([&](auto const& on) {
      array<std::int64_t> const source(in);
      array<std::int64_t> out(few);
      lookback::inclusive_scan(on, lookback::first(source, static_cast<lookback::index_t>(few)), out);
      EXPECT_TRUE(same(out.host(), want));
      EXPECT_TRUE(out.intact());
    });
  }
}

// The number of items is in memory of the back end, as a form that only enqueues leaves it: out beyond it stays untouched.
TEST_F(fusion, a_number_of_items_known_only_where_the_scan_runs) {
  auto const in = random_values<std::int64_t>(number, 5);
  for (auto const from : {lookback::left_to_right, lookback::right_to_left})
    for (std::size_t const few : {std::size_t{0}, std::size_t{1}, std::size_t{33}, number / 3, number}) {
      SCOPED_TRACE(describe(few, false, false, from));
      std::vector<std::int64_t> const front(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(few));
      auto want = oracle::scan<std::int64_t>(front, adding{}, scan_form{{}, false, from, {}});
      want.resize(number, -1);
      each_policy([&](auto const& policy) {
        array<std::int64_t> const source(in);
        array<lookback::index_t> const count(std::vector<lookback::index_t>{static_cast<lookback::index_t>(few)});
        array<std::int64_t> out(std::vector<std::int64_t>(number, -1));
        lookback::size const size{static_cast<lookback::index_t>(number), count.data()};
        lookback::inclusive_scan(policy.with(from), lookback::first(source, size), out);
        EXPECT_TRUE(same(out.host(), want));
        EXPECT_TRUE(out.intact());
      });
    }
}
