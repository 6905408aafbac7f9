// Plain scans: every type, every edge size, every form, from both sides, misaligned and in place.
#include <lookback/scan.hpp>

#include "check_scan.hpp"
#include "edge_sizes.hpp"
#include "random.hpp"
#include "types.hpp"

using namespace harness;

template <class T>
struct scan : on_device {};
TYPED_TEST_SUITE(scan, number_types);

TYPED_TEST(scan, equals_the_plain_loop_at_every_edge_size) {
  using T = TypeParam;
  for (std::size_t const n : edge_sizes<T>()) {
    auto const in = random_values<T>(n, n + 1);
    each_form(lookback::plus<T>{}, T{3}, [&](auto const& how) { check_scan(in, lookback::plus<T>{}, how); });
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(scan, many_tiles_a_worker) {
  using T = TypeParam;
  auto const in = random_values<T>(many_tiles<T>(), 5);
  check_scan(in, lookback::plus<T>{}, {{}, false, lookback::left_to_right, {}});
  check_scan(in, lookback::plus<T>{}, {T{3}, true, lookback::right_to_left, {}}, 1);
  check_scan(in, lookback::plus<T>{}, {{}, true, lookback::left_to_right, {}}, 3, true);
}

TYPED_TEST(scan, in_place) {
  using T = TypeParam;
  for (std::size_t const n : {std::size_t{1}, std::size_t{1000}, up_to(300007)}) {
    auto const in = random_values<T>(n, n);
    each_form(lookback::plus<T>{}, T{3}, [&](auto const& how) { check_scan(in, lookback::plus<T>{}, how, 0, true); });
  }
}

TYPED_TEST(scan, misaligned_starts) {
  using T = TypeParam;
  for (std::size_t const misaligned : {1, 3, 7, 13})
    for (std::size_t const n : {std::size_t{1}, std::size_t{37}, up_to(300007)}) {
      auto const in = random_values<T>(n, n + misaligned);
      each_form(lookback::plus<T>{}, T{3}, [&](auto const& how) {
        check_scan(in, lookback::plus<T>{}, how, misaligned);
        check_scan(in, lookback::plus<T>{}, how, misaligned, true);
      });
    }
}
