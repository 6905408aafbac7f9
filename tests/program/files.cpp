// The program's readers and writers from inside: hostile bytes, round trips, and the small things they stand on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "io/npy.hpp"
#include "io/numbers.hpp"
#include "jobs/check_scan.hpp"
#include "jobs/options.hpp"
#include "jobs/run_job.hpp"
#include "jobs/runs_job.hpp"
#include "jobs/scan_job.hpp"
#include "program.hpp"
#include "report/json.hpp"
#include "report/printable.hpp"
#include "report/table.hpp"

using namespace lookback;
using namespace lookback::app;

namespace {

// Any bytes give an answer or bad_data; never anything else, and never memory beyond what they hold.
template <class F>
void answers_or_refuses(F&& f) {
  try {
    f();
  } catch (bad_data const&) {
  } catch (usage_error const&) {
  }
}

}  // namespace

TEST(npy_header, any_change_of_a_few_bytes_is_read_or_refused) {
  std::mt19937 random(1);
  std::string const good = npy_text(dict_of("<i4", "(3, 4)"), std::string(48, 'x'));
  for (int round = 0; round < 20000; ++round) {
    std::string bytes = good.substr(0, random() % 8 == 0 ? random() % good.size() : good.size());
    for (auto k = random() % 4; k > 0 && !bytes.empty(); --k) {
      std::string_view const often = "'\",:(){}<>|0123456789 \n\xff";
      bytes[random() % std::min<std::size_t>(bytes.size(), 80)] = often[random() % often.size()];
    }
    answers_or_refuses([&] {
      auto const header = parse_npy_header(bytes, "file");
      ASSERT_LE(header.data_begin, bytes.size());
      for (auto const size : header.shape) ASSERT_GE(size, 0);
    });
  }
}

TEST(npy_header, what_is_written_is_read_back) {
  for (element const type : all_elements)
    for (auto const& shape : std::vector<std::vector<index_t>>{{}, {0}, {7}, {3, 4}, {1, 2, 3, 4}, std::vector<index_t>(32, 1)}) {
      auto const text = format_npy_header(type, shape);
      EXPECT_EQ(text.size() % 64, 0u);
      auto const header = parse_npy_header(text, "file");
      EXPECT_EQ(header.shape, shape);
      EXPECT_EQ(header.data_begin, text.size());
      EXPECT_FALSE(header.fortran_order);
      EXPECT_EQ(header.descr.substr(2), std::to_string(dispatch::size_of(type)));
    }
}

TEST(numbers, are_taken_whole_or_not_at_all) {
  std::int8_t small = 5;
  for (char const* wrong : {"", " 1", "1 ", "1x", "0x1", "--1", "+-1", "1.0", "nan"})
    EXPECT_EQ(parse_number(wrong, small), parsed::not_a_number) << wrong;
  for (char const* wide : {"128", "-129", "99999999999999999999999"})
    EXPECT_EQ(parse_number(wide, small), parsed::out_of_range) << wide;
  EXPECT_EQ(small, 5);
  EXPECT_EQ(parse_number("+127", small), parsed::ok);
  EXPECT_EQ(small, 127);
  std::uint8_t natural = 0;
  EXPECT_EQ(parse_number("-1", natural), parsed::out_of_range);
  float real = 0;
  EXPECT_EQ(parse_number("-inf", real), parsed::ok);
  EXPECT_EQ(real, -std::numeric_limits<float>::infinity());
  EXPECT_EQ(parse_number("1e39", real), parsed::out_of_range);
}

TEST(numbers, that_are_too_small_are_the_nearest_there_is) {
  double real = 1;
  for (auto const& [text, wanted] : {std::pair{"1e-400", 0.0},
                                     {"+1e-400", 0.0},
                                     {"2e-324", 0.0},
                                     {"3e-324", 5e-324},
                                     {"-3e-324", -5e-324},
                                     {"0.0000000001e-390", 0.0}}) {
    EXPECT_EQ(parse_number(text, real), parsed::ok) << text;
    EXPECT_EQ(real, wanted) << text;
  }
  EXPECT_EQ(parse_number("-1e-400", real), parsed::ok);
  EXPECT_TRUE(std::signbit(real));
  float single = 1;
  EXPECT_EQ(parse_number("1e-46", single), parsed::ok);
  EXPECT_EQ(single, 0);
  EXPECT_EQ(parse_number("1e-45", single), parsed::ok);
  EXPECT_EQ(single, std::numeric_limits<float>::denorm_min());
  for (char const* const wrong : {"1e-400x", "1e400", "-1e400"}) EXPECT_NE(parse_number(wrong, real), parsed::ok) << wrong;
}

