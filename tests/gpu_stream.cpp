// Streams through a device: chunks give what one call gives, whatever is at the ends, and an error of any stage ends the others.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <lookback/run_length_encode.hpp>
#include <lookback/scan.hpp>
#include <lookback/stream.hpp>
#include <map>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include "array.hpp"
#include "compare.hpp"
#include "fixture.hpp"
#include "keyed.hpp"
#include "random.hpp"
#include "stream_ends.hpp"

using namespace harness;
using lookback::index_t;

struct gpu_stream : on_device {};

namespace {

constexpr lookback::memory least(1);

/// Sizes around those of one chunk and of all that are on their way.
template <class T>
std::vector<std::size_t> stream_sizes() {
  auto const tile = static_cast<std::size_t>(tile_items(lookback::gpu::on(nullptr), sizeof(T)));
  return {0, 1, tile - 1, tile, tile + 1, 6 * tile, 6 * tile + 1, 23 * tile + 5};
}

struct is_multiple {
  std::uint32_t of;
  LOOKBACK_FN bool operator()(std::uint32_t x) const { return x % of == 0; }
};

}  // namespace

TEST_F(gpu_stream, scans_what_does_not_commute) {
  auto const on = lookback::gpu::on(harness::stream());
  for (std::size_t const n : stream_sizes<matrix>()) {
    SCOPED_TRACE(n);
    auto const in = random_values<matrix>(n, n + 1);
    std::vector<matrix> want(n), got;
    std::inclusive_scan(in.begin(), in.end(), want.begin(), times_matrix{});
    auto const report =
        lookback::stream(on, reader_of(in), lookback::chunked::inclusive_scan<matrix>(times_matrix{}), writer_to(got), least);
    EXPECT_TRUE(same(got, want));
    EXPECT_EQ(report.items, std::ssize(in));
    EXPECT_EQ(report.results, std::ssize(in));
    std::exclusive_scan(in.begin(), in.end(), want.begin(), matrix{1, 2, 3, 4}, times_matrix{});
    got.assign(n, matrix{});  // arrays at both ends
    lookback::stream(on, in, lookback::chunked::exclusive_scan<matrix>(times_matrix{}, matrix{1, 2, 3, 4}), got, least);
    EXPECT_TRUE(same(got, want));
  }
}

TEST_F(gpu_stream, floats_have_the_promised_bits) {
  auto const on = lookback::gpu::on(harness::stream()).with(lookback::reproducible);
  for (std::size_t const n : stream_sizes<float>()) {
    auto const in = random_values<float>(n, n + 1);
    array<float> const source(in);
    array<float> whole(n);
    lookback::inclusive_scan(on, source, whole);
    for (std::size_t const bytes : {std::size_t{1}, std::size_t{1} << 20}) {
      std::vector<float> got;
      lookback::stream(on, in, lookback::chunked::inclusive_scan<float>(), writer_to(got), lookback::memory(bytes));
      EXPECT_TRUE(same(got, whole.host())) << n;
    }
  }
}

