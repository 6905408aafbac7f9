// Segmented scans: every type and form over every shape of segments, from both sides, misaligned and in place.
#include <lookback/segmented_scan.hpp>

#include "check_scan.hpp"
#include "edge_sizes.hpp"
#include "shapes.hpp"
#include "types.hpp"

using namespace harness;

/// As check_scan, with the segments given as flags.
template <class T, class Op>
void check_segmented(std::vector<T> const& in, Op op, oracle::form<T> const& how, std::size_t misaligned = 0,
                     bool in_place = false) {
  SCOPED_TRACE(describe(in.size(), how.exclusive, how.initial.has_value(), how.from));
  expected<T, Op> const right(in, op, with_identity(op, how));
  array<flag> const flags(flags_of<flag>(how.heads), misaligned);
  auto const heads = lookback::head_flags(flags);
  each_policy([&](auto const& policy) {
    auto const on = policy.with(how.from);
    array<T> source(in, misaligned), out(in.size(), misaligned);
    array<T>& target = in_place ? source : out;
    scan_as(on, source, heads, target, op, how);
    EXPECT_TRUE(right(target.host())) << (in_place ? "in place" : "");
    EXPECT_TRUE(target.intact()) << "written outside out";
  });
}

template <class T, class Op>
void check_every_form(std::size_t n, Op op, T const& initial, std::size_t misaligned = 0, bool in_place = false) {
  auto const in = random_values<T>(n, n);
  for (auto const& s : shapes(n, tile_items<T>())) {
    SCOPED_TRACE(s.name);
    each_form(op, initial, [&](oracle::form<T> how) {
      how.heads = s.heads;
      check_segmented(in, op, how, misaligned, in_place);
    });
  }
}

template <class T>
struct segmented_scan : on_device {};
TYPED_TEST_SUITE(segmented_scan, segmented_types);

TYPED_TEST(segmented_scan, equals_the_plain_loop) {
  using T = TypeParam;
  for (std::size_t const n : {std::size_t{1}, std::size_t{2}, std::size_t{33}, std::size_t{1025}, up_to(300007)})
    check_every_form<T>(n, lookback::plus<T>{}, T{3});
}

TYPED_TEST(segmented_scan, many_tiles_a_worker) {
  using T = TypeParam;
  std::size_t const n = many_tiles<T>();
  auto const in = random_values<T>(n, 6);
  heads const h = short_long_short(n);
  for (std::size_t const misaligned : {0, 1}) {
    check_segmented(in, lookback::plus<T>{}, {{}, false, lookback::left_to_right, h}, misaligned);
    check_segmented(in, lookback::plus<T>{}, {T{3}, true, lookback::right_to_left, h}, misaligned, true);
  }
}

TYPED_TEST(segmented_scan, misaligned_and_in_place) {
  using T = TypeParam;
  for (std::size_t const misaligned : {0, 1, 5})
    for (std::size_t const n : {std::size_t{100}, up_to(150001)})
      for (bool const in_place : {false, true}) check_every_form<T>(n, lookback::plus<T>{}, T{3}, misaligned, in_place);
}

struct segmented_operators : on_device {};

TEST_F(segmented_operators, maxima) { check_every_form(up_to(200003), lookback::maximum<float>{}, 0.25f); }

TEST_F(segmented_operators, matrices_do_not_commute) {
  check_every_form(77, times_matrix{}, matrix{1, 2, 3, 4});
  check_every_form(up_to(100003), times_matrix{}, matrix{1, 2, 3, 4});
}

TEST_F(segmented_operators, the_first_and_the_last) { check_every_form(up_to(200003), join_ends{}, ends{12345, 0}); }

TEST_F(segmented_operators, twelve_bytes) { check_every_form(up_to(100003), add_triples{}, triple{1, 2, 3}, 1); }
