// Matrix Market files that must be refused: with the line, what is found there and what was expected, and at once.
#include <gmock/gmock.h>
#include <sys/resource.h>

#include "io/matrix_market.hpp"
#include "matrix_texts.hpp"

using namespace lookback;
using namespace lookback::app;
using matrix_texts::compressed;
using matrix_texts::throws;

namespace {

std::string const general = "%%MatrixMarket matrix coordinate real general\n";

void refused(std::string const& text, std::vector<std::string> named) {
  named.emplace_back("m.mtx: ");
  throws<bad_data>([&] { read_matrix_market(text, "m.mtx"); }, named);
}

}  // namespace

TEST(market_refuses, what_is_no_matrix_market_file) {
  refused("", {"line 1: found an empty file", "the banner"});
  refused("\n", {"line 1", "found ''", "the banner"});
  refused("2 3 2\n1 1 5\n2 3 7\n", {"line 1: found '2 3 2', expected the banner"});
  refused("%MatrixMarket matrix coordinate real general\n1 1 0\n",
          {"line 1: found '%MatrixMarket matrix", "the banner, %%MatrixMarket"});
  refused("%%MatrixMarketmatrix coordinate real general\n1 1 0\n", {"line 1", "the banner"});
  refused("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n",
          {"line 1: found a pointer of Git LFS", "git lfs pull"});
  refused(compressed(general + "1 1 0\n"), {"line 1: found gzip data", ".mtx.gz"});
  refused(std::string("\x7f"
                      "ELF\2\1\1\0\0\0",
                      10),
          {"line 1: found '\\x7fELF\\x02", "the banner"});
}

TEST(market_refuses, words_of_the_banner) {
  std::string const sizes = "\n1 1 0\n";
  refused("%%MatrixMarket vector coordinate real general" + sizes, {"line 1: found object 'vector', expected matrix"});
  refused("%%MatrixMarket matrix coordinates real general" + sizes, {"line 1: found format 'coordinates'", "coordinate, array"});
  refused("%%MatrixMarket matrix coordinate quaternion general" + sizes,
          {"line 1: found field 'quaternion'", "real, double, integer, unsigned-integer, complex, pattern"});
  refused("%%MatrixMarket matrix coordinate real lower" + sizes,
          {"line 1: found symmetry 'lower'", "general, symmetric, skew-symmetric, hermitian"});
  refused("%%MatrixMarket matrix coordinate real" + sizes, {"line 1: found a banner of 4 words"});
  refused("%%MatrixMarket matrix coordinate real general really" + sizes, {"line 1: found a banner of 6 words"});
  refused("%%MatrixMarket" + sizes, {"line 1: found a banner of 1 word,"});
  refused("%%MatrixMarket matrix array pattern general" + sizes, {"line 1: found an array of field pattern"});
  refused("%%MatrixMarket matrix coordinate real hermitian" + sizes, {"line 1: found Hermitian of field real", "field complex"});
  refused("%%MatrixMarket matrix coordinate pattern Hermitian" + sizes, {"line 1: found Hermitian of field pattern"});
  refused("%%MatrixMarket matrix coordinate pattern skew-symmetric" + sizes, {"line 1: found skew-symmetric of field pattern"});
  refused("%%MatrixMarket matrix coordinate unsigned-integer skew-symmetric" + sizes,
          {"line 1: found skew-symmetric of field unsigned-integer"});
  refused(std::string("\xff\xfe%\0%\0M\0", 8), {"byte 0: found UTF-16 text, expected UTF-8"});
}

TEST(market_refuses, lines_of_sizes) {
  refused(general, {"line 2: found the end of the file, expected the sizes: rows, columns and entries"});
  refused(general + "% a\n\n", {"line 4: found the end of the file"});
  refused(general + "%\n2 2\n", {"line 3: found 2 words, expected the sizes"});
  refused(general + "2 2 0 0\n", {"line 2: found 4 words"});
  refused("%%MatrixMarket matrix array real general\n2 2 4\n1\n1\n1\n1\n",
          {"line 2: found 3 words, expected the sizes: rows and columns"});
  refused(general + "-2 2 1\n1 1 1\n", {"line 2: found '-2' rows, expected an integer from 0"});
  refused(general + "2 2.0 1\n1 1 1\n", {"line 2: found '2.0' columns"});
  refused(general + "2 2 one\n1 1 1\n", {"line 2: found 'one' entries"});
  refused(general + "2 9223372036854775808 1\n1 1 1\n", {"line 2: found '9223372036854775808' columns", "to 9223372036854775807"});
  refused("%%MatrixMarket matrix coordinate real symmetric\n2 3 1\n1 1 1\n",
          {"line 2: found sizes 2 x 3", "as many rows as columns"});
  refused("%%MatrixMarket matrix array real symmetric\n2 3\n1\n1\n1\n", {"line 2: found sizes 2 x 3"});
}

