// `lookback sort-lines` from file to file, byte for byte as GNU sort in the C locale.
#include <cstdlib>
#include <filesystem>
#include <random>

#include "program.hpp"

using ::testing::HasSubstr;

class sort_lines_command : public program {
 protected:
  std::string sorted(std::string const& text, std::vector<std::string> const& more = {}) {
    write("in.txt", text);
    std::vector<std::string> words{"sort-lines", "in.txt", "-o", "out.txt", "--validate"};
    words.insert(words.end(), more.begin(), more.end());
    auto const done = run(words);
    EXPECT_EQ(done.code, 0) << done.err;
    EXPECT_EQ(done.out, "");
    said = done.err;
    return read("out.txt");
  }
  /// What GNU sort makes of in.txt.
  std::string by_gnu(std::string const& command) {
    auto const line = "cd '" + folder.string() + "' && export LC_ALL=C && " + command + " > gnu.txt";
    EXPECT_EQ(std::system(line.c_str()), 0) << line;
    return read("gnu.txt");
  }
  /// Without a word of texts that differ: they are long.
  void same_as_gnu(char const* what, std::string const& text) {
    auto const check = [&](std::vector<std::string> const& options, char const* command) {
      auto const got = sorted(text, options);  // which writes in.txt
      EXPECT_TRUE(got == by_gnu(command)) << what << ", " << command;
    };
    check({}, "sort in.txt");
    check({"--unique"}, "sort -u in.txt");
    check({"--count"}, "sort in.txt | uniq -c");
  }
  std::string said;
};

