// The GPU pipeline where blocks have several tiles, where few items take another way, and where calls meet: other kernels around
// them, failures between them, descriptions that lie, tunings at the edges of what is allowed.
#include <cuda_runtime_api.h>

#include <lookback/gpu.cuh>
#include <lookback/reduce_by_key.hpp>
#include <lookback/segmented_scan.hpp>
#include <lookback/select_if.hpp>
#include <numeric>
#include <span>

#include "array.hpp"
#include "compare.hpp"
#include "fixture.hpp"
#include "oracle.hpp"
#include "random.hpp"
#include "types.hpp"

using namespace harness;
using lookback::index_t;
namespace gpu = lookback::gpu;

struct gpu_pipeline : on_device {};

namespace {

struct keeps_all {
  ON_DEVICE int operator()(std::int32_t) const { return 0; }
};
struct keeps_thirds {
  ON_DEVICE int operator()(std::int32_t x) const { return x % 3 == 0 ? 0 : 1; }
};
struct is_odd_item {
  ON_DEVICE bool operator()(std::int32_t x) const { return x % 2 != 0; }
};
struct half {
  ON_DEVICE double operator()(std::int32_t x) const { return 0.5 * x; }
};

template <class T>
std::vector<T> running_sums(std::vector<T> in, T sum = {}) {
  for (auto& x : in) x = sum = lookback::plus<T>{}(sum, x);
  return in;
}

int multiprocessors() {
  int device = 0, count = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
  return count;
}

template <class T>
void check_sizes(std::vector<std::size_t> const& sizes) {
  auto const on = gpu::on(stream()).with(shared_workspace());
  for (std::size_t const n : sizes)
    for (std::size_t const misaligned : {0, 1}) {
      SCOPED_TRACE("n = " + std::to_string(n) + ", items of " + std::to_string(sizeof(T)) + " bytes");
      auto const values = random_values<T>(n, n);
      array<T> const in(values, misaligned);
      array<T> out(n, misaligned);
      lookback::inclusive_scan(on, in, out);
      auto const sums = running_sums(values);
      EXPECT_TRUE(same(out.host(), sums));
      EXPECT_TRUE(out.intact());
      lookback::exclusive_scan(on, in, out, lookback::plus<T>{}, T{3});
      auto want = running_sums(values, T{3});
      want.insert(want.begin(), T{3});
      want.pop_back();
      EXPECT_TRUE(same(out.host(), want));
      EXPECT_TRUE(out.intact());
    }
}

}  // namespace

/// Where the number of threads a block changes, where the window of a look-back ends, and where one wave no longer holds.
TEST_F(gpu_pipeline, edges_of_one_wave) {
  auto const blocks = static_cast<std::size_t>(multiprocessors());
  auto const sizes = [&](std::size_t items) {
    std::size_t const tile = 256 * items;
    if (small()) return std::vector<std::size_t>{tile - 1, tile, tile + 1, 2 * tile + 7};  // what a tool can bear
    std::vector<std::size_t> made{items * 1024 * 127 - 5, items * 1024 * 128, items * 1024 * 128 + 1, items * 1024 * 129 + 7};
    for (std::size_t const threads : {256, 512, 1024})
      for (std::size_t const more : {0, 1}) made.push_back(threads * items * blocks + more);
    return made;
  };
  check_sizes<std::int32_t>(sizes(8));
  check_sizes<std::uint64_t>(sizes(4));
  check_sizes<std::uint8_t>(sizes(32));
}

/// Most blocks of one wave find that they have no tile: none of them may end the call before the others have begun it. That order
/// is a race that runs may or may not show; the size is checked in any case.
TEST_F(gpu_pipeline, sizes_from_device_memory_in_one_wave) {
  std::size_t const bound = small() ? 20'000 : 260'000, n = 5'000;
  int const calls = small() ? 3 : 2000;
  auto const on = gpu::on(stream()).with(shared_workspace());
  array<index_t> const number(std::vector<index_t>{static_cast<index_t>(n)});
  lookback::size const some{static_cast<index_t>(bound), number.data()};
  array<std::int32_t> data(std::vector<std::int32_t>(bound, 1));
  for (int call = 0; call < calls; ++call)
    lookback::inclusive_scan(on, lookback::first(data, some), data, lookback::bit_xor<std::int32_t>{});
  std::vector<std::int32_t> want(bound, 1);
  for (int call = 0; call < calls; ++call)
    for (std::size_t i = 1; i < n; ++i) want[i] ^= want[i - 1];
  EXPECT_TRUE(same(data.host(), want));
  EXPECT_TRUE(data.intact());
}

