// Sorts by code for devices that give a block less shared memory than an sm_90: smaller blocks, tiles and leaves, and other limits.
// One call for each way that keys can take; what they do with every type is tested elsewhere.
#include <algorithm>
#include <lookback/quicksort.hpp>
#include <lookback/radix_sort.hpp>
#include <lookback/split_by.hpp>
#include <numeric>
#include <span>

#include "array.hpp"
#include "compare.hpp"
#include "fixture.hpp"
#include "random.hpp"

using namespace harness;
using lookback::index_t;
namespace gpu = lookback::gpu;

struct gpu_sort_portable : on_device {};

template <class T>
std::vector<T> spread_keys(std::size_t n, std::uint64_t seed) {
  generator random(seed);
  std::vector<T> keys(n);
  for (T& x : keys) x = static_cast<T>(random.next());
  return keys;
}
/// Spread keys go from the top, few distinct ones from the bottom, some thousand to one block; half of one key makes a long leaf.
template <class T>
std::vector<std::vector<T>> keys_of_every_way(std::size_t n) {
  std::vector<std::vector<T>> all{spread_keys<T>(n, 1), spread_keys<T>(n, 2), spread_keys<T>(n, 3), spread_keys<T>(5000, 4)};
  for (T& x : all[1]) x = static_cast<T>(x % 3);
  for (std::size_t i = 0; i < n; i += 2) all[2][i] = T{77};
  return all;
}
std::vector<std::size_t> places_in_order(auto const& keys) {
  std::vector<std::size_t> places(keys.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
  return places;
}

template <class T>
void check_keys(std::size_t n) {
  for (auto const& keys : keys_of_every_way<T>(n)) {
    array<T> data(keys);
    lookback::radix_sort(gpu::on(stream()), data);
    auto sorted = keys;
    std::sort(sorted.begin(), sorted.end());
    ASSERT_TRUE(same(data.host(), sorted));
    ASSERT_TRUE(data.intact());
  }
}
TEST_F(gpu_sort_portable, keys) {
  check_keys<std::uint32_t>(up_to(3'000'017));
  check_keys<std::uint64_t>(up_to(1'500'017));
}

TEST_F(gpu_sort_portable, pairs) {
  for (auto const& keys : keys_of_every_way<std::uint32_t>(up_to(1'500'017))) {
    std::vector<std::uint32_t> numbers(keys.size());
    std::iota(numbers.begin(), numbers.end(), 0u);
    array<std::uint32_t> data(keys), values(numbers);
    lookback::radix_sort(gpu::on(stream()), data, values);
    auto const places = places_in_order(keys);
    ASSERT_TRUE(same(values.host(), std::vector<std::uint32_t>(places.begin(), places.end())));
    ASSERT_TRUE(data.intact() && values.intact());
  }
}

/// By a function: two levels of buckets, one, and merges; with values, and in segments.
struct falls {
  LOOKBACK_FN bool operator()(std::uint32_t a, std::uint32_t b) const { return b < a; }
};
TEST_F(gpu_sort_portable, comparisons) {
  for (std::size_t const n : {up_to(1'500'017), up_to(300'007), up_to(100'003)})
    for (auto const& keys : keys_of_every_way<std::uint32_t>(n)) {
      std::vector<std::size_t> places(keys.size());
      std::iota(places.begin(), places.end(), std::size_t{0});
      std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) { return keys[b] < keys[a]; });
      std::vector<std::uint32_t> numbers(keys.size());
      std::iota(numbers.begin(), numbers.end(), 0u);
      array<std::uint32_t> data(keys), values(numbers), parts(keys);
      array<std::int32_t> const offsets(std::vector<std::int32_t>{0, 3, static_cast<std::int32_t>(keys.size()) - 1000});
      lookback::quicksort(gpu::on(stream()), data, values, falls{});
      ASSERT_TRUE(same(values.host(), std::vector<std::uint32_t>(places.begin(), places.end())));
      lookback::quicksort(gpu::on(stream()), parts, falls{}, lookback::offsets(offsets), lookback::unstable);
      auto want = keys;
      std::sort(want.begin(), want.begin() + 3, falls{});
      std::sort(want.begin() + 3, want.end() - 1000, falls{});
      ASSERT_TRUE(same(parts.host(), want));
      ASSERT_TRUE(data.intact() && values.intact() && parts.intact());
    }
}

/// Lengths for a lane, a quarter of a warp, a warp, both kinds of blocks, and tiles.
TEST_F(gpu_sort_portable, segments) {
  std::vector<std::int32_t> offsets{0};
  for (int length : {0, 1, 20, 100, 700, 3000, 9000, 30'000, 200'000, 31, 0})
    for (int times = 0; times < (length < 1000 ? 50 : 3) && (!small() || length < 10'000); ++times)
      offsets.push_back(offsets.back() + length + (length > 1 ? times : 0));
  auto keys = spread_keys<std::uint32_t>(static_cast<std::size_t>(offsets.back()), 5);
  array<std::uint32_t> data(keys);
  array<std::int32_t> const where(offsets);
  lookback::radix_sort(gpu::on(stream()), data, lookback::offsets(where));
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) std::sort(keys.begin() + offsets[s], keys.begin() + offsets[s + 1]);
  EXPECT_TRUE(same(data.host(), keys));
  EXPECT_TRUE(data.intact());
}

struct highest_byte {
  LOOKBACK_FN int operator()(std::uint32_t x) const { return static_cast<int>(x >> 24); }
};
TEST_F(gpu_sort_portable, split_by) {
  std::size_t const n = up_to(1'000'003);
  array<std::uint32_t> const in(spread_keys<std::uint32_t>(n, 6));
  array<std::uint32_t> out(n);
  array<index_t> starts(257);
  lookback::split_by<256>(gpu::on(stream()), in, out, highest_byte{}, starts);
  auto wanted = in.host();
  std::stable_sort(wanted.begin(), wanted.end(), [](std::uint32_t a, std::uint32_t b) { return a >> 24 < b >> 24; });
  EXPECT_TRUE(same(out.host(), wanted));
  EXPECT_EQ(starts.host()[256], static_cast<index_t>(n));
  EXPECT_TRUE(out.intact());
}
