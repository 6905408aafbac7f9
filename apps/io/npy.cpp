#include "npy.hpp"

#include <algorithm>
#include <cstring>

namespace lookback::app {

namespace {

// The header is a Python dict of three entries; this reads as much Python as NumPy writes.
class header_reader {
 public:
  header_reader(std::string_view bytes, std::size_t begin, std::size_t end, std::string const& file)
      : bytes_{bytes}, at_{begin}, end_{end}, file_{file} {}

  npy_header read() {
    npy_header header;
    bool descr = false, order = false, shape = false;
    take('{');
    while (!peek('}')) {
      auto const key = quoted();
      take(':');
      if (key == "descr" && !descr) {
        descr = true;
        if (!peek('\'') && !peek('"')) stop("a structured or malformed type", "a string such as '<f4'");
        header.descr = quoted();
      } else if (key == "fortran_order" && !order) {
        order = true;
        header.fortran_order = boolean();
      } else if (key == "shape" && !shape) {
        shape = true;
        header.shape = tuple();
      } else {
        stop("key '" + key + "'", "descr, fortran_order and shape, once each");
      }
      if (!peek('}')) take(',');
    }
    take('}');
    if (!descr || !order || !shape) stop("the end of the header", "descr, fortran_order and shape");
    if (skip(); at_ != end_) stop("more text", "the end of the header");
    return header;
  }

 private:
  [[noreturn]] void stop(std::string const& found, std::string const& expected) const {
    refuse(file_, "header, byte " + text_of(at_), found, expected);
  }
  void skip() {
    while (at_ < end_ && (bytes_[at_] == ' ' || bytes_[at_] == '\n' || bytes_[at_] == '\t' || bytes_[at_] == '\r')) ++at_;
  }
  bool peek(char c) {
    skip();
    return at_ < end_ && bytes_[at_] == c;
  }
  void take(char c) {
    if (!peek(c))
      stop(at_ < end_ ? std::string("'") + printable(bytes_[at_]) + "'" : "the end of the header", std::string("'") + c + "'");
    ++at_;
  }
  static char printable(char c) { return c >= ' ' && c <= '~' ? c : '?'; }

  std::string quoted() {
    char const quote = peek('"') ? '"' : '\'';
    take(quote);
    auto const begin = at_;
    while (at_ < end_ && bytes_[at_] != quote) ++at_;
    if (at_ == end_) stop("the end of the header", "a closing quote");
    std::string text;
    for (char c : bytes_.substr(begin, at_++ - begin)) text += printable(c);
    return text;
  }
  bool boolean() {
    skip();
    for (std::string_view word : {"True", "False"})
      if (bytes_.substr(at_, end_ - at_).starts_with(word)) {
        at_ += word.size();
        return word == "True";
      }
    stop("something else", "True or False");
  }
  std::vector<index_t> tuple() {
    std::vector<index_t> sizes;
    take('(');
    while (!peek(')')) {
      index_t size = 0;
      auto const* first = bytes_.data() + at_;
      auto const [last, code] = std::from_chars(first, bytes_.data() + end_, size);
      if (code != std::errc{} || size < 0) stop("an invalid dimension", "an integer from 0 to 9223372036854775807");
      at_ += static_cast<std::size_t>(last - first);
      if (peek('L')) ++at_;  // Python 2
      sizes.push_back(size);
      if (sizes.size() > 64) stop("more than 64 dimensions", "at most 64");
      if (!peek(')')) take(',');
    }
    take(')');
    return sizes;
  }

  std::string_view bytes_;
  std::size_t at_, end_;
  std::string const& file_;
};

}  // namespace

npy_header parse_npy_header(std::string_view bytes, std::string const& file) {
  constexpr std::string_view magic = "\x93NUMPY";
  if (!bytes.starts_with(magic))
    refuse(file, "byte 0", bytes.empty() ? "an empty file" : "another magic", "\\x93NUMPY, the magic of .npy");
  auto const byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(bytes[i])); };
  if (bytes.size() < 10)
    refuse(file, "byte " + text_of(bytes.size()), "the end of the file", "a version and the length of the header");
  std::size_t const major = byte(6);
  if (major < 1 || major > 3) refuse(file, "byte 6", "version " + text_of(major), "1, 2 or 3");
  std::size_t const begin = major == 1 ? 10 : 12;
  if (bytes.size() < begin) refuse(file, "byte " + text_of(bytes.size()), "the end of the file", "the length of the header");
  std::size_t const length = byte(8) | byte(9) << 8 | (major == 1 ? 0 : byte(10) << 16 | byte(11) << 24);
  if (length > bytes.size() - begin)
    refuse(file, "byte 8", "a header of " + text_of(length) + " bytes",
           "at most the " + text_of(bytes.size() - begin) + " bytes that are left of the file");
  auto header = header_reader(bytes, begin, begin + length, file).read();
  header.data_begin = begin + length;
  return header;
}

