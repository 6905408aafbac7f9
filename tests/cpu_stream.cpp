// Streams: chunks give what one call gives, however they are cut; stages run at the same time, wait for each other and end
// together.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <cstdint>
#include <cstring>
#include <latch>
#include <lookback/cpu.hpp>
#include <lookback/stream.hpp>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "cpu_watchdog.hpp"
#include "random.hpp"
#include "stream_ends.hpp"

namespace {

namespace chunked = lookback::chunked;
using harness::reader_of, harness::writer_to;

/// Policies whose tiles are small, so that few items are many chunks.
template <class F>
void each_policy(F const& f) {
  auto small = lookback::cpu::on(3);
  small.tuning.tile_items = 64;
  small.tuning.protocol_always = true;
  {
    SCOPED_TRACE("three workers");
    f(small);
  }
  SCOPED_TRACE("one worker");
  auto one = lookback::cpu::seq;
  one.tuning.tile_items = 64;
  f(one);
}
/// Sizes around those of one chunk and of all chunks that are on their way: 64 items where memory is for less.
constexpr std::size_t sizes[] = {0, 1, 63, 64, 65, 127, 128, 255, 256, 257, 1000, 5000};
constexpr lookback::memory least(1);

class cpu_stream : public watched {};

// x -> a x + b: neither commutes nor may chunks be swapped.
struct affine {
  std::uint32_t a, b;
  bool operator==(affine const&) const = default;
};
struct then {
  using value_type = affine;
  affine operator()(affine const& f, affine const& g) const { return {g.a * f.a, g.a * f.b + g.b}; }
  static affine identity() { return {1, 0}; }
};

TEST_F(cpu_stream, scans_what_does_not_commute) {
  each_policy([](auto const& on) {
    for (std::size_t const n : sizes) {
      std::vector<affine> in(n);
      auto const words = harness::random_values<std::uint32_t>(2 * n, n);
      for (std::size_t i = 0; i < n; ++i) in[i] = {words[2 * i] | 1, words[2 * i + 1]};
      std::vector<affine> want(n), got;
      std::inclusive_scan(in.begin(), in.end(), want.begin(), then{});
      auto const report = lookback::stream(on, reader_of(in), chunked::inclusive_scan<affine>(then{}), writer_to(got), least);
      EXPECT_EQ(got, want);
      EXPECT_EQ(report.items, std::ssize(in));
      EXPECT_EQ(report.results, std::ssize(in));
      got.clear();
      affine const before{3, 7};
      std::exclusive_scan(in.begin(), in.end(), want.begin(), before, then{});
      lookback::stream(on, reader_of(in), chunked::exclusive_scan<affine>(then{}, before), writer_to(got), least);
      EXPECT_EQ(got, want);
    }
  });
}

TEST_F(cpu_stream, sums_of_floats_have_the_bits_of_one_call) {
  each_policy([](auto const& on) {
    for (std::size_t const n : sizes) {
      auto const in = harness::random_values<float>(n, n + 1);
      std::vector<float> want(n), got(n, -1.0f);
      lookback::inclusive_scan(on, in, want);
      for (std::size_t const bytes : {std::size_t{1}, std::size_t{10000}, std::size_t{1} << 20}) {
        std::fill(got.begin(), got.end(), -1.0f);
        lookback::stream(on, in, chunked::inclusive_scan<float>(), got, lookback::memory(bytes));  // arrays at both ends
        EXPECT_TRUE(n == 0 || std::memcmp(got.data(), want.data(), n * sizeof(float)) == 0) << n;
      }
    }
  });
}

TEST_F(cpu_stream, selects_in_order) {
  each_policy([](auto const& on) {
    for (std::size_t const n : sizes)
      for (int const modulus : {1, 2, 300}) {  // all, half, hardly any: chunks without a result
        auto const in = harness::random_values<int>(n, n + 2);
        auto const keep = [modulus](int x) { return x % modulus == 0; };
        std::vector<int> want, got;
        std::copy_if(in.begin(), in.end(), std::back_inserter(want), keep);
        auto const report = lookback::stream(on, reader_of(in), chunked::select_if<int>(keep), writer_to(got), least);
        EXPECT_EQ(got, want);
        EXPECT_EQ(report.results, std::ssize(want));
      }
  });
}

TEST_F(cpu_stream, runs_go_on_from_chunk_to_chunk) {
  each_policy([](auto const& on) {
    for (std::size_t const n : sizes)
      for (int const length : {1, 3, 64, 700}) {
        std::vector<int> in(n), want, got;
        for (std::size_t i = 0; i < n; ++i) in[i] = static_cast<int>(i) / length;
        std::unique_copy(in.begin(), in.end(), std::back_inserter(want));
        lookback::stream(on, reader_of(in), chunked::unique<int>(), writer_to(got), least);
        EXPECT_EQ(got, want) << n << " by " << length;
      }
  });
}

// A verb of a caller's own: how many items there were in the chunk.
struct count_of_chunk {
  using item = int;
  using result = std::size_t;
  using carry_type = lookback::no_carry;
  static constexpr bool counts = true;
  template <class On>
  void operator()(On const&, std::span<int const> in, std::span<std::size_t> out, lookback::index_t* count) const {
    out[0] = in.size();
    *count = 1;
  }
};
TEST_F(cpu_stream, takes_verbs_of_its_caller) {
  auto on = lookback::cpu::seq;
  on.tuning.tile_items = 64;
  std::vector<int> const in(200);
  std::vector<std::size_t> got;
  lookback::stream(on, in, count_of_chunk{}, writer_to(got), least);
  EXPECT_EQ(got, (std::vector<std::size_t>{64, 64, 64, 8}));
}

TEST_F(cpu_stream, refuses_an_output_that_is_too_short) {
  auto on = lookback::cpu::seq;
  on.tuning.tile_items = 64;
  std::vector<int> const in(1000, 1);
  std::vector<int> out(999, -1);
  EXPECT_THROW(lookback::stream(on, in, chunked::inclusive_scan<int>(), out, least), lookback::invalid_argument);
  EXPECT_EQ(out[0], 1);      // whole chunks came before
  EXPECT_EQ(out[959], 960);  // 15 of 64
  EXPECT_EQ(out[960], -1);   // and nothing of the one that had no room
}

// ---- stages

TEST_F(cpu_stream, stages_run_at_the_same_time) {
  // Nobody passes the barrier unless chunk k + 2 is filled while chunk k + 1 is worked on and chunk k is drained.
  std::barrier together(3);
  int slots[3] = {};
  constexpr int number = 50;
  int filled = 0, worked = 0, drained = 0;
  lookback::run_stages(
      std::span(slots),
      [&](int& slot) {
        if (filled == number) return false;
        if (filled >= 2) together.arrive_and_wait();
        slot = filled++;
        return true;
      },
      [&](int& slot) {
        EXPECT_EQ(slot, worked);
        if (worked >= 1 && worked < number - 1) together.arrive_and_wait();
        ++worked;
      },
      [&](int& slot) {
        EXPECT_EQ(slot, drained);
        if (drained < number - 2) together.arrive_and_wait();
        ++drained;
      });
  EXPECT_EQ(drained, number);
}

TEST_F(cpu_stream, as_many_chunks_are_on_their_way_as_there_are_slots) {
  for (std::size_t const slots : {1u, 2u, 4u}) {
    std::vector<int> ring(slots);
    std::atomic<int> on_their_way = 0, most = 0;
    int filled = 0;
    lookback::run_stages(
        std::span(ring),
        [&](int&) {
          if (filled++ == 200) return false;
          int const now = ++on_their_way;
          most = std::max(most.load(), now);
          return true;
        },
        [](int&) {}, [&](int&) { --on_their_way; });
    EXPECT_LE(most, static_cast<int>(slots));
    EXPECT_EQ(on_their_way, 0);
  }
}

struct broken : std::runtime_error {
  using std::runtime_error::runtime_error;
};
// What a stage throws at chunk `at` is what the caller gets, whichever stage it is, and chunks that were drained are the first
// ones.
TEST_F(cpu_stream, an_error_of_any_stage_ends_the_others) {
  for (int const stage : {0, 1, 2})
    for (int const at : {0, 1, 2, 3, 4, 17}) {
      int slots[3] = {};
      int filled = 0, worked = 0;
      std::vector<int> drained;
      auto const fails = [&](int here, int chunk) {
        if (here == stage && chunk == at) throw broken(std::to_string(here));
      };
      try {
        lookback::run_stages(
            std::span(slots),
            [&](int& slot) {
              fails(0, filled);
              slot = filled++;
              return true;  // would never end
            },
            [&](int&) { fails(1, worked++); },
            [&](int& slot) {
              fails(2, slot);
              drained.push_back(slot);
            });
        ADD_FAILURE() << "nothing was thrown";
      } catch (broken const& thrown) {
        EXPECT_EQ(thrown.what(), std::to_string(stage));
      }
      EXPECT_EQ(std::ssize(drained), at);  // all chunks before it
      for (int k = 0; k < std::ssize(drained); ++k) EXPECT_EQ(drained[static_cast<std::size_t>(k)], k);
    }
}

// The same of four stages, with fewer slots than stages and more. Stage 4 is none of them.
TEST_F(cpu_stream, an_error_of_any_of_four_stages_ends_the_others) {
  for (std::size_t const number : {1u, 2u, 6u})
    for (int const stage : {0, 1, 2, 3, 4})
      for (int const at : {0, 1, 5, 17}) {
        std::vector<int> slots(number), drained;
        int filled = 0, fetched = 0;
        std::atomic<int> worked = 0;
        auto const fails = [&](int here, int chunk) {
          if (here == stage && chunk == at) throw broken(std::to_string(here));
        };
        auto const fill = [&](int& slot) {
          fails(0, filled);
          slot = filled++;
          return stage < 4 || slot < at;
        };
        auto const fetch = [&](int& slot) {
          EXPECT_LT(slot, worked);
          fails(2, fetched++);
        };
        auto const drain = [&](int& slot) { fails(3, slot), drained.push_back(slot); };
        auto const run = [&] {
          lookback::run_stages(
              std::span(slots), fill, [&](int&) { fails(1, worked++); }, fetch, drain);
        };
        if (stage == 4) run();
        else EXPECT_THROW(run(), broken);
        EXPECT_EQ(std::ssize(drained), at) << "stage " << stage;
        for (int k = 0; k < std::ssize(drained); ++k) EXPECT_EQ(drained[static_cast<std::size_t>(k)], k);
      }
}

// Of two errors the first is thrown: one stage throws while another is in the midst of a chunk, which then throws, too.
TEST_F(cpu_stream, the_first_of_two_errors_is_thrown) {
  for (bool const work_is_first : {true, false}) {
    int slots[3] = {};
    int filled = 0, worked = 0;
    std::latch drain_is_there(1), first_has_thrown(1), work_is_there(1);
    auto const throws = [&](char const* who, bool is_first) {
      struct tells {  // when the exception has left the stage, but for the handler: that takes a moment
        std::latch& of;
        ~tells() { of.count_down(); }
      };
      if (!is_first) {
        first_has_thrown.wait();
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        throw broken(who);
      }
      tells const told{first_has_thrown};
      throw broken(who);
    };
    try {
      lookback::run_stages(
          std::span(slots), [&](int&) { return filled++ < 5; },
          [&](int&) {
            if (worked++ == 0) return;
            work_is_there.count_down();
            drain_is_there.wait();
            throws("work", work_is_first);
          },
          [&](int&) {
            drain_is_there.count_down();
            work_is_there.wait();
            throws("drain", !work_is_first);
          });
      ADD_FAILURE() << "nothing was thrown";
    } catch (broken const& thrown) {
      EXPECT_STREQ(thrown.what(), work_is_first ? "work" : "drain");
    }
  }
}

// Nobody computes what will not be drained.
TEST_F(cpu_stream, work_ends_where_draining_failed) {
  int slots[3] = {};
  int filled = 0, worked = 0;
  std::latch all_are_filled(3), work_is_there(1), drain_throws(1);
  EXPECT_THROW(lookback::run_stages(
                   std::span(slots),
                   [&](int&) {
                     all_are_filled.count_down(filled < 3 ? 1 : 0);
                     return ++filled <= 3;
                   },
                   [&](int&) {
                     if (worked++ == 0) return;
                     if (worked == 2) work_is_there.count_down();
                     drain_throws.wait();
                     std::this_thread::sleep_for(std::chrono::milliseconds(50));
                   },
                   [&](int&) {
                     all_are_filled.wait();
                     work_is_there.wait();
                     drain_throws.count_down();
                     throw broken("drain");
                   }),
               broken);
  EXPECT_EQ(worked, 2);  // the third chunk was there
}

TEST_F(cpu_stream, a_reader_is_not_asked_again_behind_its_end) {
  auto on = lookback::cpu::seq;
  on.tuning.tile_items = 64;
  for (std::size_t const n : {0u, 63u, 64u, 200u}) {
    std::size_t left = n;
    bool ended = false;
    auto const read = [&](std::span<int> room) {
      EXPECT_FALSE(ended);
      auto const items = std::min(left, room.size());
      std::fill_n(room.begin(), items, 1);
      left -= items;
      ended = items < room.size();
      return items;
    };
    std::vector<int> got;
    lookback::stream(on, read, chunked::inclusive_scan<int>(), writer_to(got), least);
    EXPECT_EQ(got.size(), n);
  }
}

TEST_F(cpu_stream, what_is_refused) {
  std::vector<int> none;
  auto const nothing = [](int&) {};
  EXPECT_THROW(lookback::run_stages(
                   std::span(none), [](int&) { return false; }, nothing, nothing),
               lookback::invalid_argument);
  std::vector<int> data(200, 1);
  std::span<int> const all(data);
  auto const sums = chunked::inclusive_scan<int>();
  EXPECT_THROW(lookback::stream(lookback::cpu::seq.with(lookback::right_to_left), data, sums, data), lookback::invalid_argument);
  EXPECT_THROW(lookback::stream(lookback::cpu::seq, all.first(199), sums, all.last(199)), lookback::invalid_argument);
  EXPECT_EQ(data, std::vector<int>(200, 1));
  auto endless = [](std::span<int> room) { return room.size(); };
  if (harness::sanitized) return;  // its own allocator ends the program
  EXPECT_THROW(lookback::stream(lookback::cpu::seq, endless, sums, data, lookback::memory(std::size_t{1} << 60)),
               lookback::out_of_memory);
}

TEST_F(cpu_stream, in_place_and_again) {
  each_policy([](auto const& on) {
    std::vector<int> data(1000, 1), want(1000);
    std::iota(want.begin(), want.end(), 1);
    auto const sums = chunked::inclusive_scan<int>();
    lookback::stream(on, data, sums, data, least);
    EXPECT_EQ(data, want);
    std::vector<int> const ones(1000, 1);
    lookback::stream(on, ones, sums, data, lookback::memory(std::size_t{1} << 60));  // a verb begins anew; an array bounds a chunk
    EXPECT_EQ(data, want);
  });
}

TEST_F(cpu_stream, times_are_those_of_the_stages) {
  int slots[3] = {};
  int filled = 0;
  using namespace std::chrono_literals;
  auto const times = lookback::run_stages(
      std::span(slots), [&](int&) { return filled++ < 5; }, [](int&) {}, [](int&) { std::this_thread::sleep_for(4ms); });
  EXPECT_GE(times.drain, 0.02);
  EXPECT_GE(times.total, times.drain);
  EXPECT_EQ(times.limit(), lookback::stage::drain);
}

}  // namespace
