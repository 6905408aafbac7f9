#include "market_lines.hpp"

#include <algorithm>

#include "numbers.hpp"
#include "report/failures.hpp"

namespace lookback::app {

namespace detail {
std::size_t lines_in(market_body::piece const& in) { return static_cast<std::size_t>(std::count(in.begin, in.end, '\n')); }
}  // namespace detail

market_body::market_body(std::string_view text, std::string const& in_file, market_header const& head, reading const& reads)
    : header{head}, file{in_file}, how{reads}, text_{text} {
  // Large enough to be worth a thread's while, few enough that what is counted of each stays small.
  std::size_t const left = text.size() - head.body;
  std::size_t const bytes = how.piece_bytes ? how.piece_bytes : std::max(std::size_t{1} << 20, left / 1024);
  auto const* at = text.data() + head.body;
  auto const* const end = text.data() + text.size();
  auto const* lines_end = end;
  while (lines_end != at && lines_end[-1] != '\n') --lines_end;
  while (at != lines_end) {
    auto const* to = at + std::min(bytes, static_cast<std::size_t>(lines_end - at));
    while (to[-1] != '\n') ++to;
    pieces.push_back({at, to});
    at = to;
  }
  if (lines_end == end) return;
  last_line_.assign(lines_end, end);
  last_line_ += '\n';
  pieces.push_back({last_line_.data(), last_line_.data() + last_line_.size()});
}

std::size_t market_body::line_of(char const* at) const {
  // Compared as numbers: they may point into different arrays.
  auto const where = reinterpret_cast<std::uintptr_t>(at), last = reinterpret_cast<std::uintptr_t>(last_line_.data());
  bool const in_last = !last_line_.empty() && where >= last && where < last + last_line_.size();
  auto const* const end = in_last ? text_.data() + text_.size() : at;
  return 1 + static_cast<std::size_t>(std::count(text_.data(), end, '\n'));
}

void market_body::refuse_line(line_failure const& failure) const {
  auto const* behind = failure.at;
  while (!ends_token(*behind)) ++behind;
  bool const missing = *failure.at == '\n';
  auto const found =
      missing ? std::string("the end of the line") : in_quotes({failure.at, static_cast<std::size_t>(behind - failure.at)});
  auto const index_up_to = [](char const* what, index_t n) {
    return n == 0 ? std::string("no entry, there are no ") + what + "s" : std::string("a ") + what + " from 1 to " + text_of(n);
  };
  bool const natural = header.field == market_field::unsigned_integer, integer = natural || header.field == market_field::integer;
  std::string expected;
  switch (failure.part) {
    case market_part::row:
      expected = index_up_to("row", header.rows);
      break;
    case market_part::column:
      expected = index_up_to("column", header.columns);
      break;
    case market_part::diagonal:
      expected = "no entry on the diagonal: the diagonal of a skew-symmetric matrix is 0";
      break;
    case market_part::imaginary:
      expected = "the imaginary part, " + range_of<double>();
      break;
    case market_part::line_end:
      expected = header.field == market_field::pattern   ? "the end of the line: the field is pattern, which has no values"
                 : header.field == market_field::complex ? "the end of the line"
                                                         : std::string("the end of the line: the field is ") +
                                                               (natural   ? "unsigned-integer"
                                                                : integer ? "integer"
                                                                          : "real") +
                                                               ", which has one value";
      break;
    default:
      expected = natural   ? "an integer from 0 to " + text_of(std::numeric_limits<std::int64_t>::max())
                 : integer ? range_of<std::int64_t>()
                           : range_of<double>();
      if (integer && header.symmetry == market_symmetry::skew_symmetric) expected += ", whose negative fits too";
  }
  refuse(file, "line " + text_of(line_of(failure.at)), found, expected);
}

void market_body::expect_entries(std::vector<index_t> const& of) const {
  index_t found = 0;
  std::string const what = header.dense ? " values" : " entries";
  std::string const expected = text_of(header.entries) + what + ", as line " + text_of(header.size_line) + " says";
  for (std::size_t k = 0; k < of.size(); found += of[k++]) {
    if (found + of[k] <= header.entries) continue;
    index_t left = header.entries - found;
    detail::each_line(pieces[k], [&](char const* at) {
      if (left-- == 0) refuse(file, "line " + text_of(line_of(at)), "more" + what, expected);
      return static_cast<char const*>(std::memchr(at, '\n', static_cast<std::size_t>(pieces[k].end - at))) + 1;
    });
  }
  if (found == header.entries) return;
  auto const lines = static_cast<std::size_t>(std::count(text_.begin(), text_.end(), '\n')) + !last_line_.empty();
  refuse(file, "line " + text_of(lines) + ", the last", text_of(found) + what, expected);
}

}  // namespace lookback::app
