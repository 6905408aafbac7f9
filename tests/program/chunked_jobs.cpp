// Jobs in the chunks that a GPU is brought, run here: what is cut, brought, put together and appended is no kernel's.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <numeric>
#include <random>

#include "io/elements.hpp"
#include "jobs/chunked_job.hpp"
#include "jobs/decode_job.hpp"
#include "jobs/reduce_job.hpp"
#include "jobs/scan_job.hpp"
#include "jobs/spmv_job.hpp"

using namespace lookback;
using namespace lookback::app;

namespace {

using bytes = std::vector<std::byte>;

template <class T>
array array_of(std::vector<T> const& values) {
  array made = make_array(element_of<T>(), static_cast<index_t>(values.size()));
  if (!values.empty()) std::memcpy(made.memory.data(), values.data(), made.bytes());
  return made;
}

/// The results of the job in one piece, as they are written.
std::vector<bytes> in_one_piece(job const& of) {
  places at;
  for (auto const& input : of.inputs()) at.in.push_back(input.data());
  outputs out;
  for (auto const room : of.room()) at.out.push_back(out.emplace_back(room).data());
  if (of.in_place()) {
    std::memcpy(at.out[0], at.in[0], of.inputs()[0].size());
    at.in[0] = at.out[0];
  }
  of.run({}, dispatch::strategy::best, false, at);
  std::vector<bytes> all;
  for (auto const& result : of.results(out)) {
    auto const* const data = static_cast<std::byte const*>(result.data);
    all.emplace_back(data, data + static_cast<std::size_t>(result.shape[0]) * dispatch::size_of(result.type));
  }
  return all;
}

/// One chunk on its way: as a GPU has it, in memory that is just as long as was said.
struct slot {
  item_range chunk;
  chunk_places at;
  std::vector<bytes> in, room;
  std::vector<void*> out;
  index_t counts[4] = {};
};

/// The same by chunks of at most so many items. Chunk k is loaded when k - 2 runs and k - 3 is finished.
std::vector<bytes> in_chunks(job const& of, index_t most) {
  auto const chunks = of.in_chunks(dispatch::back_end::gpu, false);
  index_t const n = chunks->items(of);
  auto const input_room = chunks->input_room(std::min(most, n));
  auto const largest = chunks->largest();
  std::vector<bytes> written;
  std::vector<index_t> done(largest.size());
  for (auto const& output : largest)
    written.emplace_back(static_cast<std::size_t>(output.shape[0]) * dispatch::size_of(output.type));
  std::vector<std::unique_ptr<slot>> all;
  auto const load = [&](item_range chunk) {
    auto& one = *all.emplace_back(std::make_unique<slot>());
    one.chunk = chunk;
    chunks->load(chunk);
    auto const inputs = chunks->inputs(chunk);
    EXPECT_EQ(inputs.size(), input_room.size());
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      EXPECT_LE(inputs[k].size(), input_room[k]);
      one.at.in.push_back(one.in.emplace_back(inputs[k].begin(), inputs[k].end()).data());
      one.at.in_bytes.push_back(inputs[k].size());
    }
  };
  auto const run = [&](slot& one) {
    for (auto const& constant : chunks->constants()) one.at.constants.push_back(constant.data());
    for (auto const room : chunks->room(one.chunk.count)) one.at.out.push_back(one.room.emplace_back(room).data());
    one.out = one.at.out;
    if (chunks->count_bytes() > 0) one.at.out.push_back(one.counts);
    chunks->run({}, one.chunk, one.at);
  };
  auto const finish = [&](slot& one) {
    auto const made = chunks->made(one.chunk, one.counts);
    for (std::size_t k = 0; k < made.size(); ++k)
      EXPECT_LE(static_cast<std::size_t>(made[k]) * dispatch::size_of(largest[k].type), one.room[k].size());
    auto const ranges = chunks->finish(one.chunk, one.counts, one.out);
    for (std::size_t k = 0; k < ranges.size(); ++k) {
      auto const size = dispatch::size_of(largest[k].type);
      if (!chunks->is_reversed()) {
        EXPECT_EQ(ranges[k].begin, done[k]);
      }
      done[k] += ranges[k].count;
      std::memcpy(written[k].data() + static_cast<std::size_t>(ranges[k].begin) * size, one.out[k],
                  static_cast<std::size_t>(ranges[k].count) * size);
    }
  };
  std::vector<item_range> cuts;
  for (index_t filled = 0; filled < n;) {
    index_t const count = chunks->is_reversed() && filled == 0 && n % most != 0 ? n % most : std::min(most, n - filled);
    cuts.push_back({chunks->is_reversed() ? n - filled - count : filled, count});
    filled += count;
  }
  for (std::size_t k = 0; k < cuts.size() + 3; ++k) {
    if (k < cuts.size()) load(cuts[k]);
    if (k >= 2 && k - 2 < cuts.size()) run(*all[k - 2]);
    if (k >= 3) finish(*all[k - 3]), all[k - 3].reset();
  }
  auto const results = chunks->results();
  for (std::size_t k = 0; k < results.size(); ++k) {
    EXPECT_EQ(results[k].shape[0], done[k]);
    written[k].resize(static_cast<std::size_t>(done[k]) * dispatch::size_of(results[k].type));
  }
  return written;
}