TEST(market_refuses, sizes_that_the_file_cannot_hold) {
  rusage before{}, after{};
  getrusage(RUSAGE_SELF, &before);
  refused(general + "0 9 1\n1 1 1\n", {"line 2: found 1 entries, expected 0: a matrix of 0 x 9 has no places"});
  refused(general + "9 0 1\n1 1 1\n", {"line 2: found 1 entries, expected 0: a matrix of 9 x 0 has no places"});
  refused(general + "3000000000 3000000000 8000000000\n1 1 1\n",
          {"line 2: found 8000000000 entries, expected at most 1: the file has only 6 bytes more"});
  refused(general + "9 9 2\n1 1 1\n1 1 ", {"line 2", "expected at most 1"});
  refused("%%MatrixMarket matrix coordinate pattern general\n9 9 2\n1 1\n", {"line 2: found 2 entries, expected at most 1"});
  refused("%%MatrixMarket matrix coordinate complex general\n9 9 2\n1 1 1 1\n", {"line 2: found 2 entries, expected at most 1"});
  refused("%%MatrixMarket matrix array real general\n1000000 1000000\n1\n",
          {"line 2: found 1000000000000 values, an array of 1000000 x 1000000, expected at most 1"});
  refused("%%MatrixMarket matrix array real general\n9223372036854775807 9223372036854775807\n1\n",
          {"line 2: found an array of 92233", "2^63"});
  refused("%%MatrixMarket matrix array real symmetric\n9223372036854775807 9223372036854775807\n1\n",
          {"line 2: found an array of 92233", "2^63"});
  refused("%%MatrixMarket matrix array real skew-symmetric\n5000000000 5000000000\n1\n", {"line 2"});
  for (std::string const rows : {"1000000000000000", "9223372036854775807"}) {
    throws<out_of_memory>([&] { read_matrix_market(general + rows + " 1 1\n1 1 1\n", "m.mtx"); },
                          {"m.mtx: line 2: a matrix of " + rows + " rows needs", "TB", "are left"});
    throws<out_of_memory>([&] { read_matrix_market("%%MatrixMarket matrix array real general\n" + rows + " 0\n", "m.mtx"); },
                          {"m.mtx: line 2", rows});
    throws<out_of_memory>([&] { read_market_vector(general + rows + " 1 1\n1 1 1\n", "x.mtx"); },
                          {"x.mtx: line 2: a vector of " + rows + " needs"});
  }
  getrusage(RUSAGE_SELF, &after);
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 32 * 1024);  // in kB
}

TEST(market_refuses, indices) {
  std::string const head = general + "2 3 2\n1 1 5\n";
  refused(head + "0 3 7\n", {"line 4: found '0', expected a row from 1 to 2"});
  refused(head + "2 0 7\n", {"line 4: found '0', expected a column from 1 to 3"});
  refused(head + "3 3 7\n", {"line 4: found '3', expected a row from 1 to 2"});
  refused(head + "2 4 7\n", {"line 4: found '4', expected a column from 1 to 3"});
  refused(head + "-1 3 7\n", {"line 4: found '-1', expected a row"});
  refused(head + "2 -3 7\n", {"line 4: found '-3', expected a column"});
  refused(head + "2.0 3 7\n", {"line 4: found '2.0', expected a row"});
  refused(head + "x 3 7\n", {"line 4: found 'x', expected a row"});
  refused(head + "99999999999999999999 3 7\n", {"line 4: found '99999999999999999999', expected a row"});
  refused(head + "18446744073709551618 3 7\n", {"line 4: found '18446744073709551618', expected a row"});  // 2 modulo 2^64
  refused(head + "2      \n", {"line 4: found the end of the line, expected a column from 1 to 3"});
  refused(head + "1 1 5\n%\n\n9 1 1", {"line 7: found '9', expected a row"});
  refused("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 2 0\n",
          {"line 3: found '2', expected no entry on the diagonal"});
  refused("%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 -9223372036854775808\n",
          {"line 3: found '-9223372036854775808'", "whose negative fits too"});
}

