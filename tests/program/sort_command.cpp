// `lookback sort` from file to file, against std::stable_sort.
#include "sort_command.hpp"

using ::testing::HasSubstr;
using ::testing::Not;

template <class T>
class sort_of : public sort_command {};
using element_types = ::testing::Types<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                                       std::uint32_t, std::uint64_t, float, double>;
TYPED_TEST_SUITE(sort_of, element_types);

TYPED_TEST(sort_of, keys_values_and_places_in_both_directions) {
  using T = TypeParam;
  auto const keys = some_keys<T>(5000);
  std::vector<std::uint8_t> bytes(keys.size());
  std::vector<std::uint16_t> halves(keys.size());
  std::vector<float> floats(keys.size());
  std::vector<std::int64_t> words(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i)
    bytes[i] = static_cast<std::uint8_t>(i), halves[i] = static_cast<std::uint16_t>(i * 3), floats[i] = static_cast<float>(i),
    words[i] = -static_cast<std::int64_t>(i);
  this->write("in.npy", npy(keys));
  this->write("bytes.npy", npy(bytes)), this->write("halves.npy", npy(halves));
  this->write("floats.npy", npy(floats)), this->write("words.npy", npy(words));
  for (bool const descending : {false, true}) {
    std::vector<std::string> const more = descending ? std::vector<std::string>{"--descending"} : std::vector<std::string>{};
    auto const order = descending ? places_in_order(keys, std::greater<T>()) : places_in_order(keys, std::less<T>());
    this->succeeds({"sort", "in.npy", "-o", "out.npy"}, more);
    EXPECT_EQ(this->template content<T>("out.npy"), at_places(keys, order));
    this->succeeds({"sort", "in.npy", "--indices-out", "order.npy"}, more);
    EXPECT_EQ(this->template content<std::int64_t>("order.npy"), order);
    auto const move = [&]<class V>(std::string const& name, std::vector<V> const& values) {
      this->succeeds({"sort", "in.npy", "-o", "out.npy", "--values", name + ".npy", "--values-out", "moved.npy"}, more);
      EXPECT_EQ(this->template content<T>("out.npy"), at_places(keys, order));
      EXPECT_EQ(this->template content<V>("moved.npy"), at_places(values, order));
    };
    move("bytes", bytes), move("halves", halves), move("floats", floats), move("words", words);
    // All at once, and the places beside the keys alone.
    fs::remove(this->folder / "out.npy"), fs::remove(this->folder / "order.npy"), fs::remove(this->folder / "moved.npy");
    this->succeeds(
        {"sort", "in.npy", "-o", "out.npy", "--values", "halves.npy", "--values-out", "moved.npy", "--indices-out", "order.npy"},
        more);
    EXPECT_EQ(this->template content<T>("out.npy"), at_places(keys, order));
    EXPECT_EQ(this->template content<std::uint16_t>("moved.npy"), at_places(halves, order));
    EXPECT_EQ(this->template content<std::int64_t>("order.npy"), order);
    this->succeeds({"sort", "in.npy", "-o", "out.npy", "--indices-out", "order.npy"}, more);
    EXPECT_EQ(this->template content<T>("out.npy"), at_places(keys, order));
    EXPECT_EQ(this->template content<std::int64_t>("order.npy"), order);
  }
  EXPECT_EQ(this->read("in.npy"), npy(keys));
}

TYPED_TEST(sort_of, nothing_and_one) {
  using T = TypeParam;
  for (auto const& keys : {std::vector<T>{}, std::vector<T>{T(7)}}) {
    this->write("in.npy", npy(keys));
    this->succeeds({"sort", "in.npy", "-o", "out.npy", "--values", "in.npy", "--values-out", "moved.npy"});
    EXPECT_EQ(this->template content<T>("out.npy"), keys);
    EXPECT_EQ(this->template content<T>("moved.npy"), keys);
    this->succeeds({"sort", "in.npy", "--indices-out", "order.npy"});
    EXPECT_EQ(this->template content<std::int64_t>("order.npy").size(), keys.size());
  }
}

