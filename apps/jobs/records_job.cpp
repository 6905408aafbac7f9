#include "records_job.hpp"

#include <algorithm>

#include "check_records.hpp"
#include "dispatch/peers.hpp"
#include "io/encoding.hpp"
#include "io/memory_left.hpp"
#include "io/write_in_order.hpp"
#include "report/clock.hpp"

namespace lookback::app {

namespace {

std::vector<std::string> columns_named(std::string const& list) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin <= list.size();) {
    auto const end = std::min(list.find(',', begin), list.size());
    names.push_back(list.substr(begin, end - begin));
    if (names.back().empty()) throw usage_error("--by: found '" + list + "', expected columns with a comma between two of them");
    begin = end + 1;
  }
  return names;
}

bool ends_line(std::string_view text) { return text.ends_with('\n') || text.ends_with('\r'); }

// As the first line has it.
std::string line_end_of(std::string_view text) {
  auto const at = text.find_first_of("\r\n");
  if (at == std::string_view::npos) return "\n";
  return std::string(text.substr(at, text.substr(at).starts_with("\r\n") ? 2 : 1));
}

std::string name_for_people(key_column const& column) {
  constexpr std::size_t longest = 40;
  return printable(column.name.substr(0, longest)) + (column.name.size() > longest ? "..." : "");
}

}  // namespace

std::vector<std::span<std::byte const>> records_job::inputs() const {
  std::vector<std::span<std::byte const>> all;
  for (auto const& column : table.columns) {
    if (column.is_text) {
      all.push_back(std::as_bytes(std::span(column.characters)));
      all.emplace_back(column.begins.data, column.begins.bytes());
    } else {
      all.emplace_back(column.numbers.data, column.numbers.bytes());
    }
  }
  return all;
}

std::vector<std::size_t> records_job::room() const {
  auto const n = static_cast<std::size_t>(table.rows());
  auto const is_text = [](key_column const& column) { return column.is_text; };
  bool const texts = std::any_of(table.columns.begin(), table.columns.end(), is_text);
  bool const numbers = !std::all_of(table.columns.begin(), table.columns.end(), is_text);
  return {n * sizeof(index_t), numbers ? n * sizeof(std::int64_t) : 0, texts ? n * sizeof(dispatch::text_line) : 0,
          texts ? sizeof(index_t) : 0};
}

std::vector<std::size_t> records_job::used(outputs const&) const { return {room()[0], 0, 0, 0}; }

dispatch::records_request records_job::request(places const& at) const {
  dispatch::records_request made;
  made.n = table.rows();
  made.descending = descending;
  bool const runs = !at.in.empty();  // or is asked what it is
  std::size_t next = 0;
  for (auto const& column : table.columns) {
    auto& to = made.columns.emplace_back();
    to.is_text = column.is_text;
    to.type = column.numbers.type;
    if (!runs) continue;
    if (!column.is_text) to.numbers = at.in[next++];
    else {
      to.characters = static_cast<char const*>(at.in[next++]);
      to.begins = static_cast<index_t const*>(at.in[next++]);
    }
  }
  if (!runs) return made;
  made.order = static_cast<index_t*>(at.out[0]);
  made.numbers = at.out[1];
  made.lines = static_cast<dispatch::text_line*>(at.out[2]);
  made.count = static_cast<index_t*>(at.out[3]);
  return made;
}

void records_job::run(dispatch::place const& on, strategy how, bool, places const& at) const {
  auto asked = request(at);
  asked.how = how;
  dispatch::sort_records(on, asked);
}

std::vector<peer_call> records_job::peers(back_end where) const {
  return calls_of(dispatch::records_peers(), where, [this](places const& at) { return request(at); });
}

// Rows [first, last) of the result: with what stands before all rows, if it is the first, and behind them, if it is the last.
void records_job::append_rows(outputs const& out, index_t first, index_t last, std::string& text) const {
  auto const all = file.text();
  auto const part = [&](index_t begin, index_t end) {
    return all.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
  };
  auto const end = line_end_of(all);
  if (first == 0) text += part(0, table.begins.front());
  for (index_t i = first; i < last; ++i) {
    auto const row = static_cast<std::size_t>(out[0].as<index_t>()[i]);
    text += part(table.begins[row], table.begins[row + 1]);
    if (!ends_line(text)) text += end;
  }
  if (last != table.rows()) return;
  text += part(table.begins.back(), std::ssize(all));
  if (!text.empty() && !ends_line(text)) text += end;
}

std::optional<std::string> records_job::text_result(outputs const& out) const {
  std::string text;
  text.reserve(file.text().size() + 2);
  append_rows(out, 0, table.rows(), text);
  return text;
}

// Rows lie anywhere in the text: several threads gather them, and no second text is held.
bool records_job::write_text(outputs const& out, output_file& to, int threads) const {
  constexpr index_t part_bytes = index_t{1} << 20;
  auto const mean = characters.n / std::max<index_t>(table.rows(), 1) + 1;
  auto const part_rows = std::clamp<index_t>(part_bytes / mean, 1, 8192);
  auto const parts = std::max<index_t>((table.rows() + part_rows - 1) / part_rows, 1);
  write_in_order(to, parts, threads, [&](index_t part, std::string& text) {
    append_rows(out, part * part_rows, std::min(table.rows(), (part + 1) * part_rows), text);
  });
  return true;
}

byte_counts records_job::moved(outputs const&) const {
  std::size_t read = 0;
  for (auto const& input : inputs()) read += input.size();
  return bytes_of(read, room()[0]);
}

std::string records_job::first_difference(outputs const& out) const { return difference_of_records(*this, out); }

std::string records_job::finding(outputs const&) const {
  std::string text = grouped(table.rows()) + (table.rows() == 1 ? " row" : " rows");
  for (auto const& column : table.columns)
    text += (&column == table.columns.data() ? " by " : ", ") + name_for_people(column) + " (" +
            (column.is_text ? "text" : dispatch::name_of(column.numbers.type)) + ")";
  return text;
}

std::unique_ptr<records_job> make_records_job(records_options const& options, input_reading* times) {
  auto const names = columns_named(options.by);
  auto made = std::make_unique<records_job>();
  made->file = read_text_file(options.in, times);
  stopwatch clock;
  auto const text = made->file.text();
  expect_utf8(text, options.in);
  made->layout = layout_of(text, options.in, delimiter_named(options.in), names, options.header, "--by");
  auto const lines = lines_in(text);
  expect_memory(options.in, "sorting " + grouped(static_cast<index_t>(lines)) + " rows", lines,
                sizeof(dispatch::text_line) + (3 + 2 * names.size()) * sizeof(index_t));
  made->table = read_text_table(text, options.in, made->layout, times ? times->threads : 0);
  made->descending = options.descending;
  made->characters.n = std::ssize(text);
  made->characters.shape = {made->characters.n};
  made->characters.data = reinterpret_cast<std::byte const*>(text.data());
  made->characters.from = options.in;
  if (times) times->parse += clock.lap();
  made->title = options.descending ? "rows, descending" : "rows";
  return made;
}

}  // namespace lookback::app
