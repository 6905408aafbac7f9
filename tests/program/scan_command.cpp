// `lookback scan` from file to file, against plain loops.
#include <cmath>
#include <limits>
#include <random>

#include "program.hpp"

using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

namespace {

struct how {
  bool exclusive = false, reverse = false;
  std::vector<std::size_t> heads{};  // beside item 0
};

// The meaning of a scan, as a loop: a segment begins at item 0 and at every head, in memory order whatever the direction.
template <class T, class Op>
std::vector<T> scanned(std::vector<T> const& in, Op op, T first, how const& h = {}) {
  std::vector<bool> head(in.size() + 1);
  for (auto const at : h.heads) head[at] = true;
  std::vector<T> out(in.size());
  T value = first;
  for (std::size_t k = 0; k < in.size(); ++k) {
    std::size_t const i = h.reverse ? in.size() - 1 - k : k;
    if (head[h.reverse ? i + 1 : i]) value = first;
    T const before = value;
    value = h.reverse ? op(in[i], value) : op(value, in[i]);
    out[i] = h.exclusive ? before : value;
  }
  return out;
}

template <class T>
std::vector<T> random_values(std::size_t n, unsigned seed = 1) {
  std::mt19937_64 random(seed);
  std::vector<T> values(n);
  for (auto& x : values) x = static_cast<T>(random() % 1000) - static_cast<T>(std::is_signed_v<T> ? 500 : 0);
  return values;
}

auto const wrapping_sum = [](auto a, auto b) {
  return static_cast<decltype(a)>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
};
auto const larger = [](auto a, auto b) { return a > b ? a : b; };
auto const smaller = [](auto a, auto b) { return a < b ? a : b; };

}  // namespace

class scan_command : public program {
 protected:
  /// Runs a scan of in.npy into out.npy and returns its elements.
  template <class T>
  std::vector<T> result(std::vector<std::string> const& more = {}) {
    std::vector<std::string> words{"scan", "in.npy", "-o", "out.npy", "--validate"};
    words.insert(words.end(), more.begin(), more.end());
    auto const done = run(words);
    EXPECT_EQ(done.code, 0) << done.err;
    auto const content = open_npy(read("out.npy"));
    EXPECT_THAT(content.dict, HasSubstr("'" + descr_of<T>() + "'"));
    return elements<T>(content.data);
  }
};

template <class T>
class scan_of : public scan_command {};
using integer_types = ::testing::Types<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                                       std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(scan_of, integer_types);

TYPED_TEST(scan_of, integers_wrap_and_extremes_know_their_sign) {
  using T = TypeParam;
  auto const in = random_values<T>(10000);
  this->write("in.npy", npy(in));
  EXPECT_EQ(this->template result<T>(), scanned(in, wrapping_sum, T{}));
  EXPECT_EQ((this->template result<T>({"--op", "min", "--exclusive"})),
            scanned(in, smaller, std::numeric_limits<T>::max(), {.exclusive = true}));
  EXPECT_EQ((this->template result<T>({"--op", "max", "--reverse"})),
            scanned(in, larger, std::numeric_limits<T>::lowest(), {.reverse = true}));
  EXPECT_EQ((this->template result<T>({"--op", "xor", "--init", "7"})),
            scanned(
                in, [](T a, T b) { return static_cast<T>(a ^ b); }, T{7}));
  EXPECT_EQ((this->template result<T>({"--op", "multiplies"})),
            scanned(
                in, [](T a, T b) { return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b)); }, T{1}));
  EXPECT_EQ((this->template result<T>({"--op", "and", "--exclusive"})),
            scanned(in, [](T a, T b) { return static_cast<T>(a & b); }, static_cast<T>(~T{}), {.exclusive = true}));
  EXPECT_EQ((this->template result<T>({"--op", "or"})), scanned(
                                                            in, [](T a, T b) { return static_cast<T>(a | b); }, T{}));
}