TEST_F(gpu_pipeline, tunings_at_the_edges) {
  std::size_t const n = up_to(3'000'001);
  auto const values = random_values<std::int32_t>(n, 1);
  auto const sums = running_sums(values);
  array<std::int32_t> const in(values);
  auto const run = [&](auto tuning) {
    array<std::int32_t> out(n);
    lookback::inclusive_scan(gpu::on(stream()).with(lookback::right_to_left).with(tuning), in, out);
    auto back = values;
    std::reverse(back.begin(), back.end());
    back = running_sums(back);
    std::reverse(back.begin(), back.end());
    EXPECT_TRUE(same(out.host(), back));
    EXPECT_TRUE(out.intact());
  };
  run(gpu::tuning<128, 48, 3, 4>{});
  run(gpu::tuning<896, 48, 4, 1>{});
  run(gpu::tuning<992, 16, 5, 1>{});

  // Along a path three warps of a block have no items.
  std::vector<std::int32_t> ends{0}, want;
  for (std::size_t i = 0; i < n; i += 1 + i % 13) ends.push_back(static_cast<std::int32_t>(i));
  ends.push_back(static_cast<std::int32_t>(n));
  for (std::size_t s = 0; s + 1 < ends.size(); ++s)
    want.push_back(
        std::accumulate(values.begin() + ends[s], values.begin() + ends[s + 1], std::int32_t{0}, lookback::plus<std::int32_t>{}));
  array<std::int32_t> const offsets(ends);
  auto const reduce = [&](auto tuning) {
    array<std::int32_t> out(want.size());
    lookback::segmented_reduce_async(gpu::on(stream()).with(tuning), in, lookback::known_offsets(offsets), out, nullptr);
    EXPECT_TRUE(same(out.host(), want));
    EXPECT_TRUE(out.intact());
  };
  reduce(gpu::tuning<128, 48, 3, 4>{});
  reduce(gpu::tuning<992, 16, 5, 1>{});
}