// Bits of a NaN with and without a sign; numbers that float compares as equal.
TEST_F(sort_command, zeros_and_nans) {
  constexpr std::uint32_t zero = 0, minus_zero = 0x80000000, one = 0x3f800000, minus_one = 0xbf800000, infinity = 0x7f800000;
  constexpr std::uint32_t nan = 0x7fc00000, other_nan = 0x7f800001, signed_nan = 0xffc00000;
  std::vector<std::uint32_t> const bits{nan, zero, one, signed_nan, minus_zero, infinity, other_nan, minus_one, zero};
  std::vector<float> keys(bits.size());
  std::memcpy(keys.data(), bits.data(), bits.size() * 4);
  write("in.npy", npy(keys));
  using list = std::vector<std::uint32_t>;
  EXPECT_EQ(sorted_bits({}), (list{minus_one, minus_zero, zero, zero, one, infinity, other_nan, nan, signed_nan}));
  EXPECT_EQ(sorted_bits({"--nan-first"}), (list{other_nan, nan, signed_nan, minus_one, minus_zero, zero, zero, one, infinity}));
  auto const falling = sorted_bits({"--descending"});
  EXPECT_EQ(list(falling.begin(), falling.begin() + 6), (list{infinity, one, zero, zero, minus_zero, minus_one}));
  // With places, equal keys stay in order: zeros of both signs, and NaNs.
  list const stable{minus_one, zero, minus_zero, zero, one, infinity, nan, signed_nan, other_nan};
  EXPECT_EQ(sorted_bits({"--indices-out", "order.npy"}), stable);
  EXPECT_EQ(content<std::int64_t>("order.npy"), (std::vector<std::int64_t>{7, 1, 4, 8, 2, 5, 0, 3, 6}));
  EXPECT_EQ(sorted_bits({"--values", "in.npy", "--values-out", "moved.npy"}), stable);
  EXPECT_EQ(read("moved.npy"), read("out.npy"));
  EXPECT_EQ(sorted_bits({"--bits", "0,32"}), stable);
  succeeds({"sort", "in.npy", "--indices-out", "order.npy", "--descending", "--nan-first"});
  EXPECT_EQ(content<std::int64_t>("order.npy"), (std::vector<std::int64_t>{0, 3, 6, 5, 2, 1, 4, 8, 7}));
}

TEST_F(sort_command, by_some_bits) {
  std::vector<std::uint16_t> const keys{0x1234, 0x0f34, 0xff33, 0x0035, 0x1234, 0xab00};
  write("in.npy", npy(keys));
  auto const by = [&](int begin, int end) {
    return at_places(keys, places_in_order(keys, [&](unsigned a, unsigned b) {
                       unsigned const mask = (1u << (end - begin)) - 1;
                       return (a >> begin & mask) < (b >> begin & mask);
                     }));
  };
  for (auto const& [begin, end] : {std::pair{0, 16}, {0, 8}, {8, 16}, {4, 5}, {3, 3}, {16, 16}, {0, 0}}) {
    succeeds({"sort", "in.npy", "-o", "out.npy", "--bits", std::to_string(begin) + "," + std::to_string(end)});
    EXPECT_EQ(content<std::uint16_t>("out.npy"), by(begin, end)) << begin << " " << end;
  }
  // The sign bit of signed integers is the highest, and set where the key is not negative.
  write("in.npy", npy(std::vector<std::int32_t>{5, -1, 3, -7, 0}));
  succeeds({"sort", "in.npy", "-o", "out.npy", "--bits", "31,32"});
  EXPECT_EQ(content<std::int32_t>("out.npy"), (std::vector<std::int32_t>{-1, -7, 5, 3, 0}));
  succeeds({"sort", "in.npy", "-o", "out.npy", "--bits", "31,32", "--descending"});
  EXPECT_EQ(content<std::int32_t>("out.npy"), (std::vector<std::int32_t>{5, 3, 0, -1, -7}));
  write("in.npy", npy(std::vector<std::uint64_t>{3, 1, 2}));
  succeeds({"sort", "in.npy", "-o", "out.npy", "--bits", "64,64"});
  EXPECT_EQ(content<std::uint64_t>("out.npy"), (std::vector<std::uint64_t>{3, 1, 2}));
}

TEST_F(sort_command, text_and_raw_files) {
  write("in.csv", "name,age\nann,30\nbob,-4\ncat,30\ndan,7\n");
  write("points.csv", "1.5\n2.5\n3.5\n4.5\n");
  succeeds({"sort", "in.csv", "--column", "age", "-o", "out.csv", "--values", "points.csv", "--values-out", "moved.csv",
            "--indices-out", "order.csv"});
  EXPECT_EQ(read("out.csv"), "age\n-4\n7\n30\n30\n");
  EXPECT_EQ(read("moved.csv"), "2.5\n4.5\n1.5\n3.5\n");
  EXPECT_EQ(read("order.csv"), "index\n1\n3\n0\n2\n");
  write("in.bin", raw(std::vector<std::int16_t>{3, -2, 1}));
  write("more.bin", raw(std::vector<std::uint8_t>{10, 20, 30}));
  succeeds({"sort", "in.bin", "--dtype", "i16", "-o", "out.bin", "--values", "more.bin", "--values-dtype", "u8", "--values-out",
            "moved.bin"});
  EXPECT_EQ(read("out.bin"), raw(std::vector<std::int16_t>{-2, 1, 3}));
  EXPECT_EQ(read("moved.bin"), raw(std::vector<std::uint8_t>{20, 30, 10}));
  // A column of the same table as values; two dimensions keep their shape.
  succeeds({"sort", "in.csv", "--column", "age", "-o", "out.csv", "--values", "in.csv", "--values-column", "age", "--values-out",
            "moved.csv"});
  EXPECT_EQ(read("moved.csv"), read("out.csv"));
  write("table.npy", npy(std::vector<int>{6, 5, 4, 3, 2, 1}, "(2, 3)"));
  succeeds({"sort", "table.npy", "-o", "out.npy"});
  EXPECT_EQ(open_npy(read("out.npy")).data, raw(std::vector<int>{1, 2, 3, 4, 5, 6}));
  EXPECT_THAT(open_npy(read("out.npy")).dict, HasSubstr("(2, 3)"));
}