TEST_F(sort_lines_command, orders_bytes_as_unsigned_numbers) {
  EXPECT_EQ(sorted("b\na\n\xff\n\n\tx\nB\n"), "\n\tx\nB\na\nb\n\xff\n");
  EXPECT_EQ(sorted(std::string("a\0b\na\na\0\n", 9)), std::string("a\na\0\na\0b\n", 9));
  EXPECT_THAT(said, HasSubstr("3 lines"));
}
TEST_F(sort_lines_command, the_last_line_may_lack_its_end) {
  EXPECT_EQ(sorted("b\na"), "a\nb\n");
  EXPECT_EQ(sorted("a\n\nb"), "\na\nb\n");
  EXPECT_EQ(sorted("alone"), "alone\n");
  EXPECT_EQ(sorted("\n"), "\n");
  EXPECT_EQ(sorted(""), "");
}
TEST_F(sort_lines_command, drops_and_counts_equal_ones) {
  EXPECT_EQ(sorted("x\ny\nx\n\nx\n", {"--unique"}), "\nx\ny\n");
  EXPECT_EQ(sorted("x\ny\nx\n\nx\n", {"--count"}), "      1 \n      3 x\n      1 y\n");
  EXPECT_EQ(sorted("x\ny\nx\n", {"--unique", "--count"}), "      2 x\n      1 y\n");
  EXPECT_THAT(said, HasSubstr("3 lines, 2 of them different"));
  EXPECT_EQ(sorted("", {"--count"}), "");
}
TEST_F(sort_lines_command, what_gnu_sort_gives) {
  std::mt19937_64 random(1);
  std::string words, bytes, prefixes;
  for (int i = 0; i < 20'000; ++i) {
    for (auto k = random() % 12; k > 0; --k) words += static_cast<char>('a' + random() % 3);
    for (auto k = random() % 30; k > 0; --k) bytes += static_cast<char>(random() % 256);
    words += '\n', bytes += '\n';
  }
  for (int i = 0; i < 40; ++i) prefixes += std::string(100'000 + random() % 2, 'p') + std::to_string(random() % 20) + '\n';
  same_as_gnu("words", words);
  same_as_gnu("bytes", bytes);
  same_as_gnu("bytes without an end", bytes + "no end");
  same_as_gnu("long prefixes", prefixes);
  same_as_gnu("nearly the same", "the same\nthe same\nthe sam\nthe same \n");
}
TEST_F(sort_lines_command, of_gzip_and_in_place) {
  write("in.txt", "b\na\n");
  ASSERT_EQ(std::system(("cd '" + folder.string() + "' && gzip -k in.txt").c_str()), 0);
  EXPECT_EQ(run({"sort-lines", "in.txt.gz", "-o", "out.txt"}).code, 0);
  EXPECT_EQ(read("out.txt"), "a\nb\n");
  EXPECT_EQ(run({"sort-lines", "in.txt", "-o", "in.txt"}).code, 0);
  EXPECT_EQ(read("in.txt"), "a\nb\n");
}
TEST_F(sort_lines_command, what_is_refused) {
  write("in.txt", "b\na\n");
  EXPECT_EQ(run({"sort-lines", "in.txt"}).code, 64);
  EXPECT_EQ(run({"sort-lines", "none.txt", "-o", "out.txt"}).code, 66);
  EXPECT_EQ(run({"sort-lines", "in.txt", "-o", "out.txt", "--strategy", "textbook"}).code, 64);
  write("in.txt.gz", "no gzip");
  EXPECT_EQ(run({"sort-lines", "in.txt.gz", "-o", "out.txt"}).code, 65);
  EXPECT_FALSE(exists("out.txt"));
}
TEST_F(sort_lines_command, an_output_that_is_full) {
  std::string text;
  for (int i = 0; i < 40'000; ++i) text += std::to_string(i) + " is a line\n";
  write("in.txt", text);
  auto const done = run({"sort-lines", "in.txt", "-o", "/dev/full"});
  EXPECT_EQ(done.code, 74) << done.err;
  EXPECT_THAT(done.err, HasSubstr("/dev/full"));
}
TEST_F(sort_lines_command, is_compared_with_gnu_sort) {
  write("in.txt", "b\na\n\xff\nb\n");
  for (std::vector<std::string> const& how : {std::vector<std::string>{}, {"--unique"}, {"--count"}}) {
    std::vector<std::string> words{"compare", "sort-lines", "in.txt", "--on",       "cpu",    "--threads",
                                   "2",       "--repeat",   "1",      "--validate", "--json", "all.json"};
    words.insert(words.end(), how.begin(), how.end());
    auto const done = run(words);
    EXPECT_EQ(done.code, 0) << done.err;
    EXPECT_THAT(done.err, HasSubstr("sort --parallel=2"));
    EXPECT_THAT(done.err, ::testing::Not(HasSubstr("differs")));
    EXPECT_THAT(read("all.json"), HasSubstr("compare_sort-lines/cpu/sort --parallel=2/u8/8/warm"));
  }
}
/// What another program writes is compared with what the library wrote, wherever that went.
TEST_F(sort_lines_command, is_compared_with_a_sort_that_is_wrong) {
  write("in.txt", "b\na\n");
  write("sort", "#!/bin/sh\nwhile [ $# -gt 0 ]; do if [ \"$1\" = -o ]; then echo garbage >\"$2\"; fi; shift; done\n");
  std::filesystem::permissions(folder / "sort", std::filesystem::perms::owner_all);
  std::string const path = std::getenv("PATH");
  setenv("PATH", (folder.string() + ":" + path).c_str(), 1);
  for (std::vector<std::string> const& how : {std::vector<std::string>{}, {"-o", "kept"}}) {
    std::vector<std::string> words{"compare",   "sort-lines", "in.txt",   "--on", "cpu",
                                   "--threads", "2",          "--repeat", "1",    "--validate"};
    words.insert(words.end(), how.begin(), how.end());
    auto const done = run(words);
    EXPECT_EQ(done.code, 0) << done.err;
    EXPECT_THAT(done.err, HasSubstr("differs"));
  }
  setenv("PATH", path.c_str(), 1);
}
TEST_F(sort_lines_command, is_compared_without_gnu_sort) {
  write("in.txt", "b\na\n");
  std::string const path = std::getenv("PATH");
  setenv("PATH", folder.c_str(), 1);
  auto const done = run({"compare", "sort-lines", "in.txt", "--on", "cpu", "--threads", "2", "--repeat", "1"});
  setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.err, HasSubstr("sort --parallel=2 is SKIPPED: there is no program sort."));
}