TEST(counts, come_with_powers_and_units) {
  EXPECT_EQ(parse_count("1000", "--n"), 1000);
  EXPECT_EQ(parse_count("2^24", "--n"), 1 << 24);
  EXPECT_EQ(parse_count("16M", "--n"), 16 << 20);
  for (char const* wrong : {"", "M", "2^", "2^63", "-1", "1T", "99999999999999999999", "1.5M"})
    EXPECT_THROW(parse_count(wrong, "--n"), usage_error) << wrong;
}

TEST(words, for_people) {
  EXPECT_EQ(grouped(1234567), "1,234,567");
  EXPECT_EQ(grouped(-123), "-123");
  EXPECT_EQ(grouped(-1234), "-1,234");
  EXPECT_EQ(bytes_text(999), "999 B");
  EXPECT_EQ(bytes_text(67108864), "67.1 MB");
  EXPECT_EQ(bytes_text(1e12), "1.0 TB");
  EXPECT_EQ(time_text(0.0123), "12.3 ms");
  EXPECT_EQ(time_text(1.5e-6), "1.50 us");
  EXPECT_EQ(json_string("a\"b\\c\n\x01"), "\"a\\\"b\\\\c\\n\\u0001\"");
  EXPECT_EQ(json_string("caf\xe9 caf\xc3\xa9 \xc3"), "\"caf\\u00e9 caf\xc3\xa9 \\u00c3\"");  // Latin-1, UTF-8, half a character
  table rows({"name", "n"}, 1);
  rows.add({"a", "10"});
  rows.add({"longer", "9"});
  EXPECT_EQ(rows.text(), "name     n\n----------\na       10\nlonger   9\n");
}

TEST(words, that_a_terminal_does_not_act_upon) {
  using namespace std::string_view_literals;
  EXPECT_EQ(printable("a\x1b[31m\0\x7f\t\r\nb"sv), "a\\x1b[31m\\x00\\x7f\\t\\r\\nb");
  EXPECT_EQ(printable("a\nb\n", true), "a\nb\n");
  std::string const good = "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80 \xef\xbf\xbf";
  EXPECT_EQ(printable(good), good);
  EXPECT_EQ(printable("\xe9 \xc3"), "\\xe9 \\xc3");
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");                    // '/' in two bytes
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");           // half of a pair of UTF-16
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // beyond the last character
  EXPECT_EQ(printable("\xe0\x80\xaf"), "\\xe0\\x80\\xaf");
  EXPECT_EQ(printable("\xc2\x9b"
                      "1m"),
            "\\xc2\\x9b"
            "1m");  // as ESC [
  EXPECT_EQ(printable(printable("\x1b\xff")), printable("\x1b\xff"));
  EXPECT_EQ(in_quotes(std::string(39, 'x') + "\xc3\xa9"), "'" + std::string(39, 'x') + "...'");
  EXPECT_EQ(in_quotes(std::string(41, '\xa9')).substr(0, 5), "'\\xa9");
}

// ---- a job in its memory, again and again

TEST(job_memory, who_leaves_no_counts_has_none) {
  auto values = make_array(element::i32, 4);
  std::ranges::copy(std::vector{5, 5, 5, 7}, values.memory.as<int>());
  auto const job = make_unique_job(std::move(values), false);
  auto const on = make_runner(back_end::cpu, {});
  job_memory memory(on, *job);
  phase_times times;
  memory.run(
      *job, [&](auto const& where, auto const& at) { job->run(where, strategy::best, false, at); }, times);
  EXPECT_EQ(count_in(memory.results(), 0), 2);
  memory.run(
      *job, [](auto const&, auto const&) {}, times);
  EXPECT_EQ(count_in(memory.results(), 0), 0);
}

// ---- where a command runs

namespace {
dispatch::gpu_survey const one_gpu{{{"a GPU", "sm_90", 1, 1}}, "", ""}, no_gpu{{}, "no driver", ""};
bool only_on_the_cpu(back_end where, strategy) { return where == back_end::cpu; }
bool anywhere(back_end, strategy) { return true; }
bool as_selections_of_i32(back_end where, strategy how) { return dispatch::has_form(where, how, true); }

decision decided(std::string const& on, dispatch::gpu_survey const& survey, bool (*offers)(back_end, strategy),
                 strategy how = strategy::best) {
  common_options options;
  options.on = on;
  return decide_back_end(options, how, survey, offers, "y = A x of f64");
}
std::string refused(std::string const& on, dispatch::gpu_survey const& survey, bool (*offers)(back_end, strategy),
                    strategy how = strategy::best) {
  try {
    decided(on, survey, offers, how);
  } catch (dispatch::unavailable const& e) {
    return e.what();
  }
  return "not refused";
}
}  // namespace