TEST_F(sort_command, by_the_textbook_and_on_any_number_of_threads) {
  auto const keys = some_keys<std::int32_t>(20000);
  write("in.npy", npy(keys));
  auto sorted = keys;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_THAT(succeeds({"sort", "in.npy", "-o", "out.npy", "--strategy", "textbook"}).err, HasSubstr("textbook"));
  EXPECT_EQ(content<std::int32_t>("out.npy"), sorted);
  for (std::string const threads : {"1", "3"}) {
    succeeds({"sort", "in.npy", "-o", "out.npy", "--threads", threads, "--on", "cpu"});
    EXPECT_EQ(content<std::int32_t>("out.npy"), sorted);
  }
}

TEST_F(sort_command, what_is_refused) {
  write("in.npy", npy(std::vector<int>{3, 1, 2}));
  write("two.npy", npy(std::vector<int>{1, 2}));
  auto const sort = [](std::vector<std::string> more) {
    more.insert(more.begin(), {"sort", "in.npy", "-o", "out.npy"});
    return more;
  };
  for (std::string const bits : {"0,33", "-1,3", "5,4", "3", "a,b", "1,2,3", ",", "1,", "0.5,3", "33,33"})
    refused(64, sort({"--bits=" + bits}), {"--bits: found '" + bits + "'", "0 <= B <= E <= 32", "i32"});
  refused(64, sort({"--values", "in.npy"}), {"--values", "--values-out"});
  refused(64, sort({"--values-out", "moved.npy"}), {"--values-out", "--values"});
  refused(64, sort({"--values-dtype", "u8"}), {"--values-dtype", "--values"});
  refused(64, {"sort", "in.npy"}, {"-o OUT", "--indices-out"});
  refused(64, {"sort", "in.npy", "--values", "in.npy", "--values-out", "moved.npy"}, {"-o OUT"});
  refused(64, sort({"--indices-out", "out.npy"}), {"out.npy", "two outputs"});
  refused(65, sort({"--values", "two.npy", "--values-out", "moved.npy"}), {"two.npy", "2 values", "expected 3"});
  refused(66, sort({"--values", "gone.npy", "--values-out", "moved.npy"}), {"gone.npy"});
  refused(74, sort({"--indices-out", "no/order.npy"}), {"no/order.npy"});
  refused(69, sort({"--strategy", "bogo"}), {"bogo", "textbook"});
  for (std::string const how : {"chained", "auxiliary-block", "reduce-then-scan"})
    refused(69, sort({"--strategy", how, "--on", "cpu"}), {how});
  refused(69, sort({"--device", "4096"}), {"--device 4096"});
  write("bool.npy", npy_text(dict_of("|b1", "(2,)"), std::string("\1\0", 2)));
  refused(65, {"sort", "bool.npy", "-o", "out.npy"}, {"bool.npy"});
  write("raw.bin", "abc");
  refused(64, {"sort", "raw.bin", "-o", "out.npy"}, {"--dtype"});
  refused(65, {"sort", "raw.bin", "--dtype", "i16", "-o", "out.npy"}, {"raw.bin", "byte 2"});
  // A strategy of sorts is none of scans.
  refused(64, {"scan", "in.npy", "-o", "out.npy", "--strategy", "textbook"}, {"--strategy textbook: belongs to sort"});
  refused(64, {"compare", "scan", "in.npy", "--strategy", "textbook"}, {"--strategy textbook: belongs to sort"});
}

TEST_F(sort_command, compared_with_other_sorts) {
  write("in.npy", npy(some_keys<std::int32_t>(10000)));
  auto const compared = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"compare", "sort", "in.npy", "--on", "cpu", "--repeat", "1"});
    auto const text = succeeds(words).err;
    EXPECT_THAT(text, HasSubstr("lookback textbook"));
    EXPECT_THAT(text, HasSubstr("\nstd::stable_sort "));
    EXPECT_THAT(text, HasSubstr("\nstd::stable_sort par "));
    EXPECT_THAT(text, Not(HasSubstr("differs")));
    return text;
  };
  for (auto const& direction : {std::vector<std::string>{}, std::vector<std::string>{"--descending"}}) {
    auto const text = compared(direction);
    for (std::string const who : {"std::sort", "std::sort par", "tbb::parallel_sort", "memcpy"})
      EXPECT_THAT(text, HasSubstr("\n" + who + " "));
  }
  EXPECT_THAT(compared({"--values", "in.npy"}), Not(HasSubstr("\nstd::sort ")));
  EXPECT_THAT(compared({"--indices-out", "order.npy"}), Not(HasSubstr("\nmemcpy ")));
  EXPECT_TRUE(exists("order.npy"));
  write("in.npy", npy(some_keys<double>(10000)));
  compared({});
  EXPECT_THAT(succeeds({"compare", "sort", "in.npy", "--on", "cpu", "--repeat", "1", "--bits", "3,9"}).err,
              Not(HasSubstr("std::sort")));
}
