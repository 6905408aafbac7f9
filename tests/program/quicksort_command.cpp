// `lookback quicksort` from file to file, against std::stable_sort.
#include <cstdio>
#include <sstream>

#include "sort_command.hpp"

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

namespace {

template <class T>
bool is_nan(T x) {
  return x != x;
}
template <class T>
bool rises(T a, T b) {
  return is_nan(b) ? !is_nan(a) : a < b;
}
template <class T>
bool falls(T a, T b) {
  return is_nan(b) ? !is_nan(a) : b < a;
}
// In a wider type, where every |x| has a place.
template <class T>
bool rises_in_magnitude(T a, T b) {
  if (is_nan(a) || is_nan(b)) return !is_nan(a);
  auto const magnitude = [](T x) { return x < 0 ? -static_cast<long double>(x) : static_cast<long double>(x); };
  return magnitude(a) < magnitude(b);
}

template <class T>
struct direction {
  std::vector<std::string> words;
  bool (*before)(T, T);
};
template <class T>
std::vector<direction<T>> directions() {
  return {{{}, rises<T>}, {{"--descending"}, falls<T>}, {{"--by-magnitude"}, rises_in_magnitude<T>}};
}

std::vector<std::string> joined(std::vector<std::string> words, std::vector<std::string> const& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

}  // namespace

class quicksort_command : public sort_command {};

template <class T>
class quicksort_of : public quicksort_command {
 protected:
  /// Sorted items as bytes: == cannot tell zeros and NaNs apart.
  std::string sorted(std::vector<std::string> const& more) {
    succeeds({"quicksort", "in.npy", "-o", "out.npy"}, more);
    return open_npy(read("out.npy")).data;
  }
};
using compared_types = ::testing::Types<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                                        std::uint32_t, std::uint64_t, float, double>;
TYPED_TEST_SUITE(quicksort_of, compared_types);

template <class T>
std::vector<T> keys_with_special_ones(std::size_t n) {
  auto keys = some_keys<T>(n);
  if constexpr (std::is_floating_point_v<T>) {
    using limits = std::numeric_limits<T>;
    for (std::size_t i = 0; i < n; i += 7)
      keys[i] = i % 3 == 0 ? limits::quiet_NaN() : i % 3 == 1 ? -limits::quiet_NaN() : T(i % 2 ? -0.0 : 0.0);
    keys[n / 5] = limits::infinity(), keys[n / 6] = -limits::infinity(), keys[n / 7] = limits::denorm_min();
  }
  return keys;
}

TYPED_TEST(quicksort_of, keys_and_values_in_every_order) {
  using T = TypeParam;
  auto const keys = keys_with_special_ones<T>(5000);
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
  for (auto const& [more, before] : directions<T>()) {
    auto const order = places_in_order(keys, before);
    EXPECT_EQ(this->sorted(more), raw(at_places(keys, order)));
    auto const move = [&]<class V>(std::string const& name, std::vector<V> const& values) {
      auto const moved = joined(more, {"--values", name + ".npy", "--values-out", "moved.npy"});
      EXPECT_EQ(this->sorted(moved), raw(at_places(keys, order)));
      EXPECT_EQ(this->template content<V>("moved.npy"), at_places(values, order));
    };
    move("bytes", bytes), move("halves", halves), move("floats", floats), move("words", words);
  }
  EXPECT_EQ(this->read("in.npy"), npy(keys));
}

TYPED_TEST(quicksort_of, each_segment_by_itself) {
  using T = TypeParam;
  auto const keys = keys_with_special_ones<T>(static_cast<std::size_t>(some_offsets.back()));
  std::vector<std::uint16_t> halves(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) halves[i] = static_cast<std::uint16_t>(i * 3);
  this->write("in.npy", npy(keys)), this->write("halves.npy", npy(halves)), this->write("at.npy", npy(some_offsets));
  for (auto const& [words, before] : directions<T>()) {
    auto const more = joined(words, {"--offsets", "at.npy"});
    auto const order = places_in_segments(keys, some_offsets, before);
    EXPECT_EQ(this->sorted(more), raw(at_places(keys, order)));
    EXPECT_EQ(this->sorted(joined(more, {"--values", "halves.npy", "--values-out", "moved.npy"})), raw(at_places(keys, order)));
    EXPECT_EQ(this->template content<std::uint16_t>("moved.npy"), at_places(halves, order));
    fs::remove(this->folder / "out.npy"), fs::remove(this->folder / "moved.npy");
    EXPECT_EQ(this->files(), (std::vector<std::string>{"at.npy", "halves.npy", "in.npy"}));
  }
}

// Checked by --validate, which every call here has; the keys alone are those of a stable sort where equal ones have equal bits.
TYPED_TEST(quicksort_of, unstable) {
  using T = TypeParam;
  auto const keys = keys_with_special_ones<T>(static_cast<std::size_t>(some_offsets.back()));
  this->write("in.npy", npy(keys)), this->write("at.npy", npy(some_offsets));
  for (auto const& [words, before] : directions<T>())
    for (auto const& by : {std::vector<std::string>{}, {"--offsets", "at.npy"}}) {
      auto const more = joined(joined(words, by), {"--unstable"});
      auto const done = this->succeeds({"quicksort", "in.npy", "-o", "out.npy"}, more);
      EXPECT_THAT(done.err, AllOf(HasSubstr("unstable"), HasSubstr("equal keys in any order")));
      this->succeeds({"quicksort", "in.npy", "-o", "out.npy", "--values", "in.npy", "--values-out", "moved.npy"}, more);
      EXPECT_EQ(open_npy(this->read("moved.npy")).data, open_npy(this->read("out.npy")).data);
      auto const order = by.empty() ? places_in_order(keys, before) : places_in_segments(keys, some_offsets, before);
      if constexpr (std::is_integral_v<T>) {
        if (words == std::vector<std::string>{"--by-magnitude"}) continue;
        EXPECT_EQ(this->template content<T>("out.npy"), at_places(keys, order));
      }
    }
}

TYPED_TEST(quicksort_of, nothing_and_one) {
  using T = TypeParam;
  this->write("at_0.npy", npy(std::vector<int>{0})), this->write("at_1.npy", npy(std::vector<int>{0, 1}));
  for (auto const& keys : {std::vector<T>{}, std::vector<T>{T(7)}}) {
    this->write("in.npy", npy(keys));
    std::vector<std::string> const with_values{"--values", "in.npy", "--values-out", "moved.npy"};
    auto const offsets = "at_" + std::to_string(keys.size()) + ".npy";
    for (auto const& more : {std::vector<std::string>{}, {"--offsets", offsets}, {"--strategy", "textbook"}}) {
      EXPECT_EQ(this->sorted(joined(with_values, more)), raw(keys));
      EXPECT_EQ(this->template content<T>("moved.npy"), keys);
    }
  }
}

TEST_F(quicksort_command, least_integers_by_magnitude) {
  write("in.npy", npy(std::vector<std::int8_t>{-128, 5, -127, 127, -5, 0, -128, 126, -1}));
  succeeds({"quicksort", "in.npy", "-o", "out.npy", "--by-magnitude"});
  EXPECT_EQ(content<std::int8_t>("out.npy"), (std::vector<std::int8_t>{0, -1, 5, -5, 126, -127, 127, -128, -128}));
  constexpr auto least = std::numeric_limits<std::int64_t>::min();
  write("in.npy", npy(std::vector<std::int64_t>{least, -1, least + 1, 1, -(least / 2)}));
  succeeds({"quicksort", "in.npy", "-o", "out.npy", "--by-magnitude"});
  EXPECT_EQ(content<std::int64_t>("out.npy"), (std::vector<std::int64_t>{-1, 1, -(least / 2), least + 1, least}));
}

// Equal keys stay as they were: zeros of both signs, and NaNs.
TEST_F(quicksort_command, zeros_and_nans) {
  constexpr std::uint32_t zero = 0, minus_zero = 0x80000000, one = 0x3f800000, minus_one = 0xbf800000, infinity = 0x7f800000;
  constexpr std::uint32_t nan = 0x7fc00000, other_nan = 0x7f800001, signed_nan = 0xffc00000;
  std::vector<std::uint32_t> const bits{nan, zero, one, signed_nan, minus_zero, infinity, other_nan, minus_one, zero};
  std::vector<float> keys(bits.size());
  std::memcpy(keys.data(), bits.data(), bits.size() * 4);
  write("in.npy", npy(keys));
  auto const sorted = [&](std::vector<std::string> const& more) {
    succeeds({"quicksort", "in.npy", "-o", "out.npy"}, more);
    return elements<std::uint32_t>(open_npy(read("out.npy")).data);
  };
  using list = std::vector<std::uint32_t>;
  list const nans{nan, signed_nan, other_nan};
  auto const before_nans = [&](list front) {
    front.insert(front.end(), nans.begin(), nans.end());
    return front;
  };
  EXPECT_EQ(sorted({}), before_nans({minus_one, zero, minus_zero, zero, one, infinity}));
  EXPECT_EQ(sorted({"--descending"}), before_nans({infinity, one, zero, minus_zero, zero, minus_one}));
  EXPECT_EQ(sorted({"--by-magnitude"}), before_nans({zero, minus_zero, zero, one, minus_one, infinity}));
  EXPECT_EQ(sorted({"--by-magnitude", "--strategy", "textbook"}), sorted({"--by-magnitude"}));
}

TEST_F(quicksort_command, text_and_raw_files) {
  write("in.csv", "name,age\nann,30\nbob,-4\ncat,30\ndan,7\n");
  write("points.csv", "1.5\n2.5\n3.5\n4.5\n");
  succeeds({"quicksort", "in.csv", "--column", "age", "-o", "out.csv", "--values", "points.csv", "--values-out", "moved.csv"});
  EXPECT_EQ(read("out.csv"), "age\n-4\n7\n30\n30\n");
  EXPECT_EQ(read("moved.csv"), "2.5\n4.5\n1.5\n3.5\n");
  write("in.bin", raw(std::vector<std::int16_t>{3, -2, 1}));
  write("more.bin", raw(std::vector<std::uint8_t>{10, 20, 30}));
  write("at.bin", raw(std::vector<std::int64_t>{0, 2, 3}));
  succeeds({"quicksort", "in.bin", "--dtype", "i16", "-o", "out.bin", "--values", "more.bin", "--values-dtype", "u8",
            "--values-out", "moved.bin", "--offsets", "at.bin", "--segments-dtype", "i64"});
  EXPECT_EQ(read("out.bin"), raw(std::vector<std::int16_t>{-2, 3, 1}));
  EXPECT_EQ(read("moved.bin"), raw(std::vector<std::uint8_t>{20, 10, 30}));
  write("table.npy", npy(std::vector<int>{6, 5, 4, 3, 2, 1}, "(2, 3)"));
  succeeds({"quicksort", "table.npy", "-o", "out.npy"});
  EXPECT_EQ(open_npy(read("out.npy")).data, raw(std::vector<int>{1, 2, 3, 4, 5, 6}));
  EXPECT_THAT(open_npy(read("out.npy")).dict, HasSubstr("(2, 3)"));
}

TEST_F(quicksort_command, the_textbook_tells_its_rounds) {
  auto const keys = some_keys<std::int32_t>(20000);
  write("in.npy", npy(keys));
  auto sorted = keys;
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::string> const words{"quicksort", "in.npy", "-o", "out.npy", "--strategy", "textbook"};
  auto const text = succeeds(words, {"--repeat", "2", "--json", "run.json"}).err;
  EXPECT_EQ(content<std::int32_t>("out.npy"), sorted);
  // From round to round fewer items, and in the end none; the lines are those of one run.
  std::int64_t round = 0, items = std::ssize(keys);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::erase(line, ',');  // between thousands, too
    std::int64_t number = 0, segments = 0, left = 0;
    if (std::sscanf(line.c_str(), " round %ld: active segments %ld items left to move %ld", &number, &segments, &left) != 3)
      continue;
    EXPECT_EQ(number, ++round);
    EXPECT_LT(left, items) << line;
    EXPECT_LE(2 * segments, left) << line;
    items = left;
  }
  EXPECT_EQ(items, 0);
  EXPECT_GT(round, 6);  // a hundred different keys
  EXPECT_THAT(read("run.json"), HasSubstr("\"rounds\": " + std::to_string(round)));
  EXPECT_EQ(succeeds(words, {"--quiet"}).err, "");
  EXPECT_THAT(succeeds({"quicksort", "in.npy", "-o", "out.npy"}).err, Not(HasSubstr("round ")));
  EXPECT_THAT(succeeds(words, {"--descending", "--values", "in.npy", "--values-out", "moved.npy"}).err, HasSubstr("round 1: "));
  EXPECT_EQ(content<std::int32_t>("moved.npy"), std::vector<std::int32_t>(sorted.rbegin(), sorted.rend()));
}

