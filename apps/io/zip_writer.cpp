#include "zip.hpp"

namespace lookback::app {

namespace {

constexpr std::uint64_t largest = 0xfffffffe;
constexpr std::uint64_t date = 0x21;  // 1980-01-01, the first day: the same matrix makes the same file

struct record {
  std::string text;
  record& magic(char const* name) {
    text += name;
    return *this;
  }
  record& put(std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> 8 * i & 0xff);
    return *this;
  }
};

}  // namespace

void zip_writer::write(std::string_view text) {
  out_.write(text);
  at_ += text.size();
}

void zip_writer::add(std::string const& name, std::string_view head, std::span<std::byte const> body) {
  std::uint64_t const size = head.size() + body.size(), begin = at_;
  bool const wide = wide_ || size > largest, far = wide_ || begin > largest;
  std::uint64_t const version = wide || far ? 45 : 20;
  auto const crc = crc_of({reinterpret_cast<char const*>(body.data()), body.size()}, threads_, crc_of(head, threads_));
  // A field of zeros in front of the content moves it to where a page of the mapped file has it aligned.
  std::uint64_t const fixed = 30 + name.size() + (wide ? 20 : 0) + 4;
  std::uint64_t const padding = (64 - (begin + fixed) % 64) % 64;

  record local;
  local.magic("PK\3\4").put(version, 2).put(0, 2).put(0, 2).put(0, 2).put(date, 2).put(crc, 4);
  local.put(wide ? 0xffffffff : size, 4).put(wide ? 0xffffffff : size, 4).put(name.size(), 2).put((wide ? 20 : 0) + 4 + padding, 2);
  local.text += name;
  if (wide) local.put(1, 2).put(16, 2).put(size, 8).put(size, 8);
  local.put(0xd935, 2).put(padding, 2);
  local.text.append(padding, '\0');
  write(local.text);
  write(head);
  write({reinterpret_cast<char const*>(body.data()), body.size()});

  record entry;
  int const extra = (wide ? 16 : 0) + (far ? 8 : 0);
  entry.magic("PK\1\2").put(version, 2).put(version, 2).put(0, 2).put(0, 2).put(0, 2).put(date, 2).put(crc, 4);
  entry.put(wide ? 0xffffffff : size, 4).put(wide ? 0xffffffff : size, 4).put(name.size(), 2);
  entry.put(static_cast<std::uint64_t>(extra ? extra + 4 : 0), 2).put(0, 2).put(0, 2).put(0, 2).put(0, 4);
  entry.put(far ? 0xffffffff : begin, 4);
  entry.text += name;
  if (extra) entry.put(1, 2).put(static_cast<std::uint64_t>(extra), 2);
  if (wide) entry.put(size, 8).put(size, 8);
  if (far) entry.put(begin, 8);
  directory_ += entry.text;
  ++members_;
}

void zip_writer::finish() {
  std::uint64_t const begin = at_, size = directory_.size();
  bool const far = wide_ || begin > largest || size > largest;
  write(directory_);
  record end;
  if (far) {
    std::uint64_t const at = at_;
    end.magic("PK\6\6")
        .put(44, 8)
        .put(45, 2)
        .put(45, 2)
        .put(0, 4)
        .put(0, 4)
        .put(members_, 8)
        .put(members_, 8)
        .put(size, 8)
        .put(begin, 8);
    end.magic("PK\6\7").put(0, 4).put(at, 8).put(1, 4);
  }
  end.magic("PK\5\6").put(0, 2).put(0, 2).put(members_, 2).put(members_, 2);
  end.put(far ? 0xffffffff : size, 4).put(far ? 0xffffffff : begin, 4).put(0, 2);
  write(end.text);
}

}  // namespace lookback::app
