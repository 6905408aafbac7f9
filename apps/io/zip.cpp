#include "zip.hpp"

#include <zlib.h>

#include <algorithm>
#include <limits>

#include "memory_left.hpp"
#include "numbers.hpp"
#include "report/failures.hpp"

namespace lookback::app {

namespace {

constexpr std::uint64_t none16 = 0xffff, none32 = 0xffffffff;  // "see zip64"

// Little-endian fields at a place that is known to be in the file.
struct fields {
  std::string_view bytes;
  std::uint64_t at(std::size_t where, int size) const {
    std::uint64_t value = 0;
    for (int i = 0; i < size; ++i)
      value |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[where + static_cast<std::size_t>(i)])) << 8 * i;
    return value;
  }
};

class directory_reader {
 public:
  directory_reader(std::string_view bytes, std::string const& file) : bytes_{bytes}, file_{file} {}

  std::optional<zip_member> find(std::string_view wanted) {
    find_directory();
    std::optional<std::size_t> last;
    auto at = directory_;
    for (std::uint64_t k = 0; k < count_; ++k) {
      auto const [head, name, extra, end] = entry(at);
      if (name == wanted) last = at;
      at = end;
    }
    return last ? std::optional(member(*last)) : std::nullopt;
  }

 private:
  [[noreturn]] void stop(std::size_t at, std::string const& found, std::string const& expected) const {
    refuse(file_, "byte " + text_of(at), found, expected);
  }

  // `size` bytes at `at`, which begin with `magic`.
  fields part(std::size_t at, std::size_t size, std::string_view magic, char const* what) const {
    if (at > bytes_.size() || size > bytes_.size() - at) stop(std::min(at, bytes_.size()), "the end of the file", what);
    auto const found = bytes_.substr(at, size);
    if (!found.starts_with(magic)) stop(at, "other bytes", std::string(what) + " of a zip archive");
    return {found};
  }

  void find_directory() {
    constexpr std::size_t size = 22;
    std::size_t end = bytes_.size() < size ? std::string_view::npos : bytes_.rfind("PK\5\6", bytes_.size() - size);
    while (end != std::string_view::npos && fields{bytes_}.at(end + 20, 2) != bytes_.size() - end - size)  // a comment may follow
      end = end == 0 || bytes_.size() - end > size + none16 ? std::string_view::npos : bytes_.rfind("PK\5\6", end - 1);
    if (end == std::string_view::npos)
      stop(bytes_.size(), bytes_.empty() ? "an empty file" : "no end of a directory", "a complete zip archive");
    fields const tail{bytes_.substr(end, size)};
    count_ = tail.at(10, 2), directory_ = tail.at(16, 4);
    if ((count_ == none16 || directory_ == none32 || tail.at(12, 4) == none32) && end >= 20 &&
        bytes_.substr(end - 20).starts_with("PK\6\7")) {
      auto const wide = part(fields{bytes_}.at(end - 20 + 8, 8), 56, "PK\6\6", "the end of the directory (zip64)");
      count_ = wide.at(32, 8), directory_ = wide.at(48, 8);
    }
  }

  struct directory_entry {
    fields head;
    std::string_view name, extra;
    std::size_t end;
  };
  directory_entry entry(std::size_t at) const {
    auto const head = part(at, 46, "PK\1\2", "an entry of the directory");
    std::size_t const name = head.at(28, 2), extra = head.at(30, 2), comment = head.at(32, 2);
    auto const rest = part(at + 46, name + extra + comment, "", "the name of a member").bytes;
    return {head, rest.substr(0, name), rest.substr(name, extra), at + 46 + name + extra + comment};
  }

  zip_member member(std::size_t at) const {
    auto const [head, name, extra, end] = entry(at);
    zip_member m;
    std::uint64_t offset = head.at(42, 4);
    std::uint64_t const flags = head.at(8, 2), method = head.at(10, 2);
    m.name = name;
    m.crc = static_cast<std::uint32_t>(head.at(16, 4));
    m.packed = head.at(20, 4), m.size = head.at(24, 4);
    widen(extra, at, {&m.size, &m.packed, &offset});
    if (flags & 1) stop(at, m.name + ", an encrypted member", "one without a password");
    if (method != 0 && method != 8) stop(at, m.name + " by compression method " + text_of(method), "0 (stored) or 8 (deflated)");
    m.deflated = method == 8;
    auto const local = part(offset, 30, "PK\3\4", "a member");
    m.at = offset + 30 + local.at(26, 2) + local.at(28, 2);
    part(m.at, m.packed, "", "the content of a member");
    if (!m.deflated && m.packed != m.size) stop(at, text_of(m.packed) + " bytes of a stored member", text_of(m.size));
    if (constexpr std::size_t most = 1032;  // times smaller is what deflate makes of bytes that are all the same
        m.deflated && m.size / most > m.packed)
      stop(at, text_of(m.size) + " bytes deflated to " + text_of(m.packed), "at most 1032 times as many");
    return m;
  }

