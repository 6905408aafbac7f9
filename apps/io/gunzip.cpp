#include <zlib.h>

#include <algorithm>
#include <utility>

#include "file.hpp"
#include "memory_left.hpp"

namespace lookback::app {

namespace {
struct inflater {
  z_stream stream{};
  inflater() {
    if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK) throw out_of_memory("no memory to decompress");  // 16: a gzip header
  }
  ~inflater() { inflateEnd(&stream); }
  inflater(inflater const&) = delete;
};

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
  inflater state;
  auto& stream = state.stream;
  std::string out;
  std::size_t taken = 0;
  auto const refuse_here = [&](char const* found) {
    refuse(file.path(), "byte " + text_of(taken - stream.avail_in), found, "gzip data");
  };
  if (file.size() < 2 || file.data()[0] != std::byte{0x1f} || file.data()[1] != std::byte{0x8b}) refuse_here("no gzip magic 1f 8b");
  char block[1 << 16];
  for (;;) {
    if (stream.avail_in == 0) {
      auto const more = std::min<std::size_t>(file.size() - taken, 1u << 30);
      if (more == 0) refuse_here("the end of the file");
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(file.data() + taken));
      stream.avail_in = static_cast<uInt>(more);
      taken += more;
    }
    stream.next_out = reinterpret_cast<Bytef*>(block);
    stream.avail_out = sizeof block;
    int const code = inflate(&stream, Z_NO_FLUSH);
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) refuse_here(stream.msg ? stream.msg : "corrupt data");
    std::size_t const made = sizeof block - stream.avail_out;
    make_room(out, made, file.path());
    out.append(block, made);
    if (code != Z_STREAM_END) continue;
    // More gzip files may follow. Zeros behind a file are padding: tapes and object stores fill their blocks.
    std::size_t next = taken - stream.avail_in;
    while (next != file.size() && file.data()[next] == std::byte{0}) ++next;
    if (next == file.size()) return out;
    inflateReset(&stream);
    taken = next, stream.avail_in = 0;
  }
}

}  // namespace lookback::app
