// What the program writes of matrices, byte by byte and read back.
#include <zlib.h>

#include <limits>
#include <random>

#include "io/read_matrix.hpp"
#include "io/write_matrix.hpp"
#include "io/zip.hpp"
#include "matrix_texts.hpp"
#include "program.hpp"

using namespace lookback;
using namespace lookback::app;
using matrix_texts::shown;
using ::testing::HasSubstr;

namespace {

template <class T>
array array_of(std::vector<T> const& values) {
  auto made = make_array(element_of<T>(), static_cast<index_t>(values.size()));
  std::copy(values.begin(), values.end(), made.memory.template as<T>());
  return made;
}

// 3 x 4, the values at (1, 2), (3, 4) and (3, 1).
template <class T>
matrix of(std::vector<T> const& values) {
  matrix made;
  made.rows = 3, made.columns = 4;
  made.offsets = array_of(std::vector<std::int32_t>{0, 1, 1, 3});
  made.column_indices = array_of(std::vector<std::int32_t>{1, 3, 0});
  made.values = array_of(values);
  return made;
}

}  // namespace

class written_matrix : public program {
 protected:
  std::string written(matrix const& m, std::string const& name, int threads = 2) {
    output_file out((folder / name).string());
    write_matrix(out, m, threads);
    out.commit();
    return read(name);
  }
};

TEST_F(written_matrix, as_text) {
  EXPECT_EQ(written(of(std::vector<double>{0.1, -0.0, 1e300}), "o.mtx"),
            "%%MatrixMarket matrix coordinate real general\n3 4 3\n1 2 0.1\n3 4 -0\n3 1 1e+300\n");
  EXPECT_EQ(written(of(std::vector<float>{0.1f, 2, std::numeric_limits<float>::infinity()}), "o.mtx"),
            "%%MatrixMarket matrix coordinate real general\n3 4 3\n1 2 0.1\n3 4 2\n3 1 inf\n");
  EXPECT_EQ(written(of(std::vector<std::int64_t>{-1, 0, std::numeric_limits<std::int64_t>::min()}), "o.mtx"),
            "%%MatrixMarket matrix coordinate integer general\n3 4 3\n1 2 -1\n3 4 0\n3 1 -9223372036854775808\n");
  EXPECT_EQ(written(of(std::vector<std::complex<float>>{{1, -2}, {3, 4}, {0.1f, 6}}), "o.mtx"),
            "%%MatrixMarket matrix coordinate complex general\n3 4 3\n1 2 1 -2\n3 4 3 4\n3 1 0.1 6\n");
  EXPECT_THROW(written(of(std::vector<int>{1, 2, 3}), "o.mtx.gz"), usage_error);
  EXPECT_THROW(written(of(std::vector<int>{1, 2, 3}), "o.csv"), usage_error);
}

TEST_F(written_matrix, comes_back) {
  auto const check = [&](matrix const& m) {
    written(m, "o.npz");
    auto const again = read_matrix((folder / "o.npz").string());
    EXPECT_EQ(shown(again), shown(m));
    for (array const* const part : {&again.offsets, &again.column_indices, &again.values}) {
      EXPECT_EQ(part->memory.bytes(), 0u);  // they are views of the file
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(part->data) % 64, 0u);
    }
    EXPECT_EQ(written(m, "p.npz", 1), read("o.npz"));
  };
  check(of(std::vector<std::int32_t>{1, 2, -3}));
  check(of(std::vector<std::int64_t>{1, 2, -3}));
  check(of(std::vector<float>{1e-40f, 2, 3}));
  check(of(std::vector<double>{1e-310, 2, 3}));
  check(of(std::vector<std::complex<float>>{{1, -2}, {3, 4}, {5, 6}}));
  check(of(std::vector<std::complex<double>>{{1, -2}, {3, 4}, {5, 6}}));
}

TEST_F(written_matrix, of_many_lines_comes_back_from_text) {
  matrix m;
  m.rows = 5000, m.columns = 300;
  index_t const n = 100'000;
  m.offsets = make_array(element::i64, m.rows + 1);
  m.column_indices = make_array(element::i32, n);
  m.values = make_array(element::f64, n);
  std::mt19937_64 random(5);
  for (index_t row = 0; row < m.rows; ++row)  // all but 500 are empty
    m.offsets.memory.as<std::int64_t>()[row + 1] = row / 10 * 200 + (row % 10 >= 5 ? 200 : 0);
  for (index_t k = 0; k < n; ++k) {
    m.column_indices.memory.as<std::int32_t>()[k] = static_cast<std::int32_t>(k % 200);
    m.values.memory.as<double>()[k] = std::ldexp(static_cast<double>(random()), static_cast<int>(random() % 100) - 50);
  }
  for (int const threads : {1, 3}) {
    written(m, "o.mtx", threads);
    EXPECT_TRUE(shown(read_matrix((folder / "o.mtx").string())) == shown(m));
  }
}

TEST_F(written_matrix, archives_beyond_4_gb_have_wide_fields) {
  std::string const head = "head ", body = std::string(100'000, 'b');
  {
    output_file out((folder / "o.zip").string());
    zip_writer archive(out, 2, true);
    archive.add("one", head, std::as_bytes(std::span(body)));
    archive.add("two", head, {});
    archive.finish();
    out.finish();
    out.commit();
  }
  auto const bytes = read("o.zip");
  EXPECT_THAT(bytes, HasSubstr("PK\6\6"));
  auto const content = [&](std::string const& name) {
    host_memory memory;
    return std::string(zip_content(bytes, find_zip_member(bytes, "o.zip", name).value(), "o.zip", memory, {}));
  };
  EXPECT_EQ(content("one"), head + body);
  EXPECT_EQ(content("two"), head);
}

TEST(crc, is_that_of_zlib_in_any_pieces) {
  std::string text((std::size_t{1} << 23) + 12345, '\0');
  std::mt19937_64 random(9);
  for (char& c : text) c = static_cast<char>(random());
  auto const wanted = crc32_z(0, reinterpret_cast<Bytef const*>(text.data()), text.size());
  EXPECT_EQ(crc_of(text, 1), wanted);
  EXPECT_EQ(crc_of(text, 3), wanted);
  EXPECT_EQ(crc_of(std::string_view(text).substr(777), 2, crc_of(std::string_view(text).substr(0, 777), 1)), wanted);
  EXPECT_EQ(crc_of("", 2), 0u);
}
