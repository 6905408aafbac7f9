// Matrix Market files: everything that must be read.
#include <sys/resource.h>

#include "io/matrix_market.hpp"
#include "io/memory_left.hpp"
#include "io/read_matrix.hpp"
#include "matrix_texts.hpp"
#include "program.hpp"

using namespace lookback;
using namespace lookback::app;
using matrix_texts::compressed;
using matrix_texts::shown;
using matrix_texts::throws;
using ::testing::HasSubstr;

namespace {

std::string const general = "%%MatrixMarket matrix coordinate real general\n";

std::string read(std::string const& text) { return shown(read_matrix_market(text, "m.mtx")); }
std::string vector_of(std::string const& text) { return shown(read_market_vector(text, "x.mtx")); }

// So many bytes more for this process, while it lives.
class address_limit {
 public:
  explicit address_limit(std::size_t bytes) {
    getrlimit(RLIMIT_AS, &before_);
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    rlimit const less{pages * static_cast<std::size_t>(getpagesize()) + bytes, before_.rlim_max};
    EXPECT_EQ(setrlimit(RLIMIT_AS, &less), 0);
    EXPECT_LE(memory_left(), bytes);
    EXPECT_GT(memory_left(), 0u);
  }
  ~address_limit() { setrlimit(RLIMIT_AS, &before_); }
  address_limit(address_limit const&) = delete;

 private:
  rlimit before_{};
};

}  // namespace

TEST(market, banner_and_keywords_in_any_case) {
  for (std::string const banner :
       {"%%MatrixMarket matrix coordinate real general", "%%MATRIXMARKET MATRIX COORDINATE REAL GENERAL",
        "%%matrixmarket Matrix Coordinate Double General", "%%MatrixMarket\tmatrix  coordinate real general "})
    EXPECT_EQ(read(banner + "\n2 3 2\n2 3 7\n1 1 5\n"), "2 x 3 of f64: 1,1=5 2,3=7");
}

TEST(market, line_ends_comments_and_blanks) {
  std::string const wanted = "2 x 3 of f64: 1,1=5 2,3=7";
  EXPECT_EQ(read("%%MatrixMarket matrix coordinate real general\r\n% note\r\n2 3 2\r\n1 1 5\r\n2 3 7\r\n"), wanted);
  EXPECT_EQ(read(general + "%\n% note\n\n  % indented\n \t \n2 3 2\n\n%x\n1 1 5\n\n \n% 9 9 9\n2 3 7\n\n%end"), wanted);
  EXPECT_EQ(read(general + "  2\t3  2 \n \t1\t1   5 \t\n\t2 3 7\n"), wanted);
  EXPECT_EQ(read(general + "2 3 2\n1 1 5\n2 3 7"), wanted);
  EXPECT_EQ(read(general + "2 3 2\n1 1 5\n2 3 7  "), wanted);
  EXPECT_EQ(read("\xef\xbb\xbf" + general + "2 3 2\n1 1 5\n2 3 7"), wanted);
  EXPECT_EQ(read(general + "002 +3 2\n+1 01 5\n00000000000000000000002 3 7"), wanted);
}

TEST(market, lines_that_end_in_cr_alone) {
  for (std::string const text : {"%%MatrixMarket matrix coordinate real general\r% note\r2 3 2\r1 1 5\r2 3 7\r",
                                 "%%MatrixMarket matrix coordinate real general\r% note\n2 3 2\r\n1 1 5\r2 3 7"})
    EXPECT_EQ(read(text), "2 x 3 of f64: 1,1=5 2,3=7");
  EXPECT_EQ(vector_of("%%MatrixMarket matrix array real general\r2 1\r5\r7\r"), "2 of f64: 5 7");
  throws<bad_data>([] { read("%%MatrixMarket matrix coordinate real general\r2 3 1\r1 1 x\r"); }, {"m.mtx: line 3: found 'x'"});
}

TEST(market, every_field) {
  EXPECT_EQ(read("%%MatrixMarket matrix coordinate integer general\n1 4 4\n1 1 -3\n1 2 9223372036854775807\n"
                 "1 3 -9223372036854775808\n1 4 +0007\n"),
            "1 x 4 of i64: 1,1=-3 1,2=9223372036854775807 1,3=-9223372036854775808 1,4=7");
  EXPECT_EQ(read("%%MatrixMarket matrix coordinate unsigned-integer general\n1 2 2\n1 1 3\n1 2 9223372036854775807\n"),
            "1 x 2 of i64: 1,1=3 1,2=9223372036854775807");
  EXPECT_EQ(read("%%MatrixMarket matrix array unsigned-integer symmetric\n2 2\n1\n0\n3\n"),
            "2 x 2 of i64: 1,1=1 1,2=0 2,1=0 2,2=3");
  EXPECT_EQ(vector_of("%%MatrixMarket matrix array Unsigned-Integer general\n2 1\n1\n2\n"), "2 of i64: 1 2");
  EXPECT_EQ(read("%%MatrixMarket matrix coordinate pattern general\n2 2 2\n2 1\n1 2\n"), "2 x 2 of f64: 1,2=1 2,1=1");
  EXPECT_EQ(read("%%MatrixMarket matrix coordinate complex general\n2 2 2\n2 1 1.5 -2\n1 2 0 0\n"),
            "2 x 2 of c128: 1,2=0+0i 2,1=1.5-2i");
}