TEST_F(quicksort_command, on_any_number_of_threads_and_in_sequence) {
  auto const keys = some_keys<std::int32_t>(20000);
  write("in.npy", npy(keys));
  auto sorted = keys;
  std::sort(sorted.begin(), sorted.end());
  for (auto const& more : {std::vector<std::string>{"--threads", "1"}, {"--threads", "3"}, {"--strategy", "sequential"}}) {
    succeeds({"quicksort", "in.npy", "-o", "out.npy", "--on", "cpu"}, more);
    EXPECT_EQ(content<std::int32_t>("out.npy"), sorted);
  }
}

TEST_F(quicksort_command, what_is_refused) {
  write("in.npy", npy(std::vector<int>{3, 1, 2})), write("two.npy", npy(std::vector<int>{1, 2}));
  write("at.npy", npy(std::vector<int>{0, 3})), write("short.npy", npy(std::vector<int>{0, 2}));
  write("falls.npy", npy(std::vector<int>{0, 2, 1, 3})), write("floats.npy", npy(std::vector<float>{0, 3}));
  auto const sort = [](std::vector<std::string> more) {
    more.insert(more.begin(), {"quicksort", "in.npy", "-o", "out.npy"});
    return more;
  };
  refused(64, {"quicksort"}, {"IN is required"});
  refused(64, {"quicksort", "in.npy"}, {"--output is required"});
  refused(64, sort({"--descending", "--by-magnitude"}), {"--by-magnitude", "--descending"});
  refused(64, sort({"--values", "in.npy"}), {"--values", "--values-out"});
  refused(64, sort({"--values-out", "moved.npy"}), {"--values-out", "--values"});
  refused(64, sort({"--values-dtype", "u8"}), {"--values-dtype", "--values"});
  refused(64, sort({"--segments-dtype", "i32"}), {"--segments-dtype", "--offsets"});
  refused(64, sort({"--values", "in.npy", "--values-out", "out.npy"}), {"out.npy", "two outputs"});
  refused(64, sort({"--offsets", "at.npy", "--strategy", "textbook"}),
          {"--strategy textbook: belongs to sort and quicksort without --offsets"});
  for (std::string const option : {"--bits=0,3", "--nan-first", "--indices-out=order.npy"}) refused(64, sort({option}), {option});
  refused(65, sort({"--values", "two.npy", "--values-out", "moved.npy"}), {"two.npy", "2 values", "expected 3"});
  refused(65, sort({"--offsets", "short.npy"}), {"short.npy", "item 1", "found 2", "n = 3"});
  refused(65, sort({"--offsets", "falls.npy"}), {"falls.npy", "item 2", "found 1", "never decrease"});
  refused(65, sort({"--offsets", "floats.npy"}), {"floats.npy", "offsets of f32", "i32 or i64"});
  refused(66, sort({"--offsets", "gone.npy"}), {"gone.npy"});
  refused(66, sort({"--values", "gone.npy", "--values-out", "moved.npy"}), {"gone.npy"});
  refused(66, {"quicksort", "gone.npy", "-o", "out.npy"}, {"gone.npy"});
  refused(69, sort({"--strategy", "bogo"}), {"bogo", "textbook"});
  for (std::string const how : {"decoupled-look-back", "chained", "auxiliary-block", "reduce-then-scan"})
    refused(69, sort({"--strategy", how, "--on", "cpu"}), {how, "i32"});
  refused(69, sort({"--device", "4096"}), {"--device 4096"});
  refused(74, sort({"--values", "in.npy", "--values-out", "no/moved.npy"}), {"no/moved.npy"});
  write("raw.bin", "abc");
  refused(64, {"quicksort", "raw.bin", "-o", "out.npy"}, {"--dtype"});
  refused(65, {"quicksort", "raw.bin", "--dtype", "i16", "-o", "out.npy"}, {"raw.bin", "byte 2"});
}

