// Matrix Market on random files against a reader that is slow and obvious, numbers against std::from_chars, and real files.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include "../sanitized.hpp"
#include "io/build_rows.hpp"
#include "io/gunzip.hpp"
#include "io/market_numbers.hpp"
#include "io/matrix_market.hpp"
#include "io/read_matrix.hpp"
#include "matrix_texts.hpp"

using namespace lookback;
using namespace lookback::app;
using matrix_texts::shown;

namespace {

template <class T>
std::uint64_t bits(T value) {
  return std::bit_cast<std::uint64_t>(value);
}

std::string reference(std::string const& text, std::string const& field) {
  if (field == "integer") return matrix_texts::shown_by_reference<std::int64_t>(text);
  if (field == "complex") return matrix_texts::shown_by_reference<std::complex<double>>(text);
  return matrix_texts::shown_by_reference<double>(text);
}

// A valid file, its lines as odd as they may be.
class random_file {
 public:
  explicit random_file(std::uint32_t seed) : random_{seed} {}
  std::string field, symmetry;

  std::string make() {
    bool const dense = one_in(4);
    field = dense ? pick({"real", "integer", "complex"}) : pick({"real", "double", "integer", "complex", "pattern"});
    symmetry = field == "pattern"   ? pick({"general", "symmetric"})
               : field == "complex" ? pick({"general", "symmetric", "skew-symmetric", "hermitian"})
                                    : pick({"general", "symmetric", "skew-symmetric"});
    std::string text =
        in_any_case("%%MatrixMarket matrix " + std::string(dense ? "array " : "coordinate ") + field + " " + symmetry);
    text += line_end();
    bool const square = symmetry != "general", skew = symmetry == "skew-symmetric";
    index_t const largest = one_in(4) ? 300 : 9;
    index_t const rows = number(0, largest), columns = square ? rows : number(0, largest);
    text += between();
    if (dense) {
      index_t const entries = !square ? rows * columns : skew ? rows * (rows - 1) / 2 : rows * (rows + 1) / 2;
      text += blanks(0) + text_of(rows) + blanks(1) + text_of(columns) + blanks(0) + line_end();
      for (index_t k = 0; k < entries; ++k) text += between() + blanks(0) + value() + blanks(0) + line_end();
    } else {
      bool const none = rows * columns == 0 || (skew && rows == 1);
      index_t const entries = none ? 0 : number(0, std::min<index_t>(rows * columns, one_in(3) ? 2000 : 20));
      text += blanks(0) + text_of(rows) + blanks(1) + text_of(columns) + blanks(1) + text_of(entries) + blanks(0) + line_end();
      for (index_t k = 0; k < entries; ++k) {
        index_t const row = number(1, one_in(2) ? rows : std::min<index_t>(rows, 2));
        index_t column = number(1, columns);
        if (skew && column == row) column = row == 1 ? 2 : 1;
        text += between() + blanks(0) + text_of(row) + blanks(1) + text_of(column);
        text += (field == "pattern" ? "" : blanks(1) + value()) + blanks(0) + line_end();
      }
    }
    text += between();
    if (one_in(2))
      while (text.ends_with('\n') || text.ends_with('\r')) text.pop_back();
    return text;
  }

