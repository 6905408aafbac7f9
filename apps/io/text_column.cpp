#include "text_column.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "memory_left.hpp"
#include "report/progress.hpp"
#include "text_layout.hpp"
#include "text_pieces.hpp"
#include "text_records.hpp"

namespace lookback::app {

namespace {

// The numbers of a piece, and how many lines it has.
template <class T>
struct piece_numbers {
  std::unique_ptr<T[]> items;
  index_t n = 0;
  std::size_t lines = 0;
};

// Reads the column of a piece as T. Where `only_try` is set, a field that is no T ends it with false instead of an error.
template <class T>
bool read_piece(text_piece const& piece, std::size_t first_line, std::string const& file, text_layout const& of, bool only_try,
                piece_numbers<T>& made) {
  bool const is_first = piece.number == 0;
  text_records records = is_first ? text_records(piece.text, of.delimiter, of.comments, file)
                                  : text_records(piece.text, of.delimiter, of.comments, file, first_line);
  made.items = std::make_unique_for_overwrite<T[]>(lines_in(piece.text));
  std::size_t const column = of.columns[0];
  if (is_first && of.header) records.next(column);
  index_t n = 0;
  for (; records.next(column); ++n) {
    if (records.fields() <= column)
      refuse(file, "line " + text_of(records.line()), counted(records.fields(), "field"), "at least " + text_of(column + 1));
    auto const result = parse_number(records.field_text(), made.items[static_cast<std::size_t>(n)]);
    if (result != parsed::ok) {
      if (only_try) return false;
      auto const field = records.field_text();
      refuse(file, "line " + text_of(records.line()), field.empty() ? "an empty field" : in_quotes(field), range_of<T>());
    }
    if (of.delimiter != ' ' && records.fields() > of.fields)
      refuse(file, "line " + text_of(records.line()), counted(records.fields(), "field"),
             "as many as in the first line, " + text_of(of.fields));
  }
  made.n = n;
  made.lines = records.next_line() - (is_first ? 1 : first_line);
  return true;
}

enum class outcome { all, another_type, cut_inside_a_field };

// A text that several threads read as numbers of type T.
//
// A piece begins where a line does, but that may be inside a quoted field. Then the last field of the piece before is cut, which
// whoever reads that one sees: the end of the piece comes before the closing quote. So if no piece is cut, all were read right, by
// induction from the first. Pieces are handed out in order and read to their ends: when all have stopped, those before one that
// failed are known.
template <class T>
class column_reader {
 public:
  column_reader(std::string const& file, text_layout const& of, bool only_try, double bytes)
      : file_{file}, of_{of}, only_try_{only_try}, line_("parsing " + file, bytes), shower_{std::this_thread::get_id()} {}

  outcome read(text_pieces& from, int workers) {
    cpu::run_workers(cpu::std_threads, workers, [&](int, std::atomic<bool> const& failing) {
      while (!stopped_.load(std::memory_order_relaxed) && !failing.load(std::memory_order_relaxed) && read_next(from)) {
      }
    });
    if (is_cut_) return outcome::cut_inside_a_field;
    if (is_other_) return outcome::another_type;
    if (failure_) throw_failure();
    return outcome::all;
  }

  array numbers(int threads) {
    index_t n = 0;
    std::vector<index_t> begins;
    for (auto const& part : parts_) begins.push_back(n), n += part.n;
    expect_memory(file_, "the array of its numbers", static_cast<std::size_t>(n), sizeof(T));
    array made = make_array(element_of<T>(), n);
    T* const out = made.memory.as<T>();
    each_piece(threads, std::ssize(parts_), [&](index_t k) {
      auto& part = parts_[static_cast<std::size_t>(k)];
      if (part.n > 0)
        std::memcpy(out + begins[static_cast<std::size_t>(k)], part.items.get(), static_cast<std::size_t>(part.n) * sizeof(T));
      part.items.reset();
    });
    return made;
  }

 private:
  bool read_next(text_pieces& from) {
    text_piece piece;
    try {
      if (!from.next(piece)) return false;
    } catch (bad_data const&) {
      fail(std::move(piece), std::current_exception());
      return false;
    }
    piece_numbers<T> read;
    try {
      if (!read_piece(piece, 1, file_, of_, only_try_, read)) stop(is_other_);
    } catch (unclosed_quote const&) {
      if (!piece.is_last) stop(is_cut_);
      else fail(std::move(piece), nullptr);
      return true;
    } catch (bad_data const&) {
      fail(std::move(piece), nullptr);
      return true;
    }
    std::lock_guard const lock(mutex_);
    auto const at = static_cast<std::size_t>(piece.number);
    if (parts_.size() <= at) parts_.resize(at + 1);
    parts_[at] = std::move(read);
    if (std::this_thread::get_id() == shower_) line_.at(piece.done);
    return true;
  }