TEST(market, every_symmetry) {
  EXPECT_EQ(read("%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 1\n2 1 2\n3 2 3\n"),
            "3 x 3 of f64: 1,1=1 1,2=2 2,1=2 2,3=3 3,2=3");
  EXPECT_EQ(read("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n"), "2 x 2 of f64: 1,2=1 2,1=1");
  EXPECT_EQ(read("%%MatrixMarket matrix coordinate integer symmetric\n2 2 1\n2 1 4\n"), "2 x 2 of i64: 1,2=4 2,1=4");
  EXPECT_EQ(read("%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 4\n"), "2 x 2 of i64: 1,2=-4 2,1=4");
  EXPECT_EQ(read("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 4\n"), "2 x 2 of f64: 1,2=-4 2,1=4");
  EXPECT_EQ(read("%%MatrixMarket matrix coordinate complex skew-symmetric\n2 2 1\n2 1 4 5\n"), "2 x 2 of c128: 1,2=-4-5i 2,1=4+5i");
  EXPECT_EQ(read("%%MatrixMarket matrix coordinate complex symmetric\n2 2 1\n2 1 4 5\n"), "2 x 2 of c128: 1,2=4+5i 2,1=4+5i");
  EXPECT_EQ(read("%%MatrixMarket matrix coordinate complex Hermitian\n2 2 2\n1 1 7 0\n2 1 4 5\n"),
            "2 x 2 of c128: 1,1=7+0i 1,2=4-5i 2,1=4+5i");
}

TEST(market, a_symmetric_file_with_entries_on_both_sides_has_one_note) {
  auto const both =
      read_matrix_market("%%MatrixMarket matrix coordinate real symmetric\n3 3 4\n1 1 9\n2 1 1\n1 2 3\n3 1 5\n", "m.mtx");
  EXPECT_EQ(shown(both), "3 x 3 of f64: 1,1=9 1,2=4 1,3=5 2,1=4 3,1=5");
  ASSERT_EQ(both.notes.size(), 1u);
  EXPECT_THAT(both.notes[0], HasSubstr("m.mtx: symmetric, with entries on both sides"));
  auto const upper = read_matrix_market("%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 9\n1 2 3\n", "m.mtx");
  EXPECT_EQ(shown(upper), "2 x 2 of f64: 1,1=9 1,2=3 2,1=3");
  EXPECT_TRUE(upper.notes.empty());
  auto const plain = read_matrix_market(general + "2 2 2\n2 1 9\n1 2 3\n", "m.mtx");
  EXPECT_TRUE(plain.notes.empty());
}

TEST(market, more_entries_than_places_add_up_with_one_note) {
  auto const one = read_matrix_market(general + "1 1 2\n1 1 1.5\n1 1 5\n", "m.mtx");
  EXPECT_EQ(shown(one), "1 x 1 of f64: 1,1=6.5");
  ASSERT_EQ(one.notes.size(), 1u);
  EXPECT_EQ(one.notes[0], "m.mtx: line 2: 2 entries in a matrix of 1 x 1: duplicate entries were added up");
  auto const symmetric =
      read_matrix_market("%%MatrixMarket matrix coordinate integer symmetric\n2 2 5\n1 1 1\n2 1 1\n2 1 1\n1 2 1\n2 2 1\n", "m.mtx");
  EXPECT_EQ(shown(symmetric), "2 x 2 of i64: 1,1=1 1,2=3 2,1=3 2,2=1");
  EXPECT_EQ(symmetric.notes.size(), 1u);
  auto const vector = read_market_vector("%%MatrixMarket matrix coordinate pattern general\n2 1 3\n1 1\n2 1\n1 1\n", "x.mtx");
  EXPECT_EQ(shown(vector), "2 of f64: 2 1");
  EXPECT_EQ(vector.notes.size(), 1u);
  EXPECT_TRUE(read_matrix_market(general + "2 2 4\n1 1 1\n1 1 1\n1 1 1\n1 1 1\n", "m.mtx").notes.empty());
}