TEST_F(scan_command, floats) {
  auto const in = random_values<double>(5000);
  write("in.npy", npy(in));
  EXPECT_EQ(result<double>(), scanned(
                                  in, [](double a, double b) { return a + b; }, 0.0));  // whole numbers: exact in any order
  EXPECT_EQ(result<double>({"--op", "max", "--exclusive"}),
            scanned(in, larger, -std::numeric_limits<double>::infinity(), {.exclusive = true}));
  EXPECT_EQ(result<double>({"--op", "min", "--init", "-inf"}), std::vector<double>(5000, -std::numeric_limits<double>::infinity()));
  EXPECT_EQ(result<float>({"--as", "f32", "--op", "min", "--init", "-12.5"}),
            scanned(std::vector<float>(in.begin(), in.end()), smaller, -12.5f));
}

TEST_F(scan_command, nan_stays_once_it_is_met) {
  float const nan = std::numeric_limits<float>::quiet_NaN();
  write("in.npy", npy(std::vector<float>{1, 5, nan, 9, 2}));
  for (std::string const op : {"min", "max", "plus", "multiplies"}) {
    auto const out = result<float>({"--op", op});
    EXPECT_FALSE(std::isnan(out[1]));
    for (std::size_t i = 2; i < 5; ++i) EXPECT_TRUE(std::isnan(out[i])) << op << " " << i;
  }
}

// ---- segments

class segments_command : public scan_command {
 protected:
  void SetUp() override {
    scan_command::SetUp();
    in = random_values<int>(1000);
    write("in.npy", npy(in));
    std::vector<std::uint8_t> flags(1000), bits(125);
    std::vector<std::int64_t> offsets{0, 0};  // an empty segment at the very beginning
    std::vector<float> keys(1000);
    std::mt19937 random(2);
    for (std::size_t i = 1; i < 1000; ++i) {
      keys[i] = keys[i - 1];
      if (random() % 10 != 0) continue;
      heads.push_back(i);
      flags[i] = static_cast<std::uint8_t>(1 + random() % 255);
      bits[i / 8] = static_cast<std::uint8_t>(bits[i / 8] | 1 << i % 8);
      for (auto k = random() % 3; k < 3; ++k) offsets.push_back(static_cast<std::int64_t>(i));
      keys[i] += 0.5f;
    }
    offsets.push_back(1000), offsets.push_back(1000);
    write("flags.npy", npy(flags));
    write("bits.npy", npy(bits));
    write("offsets.npy", npy(offsets));
    write("offsets32.npy", npy(std::vector<int>(offsets.begin(), offsets.end())));
    write("keys.npy", npy(keys));
    write("flags.raw", raw(flags));
    write("bits.raw", raw(bits));
    std::string bools = raw(flags);
    for (auto& c : bools) c = c != 0;
    write("bools.npy", npy_text(dict_of("|b1", "(1000,)"), bools));
    write("wide.npy", npy(std::vector<double>(flags.begin(), flags.end())));
    write("flags32.npy", npy(std::vector<int>(flags.begin(), flags.end())));
    std::string text = "day\n";
    for (auto const key : keys) text += std::to_string(static_cast<int>(2 * key)) + "\n";
    write("keys.csv", text);
  }
  std::vector<int> in;
  std::vector<std::size_t> heads;
};

TEST_F(segments_command, every_description_says_the_same) {
  std::vector<std::vector<std::string>> const descriptions{
      {"--heads", "flags.npy"},       {"--heads", "bools.npy"},
      {"--heads", "wide.npy"},        {"--heads", "flags32.npy"},
      {"--heads", "flags.raw"},       {"--head-bits", "bits.npy"},
      {"--head-bits", "bits.raw"},    {"--offsets", "offsets.npy"},
      {"--offsets", "offsets32.npy"}, {"--keys", "keys.npy"},
      {"--keys", "keys.csv"},         {"--keys", "keys.csv", "--segments-column", "day", "--segments-dtype", "u16"}};
  for (auto description : descriptions)
    for (bool const exclusive : {false, true})
      for (bool const reverse : {false, true}) {
        auto words = description;
        if (exclusive) words.emplace_back("--exclusive");
        if (reverse) words.emplace_back("--reverse");
        EXPECT_EQ(result<int>(words), scanned(in, wrapping_sum, 0, {exclusive, reverse, heads}))
            << description[0] << " " << description[1];
        words.insert(words.end(), {"--init", "-3", "--op", "max"});
        EXPECT_EQ(result<int>(words), scanned(in, larger, -3, {exclusive, reverse, heads}))
            << description[0] << " " << description[1];
      }
}