npy_type npy_type_of(npy_header const& header, npy_admits admits, std::string const& file) {
  auto const& descr = header.descr;
  auto const wrong = [&](std::string const& found) {
    refuse(file, "header", "descr '" + descr + "'" + found,
           std::string("little endian ") + all_element_names + (admits.complex ? ", c64, c128" : "") +
               (admits.flags ? " or bool" : ""));
  };
  if (descr.size() < 3) wrong(" (unknown type)");
  char const order = descr[0], kind = descr[1];
  auto const size = std::string_view(descr).substr(2);
  if (order != '<' && order != '|' && order != '=' && order != '>') wrong(" (unknown byte order)");
  if (kind == 'b' && size == "1") {
    if (!admits.flags) wrong(" (bool, a type for flags only)");
    return {element::u8, true};
  }
  if (kind == 'c' && (size == "8" || size == "16")) {
    if (!admits.complex) wrong(" (complex)");
    if (order == '>') wrong(" (big endian)");
    return {size == "8" ? element::c64 : element::c128, false};
  }
  int const power = size == "1" ? 0 : size == "2" ? 1 : size == "4" ? 2 : size == "8" ? 3 : -1;
  if (power < 0 || (kind != 'i' && kind != 'u' && (kind != 'f' || power < 2))) wrong(" (a type that this program does not read)");
  if (order == '>' && power > 0) wrong(" (big endian)");
  if (kind == 'f') return {power == 2 ? element::f32 : element::f64, false};
  return {static_cast<element>(power + (kind == 'i' ? 0 : 4)), false};
}

index_t npy_items(npy_header const& header, std::size_t item_bytes, std::size_t file_bytes, std::string const& file) {
  std::size_t const held = (file_bytes - header.data_begin) / item_bytes;
  std::size_t claimed = 1;
  bool overflow = false, empty = false;
  for (auto const size : header.shape) {
    empty = empty || size == 0;
    overflow = __builtin_mul_overflow(claimed, static_cast<std::size_t>(size), &claimed) || overflow;
  }
  if (empty) return 0;
  if (overflow || claimed > held) {
    std::string shape;
    for (auto const size : header.shape) shape += (shape.empty() ? "" : " x ") + text_of(size);
    refuse(file, "byte " + text_of(header.data_begin),
           text_of(file_bytes - header.data_begin) + " bytes of data, enough for " + text_of(held) + " items",
           (shape.empty() ? "1" : shape) + " items of " + text_of(item_bytes) + " bytes, as the header says");
  }
  return static_cast<index_t>(claimed);
}

static std::string descr_of(element type) {
  char const kind = dispatch::is_complex(type)          ? 'c'
                    : dispatch::is_float(type)          ? 'f'
                    : dispatch::is_signed_integer(type) ? 'i'
                                                        : 'u';
  return (dispatch::size_of(type) == 1 ? "|" : "<") + (kind + text_of(dispatch::size_of(type)));
}

static std::string format_header(std::string const& descr, std::vector<index_t> const& shape, std::size_t least) {
  std::string dict = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (";
  for (std::size_t k = 0; k < shape.size(); ++k) dict += (k ? ", " : "") + text_of(shape[k]);
  dict += shape.size() == 1 ? ",), }" : "), }";
  std::size_t const begin = dict.size() > 60000 ? 12 : 10;
  std::size_t const length = std::max((begin + dict.size() + 1 + 63) / 64 * 64, least) - begin;
  dict.resize(length - 1, ' ');
  std::string header = std::string("\x93NUMPY") + (begin == 10 ? '\1' : '\2') + '\0';
  for (std::size_t i = 0; i < begin - 8; ++i) header += static_cast<char>(length >> 8 * i & 0xff);
  return header + dict + '\n';
}

std::string format_npy_header(std::string const& descr, std::vector<index_t> const& shape) {
  return format_header(descr, shape, 0);
}
std::string format_npy_header(element type, std::vector<index_t> const& shape, std::size_t least) {
  return format_header(descr_of(type), shape, least);
}

array read_npy(input_file file, npy_admits admits) {
  auto const header = parse_npy_header(file.text(), file.path());
  auto const [type, is_bool] = npy_type_of(header, admits, file.path());
  // Of one dimension both orders are the same.
  if (header.fortran_order && std::count_if(header.shape.begin(), header.shape.end(), [](index_t n) { return n > 1; }) > 1)
    refuse(file.path(), "header", "Fortran order", "C order (numpy.ascontiguousarray makes it)");
  auto const claimed = npy_items(header, dispatch::size_of(type), file.size(), file.path());
  array made;
  made.type = type;
  made.flags = is_bool;
  made.shape = header.shape;
  made.n = claimed;
  made.from = file.path();
  made.data = file.data() + header.data_begin;
  // NumPy aligns the elements; nobody else must. A copy then does.
  if (reinterpret_cast<std::uintptr_t>(made.data) % dispatch::size_of(type) != 0) {
    made.memory = host_memory(made.bytes());
    std::memcpy(made.memory.data(), made.data, made.bytes());
    made.data = made.memory.data();
  }
  made.file = std::move(file);
  return made;
}

}  // namespace lookback::app
