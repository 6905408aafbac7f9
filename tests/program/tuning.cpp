// The search of the tuner, on functions of which the minimum is known, and its maps.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

#include "jobs/demo_jobs.hpp"
#include "jobs/reference.hpp"
#include "tuning/tuner.hpp"

using namespace lookback;
using namespace lookback::app;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

tuning_axis numbers(std::string name, std::size_t count, bool ordered = true) {
  tuning_axis made{std::move(name), {}, ordered};
  for (std::size_t i = 0; i < count; ++i) made.values.push_back(std::to_string(i));
  return made;
}

search_request request_of(std::vector<tuning_axis> axes, tuning_point start, std::function<double(tuning_point const&)> seconds) {
  search_request made;
  made.axes = std::move(axes), made.start = std::move(start);
  made.has = [](tuning_point const&) { return true; };
  made.seconds = [seconds = std::move(seconds)](tuning_point const& at, double) { return seconds(at); };
  return made;
}

double square(double x) { return x * x; }

/// A job whose calls take as long as a function of the bytes of a tile and of their number says, and whose result may be wrong.
struct timed_job final : job {
  array values = make_array(element::i32, 1000);
  std::function<double(index_t tile, int call)> seconds;
  std::function<bool(index_t tile)> is_wrong = [](index_t) { return false; };
  mutable int calls = 0;
  mutable index_t last_tile = 0;

  explicit timed_job(std::function<double(index_t, int)> takes) : seconds{std::move(takes)} { command = "scan", title = "plus"; }
  array const& items() const override { return values; }
  std::vector<std::span<std::byte const>> inputs() const override { return {{values.data, values.bytes()}}; }
  std::vector<std::size_t> room() const override { return {values.bytes()}; }
  bool offers(back_end, dispatch::strategy how) const override { return dispatch::is_default(how); }
  void run(dispatch::place const& on, dispatch::strategy, bool, places const&) const override {
    last_tile = on.sizes.tile_bytes;
    auto const end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds(last_tile, calls++));
    while (std::chrono::steady_clock::now() < end) {
    }
  }
  std::vector<peer_call> peers(back_end) const override { return {}; }
  std::vector<array_view> results(outputs const&) const override { return {}; }
  byte_counts moved(outputs const&) const override { return bytes_of(4000, 4000); }
  std::string first_difference(outputs const&) const override { return is_wrong(last_tile) ? "item 3" : ""; }
};
constexpr index_t small_tile = 64 << 10;
runner one_thread() {
  runner on;
  on.threads = 1;
  return on;
}

}  // namespace

TEST(coordinate_search, finds_the_bottom_of_a_bowl_and_measures_no_point_twice) {
  int calls = 0;
  auto const found = app::search(request_of({numbers("a", 20), numbers("b", 20)}, {0, 19}, [&](tuning_point const& at) {
    ++calls;
    return 1 + square(static_cast<double>(at[0]) - 12) + square(static_cast<double>(at[1]) - 5);
  }));
  EXPECT_THAT(found.best, ElementsAre(12u, 5u));
  EXPECT_EQ(found.best_seconds, 1);
  EXPECT_EQ(found.start_seconds, 1 + 144 + 196);
  EXPECT_TRUE(found.ended);
  EXPECT_EQ(static_cast<std::size_t>(calls), found.measured.size());
  EXPECT_LT(calls, 50) << "of 400";
}

TEST(coordinate_search, leaves_an_ordered_axis_after_two_that_are_worse_but_tries_every_name) {
  std::vector<std::size_t> asked;
  auto const far = [&](tuning_point const& at) {
    asked.push_back(at[0]);
    return at[0] == 9 ? 0.5 : 1.0;
  };
  auto const ordered = app::search(request_of({numbers("a", 10)}, {3}, far));
  EXPECT_THAT(asked, ElementsAre(3u, 4u, 5u, 2u, 1u));
  EXPECT_THAT(ordered.best, ElementsAre(3u));
  asked.clear();
  auto const names = app::search(request_of({numbers("a", 10, false)}, {3}, far));
  EXPECT_THAT(names.best, ElementsAre(9u));
}

TEST(coordinate_search, goes_on_over_one_that_is_worse_and_over_what_there_is_not) {
  std::vector<double> const hills{5, 6, 4, 9, 3, 9, 9, 1};
  auto request = request_of({numbers("a", 8)}, {0}, [&](tuning_point const& at) { return hills[at[0]]; });
  EXPECT_THAT(app::search(request).best, ElementsAre(4u));
  request.has = [](tuning_point const& at) { return at[0] != 5 && at[0] != 6; };
  EXPECT_THAT(app::search(request).best, ElementsAre(7u)) << "what there is not is no step that was worse";
}

