// Tiles along the path of items and ends under other tunings than the default, and on devices without a copy engine: where what
// values are made of lies apart from the slots, it is overwritten in the right order.
#include <algorithm>
#include <lookback/spmv.hpp>

#include "compare.hpp"
#include "fixture.hpp"
#include "sparse.hpp"

using namespace harness;

namespace {

struct gpu_path : on_device {};

/// How many tiles there are, by what depends on it: whether the mover takes two tickets at once, and which way the table is made.
template <class T, class Tuning = lookback::gpu::tuning<>>
struct tiling {
  using multiply = decltype(lookback::plus_times<T>::multiply);
  using form = lookback::gpu::path_shape<lookback::detail::products<T, std::int32_t, T, multiply>, T, Tuning>;
  static constexpr int threads = lookback::gpu::block_threads<form>;
  /// From so many tiles a block on an entry of the table has one lane.
  static constexpr double many = (threads - 32) / 8 + 1;

  static std::size_t device(cudaDeviceAttr what) {
    int device = 0, answer = 0;
    check(cudaGetDevice(&device));
    check(cudaDeviceGetAttribute(&answer, what, device));
    return static_cast<std::size_t>(answer);
  }
  /// A multiprocessor holds no more blocks at once, whatever they need of it.
  static std::size_t most_blocks() {
    return std::min(device(cudaDevAttrMaxThreadsPerMultiProcessor) / threads, device(cudaDevAttrMaxBlocksPerMultiprocessor));
  }
  static std::size_t steps_a_multiprocessor(double tiles) {
    return static_cast<std::size_t>(tiles * static_cast<double>(device(cudaDevAttrMultiProcessorCount))) * form::tile_items;
  }
  /// So many tiles for each block, or more.
  static std::size_t steps(double tiles_a_block) {
    return steps_a_multiprocessor(tiles_a_block * static_cast<double>(most_blocks()));
  }
};

/// Multiplies, and by one value takes milliseconds: other tiles do not wait for the one that holds it, until they need its sum.
struct slow_by_one_value {
  static constexpr float slow = 4096;
  ON_DEVICE float operator()(float a, float x) const {
    NV_IF_TARGET(NV_IS_DEVICE, (if (a == slow) for (long long const begin = clock64(); clock64() - begin < 4'000'000;);))
    return a * x;
  }
};
using slow_ring = lookback::semiring<lookback::plus<float>, slow_by_one_value>;

/// Rows of every length, empty ones and one of many tiles, by offsets of both widths: those of 8 bytes lay the slots out in another
/// way.
template <class T, class On, class Ring = lookback::plus_times<T>>
void check_products(On const& on, std::size_t steps, Ring const& ring = {}, std::size_t slow_ones = 0) {
  auto lengths = geometric_lengths(steps * 4 / 19, 5, 2);
  for (std::size_t r = lengths.size() / 2; r < lengths.size() * 3 / 4; ++r) lengths[r] = 0;
  lengths[lengths.size() / 3] = std::min(steps / 8, up_to(100'000));
  auto a = random_matrix_of<T>(lengths, 4099, 1);
  for (std::size_t k = 1; k <= slow_ones; ++k) a.values[k * a.values.size() / (slow_ones + 1)] = slow_by_one_value::slow;
  ASSERT_NEAR(static_cast<double>(a.rows() + a.values.size()), static_cast<double>(steps), static_cast<double>(steps) / 7);
  auto const x = small_values<T>(a.columns, 2);
  auto const want = multiplied_rows(a, x, 1);
  auto const check = [&]<class Offset>(Offset) {
    placed<T, std::int32_t, Offset> const matrix(a, 1);
    array<T> const from(x);
    for (int again = 0; again < (small() ? 1 : 3); ++again) {
      array<T> y(a.rows(), 1);
      lookback::spmv(on, matrix.view(), from, y, ring);
      EXPECT_TRUE(same(y.host(), want));
      EXPECT_TRUE(y.intact());
    }
  };
  check(std::int32_t{});
  check(std::int64_t{});
}
std::size_t bearable(std::size_t steps) { return small() ? std::min<std::size_t>(steps, 100'000) : steps; }

TEST_F(gpu_path, products_by_the_default) { check_products<float>(lookback::gpu::on(stream()), bearable(tiling<float>::steps(6))); }
TEST_F(gpu_path, products_in_four_slots) {
  using four = lookback::gpu::tuning<128, 48, 4, 2>;
  check_products<float>(lookback::gpu::on(stream()).with(four{}), bearable(tiling<float, four>::steps(6)));
}
TEST_F(gpu_path, products_in_five_slots) {
  using five = lookback::gpu::tuning<992, 16, 5, 1>;
  check_products<double>(lookback::gpu::on(stream()).with(five{}), bearable(tiling<double, five>::steps(6)));
}

/// Tiles so small that a tool can bear several for each block.
using small_tiles = lookback::gpu::tuning<128, 16, 3, 1>;
using tiling_of_small = tiling<float, small_tiles>;

auto on_small_tiles() { return lookback::gpu::on(stream()).with(small_tiles{}); }

/// Up to four tiles a block, it searches for its first one alone, and its others are in the table. A multiprocessor holds one to
/// nine blocks: whatever it is, one of these is more than one tile for each and at most four.
TEST_F(gpu_path, products_in_few_tiles_a_block) {
  ASSERT_LE(tiling_of_small::most_blocks(), 9u);
  for (double const tiles : {1.5, 5.0, 13.5})
    check_products<float>(on_small_tiles(), tiling_of_small::steps_a_multiprocessor(tiles), slow_ring{});
}
/// It searches for its first two; slots, regions apart and what is told of a tile come round. Under a tool too.
TEST_F(gpu_path, products_in_some_tiles_a_block) {
  check_products<float>(on_small_tiles(), tiling_of_small::steps(6), slow_ring{});
}
/// Who looks back waits for a tile that is not done while its block goes on, as far as what is told of tiles has room.
TEST_F(gpu_path, products_in_some_tiles_a_block_that_wait_for_slow_ones) {
  check_products<float>(on_small_tiles(), tiling_of_small::steps(12), slow_ring{}, 5);
}
/// So many that their table is made in another way; under a tool, which could not bear them, no more than elsewhere.
TEST_F(gpu_path, products_in_many_tiles_a_block) {
  check_products<float>(on_small_tiles(), bearable(tiling_of_small::steps(1.2 * tiling_of_small::many)), slow_ring{});
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
