#include "lines_job.hpp"

#include <algorithm>
#include <numeric>

#include "dispatch/peers.hpp"
#include "io/memory_left.hpp"
#include "io/numbers.hpp"
#include "io/parallel.hpp"
#include "io/write_in_order.hpp"
#include "report/clock.hpp"
#include "report/printable.hpp"

namespace lookback::app {

namespace {

// As uniq -c has it: seven places at least, and a blank.
void put_count(std::string& text, index_t count) {
  auto const digits = text_of(count);
  text.append(digits.size() < 7 ? 7 - digits.size() : 0, ' ').append(digits).append(1, ' ');
}

// Where lines begin, and behind the last one where another would, as if that had its end.
array begins_of(std::string_view text, std::string const& from, bool unique, int threads) {
  auto const n = static_cast<index_t>(text.size());
  index_t const part = index_t{1} << 20, parts = (n + part - 1) / part;
  std::vector<index_t> before(static_cast<std::size_t>(parts + 1));  // lines that end before each part
  auto const part_of = [&](index_t k) { return text.substr(static_cast<std::size_t>(k * part), static_cast<std::size_t>(part)); };
  in_parts(
      parts, threads,
      [&](index_t first, index_t last) {
        for (index_t k = first; k < last; ++k)
          before[static_cast<std::size_t>(k + 1)] = std::count(part_of(k).begin(), part_of(k).end(), '\n');
      },
      1, "counting lines");
  std::partial_sum(before.begin(), before.end(), before.begin());
  bool const is_open = !text.empty() && text.back() != '\n';
  index_t const lines = before.back() + (is_open ? 1 : 0);
  std::size_t const of_sort = 112, of_results = sizeof(std::uint32_t) + (unique ? sizeof(std::uint32_t) + sizeof(index_t) : 0);
  expect_memory(from, "sorting " + grouped(lines) + " lines", static_cast<std::size_t>(lines),
                sizeof(index_t) + of_sort + of_results);
  auto begins = make_array(element::i64, lines + 1);
  auto* const to = begins.memory.as<index_t>();
  to[0] = 0;
  in_parts(
      parts, threads,
      [&](index_t first, index_t last) {
        for (index_t k = first; k < last; ++k) {
          auto* begin = to + before[static_cast<std::size_t>(k)];
          auto const here = part_of(k);
          for (std::size_t at = 0; (at = here.find('\n', at)) != std::string_view::npos;)
            *++begin = k * part + static_cast<index_t>(++at);
        }
      },
      1, "finding lines");
  if (is_open) to[lines] = n + 1;
  return begins;
}

}  // namespace

std::vector<std::size_t> lines_job::room() const {
  auto const n = static_cast<std::size_t>(lines);
  return {n * sizeof(std::uint32_t), unique ? n * sizeof(std::uint32_t) : 0, unique ? n * sizeof(index_t) : 0, sizeof(index_t)};
}

dispatch::lines_request lines_job::request(places const& at) const {
  dispatch::lines_request made;
  made.lines = lines;
  made.size = characters.n;
  made.counts_equal = unique;
  if (at.in.empty()) return made;  // asked what it is, not to run
  made.characters = static_cast<char const*>(at.in[0]);
  made.begins = static_cast<index_t const*>(at.in[1]);
  made.order = static_cast<std::uint32_t*>(at.out[0]);
  made.firsts = static_cast<std::uint32_t*>(at.out[1]);
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

// GNU sort, which reads no .gz.
std::optional<outside_program> lines_job::outside(int threads, std::string const& out) const {
  if (file.packed) return {};
  auto const parallel = "--parallel=" + text_of(threads);
  std::string const sort = "LC_ALL=C sort " + parallel + (unique && !counts_lines ? " -u" : "");
  // A pipe says nothing of who wrote into it: then the shell ends itself.
  auto const line =
      counts_lines ? "{ " + sort + " <\"$1\" || kill $$; } | LC_ALL=C uniq -c >\"$2\"" : "exec env " + sort + " -o \"$2\" <\"$1\"";
  return outside_program{"sort " + parallel, "sort", {"sh", "-c", line, "sh", file.name(), out}};
}

std::span<std::uint32_t const> lines_job::order_in(outputs const& out) const {
  return {out[unique ? 1 : 0].as<std::uint32_t>(), static_cast<std::size_t>(unique ? count_in(out, 0) : lines)};
}
std::string_view lines_job::line(std::uint32_t number) const {
  auto const* const begin = begins.memory.as<index_t>() + number;
  return {reinterpret_cast<char const*>(characters.data) + begin[0], static_cast<std::size_t>(begin[1] - begin[0] - 1)};
}

// Lines lie anywhere in the text: a part asks for those to come before it copies one.
bool lines_job::write_text(outputs const& out, output_file& to, int threads) const {
  auto const order = order_in(out);
  constexpr std::size_t part_bytes = std::size_t{1} << 20, ahead = 16;
  auto const mean = characters.bytes() / static_cast<std::size_t>(std::max<index_t>(lines, 1)) + 1;
  std::size_t const part_lines = std::clamp<std::size_t>(part_bytes / mean, 1, 8192);
  auto const parts = static_cast<index_t>((order.size() + part_lines - 1) / part_lines);
  write_in_order(to, parts, threads, [&](index_t part, std::string& text) {
    std::size_t const first = static_cast<std::size_t>(part) * part_lines, last = std::min(first + part_lines, order.size());
    auto const* const begin = begins.memory.as<index_t>();
    for (std::size_t k = first; k < last; ++k) {
      if (k + 2 * ahead < last) __builtin_prefetch(begin + order[k + 2 * ahead]);
      if (k + ahead < last) {
        auto const later = line(order[k + ahead]);
        __builtin_prefetch(later.data());
        __builtin_prefetch(later.data() + later.size());
      }
      if (counts_lines) put_count(text, out[2].as<index_t>()[k]);
      text.append(line(order[k])).append(1, '\n');
    }
  });
  return true;
}

byte_counts lines_job::moved(outputs const&) const { return bytes_of(characters.bytes(), characters.bytes()); }

// From the text again, sharing nothing with what is checked.
std::string lines_job::first_difference(outputs const& out) const {
  std::vector<std::string_view> all;
  for (auto rest = file.text(); !rest.empty();) {
    auto const end = rest.find('\n');
    all.push_back(rest.substr(0, end));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  std::stable_sort(all.begin(), all.end());
  auto const order = order_in(out);
  auto const number = static_cast<index_t>(order.size());
  index_t at = 0;
  for (auto line = all.begin(); line != all.end(); ++at) {
    auto const next = unique ? std::find_if(line, all.end(), [&](auto const& other) { return other != *line; }) : line + 1;
    if (at == number) return "found " + grouped(number) + " lines, expected more";
    auto const got = this->line(order[static_cast<std::size_t>(at)]);
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

std::unique_ptr<lines_job> make_lines_job(lines_options const& options, input_reading* times) {
  auto made = std::make_unique<lines_job>();
  made->file = read_text_file(options.in, times);
  stopwatch clock;
  auto const text = made->file.text();
  made->unique = options.unique || options.count;
  made->counts_lines = options.count;
  made->characters.n = std::ssize(text);
  made->characters.shape = {made->characters.n};
  made->characters.data = reinterpret_cast<std::byte const*>(text.data());
  made->characters.from = options.in;
  made->begins = begins_of(text, options.in, made->unique, times ? times->threads : 0);
  made->lines = made->begins.n - 1;
  if (times) times->parse += clock.lap();
  made->title = options.count ? "lines, counted" : options.unique ? "different lines" : "lines";
  return made;
}

}  // namespace lookback::app
