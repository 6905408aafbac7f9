// `lookback select`, `unique`, `rle` and `reduce-by-key` from file to file, against plain loops. What compares them: commands.cpp.
#include <cmath>
#include <limits>
#include <random>

#include "program.hpp"

using ::testing::HasSubstr;
using ::testing::Not;

namespace {

// Few different values, negative ones too where there are any, and runs of them.
template <class T>
std::vector<T> values_with_runs(std::size_t n, unsigned seed = 1) {
  std::mt19937_64 random(seed);
  std::vector<T> values(n);
  for (std::size_t i = 0; i < n; ++i)
    values[i] = i > 0 && random() % 3 != 0
                    ? values[i - 1]
                    : static_cast<T>(static_cast<T>(random() % 100) - static_cast<T>(std::is_signed_v<T> ? 50 : 0));
  return values;
}

template <class T>
struct runs_of {
  std::vector<T> firsts;
  std::vector<std::int64_t> lengths;
};
template <class T>
runs_of<T> runs(std::vector<T> const& in) {
  runs_of<T> made;
  for (std::size_t i = 0; i < in.size(); ++i)
    if (i > 0 && in[i] == in[i - 1]) ++made.lengths.back();
    else made.firsts.push_back(in[i]), made.lengths.push_back(1);
  return made;
}

}  // namespace

class compaction_commands : public program {
 protected:
  outcome succeeds(std::vector<std::string> words, std::vector<std::string> const& more = {}) {
    words.insert(words.end(), more.begin(), more.end());
    words.emplace_back("--validate");
    auto done = run(words);
    EXPECT_EQ(done.code, 0) << done.err;
    return done;
  }
  /// The elements of an output, whose header must say one dimension of them.
  template <class T>
  std::vector<T> content(std::string const& name) {
    auto const file = open_npy(read(name));
    EXPECT_THAT(file.dict, HasSubstr("'" + descr_of<T>() + "'")) << name;
    auto const made = elements<T>(file.data);
    EXPECT_THAT(file.dict, HasSubstr("(" + std::to_string(made.size()) + ",)")) << name;
    return made;
  }
  template <class T>
  std::vector<T> selected(std::vector<std::string> const& more) {
    succeeds({"select", "in.npy", "-o", "out.npy"}, more);
    return content<T>("out.npy");
  }
  void refused(int code, std::vector<std::string> const& words, std::vector<std::string> const& parts) {
    auto const before = files();
    auto const done = run(words);
    EXPECT_EQ(done.code, code) << done.err;
    EXPECT_LT(done.seconds, soon);
    for (auto const& part : parts) EXPECT_THAT(done.err, HasSubstr(part));
    EXPECT_EQ(files(), before);
  }
};

/// What every command that scans has on the CPU for some types, and for the others.
template <class T>
std::vector<std::string> strategies_of() {
  if constexpr (std::is_same_v<T, std::int32_t> || std::is_floating_point_v<T>)
    return {"decoupled-look-back", "chained", "auxiliary-block", "reduce-then-scan", "waiting-look-back", "sequential"};
  else return {"decoupled-look-back", "sequential"};
}

template <class T>
class compaction_of : public compaction_commands {};
using element_types = ::testing::Types<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                                       std::uint32_t, std::uint64_t, float, double>;
TYPED_TEST_SUITE(compaction_of, element_types);

