#include "write_array.hpp"

#include <thread>

#include "npy.hpp"
#include "report/progress.hpp"
#include "write_in_order.hpp"

namespace lookback::app {

namespace {

// Writes n numbers as text, each formatted by format(at, number of the item), which returns where its text ends: at most `longest`
// characters on. Several threads format, in blocks, while one of them writes.
template <class Format>
void write_numbers(output_file& out, std::size_t n, std::size_t longest, int threads, Format const& format) {
  constexpr std::size_t items_per_block = 16384;
  progress line("writing " + out.path(), static_cast<double>(n));
  auto const shower = std::this_thread::get_id();
  auto const blocks = static_cast<index_t>(n / items_per_block + (n % items_per_block != 0));
  write_in_order(out, blocks, threads, [&](index_t block, std::string& text) {
    std::size_t const begin = static_cast<std::size_t>(block) * items_per_block, end = std::min(n, begin + items_per_block);
    text.resize((end - begin) * longest);
    char* at = text.data();
    for (std::size_t i = begin; i < end; ++i) at = format(at, i);
    text.resize(static_cast<std::size_t>(at - text.data()));
    if (std::this_thread::get_id() == shower) line.at(static_cast<double>(begin));
  });
}

void write_text(output_file& out, array_view const& values, std::size_t n, char delimiter, int threads) {
  auto const columns = static_cast<std::size_t>(values.shape.size() >= 2 ? values.shape.back() : 1);
  if (!values.column.empty()) {
    bool const quotes = values.column.find_first_of("\",\t\r\n") != std::string::npos;
    std::string name;
    for (char const c : values.column) name += c == '"' ? "\"\"" : std::string(1, c);
    out.write(quotes ? "\"" + name + "\"\n" : name + "\n");
  }
  with_type(values.type, [&]<class T>(std::type_identity<T>) {
    auto const* const in = reinterpret_cast<T const*>(values.data);
    write_numbers(out, n, longest_number + 1, threads, [&](char* at, std::size_t i) {
      at = format_number(at, at + longest_number, in[i]);
      *at++ = (i + 1) % columns == 0 ? '\n' : delimiter;
      return at;
    });
  });
}

// An array of Matrix Market, which goes down the columns.
void write_market(output_file& out, array_view const& values, std::size_t n, int threads) {
  std::size_t const columns = values.shape.size() >= 2 ? static_cast<std::size_t>(values.shape.back()) : 1;
  std::size_t rows = values.shape.size() >= 2 ? 1 : n;  // with no columns too
  for (std::size_t k = 0; k + 1 < values.shape.size(); ++k) rows *= static_cast<std::size_t>(values.shape[k]);
  out.write(std::string("%%MatrixMarket matrix array ") + market_field_of(values.type) + " general\n" + text_of(rows) + " " +
            text_of(columns) + "\n");
  with_any_type(values.type, [&]<class T>(std::type_identity<T>) {
    auto const* const in = reinterpret_cast<T const*>(values.data);
    write_numbers(out, n, 2 * (longest_number + 1), threads, [&](char* at, std::size_t i) {
      at = format_value(at, in[i % rows * columns + i / rows]);
      *at++ = '\n';
      return at;
    });
  });
}

}  // namespace

void expect_array_name(std::string const& path) {
  auto const ending = extension_of(path);
  if (ending == ".npz" || ending == ".gz")
    throw usage_error(path + ": a result cannot be written as " + ending +
                      ", expected .npy, .mtx, .csv, .tsv or any other name for raw or for text");
}

void write_array(output_file& out, array_view const& values, int threads) {
  auto const n = static_cast<std::size_t>(values.count());
  auto const ending = extension_of(out.path());
  if (ending == ".csv" || ending == ".tsv") {
    write_text(out, values, n, ending == ".csv" ? ',' : '\t', threads);
  } else if (ending == ".mtx") {
    write_market(out, values, n, threads);
  } else {
    if (ending == ".npy") out.write(format_npy_header(values.type, values.shape));
    out.write({values.data, n * dispatch::size_of(values.type)});
  }
  out.finish();
}

}  // namespace lookback::app
