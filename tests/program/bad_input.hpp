// What a command refuses: its exit code and a text that names what was found and expected, at once, and nothing left behind.
#pragma once
#include "program.hpp"

class bad_input : public program {
 protected:
  /// Runs `words` and expects `code`, every one of `named` on stderr, and the folder as it was.
  void refused(int code, std::vector<std::string> const& words, std::vector<std::string> const& named) {
    auto const before = files();
    auto const done = run(words);
    EXPECT_EQ(done.code, code) << done.err;
    for (auto const& text : named) EXPECT_THAT(done.err, ::testing::HasSubstr(text));
    EXPECT_LT(done.seconds, soon);
    EXPECT_EQ(files(), before);
    EXPECT_EQ(done.out, "");
  }
  /// A scan of `in.npy` as the folder holds it.
  void scan_refused(int code, std::vector<std::string> const& more, std::vector<std::string> const& named) {
    std::vector<std::string> words{"scan", "in.npy", "-o", "out.npy"};
    words.insert(words.end(), more.begin(), more.end());
    refused(code, words, named);
  }
};