TEST(market, arrays) {
  std::string const array = "%%MatrixMarket matrix array ";
  EXPECT_EQ(read(array + "real general\n2 3\n1\n2\n3\n4\n5\n6\n"), "2 x 3 of f64: 1,1=1 1,2=3 1,3=5 2,1=2 2,2=4 2,3=6");
  EXPECT_EQ(read(array + "integer symmetric\n3 3\n1\n2\n3\n4\n5\n0\n"),
            "3 x 3 of i64: 1,1=1 1,2=2 1,3=3 2,1=2 2,2=4 2,3=5 3,1=3 3,2=5 3,3=0");
  EXPECT_EQ(read(array + "real skew-symmetric\n3 3\n1\n2\n3\n"),
            "3 x 3 of f64: 1,1=0 1,2=-1 1,3=-2 2,1=1 2,2=0 2,3=-3 3,1=2 3,2=3 3,3=0");
  EXPECT_EQ(read(array + "complex hermitian\n2 2\n1 0\n2 3\n4 0\n"), "2 x 2 of c128: 1,1=1+0i 1,2=2-3i 2,1=2+3i 2,2=4+0i");
  EXPECT_EQ(read(array + "real skew-symmetric\n1 1\n"), "1 x 1 of f64: 1,1=0");
  EXPECT_EQ(read(array + "real general\n0 5\n"), "0 x 5 of f64:");
  EXPECT_EQ(read(array + "real general\n5 0\n"), "5 x 0 of f64:");
}

TEST(market, vectors) {
  EXPECT_EQ(vector_of("%%MatrixMarket matrix array real general\n3 1\n1\n-0\n3"), "3 of f64: 1 -0 3");
  EXPECT_EQ(vector_of("%%MatrixMarket matrix array integer general\n1 2\n1\n2\n"), "2 of i64: 1 2");
  EXPECT_EQ(vector_of("%%MatrixMarket matrix array complex general\n1 1\n1 2\n"), "1 of c128: 1+2i");
  EXPECT_EQ(vector_of("%%MatrixMarket matrix coordinate real general\n4 1 3\n4 1 2\n2 1 5\n4 1 1\n"), "4 of f64: 0 5 0 3");
  EXPECT_EQ(vector_of("%%MatrixMarket matrix coordinate pattern general\n1 3 1\n1 2\n"), "3 of f64: 0 1 0");
  EXPECT_EQ(vector_of("%%MatrixMarket matrix array real general\n0 1\n"), "0 of f64:");
  throws<bad_data>([] { vector_of("%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n"); },
                   {"x.mtx: line 2: found a matrix of 2 x 2", "expected a vector"});
  throws<bad_data>([] { vector_of("%%MatrixMarket matrix coordinate integer general\n2 1 2\n1 1 9223372036854775807\n1 1 1\n"); },
                   {"x.mtx: row 1, column 1: found entries whose sum is too large"});
}

TEST(market, order_duplicates_and_zeros) {
  EXPECT_EQ(read(general + "3 3 5\n3 2 1\n1 3 2\n3 1 3\n1 1 4\n3 3 5\n"), "3 x 3 of f64: 1,1=4 1,3=2 3,1=3 3,2=1 3,3=5");
  EXPECT_EQ(read(general + "2 2 4\n2 2 1\n1 1 0\n2 2 1e16\n2 2 -1e16\n"), "2 x 2 of f64: 1,1=0 2,2=0");  // in the file's order
  EXPECT_EQ(read(general + "1 2 2\n1 2 0\n1 1 -0.0\n"), "1 x 2 of f64: 1,1=-0 1,2=0");
  EXPECT_EQ(read("%%MatrixMarket matrix coordinate pattern general\n2 1 2\n1 1\n1 1\n"), "2 x 1 of f64: 1,1=2");
}

TEST(market, nothing_in_it) {
  EXPECT_EQ(read(general + "0 0 0\n"), "0 x 0 of f64:");
  EXPECT_EQ(read(general + "0 0 0"), "0 x 0 of f64:");
  EXPECT_EQ(read(general + "3 2 0\n% none\n\n"), "3 x 2 of f64:");
  EXPECT_EQ(read(general + "0 7 0\n"), "0 x 7 of f64:");
  EXPECT_EQ(read(general + "7 0 0\n"), "7 x 0 of f64:");
  EXPECT_EQ(read("%%MatrixMarket matrix coordinate real symmetric\n0 0 0\n"), "0 x 0 of f64:");
}

TEST(market, numbers) {
  EXPECT_EQ(
      read(general + "1 9 9\n1 1 1e5\n1 2 1E+05\n1 3 1.0D+05\n1 4 -.5\n1 5 5.\n1 6 +2.5d-1\n1 7 1e-400\n1 8 4.9e-324\n1 9 1e308\n"),
      "1 x 9 of f64: 1,1=1e+05 1,2=1e+05 1,3=1e+05 1,4=-0.5 1,5=5 1,6=0.25 1,7=0 1,8=5e-324 1,9=1e+308");
  EXPECT_EQ(
      read(general + "1 6 6\n1 1 inf\n1 2 -INF\n1 3 NaN\n1 4 +Infinity\n1 5 nan\n1 6 0.000000000000000000000000000000000001\n"),
      "1 x 6 of f64: 1,1=inf 1,2=-inf 1,3=nan 1,4=inf 1,5=nan 1,6=1e-36");
}