TYPED_TEST(compaction_of, select_by_every_condition) {
  using T = TypeParam;
  auto const in = values_with_runs<T>(30000);
  this->write("in.npy", npy(in));
  T const low = std::is_signed_v<T> ? T(-20) : T(20), high = T(30);
  auto const kept = [&](auto keep) {
    std::vector<T> made;
    for (T const x : in)
      if (keep(x)) made.push_back(x);
    return made;
  };
  std::string const a = std::to_string(static_cast<int>(low)), b = "30";
  EXPECT_EQ((this->template selected<T>({"--below", b})), kept([&](T x) { return x < high; }));
  EXPECT_EQ((this->template selected<T>({"--above", a})), kept([&](T x) { return x > low; }));
  EXPECT_EQ((this->template selected<T>({"--equal", a})), kept([&](T x) { return x == low; }));
  EXPECT_EQ((this->template selected<T>({"--between", a, b, "--in-place"})), kept([&](T x) { return low <= x && x < high; }));
  EXPECT_EQ(this->read("in.npy"), npy(in));
  EXPECT_EQ((this->template selected<T>({"--between", b, a})), std::vector<T>());

  this->succeeds({"select", "in.npy", "-o", "out.npy", "--above", a, "--rejected", "rest.npy"});
  EXPECT_EQ(this->template content<T>("out.npy"), kept([&](T x) { return x > low; }));
  EXPECT_EQ(this->template content<T>("rest.npy"), kept([&](T x) { return !(x > low); }));

  std::vector<bool> keeps(in.size());
  std::vector<double> flags(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) flags[i] = (keeps[i] = i * 7 % 5 < 2) ? 0.25 : 0;
  std::vector<T> flagged, others;
  for (std::size_t i = 0; i < in.size(); ++i) (keeps[i] ? flagged : others).push_back(in[i]);
  this->write("flags.npy", npy(flags));
  EXPECT_EQ((this->template selected<T>({"--flags", "flags.npy"})), flagged);
  this->succeeds({"select", "in.npy", "-o", "out.npy", "--flags", "flags.npy", "--rejected", "rest.npy"});
  EXPECT_EQ(this->template content<T>("out.npy"), flagged);
  EXPECT_EQ(this->template content<T>("rest.npy"), others);

  for (auto const& how : strategies_of<T>()) {
    std::vector<std::string> const by{"select", "in.npy", "-o", "out.npy", "--on", "cpu", "--strategy", how};
    this->succeeds(by, {"--above", a, "--in-place"});
    EXPECT_EQ(this->template content<T>("out.npy"), kept([&](T x) { return x > low; })) << how;
    this->succeeds(by, {"--flags", "flags.npy", "--rejected", "rest.npy"});
    EXPECT_EQ(this->template content<T>("out.npy"), flagged) << how;
    EXPECT_EQ(this->template content<T>("rest.npy"), others) << how;
  }
}

TYPED_TEST(compaction_of, select_at_the_ends_of_the_type) {
  using T = TypeParam;
  using limits = std::numeric_limits<T>;
  std::vector<T> const in{limits::lowest(), T(0), T(1), limits::max(), limits::lowest(), limits::max()};
  this->write("in.npy", npy(in));
  auto const text = [](T x) { return std::is_floating_point_v<T> ? (x < 0 ? "-inf" : "inf") : std::to_string(x); };
  EXPECT_EQ((this->template selected<T>({"--below", text(limits::lowest())})), std::vector<T>());
  EXPECT_EQ((this->template selected<T>({"--above", text(limits::max())})), std::vector<T>());
  EXPECT_EQ((this->template selected<T>({"--below", "1"})).size(), 3u);
  EXPECT_EQ((this->template selected<T>({"--above", "0"})), (std::vector<T>{T(1), limits::max(), limits::max()}));
  if (!std::is_floating_point_v<T>) {
    EXPECT_EQ((this->template selected<T>({"--equal", text(limits::max())})), (std::vector<T>{limits::max(), limits::max()}));
  }
}

TYPED_TEST(compaction_of, unique_and_run_lengths) {
  using T = TypeParam;
  auto const in = values_with_runs<T>(30000, 3);
  auto const want = runs(in);
  this->write("in.npy", npy(in));
  for (auto const& how : strategies_of<T>()) {
    this->succeeds({"unique", "in.npy", "-o", "out.npy", "--strategy", how});
    EXPECT_EQ(this->template content<T>("out.npy"), want.firsts);
    this->succeeds({"unique", "in.npy", "-o", "out.npy", "--counts", "counts.npy", "--strategy", how});
    EXPECT_EQ(this->template content<T>("out.npy"), want.firsts);
    EXPECT_EQ(this->template content<std::int64_t>("counts.npy"), want.lengths);
    this->succeeds({"rle", "encode", "in.npy", "-o", "out.npy", "--lengths", "lengths.npy", "--strategy", how});
    EXPECT_EQ(this->template content<T>("out.npy"), want.firsts);
    EXPECT_EQ(this->template content<std::int64_t>("lengths.npy"), want.lengths);
  }
}