TEST(back_end, auto_takes_the_gpu_where_it_has_what_is_asked_for) {
  EXPECT_EQ(decided("auto", one_gpu, anywhere).where, back_end::gpu);
  EXPECT_EQ(decided("auto", one_gpu, anywhere).why, "a GPU is present");
  EXPECT_EQ(decided("auto", no_gpu, anywhere).where, back_end::cpu);
  EXPECT_EQ(decided("auto", no_gpu, anywhere).why, "no driver");
  EXPECT_EQ(decided("auto", one_gpu, only_on_the_cpu).where, back_end::cpu);
  EXPECT_EQ(decided("auto", one_gpu, only_on_the_cpu).why, "the GPU has no implementation for y = A x of f64");
  EXPECT_EQ(decided("cpu", one_gpu, anywhere).where, back_end::cpu);
  EXPECT_EQ(decided("gpu", one_gpu, anywhere).where, back_end::gpu);
}

TEST(back_end, what_there_is_not_is_refused_and_what_there_is_named) {
  EXPECT_EQ(refused("gpu", no_gpu, anywhere), "--on gpu: no driver");
  EXPECT_EQ(refused("gpu", one_gpu, only_on_the_cpu),
            "the gpu has no implementation for y = A x of f64 in this build, expected --on cpu");
  EXPECT_EQ(refused("gpu", one_gpu, only_on_the_cpu, strategy::sequential),
            "the gpu has no sequential implementation for y = A x of f64 in this build (a strategy of CPUs), expected --on cpu");
  EXPECT_EQ(refused("cpu", one_gpu, [](back_end, strategy) { return false; }),
            "the cpu has no implementation for y = A x of f64 in this build");
  auto const nothing = [](std::string const& why) {
    return " implementation for y = A x of f64 in this build" + why + ", expected --";
  };
  std::string const of_cpus = " (a strategy of CPUs)", of_gpus = " (a strategy of GPUs)";
  std::string const both = "strategy decoupled-look-back, chained, auxiliary-block, reduce-then-scan";
  std::string const of_the_cpu = both + ", waiting-look-back, sequential";
  EXPECT_EQ(refused("gpu", one_gpu, as_selections_of_i32, strategy::sequential),
            "the gpu has no sequential" + nothing(of_cpus) + "on cpu or --" + both +
                ", immediate-look-back, sequential-look-back, wide-look-back, fenced-look-back");
  EXPECT_EQ(refused("cpu", one_gpu, as_selections_of_i32, strategy::sequential_look_back),
            "the cpu has no sequential-look-back" + nothing(of_gpus) + "on gpu or --" + of_the_cpu);
  for (auto const* const survey : {&one_gpu, &no_gpu})
    EXPECT_EQ(refused("cpu", *survey, as_selections_of_i32, strategy::scan_then_propagate),
              "the cpu has no scan-then-propagate" + nothing("") + of_the_cpu);
  EXPECT_EQ(refused("cpu", no_gpu, as_selections_of_i32, strategy::sequential_look_back),
            "the cpu has no sequential-look-back" + nothing(of_gpus) + of_the_cpu);
  EXPECT_THAT(refused("gpu", one_gpu, as_selections_of_i32, strategy::fast_tracked_look_back),
              ::testing::HasSubstr("in this build (for scans of segments), expected"));
  EXPECT_EQ(decided("auto", one_gpu, as_selections_of_i32, strategy::sequential).where, back_end::cpu);
  EXPECT_EQ(decided("auto", one_gpu, as_selections_of_i32, strategy::chained).where, back_end::gpu);
  common_options options;
  options.device = 0;
  EXPECT_THROW(decide_back_end(options, strategy::best, one_gpu, only_on_the_cpu, "y = A x"), dispatch::unavailable);
}

