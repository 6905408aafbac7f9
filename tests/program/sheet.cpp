// What the sheet makes of what was measured.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "report/table.hpp"
#include "sheet/sheet_page.hpp"
#include "sheet/spread.hpp"

using namespace lookback;
using namespace lookback::app;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

timed took(std::string name, contender_kind kind, double seconds, double bytes = 1) {
  return {std::move(name), kind, strategy::best, seconds, bytes};
}

/// A job of four items whose runs throw under one strategy.
struct failing_job : job {
  array values = make_array(element::i32, 4);
  strategy fails;

  explicit failing_job(strategy how) : fails{how} { command = "scan", title = "plus"; }
  array const& items() const override { return values; }
  std::vector<std::span<std::byte const>> inputs() const override { return {{values.data, values.bytes()}}; }
  std::vector<std::size_t> room() const override { return {values.bytes()}; }
  bool offers(back_end, strategy how) const override { return how <= strategy::chained; }
  void run(dispatch::place const&, strategy how, bool, places const&) const override {
    if (how == fails) throw out_of_memory("none is left");
  }
  std::vector<peer_call> peers(back_end) const override { return {}; }
  std::vector<array_view> results(outputs const&) const override { return {}; }
  byte_counts moved(outputs const&) const override { return bytes_of(16, 16); }
  std::string first_difference(outputs const&) const override { return {}; }
};

runner two_threads() {
  runner on;
  on.threads = 2;
  return on;
}

compared contest(std::string name, back_end where, contender_kind kind, double kernel) {
  compared made{};
  made.name = std::move(name), made.where = where, made.kind = kind, made.moved = 2e9;
  made.warm.kernel = kernel, made.warm.store = 2 * kernel;
  return made;
}

}  // namespace

TEST(spread, is_the_worst_cost_of_a_byte_over_the_best) {
  app::spread costs;
  auto const us = contender_kind::ours, peer = contender_kind::peer;
  costs.add({took("lookback", us, 2), took("slow", peer, 9), took("fast", peer, 3), took("once", peer, 1)});
  costs.add({took("lookback", us, 6, 2), took("slow", peer, 9), took("fast", peer, 6)});
  EXPECT_EQ(costs.ours().name, "lookback");
  EXPECT_DOUBLE_EQ(costs.ours().value, 1.5);
  EXPECT_EQ(costs.best_peer().name, "fast") << "the fastest on average of those that take all jobs";
  EXPECT_DOUBLE_EQ(costs.best_peer().value, 2);
  EXPECT_EQ(app::spread{}.ours().name, "");
}

TEST(measuring, the_default_has_to_run_and_others_may_fail) {
  app::measuring const with{two_threads(), true, 4096};
  EXPECT_THROW(time_all(with, failing_job(strategy::decoupled_look_back), is_ours), out_of_memory);
  auto const others = time_all(with, failing_job(strategy::chained), is_ours);
  ASSERT_EQ(others.size(), 1u);
  EXPECT_TRUE(dispatch::is_default(ours_of(others).how));
  EXPECT_EQ(best_peer_of(others), nullptr);
  EXPECT_EQ(ceiling_of(others), nullptr);
}

/// A job that writes down which strategy ran, and whose chained runs throw from the given one on, where one is given.
struct listed_job final : failing_job {
  mutable std::vector<strategy> runs{};
  std::ptrdiff_t throws_from;

  explicit listed_job(std::ptrdiff_t from = 0) : failing_job(strategy::best), throws_from{from} {}
  std::ptrdiff_t count(strategy how) const { return std::count(runs.begin(), runs.end(), how); }
  void run(dispatch::place const&, strategy how, bool, places const&) const override {
    runs.push_back(how);
    if (how == strategy::chained && throws_from > 0 && count(how) >= throws_from) throw out_of_memory("none is left");
  }
};

TEST(measuring, contenders_of_a_cpu_take_turns) {
  listed_job const of;
  auto const all = time_all({two_threads(), true, 4096}, of, is_ours);
  ASSERT_EQ(all.size(), 2u);
  std::vector<strategy> in_turn;
  for (auto const how : of.runs)
    if (in_turn.empty() || in_turn.back() != how) in_turn.push_back(how);
  auto const ours = strategy::decoupled_look_back, other = strategy::chained;
  EXPECT_THAT(in_turn, ElementsAre(ours, other, ours, other, ours, other));
}

TEST(measuring, whoever_fails_in_a_later_turn_is_left_out_and_asked_no_more) {
  app::measuring const with{two_threads(), true, 4096};
  listed_job const whole;
  time_all(with, whole, is_ours);
  auto const in_a_turn = whole.count(strategy::chained) / 3;
  listed_job const of(in_a_turn + 1);
  EXPECT_EQ(time_all(with, of, is_ours).size(), 1u);
  EXPECT_EQ(of.count(strategy::chained), in_a_turn + 1);
  EXPECT_EQ(of.count(strategy::decoupled_look_back), whole.count(strategy::decoupled_look_back));
}

