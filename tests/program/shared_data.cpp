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

// 48,502 letters of one sequence, without another letter than the four.
TEST_F(shared_data, words_of_a_virus) {
  auto const file = (data / "streams/lambda_virus.fa").string();
  std::map<char, int> letters;
  std::string text = content_of(file);
  for (char const c : text.substr(text.find('\n'))) ++letters[c];
  auto const done = run({"kmers", file, "-k", "1", "--top", "4", "-o", "out.csv", "--validate"});
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.err, HasSubstr("48,502 words in 1 sequence, 4 of them different"));
  auto const table = read("out.csv");
  for (char const c : {'A', 'C', 'G', 'T'})
    EXPECT_THAT(table, HasSubstr("\n" + std::string(1, c) + "," + std::to_string(letters[c]) + "\n"));
  EXPECT_EQ(run({"kmers", file, "-k", "12", "--top", "1000", "-o", "out.csv", "--validate"}).code, 0);
}

TEST_F(shared_data, every_matrix_times_a_vector_as_eigen_has_it) {
  int products = 0;
  for (auto const& entry : fs::directory_iterator(data / "matrices")) {
    auto const file = entry.path().string();
    if (!file.ends_with(".mtx") && !file.ends_with(".mtx.gz")) continue;
    auto const done = run({"spmv", file, "-o", "y.npy", "--validate"});
    bool const wrong = file.ends_with("wrong.mtx");
    EXPECT_EQ(done.code, wrong ? 65 : 0) << done.err;
    EXPECT_THAT(done.err, HasSubstr(wrong ? "line 3: found '0', expected a row from 1 to 2" : "validated against Eigen"));
    products += done.code == 0;
  }
  EXPECT_GE(products, 13);
}

// A solution's right-hand side as x; and y as a vector of Matrix Market.
TEST_F(shared_data, memplus_with_its_own_vector) {
  auto const folder_of = data / "matrices";
  auto const rhs = (folder_of / "memplus_rhs1.mtx").string();
  auto const done = run({"spmv", (folder_of / "memplus.mtx.gz").string(), "-x", rhs, "-y", rhs, "--alpha", "0.5", "--beta", "-2",
                         "-o", "y.mtx", "--validate"});
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(read("y.mtx").substr(0, 49), "%%MatrixMarket matrix array real general\n17758 1\n");
}

TEST_F(shared_data, ranks_of_real_graphs) {
  for (std::string const name : {"hollins.mtx", "p2p-Gnutella31.mtx.gz", "luxembourg.mtx.gz"}) {
    auto const done = run({"pagerank", (data / "matrices" / name).string(), "--validate", "--top", "1"});
    EXPECT_EQ(done.code, 0) << done.err;
    EXPECT_THAT(done.err, HasSubstr("sum of ranks 1.00000000000"));
  }
  // The college's own page, as its teaching material has it.
  EXPECT_THAT(run({"pagerank", (data / "matrices/hollins.mtx").string(), "--top", "1"}).err, HasSubstr("1. page 2: 0.01987"));
}

TEST_F(shared_data, demo_on_all_of_it) {
  auto const done = run({"demo", "--data", data.string()});
  EXPECT_EQ(done.code, 0) << done.err;
  for (std::string const name :
       {"nyc_taxi.csv", "running maximum per day", "urls.10K.gz", "lund_a.mtx", "value: rows above the mean",
        "value: total of each day", "consecutive hits of a client", "bytes sent in them", "rle encode     streams/lambda_virus.fa",
        "rle encode     streams/kppkn.gtb", "kmers          streams/lambda_virus.fa", "spmv           matrices/young1c.mtx",
        "pagerank       matrices/hollins.mtx", "wrong.mtx: line 3: found '0', expected a row from 1 to 2"})
    EXPECT_THAT(done.err, HasSubstr(name));
}
