// Tiles along the path of items and ends under other tunings than the default, and on devices without a copy engine: where what
// values are made of lies apart from the slots, it is overwritten in the right order.
#include <algorithm>
#include <limits>
#include <lookback/spmv.hpp>

#include "compare.hpp"
#include "fixture.hpp"
#include "sparse.hpp"

using namespace harness;
using lookback::index_t;

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

/// The same by offsets that lie: whatever is found, nothing else is touched.
TEST_F(gpu_path, offsets_that_lie_in_many_tiles_a_block) {
  if (small()) return;  // the number is what is tested
  std::size_t const steps = tiling_of_small::steps(1.2 * tiling_of_small::many), rows = steps / 4;
  sparse<float> a;
  a.columns = 1009, a.values.assign(steps - rows, 1);
  for (std::size_t k = 0; k < a.values.size(); ++k) a.column_indices.push_back(k % a.columns);
  array<float> const from(small_values<float>(a.columns, 3));
  generator random(6);
  auto const nonzeros = static_cast<std::int64_t>(a.values.size());
  for (int const lie : {0, 1, 2}) {
    a.offsets.assign(rows + 1, 0);
    for (std::size_t k = 1; k <= rows; ++k)
      a.offsets[k] = lie == 0   ? (k <= rows / 2 ? nonzeros : 0)
                     : lie == 1 ? nonzeros - static_cast<std::int64_t>(3 * k)
                                : static_cast<std::int64_t>(random.next());
    placed<float, std::int32_t, std::int64_t> const matrix(a);
    array<float> y(rows, 1);
    lookback::spmv(on_small_tiles(), matrix.view(), from, y);
    check(cudaStreamSynchronize(stream()));
    EXPECT_TRUE(y.intact());
  }
}

struct near_case {
  index_t first, last, answer, expected;
};
/// Where to look, and how often somebody looked elsewhere. What lies says anything.
__global__ void search_near(near_case const* cases, int count, bool lies, index_t* found, int* outside) {
  int const c = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (c >= count) return;
  near_case const in = cases[c];
  found[c] = lookback::gpu::partition_point_near(in.expected, in.first, in.last, [&](index_t k) {
    if (k < in.first || k >= in.last) atomicAdd(outside, 1);
    return lies ? (static_cast<std::uint64_t>(k) * 0x9E3779B97F4A7C15u >> 63) != 0 : k < in.answer;
  });
}
/// Wherever it is and whatever was expected.
TEST_F(gpu_path, what_is_searched_for_near_a_guess_is_found) {
  std::vector<near_case> cases;
  index_t const far = std::numeric_limits<index_t>::max();
  for (index_t const size : {0, 1, 2, 3, 511, 512, 513, 514, 4608, 4609, 1'000'000})
    for (index_t const first : {index_t{0}, index_t{7}, index_t{1} << 33})
      for (index_t const place : {index_t{0}, index_t{1}, index_t{500}, size / 2, size - 513, size - 1, size})
        for (index_t const off : {-far, index_t{-5000}, index_t{-513}, index_t{-512}, index_t{-1}, index_t{0}, index_t{1},
                                  index_t{511}, index_t{5000}, far}) {
          if (place < 0 || place > size) continue;
          index_t const expected = off == far || off == -far ? off : first + place + off;
          cases.push_back({first, first + size, first + place, expected});
        }
  array<near_case> const from(cases);
  array<index_t> found(cases.size());
  array<int> outside(std::vector<int>(1, 0));
  for (bool const lies : {false, true}) {
    search_near<<<static_cast<unsigned>((cases.size() + 127) / 128), 128, 0, stream()>>>(
        from.data(), static_cast<int>(cases.size()), lies, found.data(), outside.data());
    check(cudaGetLastError());
    check(cudaStreamSynchronize(stream()));
    EXPECT_EQ(outside.host()[0], 0);
    auto const got = found.host();
    for (std::size_t c = 0; c < cases.size(); ++c) {
      if (lies) EXPECT_TRUE(got[c] >= cases[c].first && got[c] <= cases[c].last) << "case " << c;
      else EXPECT_EQ(got[c], cases[c].answer) << "case " << c;
    }
  }
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