void expect_equal_chunks(job const& of, std::initializer_list<index_t> sizes = {8, 64, 1000, 4096, 100'000}) {
  auto const want = in_one_piece(of);
  for (index_t const most : sizes) EXPECT_TRUE(in_chunks(of, most) == want) << of.title << ", chunks of " << most;
}

/// Keys in runs of 1 to `longest` items, and some that end where chunks do.
template <class Key>
std::vector<Key> runs_of(std::size_t n, std::size_t longest, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Key> all;
  while (all.size() < n) {
    auto const end = all.size() + (random() % 8 == 0 ? 64 - all.size() % 64 : 1 + random() % longest);
    all.resize(std::min(n, end), static_cast<Key>(random() % 5));
  }
  return all;
}

template <class T>
std::vector<T> some(std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<T> all(n);
  for (auto& x : all) x = static_cast<T>(random() % 1000);
  return all;
}

constexpr std::size_t n = 9001;

}  // namespace

TEST(chunked_jobs, sums_by_keys_of_every_length_of_runs) {
  for (std::size_t const longest : {1u, 3u, 50u, 3000u})
    for (auto const op : {dispatch::operation::plus, dispatch::operation::multiplies, dispatch::operation::max})
      expect_equal_chunks(
          *make_reduce_job(array_of(runs_of<std::int32_t>(n, longest, 1)), array_of(some<std::uint64_t>(n, 2)), op));
  expect_equal_chunks(
      *make_reduce_job(array_of(std::vector<std::uint8_t>(n, 7)), array_of(some<std::int8_t>(n, 3)), dispatch::operation::bit_xor));
  expect_equal_chunks(
      *make_reduce_job(array_of(runs_of<std::int16_t>(n, 9, 4)), array_of(some<double>(n, 5)), dispatch::operation::min));
  // Whole numbers, whose sums are exact in any order.
  expect_equal_chunks(
      *make_reduce_job(array_of(runs_of<std::int64_t>(n, 70, 6)), array_of(some<float>(n, 7)), dispatch::operation::plus));
}

TEST(chunked_jobs, keys_that_are_equal_as_floats_go_on) {
  float const nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> keys(n, 0.0f);
  for (std::size_t i = 0; i < n; ++i) keys[i] = i % 200 < 60 ? nan : i % 2 ? -0.0f : 0.0f;
  expect_equal_chunks(*make_reduce_job(array_of(keys), array_of(some<std::int32_t>(n, 1)), dispatch::operation::plus));
}

TEST(chunked_jobs, a_reproducible_sum_of_floats_is_not_cut_there) {
  auto const floats = make_reduce_job(array_of(some<std::int32_t>(n, 1)), array_of(some<float>(n, 1)), dispatch::operation::plus);
  EXPECT_EQ(floats->in_chunks(dispatch::back_end::gpu, true), nullptr);
  EXPECT_NE(floats->in_chunks(dispatch::back_end::gpu, false), nullptr);
  auto const whole =
      make_reduce_job(array_of(some<std::int32_t>(n, 1)), array_of(some<std::int64_t>(n, 1)), dispatch::operation::plus);
  EXPECT_NE(whole->in_chunks(dispatch::back_end::gpu, true), nullptr);
}