TEST_F(quicksort_command, compared_with_other_sorts) {
  auto const compared = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"compare", "quicksort", "in.npy", "--on", "cpu", "--repeat", "1"});
    auto const text = succeeds(words).err;
    for (std::string const who : {"lookback best", "lookback sequential", "memcpy"}) EXPECT_THAT(text, HasSubstr("\n" + who + " "));
    EXPECT_THAT(text, AllOf(Not(HasSubstr("differs")), Not(HasSubstr("Not in this build"))));
    return text;
  };
  std::vector<std::string> const unstable{"\nstd::sort ", "\nstd::sort par ", "\ntbb::parallel_sort "};
  auto const has_all = [&](std::string const& text) {
    for (auto const& who : unstable) EXPECT_THAT(text, HasSubstr(who));
  };
  auto const is_stable = [&](std::string const& text) {
    for (std::string const who : {"\nstd::stable_sort ", "\nstd::stable_sort par ", "\nlookback textbook "})
      EXPECT_THAT(text, HasSubstr(who));
  };
  write("in.npy", npy(some_keys<std::int32_t>(10000))), write("at.npy", npy(std::vector<int>{0, 5000, 10000}));
  for (auto const& words : {std::vector<std::string>{}, {"--descending"}, {"--by-magnitude", "--unstable"}}) {
    auto const text = compared(words);
    has_all(text), is_stable(text);
  }
  for (auto const& words : {std::vector<std::string>{"--by-magnitude"}, {"--values", "in.npy"}}) {
    auto const text = compared(words);
    is_stable(text);
    for (auto const& who : unstable) EXPECT_THAT(text, Not(HasSubstr(who)));
    EXPECT_THAT(text, HasSubstr("take part with --unstable"));
  }
  has_all(compared({"--values", "in.npy", "--unstable"}));
  EXPECT_THAT(compared({"--offsets", "at.npy"}), AllOf(Not(HasSubstr("textbook")), Not(HasSubstr("std::"))));
  write("in.npy", npy(keys_with_special_ones<double>(10000)));
  is_stable(compared({"--by-magnitude"}));
  has_all(compared({"--unstable"}));
}
