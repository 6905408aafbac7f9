#include "read_matrix.hpp"

#include "gunzip.hpp"
#include "matrix_market.hpp"
#include "npz.hpp"
#include "report/clock.hpp"

namespace lookback::app {

namespace {

// read(text) of a file of text, compressed or not.
template <class Read>
auto read_text(std::string const& path, input_reading& spent, Read&& read) {
  stopwatch clock;
  input_file const file(path);
  file.load();
  bool const packed = extension_of(path) == ".gz";
  std::string const held = packed ? gunzip(file) : std::string();
  spent.load = clock.lap();
  auto made = read(packed ? std::string_view(held) : file.text());
  spent.parse = clock.lap();
  return made;
}

reading with_threads(reading how, input_reading const* times) {
  if (how.threads == 0 && times) how.threads = times->threads;
  return how;
}

void add(input_reading* times, input_reading const& spent) {
  if (times) times->load += spent.load, times->parse += spent.parse;
}

}  // namespace

bool names_matrix_market(std::string const& path) {
  bool const packed = extension_of(path) == ".gz";
  return extension_of(packed ? path.substr(0, path.size() - 3) : path) == ".mtx";
}

matrix read_matrix(std::string const& path, input_reading* times, reading const& how) {
  input_reading spent;
  matrix made;
  if (names_matrix_market(path)) {
    made = read_text(path, spent, [&](std::string_view text) { return read_matrix_market(text, path, with_threads(how, times)); });
  } else if (extension_of(path) == ".npz") {
    stopwatch clock;
    input_file file(path);
    file.load();
    spent.load = clock.lap();
    made = read_npz(std::move(file), with_threads(how, times));
    spent.parse = clock.lap();
  } else {
    throw usage_error(path +
                      ": is not the name of a matrix file, expected .mtx, .mtx.gz (Matrix Market) or .npz (SciPy, format csr)");
  }
  add(times, spent);
  return made;
}

array read_vector(std::string const& path, input_reading* times, reading const& how) {
  if (!names_matrix_market(path)) throw usage_error(path + ": is not the name of a Matrix Market file, expected .mtx or .mtx.gz");
  input_reading spent;
  auto made =
      read_text(path, spent, [&](std::string_view text) { return read_market_vector(text, path, with_threads(how, times)); });
  add(times, spent);
  return made;
}

}  // namespace lookback::app