TYPED_TEST(compaction_of, reduce_by_keys_of_every_type) {
  using T = TypeParam;
  auto const keys = values_with_runs<T>(30000, 4);
  auto const want = runs(keys);
  std::vector<std::int32_t> values(keys.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::int32_t>(i * i % 1001) - 500;
  this->write("keys.npy", npy(keys));
  this->write("values.npy", npy(values));
  std::vector<std::int32_t> sums, largest;
  std::size_t at = 0;
  for (auto const length : want.lengths) {
    std::int32_t sum = 0, most = std::numeric_limits<std::int32_t>::min();
    for (std::int64_t k = 0; k < length; ++k, ++at) sum += values[at], most = std::max(most, values[at]);
    sums.push_back(sum), largest.push_back(most);
  }
  for (std::string const op : {"plus", "max"})
    for (std::string const how :
         {"decoupled-look-back", "chained", "auxiliary-block", "reduce-then-scan", "waiting-look-back", "sequential"}) {
      this->succeeds(
          {"reduce-by-key", "keys.npy", "values.npy", "-o", "out.npy", "--values-out", "got.npy", "--op", op, "--strategy", how});
      EXPECT_EQ(this->template content<T>("out.npy"), want.firsts);
      EXPECT_EQ(this->template content<std::int32_t>("got.npy"), op == "plus" ? sums : largest);
    }
}

TYPED_TEST(compaction_of, reduce_values_of_every_type_by_every_operator) {
  using T = TypeParam;
  auto const values = values_with_runs<T>(20000, 5);
  std::vector<std::uint16_t> keys(values.size());
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = static_cast<std::uint16_t>(i / 7 % 3);
  this->write("keys.npy", npy(keys));
  this->write("values.npy", npy(values));
  auto const reduced = [&](auto op) {
    std::vector<T> made;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (i > 0 && keys[i] == keys[i - 1]) made.back() = static_cast<T>(op(made.back(), values[i]));
      else made.push_back(values[i]);
    return made;
  };
  auto const got = [&](std::string const& op) {
    this->succeeds({"reduce-by-key", "keys.npy", "values.npy", "-o", "out.npy", "--values-out", "got.npy", "--op", op});
    EXPECT_EQ(this->template content<std::uint16_t>("out.npy"), runs(keys).firsts);
    return this->template content<T>("got.npy");
  };
  EXPECT_EQ(got("min"), reduced([](T a, T b) { return std::min(a, b); }));
  EXPECT_EQ(got("max"), reduced([](T a, T b) { return std::max(a, b); }));
  if constexpr (std::is_floating_point_v<T>) {
    EXPECT_EQ(got("plus"), reduced([](T a, T b) { return a + b; }));  // whole numbers: exact in any order
  } else {
    using U = std::uint64_t;
    EXPECT_EQ(got("plus"), reduced([](U a, U b) { return a + b; }));
    EXPECT_EQ(got("multiplies"), reduced([](U a, U b) { return a * b; }));
    EXPECT_EQ(got("and"), reduced([](U a, U b) { return a & b; }));
    EXPECT_EQ(got("or"), reduced([](U a, U b) { return a | b; }));
    EXPECT_EQ(got("xor"), reduced([](U a, U b) { return a ^ b; }));
  }
}

TEST_F(compaction_commands, unique_knows_values_and_rle_knows_bits) {
  float const nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> const in{nan, nan, 0.0f, -0.0f, -0.0f, 1};
  write("in.npy", npy(in));
  succeeds({"unique", "in.npy", "-o", "out.npy", "--counts", "counts.npy"});
  EXPECT_EQ(content<std::int64_t>("counts.npy"), (std::vector<std::int64_t>{1, 1, 3, 1}));
  EXPECT_FALSE(std::signbit(content<float>("out.npy")[2]));
  succeeds({"rle", "encode", "in.npy", "-o", "out.npy", "--lengths", "counts.npy"});
  EXPECT_EQ(content<std::int64_t>("counts.npy"), (std::vector<std::int64_t>{2, 1, 2, 1}));
  EXPECT_TRUE(std::signbit(content<float>("out.npy")[2]));
}

TEST_F(compaction_commands, select_of_floats_keeps_to_the_condition) {
  double const nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  double const tiny = std::numeric_limits<double>::denorm_min();
  write("in.npy", npy(std::vector<double>{nan, -inf, -1, -tiny, -0.0, 0.0, tiny, 1, inf}));
  EXPECT_EQ(selected<double>({"--below", "0"}), (std::vector<double>{-inf, -1, -tiny}));
  EXPECT_EQ(selected<double>({"--above", "-0.0"}), (std::vector<double>{tiny, 1, inf}));
  EXPECT_EQ(selected<double>({"--equal", "0"}), (std::vector<double>{-0.0, 0.0}));
  EXPECT_EQ(selected<double>({"--between", "-inf", "-.5"}), (std::vector<double>{-inf, -1}));
  EXPECT_EQ(selected<double>({"--equal", "nan"}), std::vector<double>());
  EXPECT_EQ(selected<double>({"--below", "nan", "--in-place"}), std::vector<double>());
  EXPECT_EQ(selected<double>({"--below", "inf"}).size(), 7u);
}

TEST_F(compaction_commands, texts_columns_and_raw_files) {
  write("log.csv", "client,bytes\n7,10\n7,20\n9,5\n7,1\n7,2\n");
  succeeds({"reduce-by-key", "log.csv", "log.csv", "--keys-column", "client", "--column", "bytes", "-o", "who.csv", "--values-out",
            "sum.csv"});
  EXPECT_EQ(read("who.csv"), "client\n7\n9\n7\n");
  EXPECT_EQ(read("sum.csv"), "bytes\n30\n5\n3\n");
  succeeds({"select", "log.csv", "--column", "bytes", "--above", "4", "-o", "big.csv", "--rejected", "small.csv"});
  EXPECT_EQ(read("big.csv"), "bytes\n10\n20\n5\n");
  EXPECT_EQ(read("small.csv"), "bytes\n1\n2\n");
  succeeds({"unique", "log.csv", "--column", "client", "-o", "who.csv", "--counts", "hits.csv"});
  EXPECT_EQ(read("hits.csv"), "length\n2\n1\n2\n");
  write("text", "aaabcc");
  succeeds({"rle", "encode", "text", "--dtype", "u8", "-o", "letters", "--lengths", "lengths.npy"});
  EXPECT_EQ(read("letters"), "abc");
  EXPECT_EQ(content<std::int64_t>("lengths.npy"), (std::vector<std::int64_t>{3, 1, 2}));
}

TEST_F(compaction_commands, nothing_and_one_item) {
  for (std::size_t const n : {0u, 1u}) {
    std::vector<int> const in(n, 5);
    write("in.npy", npy(in));
    EXPECT_EQ(selected<int>({"--above", "4"}), in);
    EXPECT_EQ(selected<int>({"--above", "4", "--in-place"}), in);
    succeeds({"unique", "in.npy", "-o", "out.npy", "--counts", "counts.npy"});
    EXPECT_EQ(content<int>("out.npy"), in);
    EXPECT_EQ(content<std::int64_t>("counts.npy"), std::vector<std::int64_t>(n, 1));
    succeeds({"reduce-by-key", "in.npy", "in.npy", "-o", "out.npy", "--values-out", "got.npy"});
    EXPECT_EQ(content<int>("got.npy"), in);
  }
}

TYPED_TEST(compaction_of, rle_decode_undoes_encode) {
  using T = TypeParam;
  for (std::size_t const n : {0u, 1u, 100000u}) {
    auto const file = npy(values_with_runs<T>(n, 6));
    this->write("in.npy", file);
    this->succeeds({"rle", "encode", "in.npy", "-o", "values.npy", "--lengths", "lengths.npy"});
    for (std::string const how : {"decoupled-look-back", "sequential"}) {
      this->succeeds({"rle", "decode", "values.npy", "--lengths", "lengths.npy", "-o", "out.npy", "--strategy", how});
      EXPECT_EQ(this->read("out.npy"), file);
    }
  }
}

TEST_F(compaction_commands, rle_gives_back_bytes_and_bits) {
  std::mt19937_64 random(9);
  std::string bytes;
  while (bytes.size() < 200000) bytes.append(random() % 9, static_cast<char>(random()));
  write("file", bytes.substr(0, 200000));
  for (std::string const type : {"u8", "i16", "f32", "f64"}) {  // random bits: NaNs of every kind
    succeeds({"rle", "encode", "file", "--dtype", type, "-o", "values", "--lengths", "lengths.npy"});
    succeeds({"rle", "decode", "values", "--dtype", type, "--lengths", "lengths.npy", "-o", "again"});
    EXPECT_EQ(read("again"), bytes.substr(0, 200000));
  }
}

TEST_F(compaction_commands, lengths_of_any_integer_and_none_at_all) {
  write("values.npy", npy(std::vector<float>{1, 2, 3, 4}));
  std::vector<float> const want{1, 3, 3};
  auto const decoded = [&](std::string const& lengths) {
    write("lengths.npy", lengths);
    succeeds({"rle", "decode", "values.npy", "--lengths", "lengths.npy", "-o", "out.npy"});
    return content<float>("out.npy");
  };
  EXPECT_EQ(decoded(npy(std::vector<std::uint8_t>{1, 0, 2, 0})), want);
  EXPECT_EQ(decoded(npy(std::vector<std::int32_t>{1, 0, 2, 0})), want);
  EXPECT_EQ(decoded(npy(std::vector<std::uint64_t>{1, 0, 2, 0})), want);
  EXPECT_EQ(decoded(npy(std::vector<std::int16_t>{0, 0, 0, 0})), std::vector<float>());
}

TEST_F(compaction_commands, lengths_that_are_none_are_refused) {
  write("values.npy", npy(std::vector<std::int64_t>{1, 2, 3}));
  auto const bad = [&](int code, std::string const& lengths, std::vector<std::string> const& parts) {
    write("lengths.npy", lengths);
    refused(code, {"rle", "decode", "values.npy", "--lengths", "lengths.npy", "-o", "x.npy"}, parts);
  };
  bad(65, npy(std::vector<int>{1, -2, 3}), {"lengths.npy", "item 1", "-2", "at least 0"});
  bad(65, npy(std::vector<std::int64_t>{std::int64_t{1} << 62, std::int64_t{1} << 62, 3}), {"lengths.npy", "item 1", "2^63"});
  bad(65, npy(std::vector<std::uint64_t>{std::uint64_t{1} << 63, 0, 3}), {"lengths.npy", "item 0", "2^63"});
  bad(65, npy(std::vector<int>{1, 2}), {"lengths.npy", "2 lengths", "3"});
  bad(65, npy(std::vector<float>{1, 2, 3}), {"lengths.npy", "f32", "integers"});
  // By chunks it would need no memory, but a disk.
  for (int const bits : {60, 61}) {
    write("lengths.npy", npy(std::vector<std::int64_t>{0, std::int64_t{1} << bits, 0}));
    std::vector<std::string> const words{"rle", "decode", "values.npy", "--lengths", "lengths.npy", "-o", "x.npy", "--on", "cpu"};
    refused(74, words, {"x.npy: cannot be written: needs", "the file system has"});
    auto whole = words;
    whole.insert(whole.end(), {"--repeat", "2"});
    refused(71, whole, {"lengths.npy", "no memory"});
  }
  refused(64, {"rle", "decode", "values.npy", "-o", "x.npy"}, {"--lengths"});
}

TEST_F(compaction_commands, in_place_says_what_it_saves) {
  write("in.npy", npy(std::vector<int>(1000, 3)));
  EXPECT_THAT(succeeds({"select", "in.npy", "--above", "2", "--in-place", "-o", "out.npy"}).err, HasSubstr("saves 4.0 kB"));
  EXPECT_THAT(succeeds({"select", "in.npy", "--above", "2", "-o", "out.npy"}).err, Not(HasSubstr("saves")));
}

TEST_F(compaction_commands, what_makes_no_sense_is_refused) {
  write("in.npy", npy(std::vector<int>{1, 2, 3}));
  write("floats.npy", npy(std::vector<float>{1, 2, 3}));
  write("two.npy", npy(std::vector<int>{1, 2}));
  refused(64, {"select", "in.npy", "-o", "x.npy"}, {"Exactly 1", "--between"});
  refused(64, {"select", "in.npy", "-o", "x.npy", "--below", "1", "--above", "2"}, {"--above"});
  refused(64, {"select", "in.npy", "-o", "x.npy", "--below", "1.5"}, {"--below", "'1.5'", "integer of i32"});
  refused(64, {"select", "in.npy", "-o", "x.npy", "--between", "1"}, {"--between"});
  refused(64, {"select", "in.npy", "-o", "x.npy", "--below", "1", "--rejected", "y.npy", "--in-place"}, {"--rejected"});
  refused(64, {"select", "in.npy", "-o", "x.npy", "--below", "1", "--rejected", "./x.npy"}, {"is the name of two outputs"});
  refused(65, {"select", "in.npy", "-o", "x.npy", "--flags", "two.npy"}, {"two.npy", "2 flags", "3"});
  refused(66, {"unique", "gone.npy", "-o", "x.npy"}, {"gone.npy"});
  refused(74, {"unique", "in.npy", "-o", "x.npy", "--counts", "no/y.npy"}, {"no/y.npy"});
  refused(64, {"rle", "encode", "in.npy", "-o", "x.npy"}, {"--lengths"});
  refused(64, {"rle"}, {"no command", "encode"});
  refused(64, {"rle", "pack", "in.npy"}, {"rle: found 'pack'", "encode"});
  refused(65, {"reduce-by-key", "two.npy", "in.npy", "-o", "x.npy", "--values-out", "y.npy"}, {"two.npy", "2 keys", "3"});
  refused(64, {"reduce-by-key", "in.npy", "floats.npy", "-o", "x.npy", "--values-out", "y.npy", "--op", "xor"}, {"xor", "f32"});
  refused(69, {"unique", "in.npy", "-o", "x.npy", "--strategy", "horn"}, {"horn"});
  refused(64, {"compare", "select", "in.npy", "--below", "2", "-o", "./in.npy"}, {"in.npy", "cannot be an output"});
  refused(64, {"compare", "rle", "encode", "in.npy", "--lengths", "in.npy"}, {"in.npy", "cannot be an output"});
}