TEST(chunked_jobs, runs_are_decoded_whatever_their_lengths) {
  auto const decoded = [](auto values, std::vector<std::int64_t> const& lengths) {
    values.resize(lengths.size());
    expect_equal_chunks(*make_decode_job(array_of(values), array_of(lengths)));
  };
  decoded(some<std::int32_t>(1, 1), {20'000});
  decoded(some<std::uint8_t>(n, 2), std::vector<std::int64_t>(n, 1));
  for (unsigned const longest : {2u, 100u, 5000u}) {
    auto lengths = some<std::int64_t>(300, longest);
    for (auto& length : lengths) length = length % 3 == 0 ? 0 : length % longest;
    decoded(some<std::int64_t>(300, 3), lengths);
    decoded(some<std::int16_t>(300, 4), lengths);
  }
  // More runs of nothing than a chunk has items.
  std::vector<std::int64_t> lengths(50'000);
  lengths[3] = 70, lengths[20'000] = 1, lengths.back() = 64;
  decoded(some<double>(50'000, 5), lengths);
}

TEST(chunked_jobs, scans_by_what_is_brought_as_bits) {
  auto const keys = runs_of<std::int32_t>(n, 90, 1);
  std::vector<double> reals(keys.begin(), keys.end());
  reals[700] = std::numeric_limits<double>::quiet_NaN(), reals[701] = reals[700];
  std::vector<std::int64_t> offsets{
      0, 0, 3, 3, 63, 64, 64, 128, 1000, 1023, 4095, 8000, 8000, static_cast<std::int64_t>(n), static_cast<std::int64_t>(n)};
  std::vector<std::int32_t> const narrow(offsets.begin(), offsets.end());
  for (bool const reverse : {false, true})
    for (bool const exclusive : {false, true}) {
      auto const scan_by = [&](auto const& describe) {
        scan_job job;
        job.values = array_of(some<std::int32_t>(n, 2));
        job.reverse = reverse, job.exclusive = exclusive;
        if (exclusive) {
          auto const first = std::int32_t{5};
          job.initial.emplace();
          std::memcpy(job.initial->bytes, &first, sizeof first);
        }
        describe(job);
        SCOPED_TRACE(job.title);
        expect_equal_chunks(job, {64, 1024, 4096, 100'000});
      };
      scan_by([&](scan_job& job) { describe_segments(job, "keys", array_of(keys)); });
      scan_by(
          [&](scan_job& job) { describe_segments(job, "keys", array_of(std::vector<std::uint8_t>(keys.begin(), keys.end()))); });
      scan_by([&](scan_job& job) { describe_segments(job, "keys", array_of(reals)); });
      scan_by([&](scan_job& job) { describe_segments(job, "offsets", array_of(offsets)); });
      scan_by([&](scan_job& job) { describe_segments(job, "offsets", array_of(narrow)); });
      for (index_t const length : {1, 7, 64, 1000, 20'000}) scan_by([&](scan_job& job) { describe_rows(job, length); });
    }
}

TEST(chunked_jobs, products_by_blocks_of_rows) {
  std::mt19937 random(1);
  auto const product = [&](auto value, auto offset, bool adds) {
    using T = decltype(value);
    using Offset = decltype(offset);
    std::vector<Offset> offsets{0};
    for (int row = 0; row < 500; ++row)
      offsets.push_back(offsets.back() + static_cast<Offset>(row == 200 ? 700 : random() % 4 * 3));
    auto const nonzeros = static_cast<std::size_t>(offsets.back());
    std::vector<std::int32_t> columns(nonzeros);
    for (auto& column : columns) column = static_cast<std::int32_t>(random() % 90);
    matrix a;
    a.rows = 500, a.columns = 90;
    a.offsets = array_of(offsets), a.column_indices = array_of(columns), a.values = array_of(some<T>(nonzeros, 2));
    auto job = make_spmv_job(std::move(a));
    if (adds) {
      job->y = array_of(some<T>(500, 3));
      job->beta = parse_scalar("-2", element_of<T>(), "--beta");
      job->adds = true;
    }
    expect_equal_chunks(*job, {1, 7, 100, 499, 10'000});
    auto const blocks = job->in_chunks(dispatch::back_end::gpu, false);
    EXPECT_EQ(items_of_chunk(*blocks, 500, 1 << 20, true), 500);
    auto const rows = items_of_chunk(*blocks, 500, 20'000, true);
    EXPECT_GE(rows, 100);
    EXPECT_LT(rows, 500);
    auto const rooms = blocks->input_room(rows);
    EXPECT_LE(std::accumulate(rooms.begin(), rooms.end(), std::size_t{0}), 20'000u);
    // A row is never cut, however long.
    auto const least = blocks->input_room(items_of_chunk(*blocks, 500, 100, true));
    EXPECT_GE(least[2], 700 * sizeof(T));
    EXPECT_LE(least[2], 1500 * sizeof(T));
    EXPECT_EQ(job->in_chunks(dispatch::back_end::gpu, true), nullptr);
  };
  for (bool const adds : {false, true}) {
    product(std::int32_t{}, std::int32_t{}, adds);
    product(double{}, std::int64_t{}, adds);
  }
}

TEST(chunked_jobs, chunks_are_as_large_as_their_memory) {
  std::size_t const bytes = std::size_t{1} << 20, all = std::size_t{1} << 20;
  scan_job scan;
  scan.values = array_of(std::vector<std::int32_t>(all));
  auto const items = [&](bool brought) {
    auto const chunks = scan.in_chunks(brought ? dispatch::back_end::gpu : dispatch::back_end::cpu, false);
    return items_of_chunk(*chunks, static_cast<index_t>(all), bytes, brought);
  };
  EXPECT_EQ(items(false), index_t{1} << 18);
  EXPECT_EQ(items(true), index_t{1} << 18);
  describe_segments(scan, "keys", array_of(std::vector<std::int32_t>(all)));
  EXPECT_EQ(items(false), index_t{1} << 18);  // a CPU is brought nothing
  // A bit an item beside them: not half as many.
  EXPECT_LT(items(true), index_t{1} << 18);
  EXPECT_GT(items(true), index_t{9} << 14);
  EXPECT_EQ(items(true) % scan.in_chunks(dispatch::back_end::gpu, false)->multiple(), 0);
  // Many short runs have more bytes than what they stand for.
  auto const decode = make_decode_job(array_of(std::vector<std::uint8_t>(all)), array_of(std::vector<std::int64_t>(all, 1)));
  auto const chunks = decode->in_chunks(dispatch::back_end::gpu, false);
  auto const most = items_of_chunk(*chunks, static_cast<index_t>(all), bytes, true);
  auto const rooms = chunks->input_room(most);
  EXPECT_LE(rooms[0] + rooms[1], bytes);
  EXPECT_GT(rooms[0] + rooms[1], bytes / 3);
}