  // Sizes of more than 32 bits stand in an extra field, those alone that are marked so.
  void widen(std::string_view extra, std::size_t entry, std::initializer_list<std::uint64_t*> sizes) const {
    for (std::size_t at = 0; extra.size() - at >= 4;) {
      std::size_t const id = fields{extra}.at(at, 2), length = fields{extra}.at(at + 2, 2);
      at += 4;
      if (length > extra.size() - at) return;
      if (id == 1) {
        std::size_t read = 0;
        for (auto* const size : sizes)
          if (*size == none32) {
            if (length - read < 8) stop(entry, "a zip64 field of " + text_of(length) + " bytes", "8 for each size");
            *size = fields{extra}.at(at + read, 8);
            read += 8;
          }
        return;
      }
      at += length;
    }
  }

  std::string_view bytes_;
  std::string const& file_;
  std::uint64_t directory_ = 0, count_ = 0;
};

void inflate_member(std::string_view packed, zip_member const& member, std::string const& file, std::byte* to) {
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw out_of_memory("no memory to decompress");
  struct ending {
    z_stream& of;
    ~ending() { inflateEnd(&of); }
  } const end{stream};
  constexpr std::size_t most = 1u << 30;  // zlib counts in 32 bits
  std::size_t taken = 0, made = 0;
  Bytef past_the_end = 0;
  for (int code = Z_OK; code != Z_STREAM_END;) {
    auto const in = std::min(most, packed.size() - taken), out = std::min(most, member.size - made);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + taken));
    stream.avail_in = static_cast<uInt>(in);
    stream.next_out = out ? reinterpret_cast<Bytef*>(to + made) : &past_the_end;
    stream.avail_out = static_cast<uInt>(out ? out : 1);
    code = inflate(&stream, Z_NO_FLUSH);
    taken += in - stream.avail_in;
    auto const got = (out ? out : 1) - stream.avail_out;
    bool const stuck = code != Z_STREAM_END && in == stream.avail_in && got == 0;
    if ((code != Z_OK && code != Z_STREAM_END) || stuck || (out == 0 && got != 0))
      refuse(file, "byte " + text_of(member.at + taken),
             code == Z_DATA_ERROR && stream.msg ? stream.msg
             : out == 0                         ? "more data"
                                                : "the end of the data",
             text_of(member.size) + " bytes of " + member.name + ", deflated");
    if (out) made += got;
  }
  if (made != member.size)
    refuse(file, "byte " + text_of(member.at + taken), "the end of the data after " + text_of(made) + " bytes",
           text_of(member.size) + " bytes of " + member.name + ", deflated");
}

}  // namespace

std::optional<zip_member> find_zip_member(std::string_view bytes, std::string const& file, std::string_view name) {
  return directory_reader(bytes, file).find(name);
}

std::uint32_t crc_of(std::string_view bytes, int threads, std::uint32_t before) {
  constexpr std::size_t piece = std::size_t{1} << 22;
  std::vector<uLong> crcs((bytes.size() + piece - 1) / piece);
  each_piece(threads, static_cast<index_t>(crcs.size()), [&](index_t k) {
    auto const part = bytes.substr(static_cast<std::size_t>(k) * piece, piece);
    crcs[static_cast<std::size_t>(k)] = crc32_z(0, reinterpret_cast<Bytef const*>(part.data()), part.size());
  });
  uLong crc = before;
  for (std::size_t k = 0; k < crcs.size(); ++k)
    crc = crc32_combine(crc, crcs[k], static_cast<z_off_t>(std::min(piece, bytes.size() - k * piece)));
  return static_cast<std::uint32_t>(crc);
}

std::string_view zip_content(std::string_view bytes, zip_member const& member, std::string const& file, host_memory& memory,
                             reading const& how) {
  auto content = bytes.substr(member.at, member.packed);
  if (member.deflated) {
    expect_memory(file, member.name, member.size, 1);
    memory = host_memory(member.size);
    inflate_member(content, member, file, memory.data());
    content = {memory.as<char>(), member.size};
  }
  if (auto const crc = crc_of(content, how.threads); crc != member.crc)
    refuse(file, "byte " + text_of(member.at), member.name + " with CRC-32 " + text_of(crc),
           text_of(member.crc) + ", as the directory says");
  return content;
}

}  // namespace lookback::app
