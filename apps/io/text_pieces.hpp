// A text in pieces that end where a line ends, for several threads that each ask for the next one.
#pragma once
#include <lookback/fn.hpp>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "file.hpp"
#include "gunzip.hpp"

namespace lookback::app {

struct text_piece {
  index_t number = 0;
  std::string_view text;
  bool is_last = false;
  double done = 0;   // bytes of the file up to its end
  std::string held;  // what was decompressed: `text` lies in it
};

/// A file's text from its beginning. A piece ends behind an LF or where the text ends, so that a text without LF is one piece.
/// Reading the file and decompressing it is part of asking for a piece.
class text_pieces {
 public:
  /// The file, or what gzip made of it, in pieces of about `bytes` bytes; 0: all of it in one. `file` outlives it.
  text_pieces(input_file const& file, bool packed, std::size_t bytes);
  /// A text in memory, which outlives it.
  text_pieces(std::string_view text, std::size_t bytes) : text_{text}, bytes_{bytes} {}
  text_pieces(text_pieces const&) = delete;

  /// The next piece, of an empty text an empty one; false behind the last. From any thread. Throws bad_data where gzip's data are
  /// wrong, with the number of the piece in `to`; out_of_memory for a line that is longer than the memory.
  bool next(text_piece& to);

 private:
  void cut(text_piece& to);
  void inflate(text_piece& to);

  std::mutex mutex_;
  input_file const* file_ = nullptr;
  std::string_view text_;
  std::size_t bytes_, at_ = 0;
  std::optional<gunzip_stream> packed_;
  std::string rest_;  // decompressed, behind the last line end
  index_t number_ = 0;
  bool ended_ = false;
};

}  // namespace lookback::app
