// `lookback sort --offsets` from file to file, against std::stable_sort of every segment.
#include "sort_command.hpp"

using ::testing::HasSubstr;
using ::testing::Not;

class sort_segments : public sort_command {};

template <class T>
class sort_segments_of : public sort_segments {};
using segment_types = ::testing::Types<std::int8_t, std::uint16_t, std::int32_t, std::uint64_t, float, double>;
TYPED_TEST_SUITE(sort_segments_of, segment_types);

TYPED_TEST(sort_segments_of, keys_values_and_places_in_both_directions) {
  using T = TypeParam;
  auto const keys = some_keys<T>(static_cast<std::size_t>(some_offsets.back()));
  std::vector<std::uint16_t> halves(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) halves[i] = static_cast<std::uint16_t>(i * 3);
  this->write("in.npy", npy(keys)), this->write("halves.npy", npy(halves));
  this->write("at.npy", npy(some_offsets)),
      this->write("at32.npy", npy(std::vector<int>(some_offsets.begin(), some_offsets.end())));
  for (bool const descending : {false, true}) {
    std::vector<std::string> more{"--offsets", descending ? "at.npy" : "at32.npy"};
    if (descending) more.emplace_back("--descending");
    auto const order = descending ? places_in_segments(keys, some_offsets, std::greater<T>())
                                  : places_in_segments(keys, some_offsets, std::less<T>());
    this->succeeds({"sort", "in.npy", "-o", "out.npy"}, more);
    EXPECT_EQ(this->template content<T>("out.npy"), at_places(keys, order));
    this->succeeds({"sort", "in.npy", "--indices-out", "order.npy"}, more);
    EXPECT_EQ(this->template content<std::int64_t>("order.npy"), order);
    fs::remove(this->folder / "order.npy");
    this->succeeds({"sort", "in.npy", "-o", "out.npy", "--values", "halves.npy", "--values-out", "moved.npy"}, more);
    EXPECT_EQ(this->template content<T>("out.npy"), at_places(keys, order));
    EXPECT_EQ(this->template content<std::uint16_t>("moved.npy"), at_places(halves, order));
    EXPECT_FALSE(this->exists("order.npy"));
    fs::remove(this->folder / "out.npy"), fs::remove(this->folder / "moved.npy");
    this->succeeds(
        {"sort", "in.npy", "-o", "out.npy", "--values", "halves.npy", "--values-out", "moved.npy", "--indices-out", "order.npy"},
        more);
    EXPECT_EQ(this->template content<T>("out.npy"), at_places(keys, order));
    EXPECT_EQ(this->template content<std::uint16_t>("moved.npy"), at_places(halves, order));
    EXPECT_EQ(this->template content<std::int64_t>("order.npy"), order);
  }
  EXPECT_EQ(this->read("in.npy"), npy(keys));
}

TEST_F(sort_segments, by_some_bits) {
  std::vector<std::uint16_t> const keys{0x1234, 0x0f34, 0xff33, 0x0035, 0x1234, 0xab00};
  write("in.npy", npy(keys)), write("at.npy", npy(std::vector<int>{0, 2, 6}));
  succeeds({"sort", "in.npy", "-o", "out.npy", "--bits", "4,8", "--offsets", "at.npy"});
  EXPECT_EQ(content<std::uint16_t>("out.npy"), (std::vector<std::uint16_t>{0x1234, 0x0f34, 0xab00, 0xff33, 0x0035, 0x1234}));
  succeeds({"sort", "in.npy", "-o", "out.npy", "--bits", "3,3", "--offsets", "at.npy"});
  EXPECT_EQ(content<std::uint16_t>("out.npy"), keys);
}

TEST_F(sort_segments, zeros_and_nans) {
  constexpr std::uint32_t zero = 0, minus_zero = 0x80000000, one = 0x3f800000, nan = 0x7fc00000, other_nan = 0x7f800001;
  std::vector<std::uint32_t> const bits{nan, zero, other_nan, minus_zero, one, nan, minus_zero};
  std::vector<float> keys(bits.size());
  std::memcpy(keys.data(), bits.data(), bits.size() * 4);
  write("in.npy", npy(keys)), write("at.npy", npy(std::vector<int>{0, 5, 7}));
  using list = std::vector<std::uint32_t>;
  std::vector<std::string> const by{"--offsets", "at.npy"}, first{"--offsets", "at.npy", "--nan-first"};
  EXPECT_EQ(sorted_bits(by), (list{minus_zero, zero, one, other_nan, nan, minus_zero, nan}));
  EXPECT_EQ(sorted_bits(first), (list{other_nan, nan, minus_zero, zero, one, nan, minus_zero}));
  // With places, equal keys stay in order.
  EXPECT_EQ(sorted_bits({"--offsets", "at.npy", "--indices-out", "order.npy"}),
            (list{zero, minus_zero, one, nan, other_nan, minus_zero, nan}));
  EXPECT_EQ(content<std::int64_t>("order.npy"), (std::vector<std::int64_t>{1, 3, 4, 0, 2, 6, 5}));
}