TEST(coordinate_search, calls_nothing_better_that_is_within_noise_and_what_cannot_run_is_never_best) {
  auto const near = app::search(request_of({numbers("a", 3)}, {1}, [](tuning_point const& at) { return at[0] == 1 ? 1 : 0.995; }));
  EXPECT_THAT(near.best, ElementsAre(1u));
  auto const none =
      app::search(request_of({numbers("a", 3)}, {1}, [](tuning_point const& at) { return at[0] == 1 ? 1 : INFINITY; }));
  EXPECT_THAT(none.best, ElementsAre(1u));
}

TEST(coordinate_search, keeps_what_it_has_when_it_must_stop) {
  auto request = request_of({numbers("a", 20)}, {0}, [](tuning_point const& at) { return 20.0 - static_cast<double>(at[0]); });
  std::vector<std::size_t> left;
  request.go_on = [&](search_progress const& at) {
    left.push_back(at.left);
    return at.measured < 5;
  };
  auto const found = app::search(request);
  EXPECT_FALSE(found.ended);
  EXPECT_EQ(found.measured.size(), 5u);
  EXPECT_THAT(found.best, ElementsAre(4u));
  EXPECT_THAT(left, ElementsAre(20u, 19u, 18u, 17u, 16u, 15u));
}

TEST(coordinate_search, measures_every_point_where_it_is_asked_to) {
  std::vector<std::size_t> left;
  auto request = request_of({numbers("a", 3), numbers("b", 4)}, {1, 1}, [](tuning_point const& at) {
    return at[0] == 2 && at[1] == 3 ? 0.5 : 1.0;  // along the axes nobody gets there
  });
  request.has = [](tuning_point const& at) { return at[0] != 0 || at[1] != 0; };
  request.go_on = [&](search_progress const& at) {
    left.push_back(at.left);
    return true;
  };
  EXPECT_THAT(app::search(request).best, ElementsAre(1u, 1u));
  left.clear();
  request.all = true;
  auto const found = app::search(request);
  EXPECT_THAT(found.best, ElementsAre(2u, 3u));
  EXPECT_EQ(found.measured.size(), 11u);
  EXPECT_EQ(left.size(), 11u);
  EXPECT_EQ(left[1], 10u);
  EXPECT_EQ(left.back(), 1u);
}

TEST(words_of, names_what_differs_or_all_of_it) {
  std::vector<tuning_axis> const axes{numbers("a", 4), numbers("b", 4)};
  EXPECT_EQ(app::words_of(axes, {1, 2}, {1, 3}), "b 2");
  EXPECT_EQ(app::words_of(axes, {0, 2}, {1, 3}), "a 0, b 2");
  EXPECT_EQ(app::words_of(axes, {1, 3}, {1, 3}), "a 1, b 3");
  EXPECT_EQ(app::words_of({numbers("a", 1), numbers("b", 4)}, {0, 3}, {0, 3}), "b 3") << "what has one value says nothing";
}

TEST(tuner, tunes_a_job_of_the_cpu_and_maps_it) {
  auto const small = plain_job(ones(1 << 14), operation::plus), of = plain_job(ones(1 << 16), operation::plus);
  runner on;
  on.threads = 2;
  auto const done = tune(*of, on, {.seconds = 20, .validate = true, .rounds = 5});
  EXPECT_TRUE(done.found.ended);
  EXPECT_GT(done.found.measured.size(), 10u);
  for (auto const& [at, seconds] : done.found.measured)
    EXPECT_TRUE(std::isfinite(seconds)) << app::words_of(done.space.axes, at, at);
  EXPECT_LE(done.found.best_seconds, done.found.start_seconds);
  auto const map = map_of(*of, on, done.space, done.space.start, done.space.threads, done.space.sizes, {.validate = true});
  EXPECT_EQ(map.values.size(), map.y_labels.size());
  for (auto const& row : map.values) {
    EXPECT_EQ(row.size(), map.x_labels.size());
    for (double const value : row) EXPECT_GT(value, 0);
  }
  EXPECT_THAT(map.title, HasSubstr("The default of scan (threads 2, tile "));
  auto const sizes = map_of_sizes({small.get(), of.get()}, on, done.space, done.space.start, done.space.sizes, {.validate = true});
  EXPECT_THAT(sizes.x_labels, ElementsAre("16,384", "65,536"));
  EXPECT_FALSE(heat_map(map).empty());
  EXPECT_FALSE(heat_map(sizes).empty());
  auto const stopped = tune(*of, on, {.stop = [] { return true; }});
  EXPECT_TRUE(stopped.stopped);
  EXPECT_EQ(stopped.found.best, stopped.space.start);
  EXPECT_FALSE(stopped.is_better());
}

