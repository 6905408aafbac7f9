#include "market_header.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "encoding.hpp"
#include "market_numbers.hpp"
#include "numbers.hpp"
#include "report/failures.hpp"

namespace lookback::app {

namespace {

std::string lower(std::string_view text) {
  std::string made(text);
  for (char& c : made)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return made;
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < line.size();) {
    auto const begin = at;
    while (at < line.size() && !is_blank(line[at])) ++at;
    if (at != begin) words.push_back(line.substr(begin, at - begin));
    else ++at;
  }
  return words;
}

class header_lines {
 public:
  header_lines(std::string_view text, std::string const& file) : text_{text}, file_{file} {}

  bool next() {
    if (at_ == text_.size()) return false;
    auto const end = std::min(text_.find('\n', at_), text_.size());
    line_ = text_.substr(at_, end - at_);
    at_ = std::min(end + 1, text_.size());
    ++number_;
    return true;
  }
  std::string_view line() const { return line_; }
  std::size_t number() const { return number_; }
  std::size_t behind() const { return at_; }
  [[noreturn]] void stop(std::string const& found, std::string const& expected) const {
    refuse(file_, "line " + text_of(number_), found, expected);
  }

 private:
  std::string_view text_, line_;
  std::string const& file_;
  std::size_t at_ = 0, number_ = 0;
};

template <class Enum, std::size_t N>
Enum one_of(header_lines const& lines, std::string_view word, char const* what,
            std::array<std::pair<char const*, Enum>, N> const& all) {
  std::string names;
  for (auto const& [name, value] : all) {
    if (lower(word) == name) return value;
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  lines.stop(std::string(what) + " " + in_quotes(word), "one of " + names);
}

void read_banner(header_lines& lines, market_header& header, std::string_view text, std::string const& file) {
  expect_utf8(text, file);
  constexpr char const* expected = "the banner, %%MatrixMarket matrix coordinate|array FIELD SYMMETRY";
  if (!lines.next()) refuse(file, "line 1", "an empty file", expected);
  auto line = behind_mark(lines.line());
  if (line.starts_with("version https://git-lfs"))
    lines.stop("a pointer of Git LFS in place of the file", "the file itself (git lfs pull fetches it)");
  if (line.starts_with("\x1f\x8b")) lines.stop("gzip data", "text (a compressed file is named .mtx.gz)");
  auto const words = words_of(line);
  if (words.empty() || lower(words[0]) != "%%matrixmarket") lines.stop(in_quotes(line), expected);
  if (words.size() != 5) lines.stop("a banner of " + text_of(words.size()) + (words.size() == 1 ? " word" : " words"), expected);
  if (lower(words[1]) != "matrix") lines.stop("object " + in_quotes(words[1]), "matrix");
  header.dense =
      one_of(lines, words[2], "format", std::array<std::pair<char const*, bool>, 2>{{{"coordinate", false}, {"array", true}}});
  using field = market_field;
  header.field = one_of(lines, words[3], "field",
                        std::array<std::pair<char const*, field>, 6>{{{"real", field::real},
                                                                      {"double", field::real},
                                                                      {"integer", field::integer},
                                                                      {"unsigned-integer", field::unsigned_integer},
                                                                      {"complex", field::complex},
                                                                      {"pattern", field::pattern}}});
  using symmetry = market_symmetry;
  header.symmetry = one_of(lines, words[4], "symmetry",
                           std::array<std::pair<char const*, symmetry>, 4>{{{"general", symmetry::general},
                                                                            {"symmetric", symmetry::symmetric},
                                                                            {"skew-symmetric", symmetry::skew_symmetric},
                                                                            {"hermitian", symmetry::hermitian}}});
  if (header.dense && header.field == field::pattern)
    lines.stop("an array of field pattern", "field real, integer or complex: an array has values");
  if (header.symmetry == symmetry::hermitian && header.field != field::complex)
    lines.stop("Hermitian of field " + lower(words[3]), "field complex (a real matrix of this kind is called symmetric)");
  if (header.symmetry == symmetry::skew_symmetric && (header.field == field::pattern || header.field == field::unsigned_integer))
    lines.stop("skew-symmetric of field " + lower(words[3]), "field real, integer or complex: values of this field have no sign");
}

// How many values stand in the file of a dense matrix; none if that is no number.
std::optional<index_t> dense_entries(market_header const& header) {
  auto const stored = [](index_t a, index_t b, index_t& product) { return !__builtin_mul_overflow(a, b, &product); };
  index_t const n = header.rows;
  index_t product = 0;
  if (!header.is_symmetric()) return stored(n, header.columns, product) ? std::optional(product) : std::nullopt;
  bool const diagonal = header.symmetry != market_symmetry::skew_symmetric;
  index_t const other = diagonal ? n + (n != std::numeric_limits<index_t>::max()) : n - (n != 0);
  bool const even = n % 2 == 0;
  return stored(even ? n / 2 : n, even ? other : other / 2, product) ? std::optional(product) : std::nullopt;
}

void read_sizes(header_lines& lines, market_header& header, std::string const& file) {
  std::string const expected = header.dense ? "the sizes: rows and columns" : "the sizes: rows, columns and entries";
  std::vector<std::string_view> words;
  do {
    if (!lines.next()) refuse(file, "line " + text_of(lines.number() + 1), "the end of the file", expected);
    words = words_of(lines.line());
  } while (words.empty() || words[0][0] == '%');
  if (words.size() != (header.dense ? 2 : 3))
    lines.stop(text_of(words.size()) + (words.size() == 1 ? " word" : " words"), expected);
  index_t* const sizes[] = {&header.rows, &header.columns, &header.entries};
  char const* const names[] = {"rows", "columns", "entries"};
  for (std::size_t k = 0; k < words.size(); ++k)
    if (parse_number(words[k], *sizes[k]) != parsed::ok || *sizes[k] < 0)
      lines.stop(in_quotes(words[k]) + " " + names[k], "an integer from 0 to 9223372036854775807");
  header.size_line = lines.number();
  header.body = lines.behind();
}

void check_sizes(header_lines const& lines, market_header& header, std::size_t bytes_left) {
  auto const shape = text_of(header.rows) + " x " + text_of(header.columns);
  if (header.is_symmetric() && header.rows != header.columns)
    lines.stop("sizes " + shape, "as many rows as columns, because of the symmetry in the banner");
  if (header.dense) {
    auto const entries = dense_entries(header);
    if (!entries) lines.stop("an array of " + shape, "fewer than 2^63 values");
    header.entries = *entries;
  } else if (header.entries > 0 && (header.rows == 0 || header.columns == 0)) {
    lines.stop(text_of(header.entries) + " entries", "0: a matrix of " + shape + " has no places");
  }
  // "1 1\n", "1 1 1\n", "1 1 1 1\n": the shortest lines that there are; the last one may lack its end.
  std::size_t const of_value = header.field == market_field::pattern ? 0 : header.field == market_field::complex ? 4 : 2;
  std::size_t const room = (bytes_left + 1) / (of_value + (header.dense ? 0 : 4));
  if (static_cast<std::size_t>(header.entries) > room)
    lines.stop(text_of(header.entries) + (header.dense ? " values, an array of " + shape : " entries"),
               "at most " + text_of(room) + ": the file has only " + text_of(bytes_left) + " bytes more");
}

}  // namespace

market_header parse_market_header(std::string_view text, std::string const& file) {
  market_header header;
  header_lines lines(text, file);
  read_banner(lines, header, text, file);
  read_sizes(lines, header, file);
  check_sizes(lines, header, text.size() - header.body);
  return header;
}

}  // namespace lookback::app