TEST_F(sort_segments, text_and_raw_offsets_and_nothing) {
  write("in.csv", "age\n3\n1\n2\n0\n");
  write("table.csv", "place,at\n1,0\n2,3\n3,4\n");
  succeeds({"sort", "in.csv", "-o", "out.csv", "--offsets", "table.csv", "--segments-dtype", "i32", "--segments-column", "at"});
  EXPECT_EQ(read("out.csv"), "age\n1\n2\n3\n0\n");
  write("at.bin", raw(std::vector<std::int64_t>{0, 2, 4}));
  succeeds({"sort", "in.csv", "-o", "out.csv", "--offsets", "at.bin", "--segments-dtype", "i64"});
  EXPECT_EQ(read("out.csv"), "age\n1\n3\n0\n2\n");
  write("none.npy", npy(std::vector<int>{})), write("at_0.npy", npy(std::vector<int>{0}));
  succeeds({"sort", "none.npy", "-o", "out.npy", "--offsets", "at_0.npy", "--indices-out", "order.npy"});
  EXPECT_TRUE(content<int>("out.npy").empty());
  EXPECT_TRUE(content<std::int64_t>("order.npy").empty());
}

TEST_F(sort_segments, on_any_number_of_threads_and_compared) {
  auto const keys = some_keys<std::int32_t>(static_cast<std::size_t>(some_offsets.back()));
  auto const sorted = at_places(keys, places_in_segments(keys, some_offsets, std::less<>()));
  write("in.npy", npy(keys)), write("at.npy", npy(some_offsets));
  for (std::string const threads : {"1", "3"}) {
    succeeds({"sort", "in.npy", "-o", "out.npy", "--threads", threads, "--on", "cpu", "--offsets", "at.npy"});
    EXPECT_EQ(content<std::int32_t>("out.npy"), sorted);
  }
  auto const text = succeeds({"compare", "sort", "in.npy", "--offsets", "at.npy", "--on", "cpu", "--repeat", "1"}).err;
  for (std::string const who : {"std::sort each", "std::sort each, by tbb::parallel_for", "memcpy"})
    EXPECT_THAT(text, HasSubstr("\n" + who + " "));
  for (std::string const who : {"std::sort par", "std::stable_sort", "tbb::parallel_sort"})
    EXPECT_THAT(text, Not(HasSubstr("\n" + who + " ")));
  EXPECT_THAT(text, Not(HasSubstr("textbook")));
  EXPECT_THAT(text, Not(HasSubstr("differs")));
}

// What is refused does not depend on the back end: it is found before one is chosen.
TEST_F(sort_command, offsets_that_are_refused) {
  write("in.npy", npy(std::vector<int>{3, 1, 2})), write("at.npy", npy(std::vector<int>{0, 3}));
  write("short.npy", npy(std::vector<int>{0, 2})), write("floats.npy", npy(std::vector<float>{0, 3}));
  auto const sort = [](std::vector<std::string> more) {
    more.insert(more.begin(), {"sort", "in.npy", "-o", "out.npy"});
    return more;
  };
  refused(65, sort({"--offsets", "short.npy"}), {"short.npy", "item 1", "found 2", "n = 3"});
  refused(65, sort({"--offsets", "floats.npy"}), {"floats.npy", "offsets of f32", "i32 or i64"});
  refused(66, sort({"--offsets", "gone.npy"}), {"gone.npy"});
  refused(64, sort({"--segments-dtype", "i32"}), {"--segments-dtype", "--offsets"});
  refused(64, sort({"--segments-column", "at"}), {"--segments-column", "--offsets"});
  refused(64, sort({"--offsets", "at.npy", "--strategy", "textbook"}), {"--strategy textbook", "without --offsets"});
  refused(64, {"compare", "sort", "in.npy", "--offsets", "at.npy", "--strategy", "textbook"}, {"--strategy textbook"});
}
