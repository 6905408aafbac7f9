// How many workers the machine allows: the affinity mask, the quota of cgroups (both versions, from a folder that looks like
// theirs), and threads that cannot be created. The pages of output that nobody has touched.
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <lookback/cpu.hpp>
#include <lookback/cpu/run/executor_threads.hpp>
#include <lookback/scan.hpp>
#include <lookback/select_if.hpp>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "sanitized.hpp"

namespace {

namespace cpu = lookback::cpu;

/// A folder with files, gone afterwards.
class cgroups {
 public:
  cgroups() {
    std::string name = (std::filesystem::temp_directory_path() / "lookback_cgroups_XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    root_ = name;
  }
  cgroups(cgroups const&) = delete;
  cgroups& operator=(cgroups const&) = delete;
  ~cgroups() { std::filesystem::remove_all(root_); }
  cgroups& with(std::string const& file, std::string const& text) {
    auto const path = root_ / file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
    return *this;
  }
  int quota_of(std::string const& groups) const { return cpu::detail::quota_of(groups, root_.string()); }

 private:
  std::filesystem::path root_;
};

TEST(cpu_machine, a_quota_is_rounded_up) {
  EXPECT_EQ(cgroups().with("a/b/cpu.max", "250000 100000\n").quota_of("0::/a/b\n"), 3);
  EXPECT_EQ(cgroups().with("a/b/cpu.max", "200000 100000\n").quota_of("0::/a/b\n"), 2);
  EXPECT_EQ(cgroups().with("a/b/cpu.max", "1000 100000\n").quota_of("0::/a/b"), 1);
  EXPECT_EQ(cgroups().with("a/b/cpu.max", "max 100000\n").quota_of("0::/a/b\n"), 0);
}
TEST(cpu_machine, groups_above_limit_it_too) {
  cgroups c;
  c.with("a/b/cpu.max", "800000 100000\n").with("a/cpu.max", "300000 100000\n").with("cpu.max", "max 100000\n");
  EXPECT_EQ(c.quota_of("0::/a/b\n"), 3);
  EXPECT_EQ(c.quota_of("0::/a/b/c\n"), 3) << "a group without a file of its own";
}
TEST(cpu_machine, in_a_container_only_the_root_is_there) {
  EXPECT_EQ(cgroups().with("cpu.max", "150000 100000\n").quota_of("0::/docker/0123\n"), 2);
  EXPECT_EQ(cgroups().with("cpu.max", "150000 100000\n").quota_of("0::/\n"), 2);
}
TEST(cpu_machine, cgroups_of_version_1) {
  std::string const groups = "12:pids:/x\n4:cpu,cpuacct:/jobs/7\n3:cpuset:/\n0::/\n";
  EXPECT_EQ(cgroups()
                .with("cpu,cpuacct/jobs/7/cpu.cfs_quota_us", "350000\n")
                .with("cpu,cpuacct/jobs/7/cpu.cfs_period_us", "100000\n")
                .quota_of(groups),
            4);
  EXPECT_EQ(cgroups()
                .with("cpu/jobs/cpu.cfs_quota_us", "50000\n")
                .with("cpu/jobs/cpu.cfs_period_us", "50000\n")
                .quota_of("1:cpu:/jobs/7\n"),
            1);
  EXPECT_EQ(cgroups()
                .with("cpu/jobs/7/cpu.cfs_quota_us", "-1\n")
                .with("cpu/jobs/7/cpu.cfs_period_us", "100000\n")
                .quota_of("1:cpu:/jobs/7\n"),
            0);
}
TEST(cpu_machine, nothing_is_made_of_what_is_no_quota) {
  for (char const* groups : {"", "\n", "0", "0:", "0::", ":::::", "x:y", "0::/../..//\n", "nonsense without colons\n"})
    EXPECT_EQ(cgroups().quota_of(groups), 0) << groups;
  EXPECT_EQ(cgroups().with("cpu.max", "").quota_of("0::/"), 0);
  EXPECT_EQ(cgroups().with("cpu.max", "100000").quota_of("0::/"), 0);
  EXPECT_EQ(cgroups().with("cpu.max", "-5 -5").quota_of("0::/"), 0);
  EXPECT_EQ(cgroups().with("cpu.max", "100000 0").quota_of("0::/"), 0);
}

TEST(cpu_machine, an_affinity_mask_is_honoured) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(static_cast<unsigned>(sched_getcpu()), &one);
        sched_setaffinity(0, sizeof one, &one);
        std::exit(cpu::usable_cores() == 1 && cpu::std_threads.workers(0) == 1 && cpu::on().executor.workers(0) == 1 ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "");
}

/// 0 if scans are right in a process that may not create a thread.
int scans_without_threads() {
  if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) return 2;  // the limit is none for root
  rlimit const one{1, 1};
  if (setrlimit(RLIMIT_NPROC, &one) != 0) return 3;
  std::vector<int> const in(4'000'000, 1);
  for (int call = 0; call < 2; ++call)
    for (auto const& executor : {cpu::tbb_tasks, cpu::std_threads}) {
      std::vector<int> out(in.size());
      lookback::inclusive_scan(cpu::on(8).with(executor), in, out);
      if (out.back() != 4'000'000) return 4;
    }
  return 0;
}