TEST_F(segments_command, rows) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 7; i < 1000; i += 7) rows.push_back(i);
  EXPECT_EQ(result<int>({"--row-length", "7"}), scanned(in, wrapping_sum, 0, {false, false, rows}));
  EXPECT_EQ(result<int>({"--row-length", "7", "--reverse"}), scanned(in, wrapping_sum, 0, {false, true, rows}));
}

TEST_F(segments_command, strategies_and_threads_agree) {
  auto const want = scanned(in, wrapping_sum, 0, {false, false, heads});
  for (std::string const strategy : {"decoupled-look-back", "chained", "auxiliary-block", "reduce_then_scan", "sequential"})
    for (std::string const threads : {"1", "3"})
      EXPECT_EQ(result<int>({"--heads", "flags.npy", "--on", "cpu", "--strategy", strategy, "--threads", threads}), want);
}

// ---- files

TEST_F(scan_command, shape_is_kept) {
  auto const in = random_values<int>(24);
  for (std::string const shape : {"(4, 6)", "(2, 3, 4)", "(24,)", "(24, 1)"}) {
    write("in.npy", npy(in, shape));
    EXPECT_EQ(result<int>(), scanned(in, wrapping_sum, 0));
    EXPECT_THAT(open_npy(read("out.npy")).dict, HasSubstr("'shape': " + shape));
  }
  write("in.npy", npy(std::vector<int>{5}, "()"));
  EXPECT_EQ(result<int>(), std::vector<int>{5});
  EXPECT_THAT(open_npy(read("out.npy")).dict, HasSubstr("'shape': ()"));
}

TEST_F(scan_command, nothing_at_all) {
  write("in.npy", npy(std::vector<float>{}));
  EXPECT_TRUE(result<float>().empty());
  write("in.npy", npy(std::vector<float>{}, "(0, 5)"));
  EXPECT_TRUE(result<float>({"--exclusive", "--reverse"}).empty());
  EXPECT_THAT(open_npy(read("out.npy")).dict, HasSubstr("'shape': (0, 5)"));
  write("off.npy", npy(std::vector<int>{0, 0, 0}));
  EXPECT_TRUE(result<float>({"--offsets", "off.npy"}).empty());
}

TEST_F(scan_command, later_versions_and_other_orders_of_the_header) {
  auto const in = random_values<std::int16_t>(50);
  for (char const version : {2, 3}) {
    write("in.npy", npy_text("{\"shape\": (50L,), 'fortran_order':False,'descr':\"<i2\"}", raw(in), version));
    EXPECT_EQ(result<std::int16_t>(), scanned(in, wrapping_sum, std::int16_t{}));
  }
}

TEST_F(scan_command, elements_that_are_not_aligned) {
  auto const in = random_values<double>(1000);
  std::string const dict = dict_of("<f8", "(1000,)");
  std::string text = std::string("\x93NUMPY\1\0", 8) + static_cast<char>(dict.size()) + '\0' + dict + raw(in);
  ASSERT_NE((10 + dict.size()) % 8, 0u);
  write("in.npy", text);
  EXPECT_EQ(result<double>(), scanned(
                                  in, [](double a, double b) { return a + b; }, 0.0));
}

TEST_F(scan_command, output_begins_at_64_bytes) {
  write("in.npy", npy(random_values<int>(10)));
  result<int>();
  EXPECT_EQ((10 + open_npy(read("out.npy")).dict.size()) % 64, 0u);
  EXPECT_EQ(open_npy(read("out.npy")).dict.back(), '\n');
}

TEST_F(scan_command, text_in_and_out) {
  write("in.csv", "\xef\xbb\xbfname,\"a \"\"count\"\"\"\r\n\"Doe, J\",10\r\n\r\n\"two\nlines\", 20 \r\nx,+3\r\n");
  auto const done = run({"scan", "in.csv", "--column", "a \"count\"", "-o", "out.csv", "--validate"});
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(read("out.csv"), "\"a \"\"count\"\"\"\n10\n30\n33\n");
  EXPECT_EQ(run({"scan", "out.csv", "-o", "again.npy"}).code, 0);
  EXPECT_EQ(elements<std::int64_t>(open_npy(read("again.npy")).data), (std::vector<std::int64_t>{10, 40, 73}));
}