TEST(market_refuses, counts_that_are_not_there) {
  refused(general + "2 3 3\n1 1 5\n2 3 7000000\n", {"line 4, the last: found 2 entries, expected 3 entries, as line 2 says"});
  refused(general + "2 3 3\n1 1 5\n2 3 7000000", {"line 4, the last: found 2 entries, expected 3"});
  refused(general + "2 3 1\n1 1 5\n\n% c\n2 3 7\n", {"line 6: found more entries, expected 1 entries, as line 2 says"});
  refused(general + "2 3 0\n1 1 5\n", {"line 3: found more entries, expected 0"});
  refused("%%MatrixMarket matrix array real general\n2 1\n100\n", {"line 3, the last: found 1 values, expected 2 values"});
  refused("%%MatrixMarket matrix array real general\n2 1\n1\n2\n3\n", {"line 5: found more values, expected 2"});
}

TEST(market_refuses, values) {
  std::string const real = general + "2 3 1\n1 1 ";
  refused(real + " \n", {"line 3: found the end of the line, expected a number of f64"});
  refused(real + "5 6\n", {"line 3: found '6', expected the end of the line: the field is real, which has one value"});
  refused(real + "5 %\n", {"line 3: found '%', expected the end of the line"});
  for (std::string const wrong :
       {"five", "5x", "1.2.3", "1e", "1e+", ".", "-", "+", "+-5", "--5", "0x10", "1e5e5", "1d", "d5", "1,5", "1_0", "$"})
    refused(real + wrong + "\n", {"line 3: found '" + wrong + "', expected a number of f64"});
  for (std::string const large : {"1e309", "-1e309", "1d400", "1e99999999999999999999"})
    refused(real + large + "\n", {"line 3: found '" + large + "', expected a number of f64"});
  std::string const integer = "%%MatrixMarket matrix coordinate integer general\n2 3 1\n1 1 ";
  for (std::string const wrong :
       {"5.0", "1e5", "9223372036854775808", "-9223372036854775809", "99999999999999999999999999", "nan", "-", "5-"})
    refused(integer + wrong + "\n", {"line 3: found '" + wrong + "', expected an integer of i64, from -9223372036854775808"});
  refused(integer + "5 6\n", {"line 3: found '6', expected the end of the line: the field is integer"});
  std::string const natural = "%%MatrixMarket matrix coordinate unsigned-integer general\n2 3 1\n1 1 ";
  for (std::string const wrong : {"-1", "9223372036854775808", "1.5"})
    refused(natural + wrong + "\n", {"line 3: found '" + wrong + "', expected an integer from 0 to 9223372036854775807"});
  refused(natural + "5 6\n", {"line 3: found '6', expected the end of the line: the field is unsigned-integer"});
  refused("%%MatrixMarket matrix array unsigned-integer general\n1 1\n-1\n", {"line 3: found '-1'"});
  refused("%%MatrixMarket matrix coordinate pattern general\n2 3 1\n1 1 5\n",
          {"line 3: found '5'", "pattern, which has no values"});
  std::string const complex = "%%MatrixMarket matrix coordinate complex general\n2 3 1\n1 1 ";
  refused(complex + "5   \n", {"line 3: found the end of the line, expected the imaginary part"});
  refused(complex + "5 i\n", {"line 3: found 'i', expected the imaginary part"});
  refused(complex + "5 6 7\n", {"line 3: found '7', expected the end of the line"});
  refused("%%MatrixMarket matrix array real general\n2 1\n1 2\n3\n", {"line 3: found '2', expected the end of the line"});
  refused(real + std::string(100, '7') + "x\n", {"line 3: found '" + std::string(40, '7') + "...'"});
  refused(real + "\x1b[31m\x01\n", {"line 3: found '\\x1b[31m\\x01'"});
}

TEST(market_refuses, sums_that_overflow) {
  refused("%%MatrixMarket matrix coordinate integer general\n2 3 2\n2 3 9223372036854775807\n2 3 1\n",
          {"row 2, column 3: found entries whose sum is too large, expected a sum that is an integer of i64"});
}