 private:
  bool one_in(std::uint32_t n) { return random_() % n == 0; }
  index_t number(index_t low, index_t high) { return low + static_cast<index_t>(random_()) % (high - low + 1); }
  std::string pick(std::initializer_list<char const*> of) { return of.begin()[random_() % of.size()]; }
  std::string blanks(int least) {
    std::string text(static_cast<std::size_t>(least), ' ');
    if (one_in(2)) return text;
    text.clear();
    for (auto n = number(least, 3); n > 0; --n) text += one_in(3) ? '\t' : ' ';
    return text;
  }
  std::string line_end() { return one_in(4) ? "\r\n" : "\n"; }
  std::string between() {
    std::string text;
    while (one_in(6)) text += one_in(2) ? blanks(0) + line_end() : "% 9 9 9" + line_end();
    return text;
  }
  std::string in_any_case(std::string text) {
    for (char& c : text)
      if (one_in(3)) c = static_cast<char>(std::toupper(c));
    return text;
  }
  std::string one_value() {
    if (field == "integer") return text_of(one_in(3) ? static_cast<std::int64_t>(random_()) * 1'000'003 : number(-9, 9));
    char buffer[400];
    double const v =
        std::ldexp(static_cast<double>(random_()) - 2147483648.0, one_in(5) ? static_cast<int>(number(-900, 900)) : -20);
    std::snprintf(buffer, sizeof buffer, pick({"%g", "%.17g", "%+.13E", "%.20e", "%+.3f", "%.0f"}).c_str(), v);
    return buffer;
  }
  std::string value() { return field == "complex" ? one_value() + blanks(1) + one_value() : one_value(); }

  std::mt19937 random_;
};

}  // namespace

TEST(market_properties, random_files_equal_the_reference) {
  for (std::uint32_t seed = 0; seed < (harness::sanitized ? 100 : 300); ++seed) {
    random_file file(seed);
    auto const text = file.make();
    auto const wanted = reference(text, file.field);
    for (reading const how : {reading{1, 0}, reading{1, 40}, reading{3, 1}, reading{4, 200}})
      ASSERT_EQ(shown(read_matrix_market(text, "m", how)), wanted) << "seed " << seed << ", pieces of " << how.piece_bytes << "\n"
                                                                   << text;
  }
}

