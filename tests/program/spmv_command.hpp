// lookback spmv from outside: small matrices as text, and how it is run on them.
#pragma once
#include <algorithm>
#include <complex>
#include <string>
#include <vector>

#include "program.hpp"

using words = std::vector<std::string>;
using c128 = std::complex<double>;
using c64 = std::complex<float>;

inline std::string market(std::string const& kind, std::string const& lines) {
  return "%%MatrixMarket matrix " + kind + "\n" + lines;
}
inline std::string const real_2_by_3 = market("coordinate real general", "2 3 3\n1 1 1.5\n1 3 2\n2 2 -4\n");

template <class T>
std::string descr() {
  if constexpr (std::is_arithmetic_v<T>) return descr_of<T>();
  else return "<c" + std::to_string(sizeof(T));
}
template <class T>
std::string complex_npy(std::vector<T> const& values) {
  return npy_text(dict_of(descr<T>(), "(" + std::to_string(values.size()) + ",)"), raw(values));
}

class spmv_command : public program {
 protected:
  /// y, of a type that must be T, by `spmv m.mtx` and more words; validated by the program.
  template <class T>
  std::vector<T> product(words more = {}, std::string const& matrix = "m.mtx") {
    more.insert(more.begin(), {"spmv", matrix, "-o", "y.npy", "--validate"});
    auto const done = run(more);
    EXPECT_EQ(done.code, 0) << done.err;
    EXPECT_EQ(done.out, "");
    said = done.err;
    auto const content = open_npy(read("y.npy"));
    EXPECT_THAT(content.dict, ::testing::HasSubstr("'" + descr<T>() + "'"));
    return elements<T>(content.data);
  }
  template <class T>
  std::vector<T> product_of(std::string const& kind, std::string const& lines, words const& more = {}) {
    write("m.mtx", market(kind, lines));
    return product<T>(more);
  }
  /// At once, and the folder stays as it was.
  void refused(int code, words more, words const& named, std::string const& matrix = "m.mtx") {
    more.insert(more.begin(), {"spmv", matrix});
    if (std::find(more.begin(), more.end(), "-o") == more.end()) more.insert(more.end(), {"-o", "new.npy"});
    auto const before = files();
    auto const done = run(more);
    EXPECT_EQ(done.code, code) << done.err;
    for (auto const& text : named) EXPECT_THAT(done.err, ::testing::HasSubstr(text));
    EXPECT_LT(done.seconds, soon);
    EXPECT_EQ(files(), before);
  }
  std::string said;
};
