// Tiles along the path of items and ends under other tunings than the default, and on devices without a copy engine: where what
// values are made of lies apart from the slots, it is overwritten in the right order.
#include <lookback/spmv.hpp>

#include "fixture.hpp"
#include "sparse.hpp"

using namespace harness;

namespace {

struct gpu_path : on_device {};

/// Many tiles for each block, by offsets of both widths: those of 8 bytes lay the slots out in another way.
template <class T, class On>
void check_products(On const& on, std::size_t rows = up_to(150'000)) {
  auto lengths = geometric_lengths(rows, 5, 2);
  lengths[lengths.size() / 3] = up_to(100'000);
  for (std::size_t r = lengths.size() / 2; r < lengths.size() * 3 / 4; ++r) lengths[r] = 0;
  auto const a = random_matrix_of<T>(lengths, 4099, 1);
  auto const x = small_values<T>(a.columns, 2);
  auto const want = multiplied_rows(a, x, 1);
  auto const check = [&]<class Offset>(Offset) {
    placed<T, std::int32_t, Offset> const matrix(a, 1);
    array<T> const from(x);
    for (int again = 0; again < 3; ++again) {
      array<T> y(a.rows(), 1);
      lookback::spmv(on, matrix.view(), from, y);
      EXPECT_TRUE(same(y.host(), want));
      EXPECT_TRUE(y.intact());
    }
  };
  check(std::int32_t{});
  check(std::int64_t{});
}

TEST_F(gpu_path, products_by_the_default) { check_products<float>(lookback::gpu::on(stream())); }
TEST_F(gpu_path, products_in_four_slots) {
  check_products<float>(lookback::gpu::on(stream()).with(lookback::gpu::tuning<128, 48, 4, 2>{}));
}
TEST_F(gpu_path, products_in_five_slots) {
  check_products<double>(lookback::gpu::on(stream()).with(lookback::gpu::tuning<992, 16, 5, 1>{}));
}

/// So many tiles for a block that their table is made in another way.
TEST_F(gpu_path, products_in_thousands_of_tiles) {
  check_products<float>(lookback::gpu::on(stream()).with(lookback::gpu::tuning<128, 16, 3, 1>{}), up_to(400'000));
}

/// Another tuning has other tiles, and sums of floats another tree.
TEST_F(gpu_path, reproducible_sums_by_another_tuning_are_refused) {
  auto const a = random_matrix_of<float>({1, 2}, 3, 1);
  placed<float, std::int32_t, std::int32_t> const matrix(a);
  array<float> const x(small_values<float>(3, 1));
  array<float> y(2);
  auto const on = lookback::gpu::on(stream()).with(lookback::gpu::tuning<128, 48, 4, 2>{}).with(lookback::reproducible);
  EXPECT_THROW(lookback::spmv(on, matrix.view(), x, y), lookback::invalid_argument);
}

}  // namespace
