// The scan command by every strategy: every type and operator that strategies are compiled for, either side, with and without
// segments.
#include "program.hpp"

namespace {

class scan_by : public program, public ::testing::WithParamInterface<char const*> {};

// Floats are whole numbers here, whose sums are exact.
TEST_P(scan_by, strategy_of_every_type_that_has_it) {
  std::vector<int> in(1000);
  std::vector<std::uint8_t> flags(in.size());
  std::uint32_t random = 1;
  for (std::size_t i = 0; i < in.size(); ++i) {
    random = random * 1664525 + 1013904223;
    in[i] = static_cast<int>(random >> 16) % 2000 - 1000;
    flags[i] = (random >> 8) % 10 == 0 ? static_cast<std::uint8_t>(1 + random % 255) : std::uint8_t{0};
  }
  write("in.npy", npy(in));
  write("flags.npy", npy(flags));
  for (std::string const type : {"i32", "f32", "f64"})
    for (std::string const op : {"plus", "max"})
      for (bool const exclusive : {false, true})
        for (bool const reverse : {false, true})
          for (bool const by_heads : {false, true}) {
            if (!by_heads && std::string(GetParam()).starts_with("lifted")) continue;
            std::vector<std::string> words{"scan", "in.npy", "-o", "out.npy", "--on", "cpu", "--validate", "--threads", "3"};
            words.insert(words.end(), {"--as", type, "--op", op, "--strategy", GetParam()});
            if (exclusive) words.emplace_back("--exclusive");
            if (reverse) words.emplace_back("--reverse");
            if (by_heads) words.insert(words.end(), {"--heads", "flags.npy"});
            EXPECT_EQ(run(words).code, 0) << type << " " << op;
          }
}
INSTANTIATE_TEST_SUITE_P(all, scan_by,
                         ::testing::Values("decoupled-look-back", "chained", "auxiliary-block", "reduce-then-scan",
                                           "immediate-look-back", "waiting-look-back", "scan-then-propagate", "lifted",
                                           "lifted-reduce-then-scan", "sequential"));

}  // namespace
