#include "gunzip.hpp"

#include <zlib.h>

#include <algorithm>

#include "memory_left.hpp"

namespace lookback::app {

struct gunzip_stream::state {
  input_file const& file;
  z_stream stream{};
  std::size_t taken = 0;  // bytes that zlib has been given
  bool ended = false;

  explicit state(input_file const& from) : file{from} {
    if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK) throw out_of_memory("no memory to decompress");  // 16: a gzip header
  }
  ~state() { inflateEnd(&stream); }
  state(state const&) = delete;

  [[noreturn]] void refuse_here(char const* found) const {
    refuse(file.path(), "byte " + text_of(taken - stream.avail_in), found, "gzip data");
  }
  void give_more() {
    auto const more = std::min<std::size_t>(file.size() - taken, 1u << 30);
    if (more == 0) refuse_here("the end of the file");
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(file.data() + taken));
    stream.avail_in = static_cast<uInt>(more);
    taken += more;
  }
  // More gzip files may follow. Zeros behind a file are padding: tapes and object stores fill their blocks.
  void end_file() {
    std::size_t next = taken - stream.avail_in;
    while (next != file.size() && file.data()[next] == std::byte{0}) ++next;
    if (next == file.size()) {
      ended = true;
      return;
    }
    inflateReset(&stream);
    taken = next, stream.avail_in = 0;
  }
};

gunzip_stream::gunzip_stream(input_file const& file) : state_{std::make_unique<state>(file)} {
  if (file.size() < 2 || file.data()[0] != std::byte{0x1f} || file.data()[1] != std::byte{0x8b})
    state_->refuse_here("no gzip magic 1f 8b");
}
gunzip_stream::gunzip_stream(gunzip_stream&&) noexcept = default;
gunzip_stream::~gunzip_stream() = default;

std::size_t gunzip_stream::read(char* to, std::size_t room) {
  auto& stream = state_->stream;
  auto const asked = static_cast<uInt>(std::min<std::size_t>(room, 1u << 30));
  stream.next_out = reinterpret_cast<Bytef*>(to);
  stream.avail_out = asked;
  while (!state_->ended && stream.avail_out == asked) {
    if (stream.avail_in == 0) state_->give_more();
    int const code = inflate(&stream, Z_NO_FLUSH);
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) state_->refuse_here(stream.msg ? stream.msg : "corrupt data");
    if (code == Z_STREAM_END) state_->end_file();
  }
  return asked - stream.avail_out;
}

std::size_t gunzip_stream::position() const { return state_->taken - state_->stream.avail_in; }

namespace {
// For so many characters more: twice the room, or, where memory is short, at least a quarter more. What is held is copied.
void make_room(std::string& text, std::size_t more, std::string const& path) {
  if (more <= text.capacity() - text.size()) return;
  std::size_t const least = text.size() + std::max(more, text.size() / 4);
  expect_memory(path, "the decompressed text", least, 1);
  std::string larger;
  larger.reserve(std::max(least, std::min(2 * text.capacity(), memory_left() / 8 * 7)));
  larger += text;
  text = std::move(larger);
}
}  // namespace

std::string gunzip(input_file const& file) {
  gunzip_stream stream(file);
  std::string out;
  char block[1 << 16];
  while (auto const made = stream.read(block, sizeof block)) {
    make_room(out, made, file.path());
    out.append(block, made);
  }
  return out;
}

}  // namespace lookback::app