TEST(market, indices_beyond_32_bits) {
  auto const wide = read_matrix_market(general + "2 3000000000000 2\n2 3000000000000 7\n1 1 5\n", "m.mtx");
  EXPECT_EQ(shown(wide), "2 x 3000000000000 of f64: 1,1=5 2,3000000000000=7");
  EXPECT_EQ(wide.column_indices.type, element::i64);
  EXPECT_EQ(wide.offsets.type, element::i32);
  auto const just = read_matrix_market(general + "1 2147483648 1\n1 2147483648 7\n", "m.mtx");
  EXPECT_EQ(shown(just), "1 x 2147483648 of f64: 1,2147483648=7");
  EXPECT_EQ(just.column_indices.type, element::i32);
  EXPECT_EQ(read_matrix_market(general + "1 2147483649 1\n1 2147483649 7\n", "m.mtx").column_indices.type, element::i64);
}

class market_file : public program {};

TEST_F(market_file, by_its_name) {
  std::string const text = general + "2 3 2\n1 1 5\n2 3 7\n", wanted = "2 x 3 of f64: 1,1=5 2,3=7";
  write("a.mtx", text), write("A.MTX", text), write("a.mtx.gz", compressed(text)),
      write("padded.mtx.gz", compressed(text) + std::string(1000, '\0')),
      write("two.mtx.gz", compressed(text.substr(0, 60)) + compressed(text.substr(60)));
  input_reading times;
  for (std::string const name : {"a.mtx", "A.MTX", "a.mtx.gz", "padded.mtx.gz", "two.mtx.gz"})
    EXPECT_EQ(shown(read_matrix(folder / name, &times)), wanted) << name;
  EXPECT_GT(times.load, 0);
  EXPECT_GT(times.parse, 0);
  EXPECT_EQ(read_matrix(folder / "a.mtx").from, (folder / "a.mtx").string());
  write("x.mtx", "%%MatrixMarket matrix array real general\n2 1\n1\n2\n");
  EXPECT_EQ(shown(read_vector(folder / "x.mtx")), "2 of f64: 1 2");
  EXPECT_EQ(shown(read_array(folder / "x.mtx", {}, input_role::vector)), "2 of f64: 1 2");
  EXPECT_THROW(read_array(folder / "x.mtx", {}), usage_error);
  for (std::string const name : {"a.npy", "a.csv", "a", "a.gz", "a.npz.gz", "mtx"})
    throws<usage_error>([&] { read_matrix(folder / name); }, {name, ".mtx"});
}

TEST_F(market_file, that_cannot_be_read) {
  throws<no_input>([&] { read_matrix(folder / "none.mtx"); }, {"none.mtx", "No such file"});
  fs::create_directory(folder / "folder.mtx");
  throws<no_input>([&] { read_matrix(folder / "folder.mtx"); }, {"folder.mtx", "is a directory"});
  write("empty.mtx", "");
  throws<bad_data>([&] { read_matrix(folder / "empty.mtx"); }, {"empty.mtx: line 1: found an empty file, expected the banner"});
  auto const packed = compressed(general + "2 3 2\n1 1 5\n2 3 7\n");
  for (std::size_t const length : {std::size_t{3}, packed.size() / 2, packed.size() - 1}) {
    write("cut.mtx.gz", packed.substr(0, length));
    throws<bad_data>([&] { read_matrix(folder / "cut.mtx.gz"); }, {"cut.mtx.gz: byte", "the end of the file", "gzip"});
  }
  // Half a gigabyte of text in a file of half a megabyte, where a quarter is left.
  auto const comments = compressed(general + std::string(64 << 20, '%'));
  std::string large;
  for (int k = 0; k < 8; ++k) large += comments;
  write("large.mtx.gz", large);
  {
    address_limit const limit(std::size_t{256} << 20);
    throws<out_of_memory>([&] { read_matrix(folder / "large.mtx.gz"); },
                          {"large.mtx.gz: the decompressed text needs", "MB are left"});
  }
  write("no.mtx.gz", general);
  throws<bad_data>([&] { read_matrix(folder / "no.mtx.gz"); }, {"no.mtx.gz: byte 0", "gzip"});
  if (geteuid() == 0) return;  // may read everything
  write("closed.mtx", general);
  fs::permissions(folder / "closed.mtx", fs::perms::none);
  throws<no_input>([&] { read_matrix(folder / "closed.mtx"); }, {"closed.mtx", "Permission denied"});
}