// A sanitizer's own threads and mappings do not live with such limits.
TEST(cpu_machine, where_no_thread_can_be_created_there_are_fewer_workers) {
  if (harness::sanitized) GTEST_SKIP() << "a sanitizer needs threads itself";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(std::exit(scans_without_threads()), ::testing::ExitedWithCode(0), "");
}

// ---- memory that nobody has touched

/// Anonymous pages, none of which exists yet.
class fresh_pages {
 public:
  explicit fresh_pages(std::size_t bytes)
      : bytes_{bytes}, data_{mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)} {}
  fresh_pages(fresh_pages const&) = delete;
  fresh_pages& operator=(fresh_pages const&) = delete;
  ~fresh_pages() { munmap(data_, bytes_); }
  std::span<int> numbers() const { return {static_cast<int*>(data_), bytes_ / sizeof(int)}; }
  /// Has somebody asked for huge pages in the middle of them? As the kernel tells it.
  bool asked_for_huge_pages() const {
    auto const middle = reinterpret_cast<std::uintptr_t>(data_) + bytes_ / 2;
    std::ifstream maps("/proc/self/smaps");
    bool here = false;
    for (std::string line; std::getline(maps, line);) {
      std::uintptr_t begin = 0, end = 0;
      if (char dash = 0; std::istringstream(line) >> std::hex >> begin >> dash >> end && dash == '-')
        here = begin <= middle && middle < end;
      if (here && line.starts_with("VmFlags:")) return line.find(" hg") != std::string::npos;
    }
    return false;
  }

 private:
  std::size_t bytes_;
  void* data_;
};

TEST(cpu_machine, fresh_output_is_filled_by_huge_pages) {
  std::size_t const bytes = std::size_t{16} << 20;
  auto on = cpu::on(2);
  on.tuning.stream_above_bytes = 1 << 20;
  std::vector<int> const in(bytes / sizeof(int), 1);
  auto const sum_at = [](std::span<int> out, std::size_t i) { return out[i] == static_cast<int>(i) + 1; };
  fresh_pages const probe(bytes);
  bool const knows_them = madvise(probe.numbers().data(), bytes, MADV_HUGEPAGE) == 0 && probe.asked_for_huge_pages();
  fresh_pages const fresh(bytes), touched(bytes), selected(bytes);
  lookback::inclusive_scan(on, in, fresh.numbers());
  EXPECT_EQ(fresh.asked_for_huge_pages(), knows_them);  // a system without them fills its own pages
  for (std::size_t i = 0; i < in.size(); i += 1009) ASSERT_TRUE(sum_at(fresh.numbers(), i));
  std::fill(touched.numbers().begin(), touched.numbers().end(), 7);
  lookback::inclusive_scan(on, in, touched.numbers());
  EXPECT_FALSE(touched.asked_for_huge_pages());  // its pages are there, whatever their size
  EXPECT_TRUE(sum_at(touched.numbers(), in.size() - 1));
  lookback::select_if(on, in, selected.numbers(), [](int x) { return x == 1; });
  EXPECT_EQ(selected.asked_for_huge_pages(), knows_them);
  // Little output, and output that begins anywhere.
  fresh_pages const small(bytes), askew(bytes);
  lookback::inclusive_scan(on, lookback::first(in, 1000), small.numbers());
  EXPECT_FALSE(small.asked_for_huge_pages());
  lookback::inclusive_scan(on, lookback::first(in, std::ssize(in) - 3), askew.numbers().subspan(3));
  EXPECT_EQ(askew.asked_for_huge_pages(), knows_them);
  EXPECT_EQ(askew.numbers()[2], 0);
  EXPECT_TRUE(sum_at(askew.numbers().subspan(3), in.size() - 4));
}

}  // namespace
