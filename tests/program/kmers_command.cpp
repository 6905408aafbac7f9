// `lookback kmers` from file to file.
#include <map>
#include <random>

#include "program.hpp"

using ::testing::HasSubstr;
using ::testing::Not;

class kmers_command : public program {
 protected:
  /// The table of a text of FASTA.
  std::string table(std::string const& text, std::vector<std::string> const& more) {
    write("in.fa", text);
    std::vector<std::string> words{"kmers", "in.fa", "-o", "out.csv", "--validate"};
    words.insert(words.end(), more.begin(), more.end());
    auto const done = run(words);
    EXPECT_EQ(done.code, 0) << done.err;
    EXPECT_EQ(done.out, "");
    said = done.err;
    return read("out.csv");
  }
  void refused(int code, std::vector<std::string> words, std::vector<std::string> const& parts) {
    words.insert(words.begin(), "kmers");
    auto const before = files();
    auto const done = run(words);
    EXPECT_EQ(done.code, code) << done.err;
    EXPECT_LT(done.seconds, soon);
    for (auto const& part : parts) EXPECT_THAT(done.err, HasSubstr(part));
    EXPECT_EQ(files(), before);
  }
  std::string said;
};

TEST_F(kmers_command, counts_fall_and_equal_ones_are_alphabetical) {
  EXPECT_EQ(table(">one\nACGTACGTAC\n", {"-k", "2", "--top", "10"}), "kmer,count\nAC,3\nCG,2\nGT,2\nTA,2\n");
  EXPECT_EQ(table(">one\nACGTACGTAC\n", {"-k", "2", "--top", "2"}), "kmer,count\nAC,3\nCG,2\n");
  EXPECT_THAT(said, HasSubstr("9 words in 1 sequence, 4 of them different"));
  EXPECT_EQ(table(">one\nTTGCA\n", {"-k", "1", "--top", "9"}), "kmer,count\nT,2\nA,1\nC,1\nG,1\n");
}

TEST_F(kmers_command, lines_join_and_sequences_do_not) {
  EXPECT_EQ(table(">one\nAC\nGT\n", {"-k", "4", "--top", "9"}), "kmer,count\nACGT,1\n");
  EXPECT_EQ(table(">one\r\nac \r\n\r\ngt\r\n", {"-k", "4", "--top", "9"}), "kmer,count\nACGT,1\n");
  EXPECT_EQ(table(">one\nAC\n>two\nGT", {"-k", "2", "--top", "9"}), "kmer,count\nAC,1\nGT,1\n");
  EXPECT_EQ(table(">empty\n>two\nGT\n>empty too\n", {"-k", "2", "--top", "9"}), "kmer,count\nGT,1\n");
  EXPECT_THAT(said, Not(HasSubstr("skipped")));
}

TEST_F(kmers_command, windows_with_other_letters_are_skipped_and_counted) {
  EXPECT_EQ(table(">one\nACNGT\n>two\nRA\n", {"-k", "2", "--top", "9"}), "kmer,count\nAC,1\nGT,1\n");
  EXPECT_THAT(said, HasSubstr("note: in.fa: skipped 3 windows that hold another letter than A, C, G and T"));
  EXPECT_EQ(table(">one\nACNGT\n", {"-k", "4", "--top", "9"}), "kmer,count\n");
  EXPECT_THAT(said, HasSubstr("skipped 2 windows"));
  EXPECT_THAT(said, HasSubstr("found no window of 4 letters"));
}

TEST_F(kmers_command, no_window_makes_an_empty_table) {
  for (std::string const text : {">one\nACG\n>two\nA\n", ">one", ">\n\n"}) {
    EXPECT_EQ(table(text, {"-k", "4", "--top", "1"}), "kmer,count\n");
    EXPECT_THAT(said, HasSubstr("note: in.fa: found no window of 4 letters A, C, G and T: the table is empty"));
  }
}

TEST_F(kmers_command, every_length_of_a_long_sequence) {
  std::mt19937 random(3);
  std::string letters;
  for (int i = 0; i < 3000; ++i) letters += i % 700 < 350 ? "ACGT"[random() % 4] : "AC"[i / 5 % 2];
  for (int const k : {1, 3, 16, 30, 31}) {
    std::map<std::string, int> counts;
    for (std::size_t i = 0; i + static_cast<std::size_t>(k) <= letters.size(); ++i)
      ++counts[letters.substr(i, static_cast<std::size_t>(k))];
    std::vector<std::pair<std::string, int>> order(counts.begin(), counts.end());
    std::stable_sort(order.begin(), order.end(), [](auto const& a, auto const& b) { return a.second > b.second; });
    std::string wanted = "kmer,count\n";
    for (std::size_t i = 0; i < std::min<std::size_t>(500, order.size()); ++i)
      wanted += order[i].first + "," + std::to_string(order[i].second) + "\n";
    EXPECT_EQ(table(">long\n" + letters + "\n", {"-k", std::to_string(k), "--top", "500"}), wanted) << k;
  }
}