  void stop(std::atomic<bool>& why) {
    why = true;
    stopped_.store(true, std::memory_order_relaxed);
  }
  // The first in the text is kept: what was thrown, or the piece that says it again when its line is known.
  void fail(text_piece&& piece, std::exception_ptr thrown) {
    std::lock_guard const lock(mutex_);
    stopped_.store(true, std::memory_order_relaxed);
    if (failure_ && failure_->number < piece.number) return;
    failure_ = std::move(piece);
    if (!failure_->held.empty()) failure_->text = failure_->held;
    thrown_ = thrown;
  }
  void throw_failure() {
    if (thrown_) std::rethrow_exception(thrown_);
    std::size_t line = 1;
    for (std::size_t k = 0; k < static_cast<std::size_t>(failure_->number); ++k) line += parts_[k].lines;
    piece_numbers<T> again;
    read_piece(*failure_, line, file_, of_, only_try_, again);
  }

  std::string const& file_;
  text_layout const& of_;
  bool only_try_;
  progress line_;
  std::thread::id shower_;
  std::mutex mutex_;
  std::vector<piece_numbers<T>> parts_;
  std::optional<text_piece> failure_;
  std::exception_ptr thrown_;
  std::atomic<bool> stopped_{false}, is_cut_{false}, is_other_{false};
};

constexpr std::size_t piece_bytes = std::size_t{1} << 20;

using make_pieces = std::function<std::unique_ptr<text_pieces>(std::size_t bytes)>;

// Nothing where the text must be read in one piece.
std::optional<text_layout> layout_of_first(text_piece const& first, std::string const& file, text_words const& words) {
  std::vector<std::string> wanted;
  if (words.column) wanted.push_back(*words.column);
  try {
    if (!first.is_last && !tells_layout(first.text, file, words.delimiter)) return {};
    return layout_of(first.text, file, words.delimiter, wanted, words.header, words.column_option);
  } catch (unclosed_quote const&) {
    if (first.is_last) throw;
    return {};
  }
}

// Nothing where the text must be read in one piece.
std::optional<array> read_column(make_pieces const& pieces, std::string const& file, text_words const& words, double bytes,
                                 std::size_t of_piece, int threads) {
  text_piece first;
  pieces(of_piece)->next(first);
  expect_utf8(first.text, file);
  auto const of = layout_of_first(first, file, words);
  if (!of) return {};
  auto const wanted = cpu::std_threads.workers(threads);
  auto const workers = first.is_last ? 1 : static_cast<int>(std::min<double>(wanted, 1 + bytes / static_cast<double>(of_piece)));
  std::optional<array> made;
  for (element const as : {element::i64, element::u64, element::f64}) {
    bool const only_try = !words.type && as != element::f64;
    auto const ended = with_type(words.type.value_or(as), [&]<class T>(std::type_identity<T>) {
      column_reader<T> reader(file, *of, only_try, bytes);
      auto const how = reader.read(*pieces(of_piece), workers);
      if (how == outcome::all) made = reader.numbers(threads);
      return how;
    });
    if (ended == outcome::cut_inside_a_field) return {};
    if (made) break;
  }
  made->from = file;
  made->column = of->names[0];
  if (of->header) made->notes.push_back(of->note);
  return made;
}

array read_column(make_pieces const& pieces, std::string const& file, text_words const& words, double bytes, reading const& how) {
  auto made = read_column(pieces, file, words, bytes, how.piece_bytes > 0 ? how.piece_bytes : piece_bytes, how.threads);
  if (!made) made = read_column(pieces, file, words, bytes, 0, 1);
  return std::move(*made);
}

}  // namespace

array read_text_column(input_file const& file, bool packed, text_words const& words, reading const& how) {
  auto const pieces = [&](std::size_t bytes) { return std::make_unique<text_pieces>(file, packed, bytes); };
  return read_column(pieces, file.path(), words, static_cast<double>(file.size()), how);
}

array read_text_column(std::string_view text, std::string const& file, text_words const& words, reading const& how) {
  auto const pieces = [&](std::size_t bytes) { return std::make_unique<text_pieces>(text, bytes); };
  return read_column(pieces, file, words, static_cast<double>(text.size()), how);
}

}  // namespace lookback::app
