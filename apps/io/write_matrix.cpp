#include "write_matrix.hpp"

#include <algorithm>

#include "npy.hpp"
#include "report/progress.hpp"
#include "workers.hpp"
#include "zip.hpp"

namespace lookback::app {

namespace {

index_t index_at(array const& of, index_t i) {
  auto const at = static_cast<std::size_t>(i);
  return of.type == element::i32 ? of.as<std::int32_t>()[at] : of.as<std::int64_t>()[at];
}

// The row that holds nonzero k.
index_t row_of(matrix const& of, index_t k) {
  index_t low = 0, high = of.rows;  // the row is in [low, high)
  while (high - low > 1) {
    index_t const middle = low + (high - low) / 2;
    (index_at(of.offsets, middle) <= k ? low : high) = middle;
  }
  return low;
}

// Nonzeros [begin, end) as lines.
template <class T>
std::vector<char> lines_of(matrix const& of, index_t begin, index_t end) {
  std::vector<char> text(static_cast<std::size_t>(end - begin) * 4 * (longest_number + 1));
  auto const values = of.values.as<T>();
  char* at = text.data();
  index_t row = row_of(of, begin);
  for (index_t k = begin; k < end; ++k) {
    while (index_at(of.offsets, row + 1) <= k) ++row;
    at = format_number(at, at + longest_number, row + 1);
    *at++ = ' ';
    at = format_number(at, at + longest_number, index_at(of.column_indices, k) + 1);
    *at++ = ' ';
    at = format_value(at, values[static_cast<std::size_t>(k)]);
    *at++ = '\n';
  }
  text.resize(static_cast<std::size_t>(at - text.data()));
  return text;
}

void write_market(output_file& out, matrix const& of, int threads) {
  index_t const n = of.nonzeros();
  out.write(std::string("%%MatrixMarket matrix coordinate ") + market_field_of(of.values.type) + " general\n" + text_of(of.rows) +
            " " + text_of(of.columns) + " " + text_of(n) + "\n");
  progress shown("writing " + out.path(), static_cast<double>(n));
  with_matrix_type(of.values.type, [&]<class T>(std::type_identity<T>) {
    constexpr index_t block = 1 << 15, blocks_at_once = 64;
    for (index_t begin = 0; begin < n; begin += block * blocks_at_once) {
      std::vector<std::vector<char>> texts(static_cast<std::size_t>(std::min(blocks_at_once, (n - begin + block - 1) / block)));
      each_piece(threads, static_cast<index_t>(texts.size()), [&](index_t k) {
        auto const from = begin + k * block;
        texts[static_cast<std::size_t>(k)] = lines_of<T>(of, from, std::min(n, from + block));
      });
      for (auto const& text : texts) out.write(std::as_bytes(std::span(text)));
      shown.at(static_cast<double>(begin));
    }
  });
}

void write_npz(output_file& out, matrix const& of, int threads) {
  zip_writer archive(out, threads);
  auto const add = [&](std::string const& name, array const& values) {
    archive.add(name, format_npy_header(values.type, {values.n}), {values.data, values.bytes()});
  };
  index_t const shape[] = {of.rows, of.columns};
  add("indices.npy", of.column_indices);
  add("indptr.npy", of.offsets);
  archive.add("format.npy", format_npy_header("|S3", {}), std::as_bytes(std::span(std::string_view("csr"))));
  archive.add("shape.npy", format_npy_header(element::i64, {2}), std::as_bytes(std::span(shape)));
  add("data.npy", of.values);
  archive.finish();
}

}  // namespace

void write_matrix(output_file& out, matrix const& values, int threads) {
  auto const ending = extension_of(out.path());
  if (ending == ".mtx") write_market(out, values, threads);
  else if (ending == ".npz") write_npz(out, values, threads);
  else throw usage_error(out.path() + ": a matrix is written to .mtx (Matrix Market) or .npz (SciPy)");
  out.finish();
}

}  // namespace lookback::app