// For all types or few, with every value stored or not: what a command has.
TEST(back_end, strategies_belong_to_back_ends_types_and_commands) {
  for (auto const where : {back_end::cpu, back_end::gpu}) {
    for (auto const how : {strategy::best, strategy::decoupled_look_back}) EXPECT_TRUE(dispatch::has_form(where, how, false));
    for (auto const how : {strategy::chained, strategy::auxiliary_block, strategy::reduce_then_scan}) {
      EXPECT_TRUE(dispatch::has_form(where, how, true));
      EXPECT_FALSE(dispatch::has_form(where, how, false));
    }
    EXPECT_EQ(dispatch::has_form(where, strategy::sequential, false), where == back_end::cpu);
    EXPECT_EQ(dispatch::has_form(where, strategy::waiting_look_back, true), where == back_end::cpu);
    using what = dispatch::values_of;
    EXPECT_TRUE(dispatch::has_form(where, strategy::immediate_look_back, true, what::scan));
    for (auto const other : {what::no_scan, what::products})
      EXPECT_EQ(dispatch::has_form(where, strategy::immediate_look_back, true, other), where == back_end::gpu)
          << "the default of a CPU asks at once";
    EXPECT_FALSE(dispatch::has_form(where, strategy::wide_look_back, true, what::products)) << "one warp looks back";
    for (auto const how : {strategy::sequential_look_back, strategy::wide_look_back, strategy::fenced_look_back}) {
      EXPECT_EQ(dispatch::has_form(where, how, true), where == back_end::gpu);
      EXPECT_FALSE(dispatch::has_form(where, how, false));
    }
    EXPECT_TRUE(dispatch::has_form(where, strategy::scan_then_propagate, true, what::scan));
    EXPECT_FALSE(dispatch::has_form(where, strategy::scan_then_propagate, false, what::scan));
    EXPECT_FALSE(dispatch::has_form(where, strategy::scan_then_propagate, true)) << "not every value is stored";
    EXPECT_FALSE(dispatch::has_form(where, strategy::textbook, true, what::scan));
    for (auto const how : {strategy::lifted, strategy::lifted_reduce_then_scan}) {
      EXPECT_TRUE(dispatch::has_form(where, how, true, what::scan_by_heads));
      EXPECT_FALSE(dispatch::has_form(where, how, false, what::scan_by_heads));
      for (auto const other : {what::no_scan, what::products, what::scan, what::scan_by_offsets})
        EXPECT_FALSE(dispatch::has_form(where, how, true, other));
    }
    for (auto const stored : {what::no_scan, what::products, what::scan, what::scan_by_heads, what::scan_by_offsets})
      EXPECT_EQ(dispatch::has_form(where, strategy::fast_tracked_look_back, true, stored),
                where == back_end::gpu && stored >= what::scan_by_heads);
  }
}

// ---- the reference itself: what it lets pass and what not

namespace {
scan_job sums_of(std::vector<float> const& values) {
  scan_job job;
  job.values = make_array(element::f32, static_cast<index_t>(values.size()));
  std::copy(values.begin(), values.end(), job.values.memory.as<float>());
  return job;
}
std::string checked(scan_job const& job, std::vector<float> const& got) {
  return first_difference(job, reinterpret_cast<std::byte const*>(got.data()));
}
}  // namespace

TEST(reference, takes_float_sums_within_16_eps_of_the_magnitudes) {
  auto const job = sums_of({1, -1, 1, -1});
  float const eps = std::numeric_limits<float>::epsilon();
  EXPECT_EQ(checked(job, {1, 0, 1, 0}), "");
  EXPECT_EQ(checked(job, {1, 32 * eps, 1 + 48 * eps, -64 * eps}), "");
  EXPECT_NE(checked(job, {1, 33 * eps, 1, 0}), "");
  EXPECT_NE(checked(job, {1 + 17 * eps, 0, 1, 0}), "");
  float const nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  EXPECT_NE(checked(job, {1, 0, nan, 0}), "");
  EXPECT_NE(checked(job, {1, 0, inf, 0}), "");
  EXPECT_EQ(checked(sums_of({1, inf, 1, nan}), {1, inf, inf, nan}), "");
  EXPECT_NE(checked(sums_of({1, inf, 1, nan}), {1, inf, -inf, nan}), "");
  EXPECT_NE(checked(sums_of({1, inf, 1, nan}), {1, inf, inf, inf}), "");
}

TEST(reference, takes_only_equal_extremes_and_close_products) {
  auto job = sums_of({3, 1, 2});
  job.op = operation::max;
  EXPECT_EQ(checked(job, {3, 3, 3}), "");
  EXPECT_NE(checked(job, {3, 3, 2.9999998f}), "");
  job.op = operation::multiplies;
  EXPECT_EQ(checked(job, {3, 3, 6}), "");
  EXPECT_NE(checked(job, {3, 3, 6.0001f}), "");
}

TEST(reference, names_the_item) {
  auto job = sums_of({1, 1, 1});
  job.reverse = true;
  EXPECT_EQ(checked(job, {3, 2, 1}), "");
  EXPECT_EQ(checked(job, {3, 5, 1}).substr(0, 25), "item 1: found 5, expected");
}
