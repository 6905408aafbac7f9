// The file of tunings: what is written is read, what is wrong is named, and a call finds its own entry.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <lookback/cpu.hpp>
#include <lookback/tunings.hpp>
#include <sstream>

using lookback::known_tuning;
using lookback::tunings;
using ::testing::HasSubstr;

namespace {

known_tuning entry(std::int64_t items) {
  known_tuning made;
  made.back_end = "cpu", made.device = lookback::this_processor(), made.version = lookback::version;
  made.call = {"scan", "inclusive plus", "i32", items};
  made.threads = 3, made.tile_bytes = 65536, made.stream_above_bytes = 1, made.simd = "avx2", made.strategy = "chained";
  made.default_seconds = 0.5, made.tuned_seconds = 0.25, made.configurations = 17;
  return made;
}

tunings read(std::string const& text) {
  std::istringstream from(text);
  return tunings::read(from, "file");
}

std::string why_refused(std::string const& text) {
  try {
    read(text);
    return "";
  } catch (lookback::invalid_argument const& e) {
    return e.what();
  }
}

}  // namespace

TEST(tunings_file, what_is_written_is_read) {
  tunings all;
  all.entries.push_back(entry(1000));
  known_tuning gpu;
  gpu.back_end = "gpu", gpu.device = "some = GPU", gpu.version = "9.9.9", gpu.call = {"select", "below", "f32", 1 << 20};
  gpu.threads = 320, gpu.bytes_per_thread = 64, gpu.slots = 3, gpu.blocks = 2;
  gpu.network = "raking", gpu.loads = "coalesced", gpu.strides = "any_strides";
  all.entries.push_back(gpu);
  auto const back = read(all.text());
  ASSERT_EQ(back.entries.size(), 2u);
  EXPECT_EQ(back.text(), all.text());
  auto const& one = back.entries[0];
  EXPECT_EQ(one.back_end, "cpu");
  EXPECT_EQ(one.call.manner, "inclusive plus");
  EXPECT_EQ(one.call.items, 1000);
  EXPECT_EQ(one.threads, 3);
  EXPECT_EQ(one.tile_bytes, 65536);
  EXPECT_EQ(one.tuned_seconds, 0.25);
  EXPECT_EQ(back.entries[1].device, "some = GPU");
  EXPECT_EQ(back.entries[1].loads, "coalesced");
}

TEST(tunings_file, what_is_wrong_is_named) {
  EXPECT_EQ(why_refused("# nothing\n\n"), "");
  EXPECT_THAT(why_refused("threads = 3\n"), HasSubstr("file: line 1: found 'threads = 3', expected [cpu] or [gpu] before it"));
  EXPECT_THAT(why_refused("[cpu]\nthreads = three\n"), HasSubstr("line 2: found 'threads = three', expected a number"));
  EXPECT_THAT(why_refused("[cpu]\nthreads = 3x\n"), HasSubstr("expected a number"));
  EXPECT_THAT(why_refused("[cpu]\nthreads = -3\n"), HasSubstr("expected a number"));
  EXPECT_THAT(why_refused("[cpu]\nthreads = 99999999999999999999\n"), HasSubstr("expected a number"));
  EXPECT_THAT(why_refused("[cpu]\nthreads\n"), HasSubstr("line 2: found 'threads', expected name = value"));
  EXPECT_THAT(why_refused("[tpu]\n"), HasSubstr("found '[tpu]', expected [cpu] or [gpu]"));
  EXPECT_THAT(why_refused("[cpu]\nsimd = avx9\n"), HasSubstr("found 'simd = avx9', expected portable, avx2 or avx512"));
  EXPECT_EQ(why_refused("[cpu]\r\n threads = 3 \r\n"), "") << "as an editor of another system writes it";
}

