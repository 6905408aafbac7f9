#include "npz.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "npy.hpp"
#include "zip.hpp"

namespace lookback::app {

namespace {

// An array of the archive, unpacked if it was packed.
struct member {
  std::string place;  // "a.npz: data.npy"
  std::string_view bytes;
  host_memory memory;
  npy_header header;
};

class archive {
 public:
  archive(input_file const& file, reading const& how) : file_{file}, how_{how} {}

  member read(std::string const& name) const {
    auto const found = find_zip_member(file_.text(), file_.path(), name);
    if (!found) refuse(file_.path(), "directory", "no " + name, "the arrays of scipy.sparse.save_npz in format csr");
    member made;
    made.place = file_.path() + ": " + name;
    made.bytes = zip_content(file_.text(), *found, file_.path(), made.memory, how_);
    made.header = parse_npy_header(made.bytes, made.place);
    return made;
  }

 private:
  input_file const& file_;
  reading const& how_;
};

// "csr", of bytes (|S3) or of code points (<U3).
std::string format_in(archive const& in) {
  auto const read = in.read("format.npy");
  auto const& descr = read.header.descr;
  std::size_t const width = descr.starts_with("|S") ? 1 : descr.starts_with("<U") ? 4 : 0;
  std::size_t letters = 0;
  if (width == 0 || parse_number(std::string_view(descr).substr(2), letters) != parsed::ok || letters == 0 || letters > 16 ||
      !read.header.shape.empty())
    refuse(read.place, "header", "descr '" + descr + "'", "one text: |S3 or <U3");
  npy_items(read.header, width * letters, read.bytes.size(), read.place);
  std::string text;
  for (std::size_t i = 0; i < letters * width; i += width)
    if (char const c = read.bytes[read.header.data_begin + i]; c != '\0') text += c >= ' ' && c <= '~' ? c : '?';
  return text;
}

// One dimension, elements of a type that the program has.
array array_in(member from, npy_admits admits) {
  auto const [type, is_bool] = npy_type_of(from.header, admits, from.place);
  auto const size = dispatch::size_of(type);
  if (from.header.shape.size() != 1) refuse(from.place, "header", text_of(from.header.shape.size()) + " dimensions", "1 dimension");
  array made;
  made.type = type;
  made.flags = is_bool;
  made.n = npy_items(from.header, size, from.bytes.size(), from.place);
  made.shape = {made.n};
  made.from = from.place;
  made.memory = std::move(from.memory);
  made.data = reinterpret_cast<std::byte const*>(from.bytes.data()) + from.header.data_begin;
  if (reinterpret_cast<std::uintptr_t>(made.data) % size != 0) {
    host_memory aligned(made.bytes());
    if (made.n != 0) std::memcpy(aligned.data(), made.data, made.bytes());
    made.memory = std::move(aligned);
    made.data = made.memory.data();
  }
  return made;
}

array indices_in(member from) {
  auto made = array_in(std::move(from), {});
  if (made.type != element::i32 && made.type != element::i64)
    refuse(made.from, "header", std::string("elements of ") + dispatch::name_of(made.type), "i32 or i64");
  return made;
}

// The item of the lowest index in [0, n) that is wrong; n if none is.
template <class Wrong>
index_t first_wrong(index_t n, int threads, Wrong const& wrong) {
  constexpr index_t piece = 1 << 18;
  std::atomic<index_t> first{n};
  each_piece(threads, (n + piece - 1) / piece, [&](index_t k) {
    for (index_t i = k * piece; i < std::min(n, (k + 1) * piece) && i < first.load(std::memory_order_relaxed); ++i)
      if (wrong(i)) {
        for (auto known = first.load(); i < known && !first.compare_exchange_weak(known, i);) {
        }
        return;
      }
  });
  return first;
}

// f(data) of an array of i32 or i64.
template <class F>
decltype(auto) with_integers(array const& of, F&& f) {
  return of.type == element::i32 ? f(of.as<std::int32_t>().data()) : f(of.as<std::int64_t>().data());
}

// Returns the number of nonzeros, which is where the last row ends. SciPy may leave items behind it, which belong to no row.
index_t check_offsets(array const& offsets, index_t items, int threads) {
  return with_integers(offsets, [&](auto const* at) -> index_t {
    auto const stop = [&](index_t i, std::string const& expected) {
      refuse(offsets.from, "item " + text_of(i), text_of(at[i]), expected);
    };
    index_t const rows = offsets.n - 1;
    if (at[0] != 0) stop(0, "0, where the first row begins");
    auto const falls = first_wrong(rows, threads, [&](index_t i) { return at[i + 1] < at[i]; });
    if (falls != rows) stop(falls + 1, "at least the " + text_of(at[falls]) + " before it");
    if (at[rows] > items) stop(rows, "at most " + text_of(items) + ", the number of items of data.npy");
    return at[rows];
  });
}

void check_columns(array const& indices, index_t columns, int threads) {
  with_integers(indices, [&](auto const* at) {
    auto const wrong = first_wrong(indices.n, threads, [&](index_t i) { return at[i] < 0 || at[i] >= columns; });
    if (wrong != indices.n)
      refuse(indices.from, "item " + text_of(wrong), text_of(at[wrong]),
             columns == 0 ? "no item, there are no columns" : "a column from 0 to " + text_of(columns - 1));
  });
}

// As one of the types that matrices have.
array as_values(array from, int threads) {
  if (from.flags) {
    array made = make_array(element::i32, from.n);
    made.from = from.from;
    auto* const to = made.memory.as<std::int32_t>();
    auto const in = from.as<std::uint8_t>();
    for (std::size_t i = 0; i < in.size(); ++i) to[i] = in[i] != 0;
    return made;
  }
  switch (from.type) {
    case element::i8:
    case element::i16:
    case element::u8:
    case element::u16:
      return converted(from, element::i32);
    case element::u32:
      return converted(from, element::i64);
    case element::u64: {
      auto const in = from.as<std::uint64_t>();
      auto const wrong = first_wrong(from.n, threads, [&](index_t i) { return in[static_cast<std::size_t>(i)] >> 63 != 0; });
      if (wrong != from.n)
        refuse(from.from, "item " + text_of(wrong), text_of(in[static_cast<std::size_t>(wrong)]), range_of<std::int64_t>());
      return converted(from, element::i64);
    }
    default:
      return from;
  }
}

}  // namespace

matrix read_npz(input_file file, reading const& how) {
  archive const in(file, how);
  if (auto const format = format_in(in); format != "csr")
    refuse(file.path() + ": format.npy", "item 0", "'" + format + "'", "'csr' (scipy.sparse.csr_matrix converts any other format)");
  auto const shape = indices_in(in.read("shape.npy"));
  if (shape.n != 2) refuse(shape.from, "header", text_of(shape.n) + " items", "2: rows and columns");
  matrix made;
  with_integers(shape, [&](auto const* sizes) {
    for (int k = 0; k < 2; ++k)
      if (sizes[k] < 0) refuse(shape.from, "item " + text_of(k), text_of(sizes[k]), "the number of rows or columns, at least 0");
    made.rows = sizes[0], made.columns = sizes[1];
  });
  made.offsets = indices_in(in.read("indptr.npy"));
  made.column_indices = indices_in(in.read("indices.npy"));
  made.values = array_in(in.read("data.npy"), {.flags = true, .complex = true});
  if (made.offsets.n - 1 != made.rows)
    refuse(made.offsets.from, "header", text_of(made.offsets.n) + " items",
           "one more than the " + text_of(made.rows) + " rows of shape.npy");
  if (made.column_indices.n != made.values.n)
    refuse(made.column_indices.from, "header", text_of(made.column_indices.n) + " items",
           text_of(made.values.n) + ", as many as data.npy has");
  index_t const nonzeros = check_offsets(made.offsets, made.values.n, how.threads);
  for (array* const of : {&made.column_indices, &made.values}) of->n = nonzeros, of->shape = {nonzeros};
  check_columns(made.column_indices, made.columns, how.threads);
  made.values = as_values(std::move(made.values), how.threads);
  made.from = file.path();
  made.file = std::move(file);
  return made;
}

}  // namespace lookback::app