TEST_F(scan_command, columns_by_index_and_kinds_of_text) {
  auto const column = [&](std::string const& name, std::string const& content, std::string const& which) {
    write(name, content);
    auto const done = run({"scan", name, "--column", which, "-o", "out.npy"});
    EXPECT_EQ(done.code, 0) << done.err;
    auto const out = open_npy(read("out.npy"));
    return out.dict.find("<i8") != std::string::npos ? std::vector<double>() : elements<double>(out.data);
  };
  EXPECT_THAT(column("a.csv", "1,1.5\n2,2.5\n", "1"), ElementsAreArray({1.5, 4.0}));
  EXPECT_THAT(column("a.tsv", "k\tv\n1\t1.5\n2\t2.5\n", "v"), ElementsAreArray({1.5, 4.0}));
  EXPECT_THAT(column("a.txt", "# x y\n 1  1.5\n2\t2.5\n", "1"), ElementsAreArray({1.5, 4.0}));
  EXPECT_THAT(column("a.log", "1;1.5\n2;2.5", "1"), ElementsAreArray({1.5, 4.0}));
}

TEST_F(scan_command, integers_of_text_are_exact) {
  write("in.csv", "9007199254740993\n1\n");  // no double
  ASSERT_EQ(run({"scan", "in.csv", "-o", "out.csv"}).code, 0);
  EXPECT_EQ(read("out.csv"), "9007199254740993\n9007199254740994\n");
  write("in.csv", "18446744073709551614\n1\n");
  ASSERT_EQ(run({"scan", "in.csv", "-o", "out.csv"}).code, 0);
  EXPECT_EQ(read("out.csv"), "18446744073709551614\n18446744073709551615\n");
}

TEST_F(scan_command, raw_and_compressed) {
  auto const in = random_values<std::uint16_t>(300);
  write("in.bin", raw(in));
  ASSERT_EQ(run({"scan", "in.bin", "--dtype", "u16", "-o", "out.bin"}).code, 0);
  EXPECT_EQ(elements<std::uint16_t>(read("out.bin")), scanned(in, wrapping_sum, std::uint16_t{}));
  ASSERT_EQ(std::system(("gzip " + (folder / "in.bin").string()).c_str()), 0);
  ASSERT_EQ(run({"scan", "in.bin.gz", "--dtype", "u16", "-o", "out2.bin"}).code, 0);
  EXPECT_EQ(read("out2.bin"), read("out.bin"));
  write("in.csv", "v\n1\n2\n");
  ASSERT_EQ(std::system(("gzip " + (folder / "in.csv").string()).c_str()), 0);
  ASSERT_EQ(run({"scan", "in.csv.gz", "--column", "v", "-o", "out.csv"}).code, 0);
  EXPECT_EQ(read("out.csv"), "v\n1\n3\n");
}