TEST(tunings_file, a_call_finds_the_entry_of_the_nearest_number_of_items) {
  tunings all;
  for (std::int64_t const items : {1000, 3000, 64'000}) all.entries.push_back(entry(items));
  auto const found = [&](std::int64_t items) {
    auto const* const one = all.find("cpu", lookback::this_processor(), {"scan", "inclusive plus", "i32", items});
    return one ? one->call.items : -1;
  };
  EXPECT_EQ(found(1000), 1000);
  EXPECT_EQ(found(1600), 1000);
  EXPECT_EQ(found(1800), 3000);
  EXPECT_EQ(found(500), 1000);
  EXPECT_EQ(found(499), -1);
  EXPECT_EQ(found(6001), -1);
  EXPECT_EQ(found(128'000), 64'000);
  EXPECT_EQ(found(0), -1);
  EXPECT_EQ(all.find("gpu", lookback::this_processor(), {"scan", "inclusive plus", "i32", 1000}), nullptr);
  EXPECT_EQ(all.find("cpu", "another", {"scan", "inclusive plus", "i32", 1000}), nullptr);
  EXPECT_EQ(all.find("cpu", lookback::this_processor(), {"scan", "inclusive max", "i32", 1000}), nullptr);
  all.entries[0].version = "0.0.1";
  EXPECT_EQ(found(1000), -1) << "another version knows nothing of this one";
}

TEST(tunings_file, a_part_that_this_version_does_not_know_spoils_its_entry_alone) {
  tunings all;
  all.entries.push_back(entry(1000)), all.entries.push_back(entry(3000));
  auto text = all.text();
  text.insert(text.find("tile_bytes"), "colour = light red\n");
  auto const back = read(text);
  ASSERT_EQ(back.entries.size(), 2u);
  lookback::tuned_call call{"scan", "inclusive plus", "i32", 1000};
  EXPECT_EQ(back.find("cpu", lookback::this_processor(), call), nullptr);
  call.items = 3000;
  EXPECT_NE(back.find("cpu", lookback::this_processor(), call), nullptr);
  EXPECT_THAT(back.text(), HasSubstr("colour = light red\n")) << "and is written as it was";
}

TEST(tunings_file, an_entry_takes_the_place_of_its_own_call_alone) {
  tunings all;
  all.entries.push_back(entry(1000)), all.entries.push_back(entry(2000));
  auto newer = entry(1000);
  newer.threads = 1;
  all.keep(newer);
  ASSERT_EQ(all.entries.size(), 2u);
  EXPECT_EQ(all.entries[0].call.items, 2000);
  EXPECT_EQ(all.entries[1].threads, 1);
  newer.call.threads = 4;
  all.keep(newer);
  EXPECT_EQ(all.entries.size(), 3u) << "threads that were asked for are another call";
}

TEST(tunings_file, the_default_may_be_the_fastest) {
  EXPECT_FALSE(entry(1).is_default());
  known_tuning none;
  none.call.items = 5, none.default_seconds = 1;
  EXPECT_TRUE(none.is_default());
}

TEST(tunings_file, a_policy_takes_what_the_file_says) {
  tunings all;
  all.entries.push_back(entry(1000));
  lookback::tuned_call const call{"scan", "inclusive plus", "i32", 1000};
  EXPECT_EQ(all.applied(lookback::cpu::on(), call).tuning.tile_bytes, 0) << "sizes of another strategy are nobody's";
  all.entries[0].strategy.clear();
  auto const on = all.applied(lookback::cpu::on(), call);
  EXPECT_EQ(on.threads, std::min(3, lookback::cpu::usable_cores()));
  EXPECT_EQ(on.tuning.tile_bytes, 65536);
  EXPECT_EQ(on.tuning.stream_above_bytes, 1);
  EXPECT_EQ(on.tuning.simd, lookback::cpu::simd_level::avx2);
  lookback::cpu::tuning own;
  own.tile_bytes = 4096, own.simd = lookback::cpu::simd_level::portable;
  auto const kept = all.applied(lookback::cpu::on().with(own), call);
  EXPECT_EQ(kept.tuning.tile_bytes, 4096) << "the caller's sizes stay";
  EXPECT_EQ(kept.tuning.simd, lookback::cpu::simd_level::portable);
  EXPECT_EQ(kept.tuning.stream_above_bytes, 1);
  EXPECT_EQ(all.applied(lookback::cpu::on(2), call).tuning.tile_bytes, 0) << "tuned for no number of threads in particular";
  all.entries[0].call.threads = 2;
  auto const two = all.applied(lookback::cpu::on(2), call);
  EXPECT_EQ(two.threads, 2);
  EXPECT_EQ(two.tuning.tile_bytes, 65536);
  auto const other = all.applied(lookback::cpu::on(), {"scan", "inclusive plus", "i32", 10});
  EXPECT_EQ(other.threads, 0);
  EXPECT_EQ(other.tuning.tile_bytes, 0);
}

TEST(tunings_file, a_folder_is_no_file) {
  setenv("LOOKBACK_TUNINGS", "/tmp", 1);
  EXPECT_THROW(tunings::of_this_user(), lookback::io_error);
  unsetenv("LOOKBACK_TUNINGS");
}

TEST(tunings_file, lies_where_the_user_says) {
  setenv("LOOKBACK_TUNINGS", "/some/file", 1);
  EXPECT_EQ(tunings::path_of_this_user(), "/some/file");
  unsetenv("LOOKBACK_TUNINGS");
  setenv("XDG_CONFIG_HOME", "/some", 1);
  EXPECT_EQ(tunings::path_of_this_user(), "/some/lookback/tunings.ini");
  unsetenv("XDG_CONFIG_HOME");
  setenv("HOME", "/home/one", 1);
  EXPECT_EQ(tunings::path_of_this_user(), "/home/one/.config/lookback/tunings.ini");
  EXPECT_TRUE(tunings::of_this_user().entries.empty()) << "there is none";
  unsetenv("HOME");
  EXPECT_EQ(tunings::path_of_this_user(), "");
  EXPECT_TRUE(tunings::of_this_user().entries.empty());
}

TEST(tunings_file, names_the_type_of_a_gpus_tuning) {
  known_tuning one;
  one.threads = 320, one.bytes_per_thread = 112, one.slots = 3, one.blocks = 2;
  EXPECT_EQ(gpu_type(one), "gpu::tuning<320, 112, 3, 2>");
  one.network = "kogge_stone", one.loads = "by_copy_engine", one.strides = "odd_strides";
  EXPECT_EQ(gpu_type(one), "gpu::tuning<320, 112, 3, 2>");
  one.network = "raking";
  EXPECT_EQ(gpu_type(one), "gpu::tuning<320, 112, 3, 2, gpu::raking>");
  one.network = "", one.strides = "any_strides";
  EXPECT_EQ(gpu_type(one), "gpu::tuning<320, 112, 3, 2, gpu::kogge_stone, gpu::by_copy_engine, gpu::any_strides>");
}
