#include "access_log.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "io/numbers.hpp"

namespace lookback::app {

namespace {

struct entry {
  std::string_view client;
  std::int64_t bytes;
};

// client, identity, user, [time], "request", status, bytes. A quote in a request is written \".
std::optional<entry> entry_of(std::string_view line) {
  auto const client = line.substr(0, line.find(' '));
  auto const time = line.find(" ["), time_end = line.find("] \"", time);
  if (client.empty() || time == std::string_view::npos || time_end == std::string_view::npos) return {};
  auto at = time_end + 3;
  while (at < line.size() && line[at] != '"') at += line[at] == '\\' ? 2 : 1;
  if (at + 6 > line.size() || line[at + 1] != ' ' || line[at + 5] != ' ') return {};
  auto const bytes = line.substr(at + 6, line.find(' ', at + 6) - (at + 6));
  entry made{client, 0};
  if (bytes != "-" && parse_number(bytes, made.bytes) != parsed::ok) return {};
  return made;
}

// FNV-1a.
std::uint64_t number_of(std::string_view text) {
  std::uint64_t hash = 14695981039346656037u;
  for (char const c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash;
}

template <class F>
void each_line(std::string_view text, F f) {
  for (index_t number = 1; !text.empty(); ++number) {
    auto const end = std::min(text.find('\n'), text.size());
    f(number, text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace

bool is_access_log(std::string_view text) { return entry_of(text.substr(0, text.find('\n'))).has_value(); }

access_log read_access_log(std::string_view text, std::string const& file) {
  std::vector<entry> entries;
  each_line(text, [&](index_t number, std::string_view line) {
    auto const one = entry_of(line);
    if (!one) refuse(file, "line " + text_of(number), "'" + std::string(line.substr(0, 60)) + "'", "a line of an access log");
    entries.push_back(*one);
  });
  auto const n = static_cast<index_t>(entries.size());
  access_log made{make_array(element::u64, n), make_array(element::i64, n)};
  for (index_t i = 0; i < n; ++i) {
    made.clients.memory.as<std::uint64_t>()[i] = number_of(entries[static_cast<std::size_t>(i)].client);
    made.bytes.memory.as<std::int64_t>()[i] = entries[static_cast<std::size_t>(i)].bytes;
  }
  return made;
}

}  // namespace lookback::app