TEST_F(kmers_command, the_table_is_shown_where_no_file_takes_it) {
  write("in.fa", ">one\nACGTACGTAC\n");
  auto const done = run({"kmers", "in.fa", "-k", "2", "--top", "2"});
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(done.out, "");
  EXPECT_THAT(done.err, HasSubstr("kmer  count\n"));
  EXPECT_THAT(done.err, HasSubstr("AC        3\n"));
  EXPECT_THAT(done.err, Not(HasSubstr("TA ")));
  EXPECT_EQ(files(), (std::vector<std::string>{"in.fa"}));
}

TEST_F(kmers_command, what_is_refused) {
  write("in.fa", ">one\nACGT\n");
  for (std::string const k : {"0", "32", "-1", "x", "2.5"}) refused(64, {"in.fa", "-k", k, "--top", "1"}, {"-k"});
  for (std::string const top : {"0", "-3", "x"}) refused(64, {"in.fa", "-k", "2", "--top", top}, {"--top"});
  refused(64, {"in.fa", "--top", "1"}, {"-k"});
  refused(64, {"in.fa", "-k", "2"}, {"--top"});
  refused(64, {"in.fa", "-k", "2", "--top", "1", "-o", "out.npy"}, {"out.npy", ".csv"});
  refused(64, {"in.fa", "-k", "2", "--top", "1", "--strategy", "textbook"}, {"belongs to sort"});
  refused(69, {"in.fa", "-k", "2", "--top", "1", "--strategy", "bogo"}, {"bogo"});
  refused(69, {"in.fa", "-k", "2", "--top", "1", "--device", "4096"}, {"--device 4096"});
  refused(66, {"gone.fa", "-k", "2", "--top", "1"}, {"gone.fa"});
  refused(74, {"in.fa", "-k", "2", "--top", "1", "-o", "no/out.csv"}, {"no/out.csv"});
}

TEST_F(kmers_command, hostile_files) {
  auto const hostile = [&](std::string const& content, std::vector<std::string> const& parts) {
    write("bad.fa", content);
    refused(65, {"bad.fa", "-k", "3", "--top", "5"}, parts);
  };
  hostile("ACGT\n>one\n", {"bad.fa: line 1: found 'ACGT'", "'>'"});
  hostile("\n\nACGT\n", {"line 3", "'ACGT'"});
  hostile("", {"bad.fa: line 1", "no sequence"});
  hostile("\n\n", {"no sequence"});
  hostile(">one\nAC\nG7\n", {"line 3: found '7'", "letters"});
  hostile(">one\nAC GT\n", {"line 2: found ' '"});
  hostile(std::string(">one\nAC\0GT\n", 11), {"line 2: found '\\x00'"});
  hostile(">one\nAC\x80GT\n", {"line 2"});
  hostile(std::string("\x7f"
                      "ELF\2\1\1\0\0\0\0\0\0\0\0\0",
                      16),
          {"line 1"});
  hostile("\xff\xfe>\0A\0", {"UTF-16"});
  hostile("@read\nACGT\n+\nIIII\n", {"line 1: found '@read'", "'>'"});
  write("bad.fa.gz", ">one\nACGT\n");
  refused(65, {"bad.fa.gz", "-k", "3", "--top", "5"}, {"bad.fa.gz", "gzip"});
}

TEST_F(kmers_command, compared_with_the_standard_library) {
  write("in.fa", ">one\nACGTACGTAC\n");
  auto const done = run({"compare", "kmers", "in.fa", "-k", "2", "--top", "3", "--on", "cpu", "--repeat", "1", "--validate"});
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.err, HasSubstr("\nstd::sort "));
  EXPECT_THAT(done.err, Not(HasSubstr("differs")));
  EXPECT_EQ(files(), (std::vector<std::string>{"in.fa"}));
}

TEST_F(kmers_command, in_the_demo) {
  fs::create_directory(folder / "genomes");
  write("genomes/tiny.fa", ">one\nACGTACGTACGGGTTTACGT\n");
  write("genomes/broken.fa", "ACGT\n");
  write("genomes/numbers.npy", npy(std::vector<int>{3, 1, 2}));
  auto const done = run({"demo", "--data", "genomes", "--on", "cpu"});
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.err, ::testing::ContainsRegex("kmers +tiny.fa"));
  EXPECT_THAT(done.err, ::testing::ContainsRegex("sort +numbers.npy +items in order"));
  EXPECT_THAT(done.err, HasSubstr("broken.fa: line 1: found 'ACGT'"));
}
