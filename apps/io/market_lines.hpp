// The lines behind the head of a Matrix Market file, read on several threads: each takes pieces of text that end where a line ends.
#pragma once
#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "market_header.hpp"
#include "market_numbers.hpp"
#include "report/progress.hpp"
#include "workers.hpp"

namespace lookback::app {

/// What a line must hold, in this order.
enum class market_part { none, row, column, diagonal, value, imaginary, line_end };

/// Where a line is not what it must be; `part` says what was expected there.
struct line_failure {
  char const* at = nullptr;
  market_part part = market_part::none;
};

/// A file after its head, divided.
class market_body {
 public:
  market_body(std::string_view text, std::string const& in_file, market_header const& head, reading const& reads);
  market_body(market_body const&) = delete;

  struct piece {
    char const *begin, *end;
  };
  std::vector<piece> pieces;  // each ends with a '\n'
  market_header const& header;
  std::string const& file;
  reading const how;

  /// Throws bad_data with line, what is found there and what was expected.
  [[noreturn]] void refuse_line(line_failure const& failure) const;
  /// Throws bad_data unless there are as many items as the head says; of[k] is the number in pieces[k].
  void expect_entries(std::vector<index_t> const& of) const;
  double bytes() const { return static_cast<double>(text_.size() - header.body); }

 private:
  std::size_t line_of(char const* at) const;

  std::string_view text_;
  std::string last_line_;  // with the '\n' that it lacks in the file
};

/// Items of a piece of text, in its order.
template <class Item>
struct market_items {
  std::unique_ptr<Item[]> items;
  index_t n = 0;
  unsigned sides = 0;  // of the diagonal: see line.side()
};

namespace detail {

// Calls f(first character that is no blank) for each line that holds something, which returns where the next line begins.
template <class F>
void each_line(market_body::piece const& in, F&& f) {
  for (auto const* at = in.begin; at != in.end;) {
    at = skip_blanks(at);
    if (*at == '%') at = static_cast<char const*>(std::memchr(at, '\n', static_cast<std::size_t>(in.end - at)));
    at = *at == '\n' ? at + 1 : f(at);
  }
}

std::size_t lines_in(market_body::piece const& in);

}  // namespace detail

/// Reads one item a line: `line.read(at, end, item, failure)` returns where the item ends, null where it fails. Comments and blank
/// lines go. Refuses what fails first in the file, however many threads there are, and a number of items other than the head's.
template <class Line, class Item = typename Line::item>
std::vector<market_items<Item>> read_lines(market_body const& body, Line const& line) {
  auto const pieces = static_cast<index_t>(body.pieces.size());
  std::vector<market_items<Item>> read(body.pieces.size());
  std::vector<line_failure> failures(body.pieces.size());
  std::atomic<index_t> first_failed{pieces}, done{0};
  progress shown("parsing " + body.file, static_cast<double>(pieces));
  auto const reader = std::this_thread::get_id();
  each_piece(body.how.threads, pieces, [&](index_t k) {
    if (k > first_failed.load(std::memory_order_relaxed)) return;
    auto const piece = body.pieces[static_cast<std::size_t>(k)];
    auto& to = read[static_cast<std::size_t>(k)];
    auto& failure = failures[static_cast<std::size_t>(k)];
    // As many as there are lines, found in a look that brings the text into the cache: memory that is not used is not paid for.
    to.items = std::make_unique_for_overwrite<Item[]>(detail::lines_in(piece));
    Item* item = to.items.get();
    unsigned sides = 0;
    detail::each_line(piece, [&](char const* at) {
      at = line.read(at, piece.end, *item, failure);
      if (!at) return piece.end;
      at = skip_blanks(at);
      if (*at != '\n') {
        failure = {at, market_part::line_end};
        return piece.end;
      }
      sides |= line.side(*item++);
      return at + 1;
    });
    to.n = item - to.items.get();
    to.sides = sides;
    if (failure.at)
      for (auto first = first_failed.load(); k < first && !first_failed.compare_exchange_weak(first, k);) {
      }
    auto const now = done.fetch_add(1, std::memory_order_relaxed);
    if (std::this_thread::get_id() == reader) shown.at(static_cast<double>(now));
  });
  if (first_failed < pieces) body.refuse_line(failures[static_cast<std::size_t>(first_failed)]);
  std::vector<index_t> counts;
  for (auto const& items : read) counts.push_back(items.n);
  body.expect_entries(counts);
  return read;
}

}  // namespace lookback::app