TEST(market_properties, many_entries_equal_the_reference_on_any_number_of_threads) {
  std::mt19937 random(7);
  for (auto [rows, columns, entries] : {std::tuple{50'000, 50'000, 200'000}, {3, 70'000, 150'000}, {100'000, 2, 200'000}}) {
    if (harness::sanitized) entries /= 4;
    std::string text =
        "%%MatrixMarket matrix coordinate real general\n" + text_of(rows) + " " + text_of(columns) + " " + text_of(entries) + "\n";
    auto const up_to = [&](int n) { return text_of(1 + static_cast<int>(random() % static_cast<unsigned>(n))); };
    for (int k = 0; k < entries; ++k)
      text += up_to(rows) + " " + up_to(columns) + " " + text_of(static_cast<double>(random()) / 3) + "\n";
    auto const wanted = matrix_texts::shown_by_reference<double>(text);
    for (int const threads : {1, 2, 7}) {
      auto const got = shown(read_matrix_market(text, "m", {threads, std::size_t{1} << 16}));
      ASSERT_TRUE(got == wanted) << rows << " x " << columns << ", " << threads << " threads";
    }
  }
}

TEST(market_properties, offsets_of_64_bits) {
  market_header header;
  header.rows = 3, header.columns = 4;
  auto const build = [&]<class Offset>(Offset) {
    std::vector<market_items<entry<std::int32_t, double>>> pieces(1);
    pieces[0].items = std::make_unique<entry<std::int32_t, double>[]>(4);
    for (entry<std::int32_t, double> const e : {entry<std::int32_t, double>{2, 1, 5}, {0, 3, 1}, {2, 0, 2}, {2, 1, 7}})
      pieces[0].items[static_cast<std::size_t>(pieces[0].n++)] = e;
    return build_rows<Offset>(header, "m", std::move(pieces), 2);
  };
  EXPECT_EQ(shown(build(std::int64_t{})), "3 x 4 of f64: 1,4=1 3,1=2 3,2=12");
  EXPECT_EQ(build(std::int64_t{}).offsets.type, element::i64);
  EXPECT_EQ(build(std::int32_t{}).offsets.type, element::i32);
}

TEST(market_properties, the_first_error_of_the_file_is_told_whatever_the_threads) {
  std::string text = "%%MatrixMarket matrix coordinate pattern general\n9 9 81\n";
  for (int k = 0; k < 40; ++k) text += k == 20 ? "1 77\n" : k > 20 ? "88 1\n" : "1 1\n";
  for (int threads = 1; threads < 6; ++threads)
    for (std::size_t const piece : {1, 9, 50, 1000}) try {
        read_matrix_market(text + std::string(200, ' '), "m", {threads, piece});
        ADD_FAILURE();
      } catch (bad_data const& e) {
        EXPECT_STREQ(e.what(), "m: line 23: found '77', expected a column from 1 to 9");
      }
}

// ---- numbers

namespace {

void expect_as_from_chars(std::string const& digits) {
  std::string const text = digits + "\n";
  double wanted = 0, got = 1;
  auto const [end, code] = std::from_chars(text.data(), text.data() + digits.size(), wanted);
  ASSERT_EQ(end, text.data() + digits.size()) << text;
  auto const* const behind = read_value(text.data(), text.data() + text.size(), got);
  if (code == std::errc::result_out_of_range) wanted = std::strtod(text.c_str(), nullptr);
  if (std::isinf(wanted)) {
    ASSERT_EQ(behind, nullptr) << text;
    return;
  }
  ASSERT_EQ(behind, text.data() + digits.size()) << text;
  ASSERT_EQ(bits(got), bits(wanted)) << text << got << " " << wanted;
}

}  // namespace

TEST(market_numbers, have_the_bits_of_from_chars) {
  std::mt19937_64 random(11);
  auto const digits = [&](std::uint64_t n) {
    std::string text;
    for (; n > 0; --n) text += static_cast<char>('0' + (random() % 4 == 0 ? 9 * (random() % 2) : random() % 10));
    return text;
  };
  for (int round = 0; round < 400'000; ++round) {
    std::string text = random() % 2 ? "-" : "";
    auto const whole = digits(random() % 12), fraction = digits(random() % 22);
    text += random() % 4 == 0 && !fraction.empty() ? "0" : whole;
    if (random() % 4 != 0 || whole.empty()) text += "." + (fraction.empty() ? "0" : fraction);
    if (random() % 2)
      text += (random() % 2 ? "e" : "E") +
              std::string(random() % 2   ? "-"
                          : random() % 2 ? "+"
                                         : "") +
              std::to_string(random() % (random() % 4 == 0 ? 400 : 32));
    expect_as_from_chars(text);
    if (HasFatalFailure()) return;
  }
}

TEST(market_numbers, halfway_between_doubles_and_next_to_it) {
  std::mt19937_64 random(12);
  for (int round = 0; round < (harness::sanitized ? 30'000 : 200'000); ++round) {
    // An odd multiple of half a unit in the last place, and its neighbours, all of 16 to 19 digits.
    std::uint64_t const odd = (std::uint64_t{1} << 53) + 2 * (random() >> 12) + 1;
    int const shift = static_cast<int>(random() % 10);
    std::uint64_t const middle = odd << shift;
    for (std::uint64_t const whole : {middle - 1, middle, middle + 1}) {
      auto const text = std::to_string(whole);
      expect_as_from_chars(text);
      expect_as_from_chars(text + "e" + std::to_string(random() % 28));
      expect_as_from_chars(text + "e-" + std::to_string(random() % 28));
      expect_as_from_chars(text.substr(0, 3) + "." + text.substr(3));
      if (HasFatalFailure()) return;
    }
    // m / 2^k is exact in decimals: m 5^k / 10^k.
    std::uint64_t const small = (std::uint64_t{1} << 53) + 1 + 2 * (random() % 1000), five = 5;
    expect_as_from_chars(std::to_string(small * five) + "e-1");
    expect_as_from_chars(std::to_string(small * five * five) + "e-2");
    expect_as_from_chars(std::to_string(small * five * five + 1) + "e-2");
    expect_as_from_chars(std::to_string(small * five * five * five - 1) + "e-3");
    if (HasFatalFailure()) return;
  }
}

TEST(market_numbers, integers_up_to_their_ends) {
  std::mt19937_64 random(13);
  for (int round = 0; round < 100'000; ++round) {
    auto const wanted = static_cast<std::int64_t>(random()) >> (random() % 64);
    auto const text = std::to_string(wanted) + "\n";
    std::int64_t got = 0;
    ASSERT_EQ(read_value(text.data(), text.data() + text.size(), got), text.data() + text.size() - 1) << text;
    ASSERT_EQ(got, wanted);
    index_t place = 0;
    bool const fits = wanted >= 1 && wanted <= 1'000'000'000'000'000'000;
    ASSERT_EQ(read_index(text.data(), 1'000'000'000'000'000'000, place) != nullptr, fits) << text;
    ASSERT_TRUE(!fits || place == wanted - 1) << text;
  }
}

// ---- real files, where LOOKBACK_TEST_DATA names their folder

TEST(market_data, matrices_of_every_kind) {
  char const* const named = std::getenv("LOOKBACK_TEST_DATA");
  if (!named) GTEST_SKIP() << "LOOKBACK_TEST_DATA is not set";
  auto const folder = std::filesystem::path(named) / "matrices";
  struct facts {
    char const* name;
    index_t rows, columns, nonzeros, longest;
    element type;
  };
  for (auto const& of : std::vector<facts>{{"memplus.mtx.gz", 17758, 17758, 126150, 574, element::f64},
                                           {"adder_dcop_05.mtx", 1813, 1813, 11097, 1310, element::f64},
                                           {"luxembourg.mtx.gz", 114599, 114599, 239332, 6, element::f64},
                                           {"soc-Epinions1.mtx.gz", 75877, 75877, 811478, 3044, element::f64},
                                           {"p2p-Gnutella31.mtx.gz", 62586, 62586, 147892, 78, element::f64},
                                           {"hollins.mtx", 6012, 6012, 23875, 184, element::f64},
                                           {"bcsstk13.mtx.gz", 2003, 2003, 83883, 95, element::f64},
                                           {"zenios.mtx", 2873, 2873, 27191, 47, element::f64},
                                           {"lp_ship04l.mtx", 402, 2166, 6380, 84, element::f64},
                                           {"Franz6_id1959_aug.mtx", 10592, 3016, 48472, 6, element::i64},
                                           {"young1c.mtx", 841, 841, 4089, 5, element::c128},
                                           {"lund_a.mtx", 147, 147, 2449, 21, element::f64},
                                           {"memplus_rhs1.mtx", 17758, 1, 17758, 1, element::f64}}) {
    auto const m = read_matrix(folder / of.name);
    EXPECT_EQ(m.rows, of.rows) << of.name;
    EXPECT_EQ(m.columns, of.columns) << of.name;
    EXPECT_EQ(m.nonzeros(), of.nonzeros) << of.name;
    EXPECT_EQ(m.values.type, of.type) << of.name;
    EXPECT_TRUE(m.notes.empty()) << of.name;
    index_t longest = 0;
    for (index_t row = 0; row < m.rows; ++row)
      longest = std::max(longest, matrix_texts::index_in(m.offsets, row + 1) - matrix_texts::index_in(m.offsets, row));
    EXPECT_EQ(longest, of.longest) << of.name;
    if (harness::sanitized && of.nonzeros > 200'000) continue;  // texts of several megabytes, by code that is the test's
    auto const text_of_it = shown(m);
    input_file const file(folder / of.name);
    std::string const text = extension_of(of.name) == ".gz" ? gunzip(file) : std::string(file.text());
    auto const* const field = of.type == element::i64 ? "integer" : of.type == element::c128 ? "complex" : "real";
    EXPECT_TRUE(text_of_it == reference(text, field)) << of.name;
    EXPECT_TRUE(text_of_it == shown(read_matrix(folder / of.name, nullptr, {3, 4096}))) << of.name;
  }
  EXPECT_EQ(read_vector(folder / "memplus_rhs1.mtx").n, 17758);
  try {
    read_matrix(folder / "wrong.mtx");
    ADD_FAILURE();
  } catch (bad_data const& e) {
    EXPECT_NE(std::string(e.what()).find("wrong.mtx: line 3: found '0', expected a row from 1 to 2"), std::string::npos)
        << e.what();
  }
}
