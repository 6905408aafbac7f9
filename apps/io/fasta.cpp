#include "fasta.hpp"

#include "encoding.hpp"
#include "memory_left.hpp"

namespace lookback::app {

namespace {

constexpr std::uint8_t no_letter = 255;

constexpr auto make_codes() {
  struct {
    std::uint8_t of[256];
  } codes{};
  for (auto& code : codes.of) code = no_letter;
  for (int c = 0; c < 26; ++c) codes.of['A' + c] = codes.of['a' + c] = sequences::other;
  for (char const c : {'*', '-', '.'}) codes.of[static_cast<int>(c)] = sequences::other;
  std::uint8_t code = 0;
  for (char const c : {'A', 'C', 'G', 'T'}) {
    codes.of[static_cast<int>(c)] = codes.of[c - 'A' + 'a'] = code;
    ++code;
  }
  return codes;
}
constexpr auto codes = make_codes();

std::string_view without_end(std::string_view line) {
  while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '\t')) line.remove_suffix(1);
  return line;
}

}  // namespace

sequences parse_fasta(text_file const& from) {
  expect_utf8(from.text(), from.name());
  auto rest = behind_mark(from.text());
  expect_memory(from.name(), "the letters", rest.size(), 1);
  sequences made;
  made.letters = make_array(element::u8, static_cast<index_t>(rest.size()));
  made.letters.from = from.name();
  auto* out = made.letters.memory.as<std::uint8_t>();
  auto* const begin = out;
  for (index_t number = 1; !rest.empty(); ++number) {
    auto const end = rest.find('\n');
    auto const line = without_end(rest.substr(0, end));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    if (line.starts_with('>')) {
      if (made.number++ > 0) *out++ = sequences::between;
      continue;
    }
    if (!line.empty() && made.number == 0)
      refuse(from.name(), "line " + text_of(number), in_quotes(line), "a line that begins with '>' above the first sequence");
    for (char const c : line) {
      auto const code = codes.of[static_cast<unsigned char>(c)];
      if (code == no_letter)
        refuse(from.name(), "line " + text_of(number), in_quotes(std::string_view(&c, 1)), "letters of a sequence");
      *out++ = code;
    }
  }
  if (made.number == 0) refuse(from.name(), "line 1", "no sequence", "FASTA: a line that begins with '>', then letters");
  made.letters.n = out - begin;
  made.letters.shape = {made.letters.n};
  return made;
}

}  // namespace lookback::app