namespace {
template <class Network, class Loads = gpu::by_copy_engine, class Strides = gpu::odd_strides, int Bytes = 48>
void check_network() {
  std::size_t const n = up_to(300'007);
  for (std::size_t const some : {std::size_t{1}, std::size_t{33}, std::size_t{7'679}, n}) {
    auto const values = random_values<matrix>(some, 3);
    std::vector<flag> heads(some);
    for (std::size_t i = 0; i < some; ++i) heads[i] = i == 0 || i % 37 == 5;
    array<matrix> const in(values);
    array<flag> const flags(heads);
    for (auto const side : {lookback::left_to_right, lookback::right_to_left}) {
      auto const on = gpu::on(stream()).with(gpu::tuning<256, Bytes, 3, 2, Network, Loads, Strides>{}).with(side);
      array<matrix> out(some), of_segments(some);
      lookback::inclusive_scan(on, in, out, times_matrix{});
      EXPECT_TRUE(same(out.host(), oracle::scan<matrix>(values, times_matrix{}, {{}, false, side, {}}))) << some;
      lookback::inclusive_segmented_scan(on, in, lookback::head_flags(flags), of_segments, times_matrix{});
      EXPECT_TRUE(same(of_segments.host(), oracle::scan<matrix>(values, times_matrix{}, {{}, false, side, heads}))) << some;
    }
  }
}
}  // namespace

TEST_F(gpu_pipeline, networks_of_a_warp) {
  check_network<gpu::kogge_stone>();
  check_network<gpu::sklansky>();
  check_network<gpu::brent_kung>();
  check_network<gpu::raking>();
  array<float> in(1000), out(1000);
  EXPECT_THROW(lookback::inclusive_scan(
                   gpu::on(stream()).with(lookback::reproducible).with(gpu::tuning<384, 80, 3, 2, gpu::sklansky>{}), in, out),
               lookback::invalid_argument);
}

TEST_F(gpu_pipeline, even_strides) {
  static_assert(gpu::detail::items_per_thread(4, 64, false) == 12 && gpu::detail::items_per_thread(4, 64, true) == 16);
  check_network<gpu::kogge_stone, gpu::by_copy_engine, gpu::any_strides, 64>();
  check_network<gpu::kogge_stone, gpu::coalesced, gpu::any_strides, 32>();
}

TEST_F(gpu_pipeline, ways_to_load_a_tile) {
  check_network<gpu::kogge_stone, gpu::coalesced>();
  check_network<gpu::kogge_stone, gpu::strided_loads>();
  // What gathers its output elsewhere than what it reads, and results that leave by heads.
  std::size_t const n = up_to(300'007);
  auto const values = random_values<std::int32_t>(n, 4);
  std::vector<std::int32_t> by_key(n), kept, firsts, sums;
  for (std::size_t i = 0; i < n; ++i) {
    by_key[i] = static_cast<std::int32_t>(i / 13);
    if (values[i] % 2 != 0) kept.push_back(values[i]);
    if (i % 13 == 0) firsts.push_back(by_key[i]), sums.push_back(0);
    sums.back() = static_cast<std::int32_t>(static_cast<std::uint32_t>(sums.back()) + static_cast<std::uint32_t>(values[i]));
  }
  array<std::int32_t> const in(values, 1), keys(by_key, 3);
  auto const check = [&](auto const& on) {
    array<std::int32_t> out(n, 1), keys_out(n), sums_out(n);
    auto const of = [](array<std::int32_t> const& all, lookback::index_t count) {
      auto some = all.host();
      some.resize(static_cast<std::size_t>(count));
      return some;
    };
    auto const count = lookback::select_if(on, in, out, is_odd_item{});
    EXPECT_EQ(of(out, count), kept);
    auto const runs = lookback::reduce_by_key(on, keys, in, keys_out, sums_out);
    EXPECT_EQ(of(keys_out, runs), firsts);
    EXPECT_EQ(of(sums_out, runs), sums);
    EXPECT_TRUE(out.intact() && keys_out.intact() && sums_out.intact());
  };
  auto const on = gpu::on(stream());
  check(on.with(gpu::tuning<256, 48, 3, 2, gpu::kogge_stone, gpu::coalesced>{}));
  check(on.with(gpu::tuning<256, 48, 3, 2, gpu::kogge_stone, gpu::strided_loads>{}).with(lookback::chained{}));
}

/// Tiles whose packed bits do not begin and end at multiples of 16 bytes: what is staged of them must not leave the slot.
TEST_F(gpu_pipeline, bits_of_tiles_of_odd_length) {
  std::size_t const n = up_to(2'000'003);
  auto const values = random_values<matrix>(n, 9);
  std::vector<std::uint8_t> bits((n + 7) / 8, 0);
  std::vector<matrix> want(values);
  for (std::size_t i = 1; i < n; ++i) {
    if (i % 37 == 0) bits[i / 8] |= static_cast<std::uint8_t>(1u << i % 8);
    else want[i] = times_matrix{}(want[i - 1], values[i]);
  }
  array<matrix> const in(values);
  array<std::uint8_t> const heads(bits);
  array<matrix> out(n);
  lookback::inclusive_segmented_scan(gpu::on(stream()).with(gpu::tuning<608, 80, 3, 1>{}), in, lookback::head_bits(heads), out,
                                     times_matrix{});
  EXPECT_TRUE(same(out.host(), want));
  EXPECT_TRUE(out.intact());
}

/// Offsets that decrease or leave [0, n] give unspecified results, and touch nothing else.
TEST_F(gpu_pipeline, offsets_that_lie_touch_nothing_else) {
  std::size_t const n = up_to(1'000'000), segments = n;
  array<std::int32_t> const in(random_values<std::int32_t>(n, 2));
  auto const as = static_cast<std::int64_t>(n);
  std::vector<std::vector<std::int64_t>> lies(3, std::vector<std::int64_t>(segments + 1, 0));
  for (std::size_t k = 1; k <= segments / 2; ++k) lies[0][k] = as;                             // up at once, then down
  for (std::size_t k = 0; k <= segments; ++k) lies[1][k] = as - static_cast<std::int64_t>(k);  // down all the way
  auto const noise = random_values<std::uint32_t>(segments + 1, 3);
  for (std::size_t k = 0; k <= segments; ++k) lies[2][k] = static_cast<std::int64_t>(noise[k]) * 1000 - 2'000'000'000'000;
  for (auto const& lie : lies) {
    array<std::int64_t> const offsets(lie);
    array<std::int32_t> out(n), sums(segments);
    auto const on = gpu::on(stream()).with(shared_workspace());
    lookback::inclusive_segmented_scan(on, in, lookback::offsets(offsets), out);
    auto const items = lookback::as_input(in);
    using from = lookback::source<lookback::elements<std::int32_t>, lookback::segments, std::int32_t>;
    scan_into(on, items.size, from{items.items, lookback::offsets(offsets), {}},
              lookback::segmented<lookback::plus<std::int32_t>>{}, lookback::per_segment<std::int32_t>{sums.data(), nullptr, {}});
    check(cudaStreamSynchronize(stream()));
    EXPECT_TRUE(out.intact());
    EXPECT_TRUE(sums.intact());
  }
}

namespace {

/// Takes its time, then writes what the scan behind it reads; lets that one start early, if asked.
__global__ void slow_iota(std::int32_t* to, int n, std::int32_t first, bool early) {
  if (early) gpu::ptx::let_next_kernel_start();
  for (int round = 0; round < 20; ++round) __nanosleep(1000);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) to[i] = first + i;
}
__global__ void add_one(std::int32_t const* from, std::int32_t* to, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) to[i] = from[i] + 1;
}

}  // namespace

/// Kernels of a stream overlap: a scan reads what the kernel before it wrote last, a kernel behind it reads all of the scan.
TEST_F(gpu_pipeline, calls_between_kernels_of_others) {
  for (std::size_t const n : {std::size_t{1000}, up_to(100'000), up_to(2'500'000)})
    for (bool const early : {false, true})
      for (std::int32_t round = 0; round < 5; ++round) {
        int const count = static_cast<int>(n);
        array<std::int32_t> in(n), middle(n), out(n), last(n);
        auto const on = gpu::on(stream()).with(shared_workspace());
        slow_iota<<<8, 128, 0, stream()>>>(in.data(), count, round, early);
        lookback::inclusive_scan(on, in, middle);
        lookback::inclusive_scan(on.with(lookback::right_to_left), middle, out, lookback::maximum<std::int32_t>{});
        add_one<<<64, 256, 0, stream()>>>(out.data(), last.data(), count);
        check(cudaGetLastError());
        std::vector<std::int32_t> want(n);
        for (std::size_t i = 0; i < n; ++i) want[i] = round + static_cast<std::int32_t>(i);
        want = running_sums(want);
        for (std::size_t i = n - 1; i-- > 0;) want[i] = std::max(want[i], want[i + 1]);
        for (auto& x : want) ++x;
        ASSERT_TRUE(same(last.host(), want)) << n << " early " << early << " round " << round;
      }
}

/// An error of the caller's own, looked at by nobody, is none of ours, and a workspace is not the worse for it.
TEST_F(gpu_pipeline, errors_of_the_caller_stay_the_callers) {
  std::size_t const n = up_to(200'000);
  auto const values = random_values<std::int32_t>(n, 4);
  array<std::int32_t> const in(values);
  array<std::int32_t> out(n);
  auto const on = gpu::on(stream()).with(shared_workspace());
  for (int round = 0; round < 2; ++round) {
    void* never = nullptr;
    if (!small()) {  // a tool would report this error as ours
      ASSERT_NE(cudaMalloc(&never, std::size_t{1} << 60), cudaSuccess);
    }
    EXPECT_NO_THROW(lookback::inclusive_scan(on.with(lookback::reduce_then_scan{}), in, out));
    EXPECT_NO_THROW(lookback::inclusive_scan(on, in, out));
    EXPECT_TRUE(same(out.host(), running_sums(values)));
  }
  cudaGetLastError();
}

TEST_F(gpu_pipeline, what_cannot_work_is_refused) {
  std::size_t const n = 20'000;
  array<std::int32_t> data(n), out(n);
  array<index_t> count(1);
  auto const on = gpu::on(stream()).with(shared_workspace());
  auto const compact = [&](auto const& how, std::int32_t* to, bool reversed) {
    auto const items = lookback::as_input(lookback::mapped(data, keeps_all{}));
    using from = lookback::source<std::remove_const_t<decltype(items.items)>, lookback::no_segments, int>;
    scan_into(how, items.size, from{items.items, {}, {}}, lookback::ranks<1>{},
              lookback::compact<1, std::int32_t>{{to}, count.data(), {reversed}, {}});
  };
  auto const backwards = on.with(lookback::right_to_left);
  EXPECT_NO_THROW(compact(on, data.data(), false));
  EXPECT_NO_THROW(compact(backwards, data.data() + n, true));
  EXPECT_THROW(compact(backwards, data.data(), false), lookback::invalid_argument);
  EXPECT_THROW(compact(on, data.data() + n, true), lookback::invalid_argument);
  EXPECT_THROW(compact(on, data.data() + 5, false), lookback::invalid_argument);

  array<lookback::carried<std::int32_t>> state(1);
  EXPECT_THROW(lookback::inclusive_scan(on.with(lookback::carry<std::int32_t>{state.data(), state.data()}), data, out),
               lookback::invalid_argument);
}

/// Sizes in device memory, for the sinks that count: as many results as items are there, not as the bound says.
TEST_F(gpu_pipeline, sinks_take_sizes_from_device_memory) {
  std::size_t const bound = up_to(3'000'001);
  auto const values = random_values<std::int32_t>(bound, 8);
  array<std::int32_t> const in(values);
  auto const on = gpu::on(stream()).with(shared_workspace());
  for (std::size_t const n : {std::size_t{0}, std::size_t{1}, bound / 300, bound / 2, bound}) {
    SCOPED_TRACE("n = " + std::to_string(n));
    array<index_t> const number(std::vector<index_t>{static_cast<index_t>(n)});
    array<index_t> count(1);
    lookback::size const some{static_cast<index_t>(bound), number.data()};
    {
      std::vector<std::int32_t> want;
      for (std::size_t i = 0; i < n; ++i)
        if (values[i] % 3 == 0) want.push_back(values[i]);
      array<std::int32_t> out(want.size());
      auto const items = lookback::as_input(lookback::mapped(in, keeps_thirds{}));
      using from = lookback::source<std::remove_const_t<decltype(items.items)>, lookback::no_segments, int>;
      scan_into(on, some, from{items.items, {}, {}}, lookback::ranks<1>{},
                lookback::compact<1, std::int32_t>{{out.data()}, count.data(), {false}, {}});
      EXPECT_EQ(count.host()[0], std::ssize(want));
      EXPECT_TRUE(same(out.host(), want));
      EXPECT_TRUE(out.intact());
    }
    using from = lookback::source<lookback::elements<std::int32_t>, lookback::segments, std::int32_t>;
    using sum = lookback::segmented<lookback::plus<std::int32_t>>;
    std::vector<index_t> offsets{0};
    for (std::size_t i = 100; i < n; i += 100 + i % 7) offsets.push_back(static_cast<index_t>(i));
    offsets.push_back(static_cast<index_t>(n));
    offsets.push_back(static_cast<index_t>(n));
    std::vector<std::int32_t> want(offsets.size() - 1, 0);
    for (std::size_t s = 0; s + 1 < offsets.size(); ++s)
      for (index_t i = offsets[s]; i < offsets[s + 1]; ++i)
        want[s] = lookback::plus<std::int32_t>{}(want[s], values[static_cast<std::size_t>(i)]);
    array<index_t> const described(offsets);
    array<std::int32_t> out(want.size());
    scan_into(on, some, from{{in.data()}, lookback::offsets(described), {}}, sum{},
              lookback::per_segment<std::int32_t>{out.data(), nullptr, {}});
    EXPECT_TRUE(same(out.host(), want));
    EXPECT_TRUE(out.intact());
    if (n == 0) continue;
    std::vector<std::uint8_t> bits((bound + 7) / 8, 0);
    for (index_t const at : offsets)
      if (at < static_cast<index_t>(n)) bits[static_cast<std::size_t>(at) / 8] |= static_cast<std::uint8_t>(1u << at % 8);
    want.pop_back();
    array<std::uint8_t> const heads(bits);
    array<double> halves(want.size());
    scan_into(on, some, from{{in.data()}, lookback::head_bits(heads), {}}, sum{},
              lookback::per_segment<double, half>{halves.data(), count.data(), {}});
    auto const got = halves.host();
    ASSERT_EQ(count.host()[0], std::ssize(want));
    for (std::size_t s = 0; s < want.size(); ++s) ASSERT_EQ(got[s], 0.5 * want[s]) << s;
    EXPECT_TRUE(halves.intact());
  }
}
