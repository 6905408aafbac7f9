#include "text_pieces.hpp"

#include <algorithm>
#include <cstring>

#include "memory_left.hpp"

namespace lookback::app {

text_pieces::text_pieces(input_file const& file, bool packed, std::size_t bytes) : file_{&file}, text_{file.text()}, bytes_{bytes} {
  if (packed) packed_.emplace(file);
}

bool text_pieces::next(text_piece& to) {
  {
    std::lock_guard const lock(mutex_);
    to.number = number_;
    if (ended_) return false;
    ++number_;
    if (packed_) inflate(to);
    else cut(to);
    ended_ = to.is_last;
  }
  if (!packed_ && file_) file_->load(reinterpret_cast<std::byte const*>(to.text.data()), to.text.size());
  return true;
}

void text_pieces::cut(text_piece& to) {
  std::size_t end = text_.size();
  if (bytes_ > 0 && end - at_ > bytes_) {
    // A file with holes can be of any size, and have no line end.
    auto const most = std::max(memory_left(), bytes_);
    auto const from = at_ + bytes_ - 1, searched = std::min(end - from, most);
    if (auto const* const found = std::memchr(text_.data() + from, '\n', searched))
      end = static_cast<std::size_t>(static_cast<char const*>(found) - text_.data()) + 1;
    else if (searched < end - from)
      throw out_of_memory((file_ ? file_->path() + ": " : std::string()) + "has a line of more than " +
                          bytes_text(static_cast<double>(searched)) + ", for which there is no memory");
  }
  to.text = text_.substr(at_, end - at_);
  to.done = static_cast<double>(end);
  to.is_last = end == text_.size();
  at_ = end;
}

void text_pieces::inflate(text_piece& to) {
  auto& held = to.held;
  held = std::move(rest_);
  rest_.clear();
  std::size_t checked = 0, end = 0;  // no line ends before `checked`
  do {
    auto const before = held.size(), more = std::max(bytes_ / 2, std::size_t{1} << 16);
    if (before + more > held.capacity()) expect_memory(file_->path(), "the decompressed text", before + more, 2);
    std::size_t made = 0, room = more;
    held.resize(before + more);
    while (room > 0) {
      auto const got = packed_->read(held.data() + before + made, room);
      if (got == 0) break;
      made += got, room -= got;
    }
    held.resize(before + made);
    to.is_last = room > 0;
    if (to.is_last) end = held.size();
    else if (bytes_ > 0 && held.size() >= bytes_) {
      auto const at = std::string_view(held).substr(checked).rfind('\n');
      if (at != std::string_view::npos) end = checked + at + 1;
      checked = held.size();
    }
  } while (end == 0 && !to.is_last);
  rest_.assign(held, end);
  held.resize(end);
  to.text = held;
  to.done = static_cast<double>(packed_->position());
}

}  // namespace lookback::app