/// Tapes and stores fill their last block so.
TEST_F(scan_command, zeros_behind_compressed_data) {
  std::string const packed("\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x33\xe4\x32\xe2\x02\x00\x61\x78\xe1\x69\x04\x00\x00\x00",
                           24);  // "1\n2\n"
  for (std::size_t const zeros : {1, 512, 100'000}) {
    write("in.csv.gz", packed + std::string(zeros, '\0'));
    ASSERT_EQ(run({"scan", "in.csv.gz", "-o", "out.csv"}).code, 0);
    EXPECT_EQ(read("out.csv"), "1\n3\n");
    write("in.csv.gz", packed + std::string(zeros, '\0') + packed);
    ASSERT_EQ(run({"scan", "in.csv.gz", "-o", "out.csv"}).code, 0);
    EXPECT_EQ(read("out.csv"), "1\n3\n4\n6\n");
  }
}

/// Julia writes vectors so.
TEST_F(scan_command, fortran_order_of_one_dimension) {
  for (std::string const shape : {"(3,)", "(3, 1)", "(1, 3, 1)"}) {
    write("in.npy", npy_text(dict_of("<i4", shape, "True"), raw(std::vector<int>{1, 2, 3})));
    EXPECT_EQ(result<int>(), (std::vector<int>{1, 3, 6})) << shape;
  }
  write("in.npy", npy_text(dict_of("<i4", "(0, 3)", "True"), ""));
  EXPECT_EQ(result<int>(), std::vector<int>{});
}

TEST_F(scan_command, two_dimensions_as_text) {
  write("in.npy", npy(std::vector<int>{1, 2, 3, 4, 5, 6}, "(2, 3)"));
  ASSERT_EQ(run({"scan", "in.npy", "-o", "out.csv"}).code, 0);
  EXPECT_EQ(read("out.csv"), "1,3,6\n10,15,21\n");
}

TEST_F(scan_command, another_type_accumulates) {
  write("in.npy", npy(std::vector<std::uint8_t>(300, 255)));
  EXPECT_EQ(result<std::int64_t>({"--as", "i64"}).back(), 300 * 255);
  EXPECT_EQ(result<std::uint8_t>().back(), static_cast<std::uint8_t>(300 * 255));
  write("in.npy", npy(std::vector<double>{1.9, -1.9, 2.5}));
  EXPECT_EQ(result<int>({"--as", "i32"}), (std::vector<int>{1, 0, 2}));  // truncated, as NumPy's astype does
}

// ---- outputs that are there already, or no files

TEST_F(scan_command, output_over_the_input_and_through_a_link) {
  auto const in = random_values<int>(100000);
  write("in.npy", npy(in));
  fs::create_symlink("in.npy", folder / "link.npy");
  fs::permissions(folder / "in.npy", fs::perms(0640));
  ASSERT_EQ(run({"scan", "in.npy", "-o", "link.npy"}).code, 0);
  EXPECT_TRUE(fs::is_symlink(folder / "link.npy"));
  EXPECT_EQ(elements<int>(open_npy(read("in.npy")).data), scanned(in, wrapping_sum, 0));
  EXPECT_EQ(fs::status(folder / "in.npy").permissions(), fs::perms(0640));
  EXPECT_EQ(files(), (std::vector<std::string>{"in.npy", "link.npy"}));
}

TEST_F(scan_command, standard_output_and_the_null_device) {
  write("in.npy", npy(std::vector<int>{1, 2, 3}));
  auto const done = run({"scan", "in.npy", "-o", "/dev/stdout"});
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(elements<int>(done.out), (std::vector<int>{1, 3, 6}));
  EXPECT_EQ(run({"scan", "in.npy", "-o", "/dev/null"}).code, 0);
}

TEST_F(scan_command, words_for_people) {
  write("in.npy", npy(random_values<int>(1000)));
  auto const told = run({"scan", "in.npy", "-o", "out.npy", "--validate", "--repeat", "3"});
  EXPECT_EQ(told.out, "");
  for (std::string const text : {"1,000 x i32", "inclusive plus", "kernel", "median of 3", "validated"})
    EXPECT_THAT(told.err, HasSubstr(text));
  auto const quiet = run({"scan", "in.npy", "-o", "out.npy", "--quiet"});
  EXPECT_EQ(quiet.err + quiet.out, "");
  EXPECT_THAT(run({"scan", "in.npy", "-o", "out.npy", "--on", "auto"}).err, ::testing::AnyOf(HasSubstr("gpu"), HasSubstr("cpu")));
}

TEST_F(scan_command, json_in_the_shape_of_google_benchmark) {
  write("in.npy", npy(random_values<int>(1000)));
  ASSERT_EQ(run({"scan", "in.npy", "-o", "out.npy", "--json", "run.json", "--on", "cpu"}).code, 0);
  auto const text = read("run.json");
  for (std::string const part : {"\"context\"", "\"benchmarks\"", "\"name\": \"scan/cpu/", "\"real_time\"", "\"time_unit\": \"ms\"",
                                 "\"kernel_seconds\"", "\"num_cpus\""})
    EXPECT_THAT(text, HasSubstr(part));
}

TEST_F(scan_command, reproducible_is_the_same_for_any_number_of_threads) {
  std::mt19937 random(3);
  std::vector<float> in(3000000);
  for (auto& x : in) x = static_cast<float>(random() % 1000000) * 1e-3f - 400;
  write("in.npy", npy(in));
  std::string first;
  for (std::string const threads : {"1", "2", "5"}) {
    ASSERT_EQ(run({"scan", "in.npy", "-o", "out.npy", "--reproducible", "--on", "cpu", "--threads", threads}).code, 0);
    if (first.empty()) first = read("out.npy");
    EXPECT_TRUE(read("out.npy") == first) << threads << " threads";
  }
}