TEST(tuner_result, is_better_where_times_lie_apart_and_are_long_enough_to_tell) {
  tuner_result made;
  made.space.start = {0}, made.found.best = {1};
  made.rounds = 5, made.apart = true, made.default_seconds = 1e-3, made.tuned_seconds = 0.9e-3;
  EXPECT_TRUE(made.is_better());
  for (auto const& spoil : std::vector<std::function<void(tuner_result&)>>{
           [](tuner_result& r) { r.apart = false; }, [](tuner_result& r) { r.rounds = 4; },
           [](tuner_result& r) { r.tuned_seconds = 0.99e-3; }, [](tuner_result& r) { r.found.best = {0}; },
           [](tuner_result& r) { r.default_seconds = 9e-6, r.tuned_seconds = 1e-6; }}) {
    auto other = made;
    spoil(other);
    EXPECT_FALSE(other.is_better());
  }
  EXPECT_FALSE(made.is_kept_as_good()) << "nothing was kept";
  made.kept_seconds = 0.91e-3;
  EXPECT_TRUE(made.is_kept_as_good());
  made.kept_seconds = 0.95e-3;
  EXPECT_FALSE(made.is_kept_as_good());
}

TEST(tuner, keeps_the_tile_that_is_faster) {
  timed_job const of([](index_t tile, int) { return tile == small_tile ? 100e-6 : 300e-6; });
  auto const done = tune(of, one_thread(), {.threads = 1});
  EXPECT_TRUE(done.is_better());
  EXPECT_GT(done.speedup(), 2);
  EXPECT_EQ(done.space.choice(done.found.best).sizes.tile_bytes, small_tile);
}

TEST(tuner, does_not_take_what_is_mostly_faster_for_faster) {
  timed_job const of([](index_t tile, int call) { return tile != small_tile ? 200e-6 : call % 5 < 3 ? 100e-6 : 400e-6; });
  auto const done = tune(of, one_thread(), {.threads = 1});
  EXPECT_FALSE(done.apart);
  EXPECT_FALSE(done.is_better());
}

TEST(tuner, validates_every_configuration_where_it_is_asked_to) {
  timed_job of([](index_t, int) { return 50e-6; });
  of.is_wrong = [](index_t tile) { return tile == small_tile; };
  EXPECT_NO_THROW(tune(of, one_thread(), {.threads = 1}));
  EXPECT_THROW(tune(of, one_thread(), {.threads = 1, .validate = true}), mismatch);
}

TEST(tuner, threads_of_the_user_are_no_axis) {
  auto const of = plain_job(ones(1 << 12), operation::plus);
  auto const space = cpu_space(*of, 3);
  EXPECT_THAT(space.axes[space.threads].values, ElementsAre("3"));
  EXPECT_EQ(space.choice(space.start).threads, 3);
  EXPECT_EQ(space.choice(space.start).sizes.tile_bytes, 0) << "the default is the library's own choice";
}

TEST(tuner, every_value_of_every_axis_gives_the_right_result) {
  auto const of = plain_job(ones((1 << 18) + 77), operation::plus);
  runner on;
  on.threads = 2;
  auto const space = cpu_space(*of, 0);
  job_memory memory(on, *of);
  for (std::size_t axis = 0; axis < space.axes.size(); ++axis)
    for (std::size_t value = 0; value < space.axes[axis].values.size(); ++value) {
      auto at = space.start;
      at[axis] = value;
      phase_times times;
      memory.run(*of, tuned_contender(*of, back_end::cpu, space.choice(at)).run, times);
      EXPECT_EQ(of->first_difference(memory.results()), "") << app::words_of(space.axes, at, at);
    }
}

TEST(heat_map_text, shades_numbers_marks_the_highest_and_leaves_gaps) {
  heat_data const map{
      "", "speed", "GB/s", {"items"}, {"threads"}, {"1", "2"}, {"32", "64"}, {{1, 2}, {NAN, 200}}, outlined::highest};
  EXPECT_EQ(text_of(map),
            "speed, GB/s, by threads (down) and items (across); fuller is faster, * the fastest\n"
            "             1      2\n"
            "     32    1.0    2.0\n"
            "     64      -  \u2588*200\n");
}

TEST(float_sums, of_many_items_may_round_and_a_tile_that_is_lost_is_seen) {
  float_sum<float> sum{0};
  for (int i = 0; i < (1 << 22); ++i) sum.take(1);
  float const few = 1 << 22;
  double const eps = std::numeric_limits<float>::epsilon();
  EXPECT_TRUE(sum.accepts(few + static_cast<float>(15 * eps * few)));
  EXPECT_FALSE(sum.accepts(few + static_cast<float>(18 * eps * few)));
  for (int i = 0; i < 15 * (1 << 22); ++i) sum.take(1);
  float const many = 1 << 26;
  EXPECT_TRUE(sum.accepts(many + static_cast<float>(60 * eps * many)));
  EXPECT_FALSE(sum.accepts(many + static_cast<float>(70 * eps * many)));
  EXPECT_FALSE(sum.accepts(many - 7680)) << "a tile of a GPU";
  sum.restart();
  sum.take(1);
  EXPECT_FALSE(sum.accepts(1 + static_cast<float>(20 * eps))) << "a new segment is a short one";
}
