// Real files, where LOOKBACK_TEST_DATA names their folder.
#include <map>

#include "program.hpp"

using ::testing::HasSubstr;

class shared_data : public program {
 protected:
  void SetUp() override {
    program::SetUp();
    char const* const named = std::getenv("LOOKBACK_TEST_DATA");
    if (!named) GTEST_SKIP() << "LOOKBACK_TEST_DATA is not set";
    data = named;
  }
  fs::path data;
};

TEST_F(shared_data, taxi_counts_as_running_total_and_maximum_per_day) {
  std::vector<std::int64_t> counts, days, total, per_day, highest;
  std::ifstream file(data / "streams/nyc_taxi.csv");
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    counts.push_back(std::stoll(line.substr(line.find(',') + 1)));
    days.push_back(std::stoll(line.substr(0, 4) + line.substr(5, 2) + line.substr(8, 2)));
    bool const new_day = days.size() == 1 || days.back() != days[days.size() - 2];
    total.push_back((total.empty() ? 0 : total.back()) + counts.back());
    per_day.push_back((new_day ? 0 : per_day.back()) + counts.back());
    highest.push_back(new_day ? counts.back() : std::max(highest.back(), counts.back()));
  }
  ASSERT_EQ(counts.size(), 10320u);
  write("days.npy", npy(days));
  auto const scanned = [&](std::vector<std::string> const& more) {
    std::vector<std::string> words{"scan",      (data / "streams/nyc_taxi.csv").string(), "--column", "value", "-o", "out.npy",
                                   "--validate"};
    words.insert(words.end(), more.begin(), more.end());
    auto const done = run(words);
    EXPECT_EQ(done.code, 0) << done.err;
    return elements<std::int64_t>(open_npy(read("out.npy")).data);
  };
  EXPECT_EQ(scanned({}), total);
  EXPECT_EQ(scanned({"--keys", "days.npy"}), per_day);
  EXPECT_EQ(scanned({"--keys", "days.npy", "--op", "max"}), highest);
}

TEST_F(shared_data, bytes_of_every_stream) {
  for (std::string const name : {"alice29.txt", "kppkn.gtb", "lambda_virus.fa", "urls.10K.gz", "apache_logs.txt.gz"}) {
    auto const done =
        run({"scan", (data / "streams" / name).string(), "--dtype", "u8", "--as", "i64", "-o", "out.npy", "--validate"});
    EXPECT_EQ(done.code, 0) << done.err;
    auto const sums = elements<std::int64_t>(open_npy(read("out.npy")).data);
    std::string const bytes = name.ends_with(".gz") ? "" : content_of(data / "streams" / name);
    if (bytes.empty()) continue;
    std::int64_t sum = 0;
    ASSERT_EQ(sums.size(), bytes.size());
    for (std::size_t i = 0; i < bytes.size(); ++i)
      ASSERT_EQ(sums[i], sum += static_cast<unsigned char>(bytes[i])) << name << " " << i;
  }
}

TEST_F(shared_data, demo_on_all_of_it) {
  auto const done = run({"demo", "--data", data.string()});
  EXPECT_EQ(done.code, 0) << done.err;
  for (std::string const name :
       {"nyc_taxi.csv", "running maximum per day", "urls.10K.gz", "lund_a.mtx", "value: rows above the mean",
        "value: total of each day", "consecutive hits of a client", "bytes sent in them", "rle encode     streams/lambda_virus.fa",
        "rle encode     streams/kppkn.gtb"})
    EXPECT_THAT(done.err, HasSubstr(name));
}