TEST_F(gpu_stream, selects_in_order) {
  auto const on = lookback::gpu::on(harness::stream()).with(shared_workspace());
  for (std::size_t const n : stream_sizes<std::uint32_t>())
    for (std::uint32_t const modulus : {1u, 2u, 300'000u}) {  // all, half, hardly any: chunks without a result
      auto const in = random_values<std::uint32_t>(n, n + 2);
      is_multiple const keep{modulus};
      std::vector<std::uint32_t> want, got;
      std::copy_if(in.begin(), in.end(), std::back_inserter(want), keep);
      auto const report =
          lookback::stream(on, reader_of(in), lookback::chunked::select_if<std::uint32_t>(keep), writer_to(got), least);
      EXPECT_TRUE(same(got, want));
      EXPECT_EQ(report.results, std::ssize(want));
    }
}

TEST_F(gpu_stream, runs_go_on_from_chunk_to_chunk) {
  auto const on = lookback::gpu::on(harness::stream());
  for (std::size_t const n : stream_sizes<std::int32_t>())
    for (int const length : {1, 3, 64, 70'000}) {
      std::vector<std::int32_t> in(n), want, got;
      for (std::size_t i = 0; i < n; ++i) in[i] = static_cast<std::int32_t>(i) / length;
      std::unique_copy(in.begin(), in.end(), std::back_inserter(want));
      lookback::stream(on, reader_of(in), lookback::chunked::unique<std::int32_t>(), writer_to(got), least);
      EXPECT_TRUE(same(got, want)) << n << " by " << length;
    }
}

// An error of either end is thrown, and what was written before is whole.
TEST_F(gpu_stream, errors_of_both_ends_are_thrown) {
  auto const on = lookback::gpu::on(harness::stream());
  auto const tile = static_cast<std::size_t>(tile_items(on, sizeof(std::int32_t)));
  std::vector<std::int32_t> const in(40 * tile, 1);
  for (std::size_t const chunk : {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{39}}) {
    SCOPED_TRACE(chunk);
    std::vector<std::int32_t> got;
    std::size_t chunks = 0;
    auto fails_to_read = [&, from = reader_of(in)](std::span<std::int32_t> room) mutable {
      if (chunks++ == chunk) throw std::runtime_error("read");
      return from(room);
    };
    auto const sums = lookback::chunked::inclusive_scan<std::int32_t>();
    EXPECT_THROW(lookback::stream(on, fails_to_read, sums, writer_to(got), least), std::runtime_error);
    EXPECT_EQ(got.size(), chunk * tile);
    for (std::size_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i], static_cast<std::int32_t>(i + 1));
    got.clear(), chunks = 0;
    auto const fails_to_write = [&](std::span<std::int32_t const> results) {
      if (chunks++ == chunk) throw std::runtime_error("write");
      got.insert(got.end(), results.begin(), results.end());
    };
    EXPECT_THROW(lookback::stream(on, reader_of(in), sums, fails_to_write, least), std::runtime_error);
    EXPECT_EQ(got.size(), chunk * tile);
  }
  // The device is as good as before.
  std::vector<std::int32_t> got;
  lookback::stream(on, in, lookback::chunked::inclusive_scan<std::int32_t>(), writer_to(got), least);
  ASSERT_EQ(got.size(), in.size());
  EXPECT_EQ(got.back(), static_cast<std::int32_t>(in.size()));
}

// So many chunks and no more, however long the stream is: whoever reads is given the same rooms again and again.
TEST_F(gpu_stream, memory_is_bounded) {
  auto const on = lookback::gpu::on(harness::stream());
  constexpr std::size_t most = std::size_t{8} << 20;
  std::size_t left = std::size_t{1} << 28;  // bytes, 32 times as many
  std::map<std::uint32_t const*, std::size_t> rooms;
  std::uint32_t total = 0;
  auto const read = [&](std::span<std::uint32_t> room) {
    rooms[room.data()] = room.size_bytes();
    auto const items = std::min(room.size(), left / sizeof(std::uint32_t));
    std::fill_n(room.data(), items, 1u);
    left -= items * sizeof(std::uint32_t);
    return items;
  };
  auto const write = [&](std::span<std::uint32_t const> sums) { total = sums.back(); };
  auto const report = lookback::stream(on, read, lookback::chunked::inclusive_scan<std::uint32_t>(), write, lookback::memory(most));
  EXPECT_EQ(total, std::uint32_t{1} << 26);
  EXPECT_EQ(report.results, index_t{1} << 26);
  std::size_t bytes = 0;
  for (auto const& [room, of] : rooms) bytes += 2 * of;  // as many for the results
  EXPECT_LE(bytes, most);
  EXPECT_GT(rooms.size(), 2u) << "read, run and written at the same time";
}

TEST_F(gpu_stream, refuses_what_has_no_room) {
  auto const on = lookback::gpu::on(harness::stream());
  std::vector<std::int32_t> const in(100'000, 1);
  std::vector<std::int32_t> out(99'999);
  EXPECT_THROW(lookback::stream(on, in, lookback::chunked::inclusive_scan<std::int32_t>(), out), lookback::invalid_argument);
  out.resize(in.size());
  EXPECT_THROW(lookback::stream(on.with(lookback::right_to_left), in, lookback::chunked::inclusive_scan<std::int32_t>(), out),
               lookback::invalid_argument);
}

// A carry in host memory belongs to the caller again when the call returns, pinned or not, although the kernels have not run.
TEST_F(gpu_stream, a_carry_in_pinned_memory_may_be_overwritten) {
  std::size_t const n = 5000, cut = 3000;
  std::vector<std::uint32_t> in(n);
  for (std::size_t i = 0; i < n; ++i) in[i] = static_cast<std::uint32_t>(i / 7);
  array<std::uint32_t> const source(in);
  array<std::uint32_t> values(n);
  array<std::int32_t> lengths(n);
  array<index_t> places(n), count(1);
  using state_type = lookback::carried<std::int32_t, std::uint32_t>;
  state_type* state = nullptr;
  ASSERT_EQ(cudaMallocHost(&state, sizeof *state), cudaSuccess);
  auto const encode = [&](lookback::carry<std::int32_t, std::uint32_t> c, std::span<std::uint32_t const> items) {
    lookback::run_length_encode_async(lookback::gpu::on(harness::stream()).with(c), items, values, lengths, places, count.data());
  };
  encode({nullptr, state}, {source.data(), cut});  // what goes to the host is waited for
  ASSERT_EQ(cudaLaunchHostFunc(
                harness::stream(), [](void*) { std::this_thread::sleep_for(std::chrono::milliseconds(50)); }, nullptr),
            cudaSuccess);
  encode({state, nullptr}, {source.data() + cut, n - cut});
  *state = {};
  ASSERT_EQ(cudaStreamSynchronize(harness::stream()), cudaSuccess);
  cudaFreeHost(state);
  ASSERT_EQ(count.host()[0], static_cast<index_t>((n + 6) / 7 - cut / 7));
  auto const length = lengths.host();
  auto const place = places.host();
  EXPECT_EQ(length[0], 7);  // the run that was open
  EXPECT_EQ(length[1], 7);
  EXPECT_EQ(place[0], static_cast<index_t>((cut / 7 + 1) * 7));  // of the first run that begins behind the cut
}

// A stream waits, so that it has no place in a capture; the capture goes on.
TEST_F(gpu_stream, a_captured_stream_is_refused) {
  std::vector<std::int32_t> const in(1000, 1);
  std::vector<std::int32_t> out(in.size());
  ASSERT_EQ(cudaStreamBeginCapture(harness::stream(), cudaStreamCaptureModeGlobal), cudaSuccess);
  EXPECT_THROW(lookback::stream(lookback::gpu::on(harness::stream()), in, lookback::chunked::inclusive_scan<std::int32_t>(), out),
               lookback::invalid_argument);
  cudaGraph_t graph = nullptr;
  EXPECT_EQ(cudaStreamEndCapture(harness::stream(), &graph), cudaSuccess);
  cudaGraphDestroy(graph);
}
