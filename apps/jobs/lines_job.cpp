#include "lines_job.hpp"

#include <algorithm>
#include <cstring>

#include "dispatch/peers.hpp"
#include "io/memory_left.hpp"
#include "io/numbers.hpp"
#include "report/clock.hpp"
#include "report/printable.hpp"

namespace lookback::app {

namespace {

using dispatch::text_line;

// As uniq -c has it: seven places at least, and a blank.
void put_count(std::string& text, index_t count) {
  auto const digits = text_of(count);
  text.append(digits.size() < 7 ? 7 - digits.size() : 0, ' ').append(digits).append(1, ' ');
}

}  // namespace

std::vector<std::size_t> lines_job::room() const {
  auto const n = static_cast<std::size_t>(lines);
  return {n * sizeof(text_line), unique ? n * sizeof(text_line) : 0, unique ? n * sizeof(index_t) : 0, sizeof(index_t)};
}

dispatch::lines_request lines_job::request(places const& at) const {
  dispatch::lines_request made;
  made.lines = lines;
  made.counts_equal = unique;
  if (at.in.empty()) return made;  // asked what it is, not to run
  made.characters = static_cast<char const*>(at.in[0]);
  made.begins = static_cast<index_t const*>(at.in[1]);
  made.sorted = static_cast<text_line*>(at.out[0]);
  made.firsts = static_cast<text_line*>(at.out[1]);
  made.lengths = static_cast<index_t*>(at.out[2]);
  made.counts = static_cast<index_t*>(at.out[3]);
  return made;
}

void lines_job::run(dispatch::place const& on, strategy how, bool, places const& at) const {
  auto asked = request(at);
  asked.how = how;
  dispatch::sort_lines(on, asked);
}

std::vector<peer_call> lines_job::peers(back_end where) const {
  return calls_of(dispatch::lines_peers(), where, [this](places const& at) { return request(at); });
}

std::optional<std::string> lines_job::text_result(outputs const& out) const {
  auto const* const found = out[unique ? 1 : 0].as<text_line>();
  index_t const number = count_in(out, 0);
  std::string text;
  text.reserve(characters.bytes() + (counts_lines ? static_cast<std::size_t>(number) * 8 : 0));
  auto const* const all = reinterpret_cast<char const*>(characters.data);
  for (index_t i = 0; i < number; ++i) {
    if (counts_lines) put_count(text, out[2].as<index_t>()[i]);
    text.append(all + found[i].begin, static_cast<std::size_t>(found[i].length)).append(1, '\n');
  }
  return text;
}

double lines_job::moved_bytes(outputs const&) const { return 2 * static_cast<double>(characters.bytes()); }

// From the text again, sharing nothing with what is checked.
std::string lines_job::first_difference(outputs const& out) const {
  std::vector<std::string_view> all;
  for (auto rest = file.text(); !rest.empty();) {
    auto const end = rest.find('\n');
    all.push_back(rest.substr(0, end));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  std::stable_sort(all.begin(), all.end());
  auto const* const found = out[unique ? 1 : 0].as<text_line>();
  index_t const number = count_in(out, 0);
  index_t at = 0;
  for (auto line = all.begin(); line != all.end(); ++at) {
    auto const next = unique ? std::find_if(line, all.end(), [&](auto const& other) { return other != *line; }) : line + 1;
    if (at == number) return "found " + grouped(number) + " lines, expected more";
    std::string_view const got(reinterpret_cast<char const*>(characters.data) + found[at].begin,
                               static_cast<std::size_t>(found[at].length));
    if (got != *line) return "line " + grouped(at + 1) + ": found " + in_quotes(got) + ", expected " + in_quotes(*line);
    if (counts_lines && out[2].as<index_t>()[at] != next - line)
      return "line " + grouped(at + 1) + ": found " + grouped(out[2].as<index_t>()[at]) + " of it, expected " +
             grouped(next - line);
    line = next;
  }
  return at == number ? "" : "found " + grouped(number) + " lines, expected " + grouped(at);
}

std::string lines_job::finding(outputs const& out) const {
  std::string const text = grouped(lines) + (lines == 1 ? " line" : " lines");
  return unique ? text + ", " + grouped(count_in(out, 0)) + " of them different" : text;
}

std::unique_ptr<lines_job> make_lines_job(lines_options const& options, read_times* times) {
  auto made = std::make_unique<lines_job>();
  made->file = read_text_file(options.in, times);
  stopwatch clock;
  auto const text = made->file.text();
  made->lines = std::count(text.begin(), text.end(), '\n') + (!text.empty() && text.back() != '\n');
  made->unique = options.unique || options.count;
  made->counts_lines = options.count;
  expect_memory(options.in, "sorting " + grouped(made->lines) + " lines", static_cast<std::size_t>(made->lines),
                (made->unique ? 4 : 3) * sizeof(text_line) + 2 * sizeof(index_t));
  made->characters.n = std::ssize(text);
  made->characters.shape = {made->characters.n};
  made->characters.data = reinterpret_cast<std::byte const*>(text.data());
  made->characters.from = options.in;
  made->begins = make_array(element::i64, made->lines + 1);
  auto* begin = made->begins.memory.as<index_t>();
  *begin = 0;
  for (char const *at = text.data(), *const end = at + text.size(); at != end;) {
    auto const* const found = static_cast<char const*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
    at = found ? found + 1 : end;
    *++begin = at - text.data() + (found ? 0 : 1);  // as if it ended
  }
  if (times) times->parse += clock.lap();
  made->title = options.count ? "lines, counted" : options.unique ? "different lines" : "lines";
  return made;
}

}  // namespace lookback::app