TEST(measuring, runs_are_as_many_as_there_is_time_for) {
  listed_job const of;
  auto const on = two_threads();
  job_memory memory(on, of);
  auto const who = ours(of, back_end::cpu, strategy::chained, false);
  std::vector<double> times{1, 2};
  time_kernel(who, of, memory, 3, 9, 0, times);
  EXPECT_EQ(times.size(), 2u + 3u) << "behind those that are there";
  EXPECT_EQ(of.runs.size(), 1u + 3u) << "after one that is not counted";
  time_kernel(who, of, memory, 3, 9, 1e9, times);
  EXPECT_EQ(times.size(), 2u + 3u + 9u);
}

TEST(ratio_text, says_how_many_times_as_fast_where_both_are_known) {
  EXPECT_EQ(ratio_text(3, 2), "1.50x");
  EXPECT_EQ(ratio_text(INFINITY, 2), "-");
  EXPECT_EQ(ratio_text(0, 2), "-");
  EXPECT_EQ(ratio_text(3, 0), "-");
}

TEST(copy_speed, of_which_a_part_is_copied_is_that_of_all) {
  double const bytes = 64 << 20;
  auto const copy = measure_copy(two_threads(), bytes, 1 << 20);
  EXPECT_NEAR(copy.seconds * copy.bytes_per_second, bytes, 1);
  EXPECT_EQ(measure_copy(two_threads(), 0).seconds, 0);
}

TEST(compared_page, is_drawn_for_one_back_end_beside_a_copy) {
  comparison_result of;
  of.reference = std::make_unique<failing_job>(strategy::best);
  of.results.push_back(contest("lookback chained", back_end::cpu, contender_kind::ours, 1));
  of.results.push_back(contest("std", back_end::cpu, contender_kind::peer, 4));
  of.results.push_back(contest("memcpy", back_end::cpu, contender_kind::ceiling, 0.5));
  of.results.push_back(contest("CUB", back_end::gpu, contender_kind::peer, 3));
  auto const drawn = phases_of(of, back_end::cpu);
  std::vector<std::string> labels;
  for (auto const& row : std::get<bar_data>(drawn.data).rows) labels.push_back(row.label);
  EXPECT_THAT(labels, ElementsAre("lookback chained", "std"));
  EXPECT_THAT(drawn.title, HasSubstr("on the CPU: 4.00 times as fast as std"));
  EXPECT_THAT(drawn.note, HasSubstr("Of lookback chained in turn the kernel is 33 % of the time."));
  of.results.pop_back();
  of.results[0].explained = explanation{};  // of the copy that the table's shares are of
  of.results[0].explained->copy.bytes_per_second = 4e9;
  EXPECT_THAT(page_of(of, {}), HasSubstr("The kernel alone on the CPU: 50 % of the speed of a copy"));
}

TEST(compared_page, says_behind_each_bar_how_it_compares_with_the_fastest_peer) {
  comparison_result of;
  of.reference = std::make_unique<failing_job>(strategy::best);
  auto const ours = contender_kind::ours, peer = contender_kind::peer;
  of.results.push_back(contest("lookback overlapped", back_end::gpu, ours, 2));
  of.results.back().has_phases = false;
  of.results.push_back(contest("lookback", back_end::gpu, ours, 1));
  of.results.push_back(contest("Thrust", back_end::gpu, peer, 8));
  of.results.push_back(contest("CUB", back_end::gpu, peer, 1.5));
  auto const remarks_of = [](picture const& drawn) {
    std::vector<std::string> remarks;
    for (auto const& row : std::get<bar_data>(drawn.data).rows) remarks.push_back(row.label + " " + row.remark);
    return remarks;
  };
  auto const drawn = phases_of(of, back_end::gpu);
  EXPECT_THAT(drawn.note, HasSubstr("Kernels of a GPU are timed by the device"));
  EXPECT_THAT(drawn.title, HasSubstr("on the GPU: 1.50 times as fast as CUB, and 0.75 times where it overlaps"));
  EXPECT_THAT(remarks_of(drawn), ElementsAre("lookback overlapped 0.75x", "lookback 1.50x", "Thrust 0.19x", "CUB 1.00x"));
  EXPECT_FALSE(back_ends_of(of)) << "the CPU is missing";
  of.results.insert(of.results.begin(), contest("lookback", back_end::cpu, ours, 3));
  auto const both = back_ends_of(of);
  ASSERT_TRUE(both);
  EXPECT_THAT(both->title, HasSubstr("the GPU is 3.00 times as fast as the CPU"));
  EXPECT_THAT(remarks_of(*both),
              ElementsAre("lookback, CPU 1.00x", "lookback, GPU 3.00x", "lookback overlapped, GPU 1.50x", "CUB, GPU 2.00x"));
  EXPECT_THAT(page_of(of, {}), HasSubstr("CPU and GPU"));
}
