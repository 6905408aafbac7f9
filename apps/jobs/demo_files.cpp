#include "demo_files.hpp"

#include <algorithm>
#include <cstring>

#include "attempt.hpp"
#include "demo_jobs.hpp"
#include "generate/access_log.hpp"
#include "io/read_matrix.hpp"
#include "io/text_records.hpp"

namespace lookback::app {

namespace fs = std::filesystem;

namespace {

using made_job = std::unique_ptr<job>;

// ---- .npy

void add_npy(demo_inputs& to, fs::path const& path, std::string const& name) {
  std::string const file = path.string();
  auto const type = read_array(file, {}).type;  // refuses what cannot be scanned
  // Totals of narrow integers would wrap before they say anything.
  element const total = dispatch::size_of(type) < 4 ? element::i64 : type;
  to.cases.push_back({name, "running total", [=] {
                        auto values = read_array(file, {});
                        return plain_job(total == type ? std::move(values) : converted(values, total), operation::plus);
                      }});
  if (dispatch::is_float(type))
    to.cases.push_back({name, "running maximum", [=] { return plain_job(read_array(file, {}), operation::max); }});
  to.cases.push_back({name, "items in order", [=] { return sorted_job(read_array(file, {})); }});
  to.cases.push_back({name, "order of the items", [=] { return sorted_job(read_array(file, {}), true); }});
  to.cases.push_back({name, "items by magnitude", [=] { return by_magnitude_job(read_array(file, {})); }});
  to.cases.push_back({name, "items above the mean, in place", [=] { return above_mean_job(read_array(file, {}), true); }});
  if (dispatch::size_of(type) == 1)
    to.cases.push_back({name, "runs of equal items", [=] { return make_encode_job(read_array(file, {})); }});
  std::string const stem = file.substr(0, file.size() - 4);
  for (auto const& [ending, kind] :
       {std::pair{".heads.npy", "heads"}, {".bits.npy", "head-bits"}, {".offsets.npy", "offsets"}, {".keys.npy", "keys"}})
    if (std::string const beside = stem + ending; fs::exists(beside))
      to.cases.push_back({name, std::string("total per segment, by ") + kind, [=, kind = std::string(kind)] {
                            return segmented_job(read_array(file, {}), operation::plus, kind,
                                                 read_array(beside, {}, input_role::flags));
                          }});
  if (std::string const by = stem + ".keys.npy"; fs::exists(by))
    to.cases.push_back({name, "one total per segment, by keys",
                        [=] { return make_reduce_job(read_array(by, {}), read_array(file, {}), operation::plus); }});
}

bool describes_another(fs::path const& path) {
  for (std::string const ending : {".heads.npy", ".bits.npy", ".offsets.npy", ".keys.npy"})
    if (auto const file = path.string(); file.ends_with(ending))
      return fs::exists(file.substr(0, file.size() - ending.size()) + ".npy");
  return false;
}

// ---- .csv and .tsv

bool is_date(std::string_view text) {
  for (std::size_t i = 0; i < 10; ++i)
    if (text.size() < 10 || (i == 4 || i == 7 ? text[i] != '-' : text[i] < '0' || text[i] > '9')) return false;
  return true;
}

// yyyymmdd of every row: a key per day.
array days_of(std::string const& file, char delimiter, std::size_t column, bool header, index_t rows) {
  input_file const text(file);
  text_records records(text.text(), delimiter, false, text.path());
  array days = make_array(element::i32, rows);
  if (header) records.next(column);
  for (index_t i = 0; i < rows && records.next(column); ++i) {
    auto const field = records.field_text();
    if (!is_date(field)) refuse(file, "line " + text_of(records.line()), in_quotes(field), "a date yyyy-mm-dd");
    for (char const c : field.substr(0, 10))
      if (c != '-') days.memory.as<std::int32_t>()[i] = days.memory.as<std::int32_t>()[i] * 10 + (c - '0');
  }
  return days;
}

bool is_number(std::string_view text) {
  double number = 0;
  return parse_number(text, number) != parsed::not_a_number;
}

void add_table(demo_inputs& to, fs::path const& path, std::string const& name) {
  std::string const file = path.string();
  char const delimiter = path.extension() == ".tsv" ? '\t' : ',';
  input_file const text(file);
  expect_utf8(text.text(), file);
  text_records records(text.text(), delimiter, false, text.path());
  std::vector<std::string> head, first;
  if (!records.next(head) || !records.next(first)) throw bad_data("found fewer than two lines, expected a table");
  auto const dates = static_cast<std::size_t>(std::find_if(first.begin(), first.end(), is_date) - first.begin());
  auto const columns = std::min(head.size(), first.size());
  // One answer for all columns: a name stands above numbers or dates.
  bool header = false, any = false;
  for (std::size_t c = 0; c < columns; ++c)
    header = header || (!head[c].empty() && !is_number(head[c]) && !is_date(head[c]) && (is_number(first[c]) || is_date(first[c])));
  for (std::size_t c = 0; c < columns; ++c) {
    if (!is_number(first[c])) continue;
    input_format format;
    format.column = text_of(c);
    format.header = header ? header_line::yes : header_line::no;
    auto const rows = read_array(file, format).n;  // refuses what is no number
    any = true;
    std::string const called = header ? head[c] : "column " + text_of(c);
    auto const values = [=] { return read_array(file, format); };
    auto const days = [=] { return days_of(file, delimiter, dates, header, rows); };
    to.cases.push_back({name, called + ": rows in order", [=] { return sorted_rows_job(file, c, format.header); }});
    to.cases.push_back({name, called + ": rows above the mean", [=] { return above_mean_job(values()); }});
    if (dates < first.size())
      to.cases.push_back(
          {name, called + ": total of each day", [=] { return make_reduce_job(days(), values(), operation::plus); }});
    for (operation const op : {operation::plus, operation::max}) {
      std::string const what = called + (op == operation::plus ? ": running total" : ": running maximum");
      to.cases.push_back({name, what, [=] { return plain_job(values(), op); }});
      if (dates < first.size())
        to.cases.push_back({name, what + " per day", [=] { return segmented_job(values(), op, "keys", days()); }});
    }
  }
  if (!any) throw bad_data("found no column of numbers, expected at least one");
}

// ---- matrices

void add_matrix(demo_inputs& to, std::string const& file, std::string const& name) {
  auto const a = read_matrix(file);  // refuses what is none
  to.cases.push_back({name, "y = A x", [=] { return make_spmv_job(read_matrix(file)); }});
  if (is_plain_graph(a)) to.cases.push_back({name, "ranks of pages", [=] { return make_pagerank_job(read_matrix(file)); }});
}

// ---- bytes

array bytes_of(std::string const& file) {
  input_format raw;
  raw.type = element::u8;
  return read_array(file, raw);
}

bool is_text(array const& bytes) {
  auto const* const data = bytes.data;
  auto const n = static_cast<std::size_t>(std::min<index_t>(bytes.n, 1 << 16));
  return std::memchr(data, '\n', n) != nullptr && std::memchr(data, 0, n) == nullptr;
}

made_job position_in_line(std::string const& file) {
  auto const text = bytes_of(file);
  array heads = make_array(element::u8, text.n);
  for (index_t i = 1; i < text.n; ++i) heads.memory.as<std::uint8_t>()[i] = text.data[i - 1] == std::byte{'\n'};
  return segmented_job(ones(text.n), operation::plus, "heads", std::move(heads));
}

made_job position_in_run(std::string const& file) {
  auto bytes = bytes_of(file);
  auto counted = ones(bytes.n);
  return segmented_job(std::move(counted), operation::plus, "keys", std::move(bytes));
}

// Fewer than three changes in four items: runs say something.
bool has_runs(array const& bytes) {
  auto const n = std::min<index_t>(bytes.n, 1 << 16);
  index_t changes = 0;
  for (index_t i = 1; i < n; ++i) changes += bytes.data[i] != bytes.data[i - 1];
  return 4 * changes < 3 * n;
}

std::string_view view_of(array const& bytes) {
  return {reinterpret_cast<char const*>(bytes.data), static_cast<std::size_t>(bytes.n)};
}

void add_log(demo_inputs& to, std::string const& file, std::string const& name) {
  auto const log = [=] { return read_access_log(view_of(bytes_of(file)), file); };
  log();  // refuses what is no line of a log
  to.cases.push_back({name, "consecutive hits of a client", [=] { return make_unique_job(log().clients, true); }});
  to.cases.push_back({name, "bytes sent in them", [=] {
                        auto made = log();
                        return make_reduce_job(std::move(made.clients), std::move(made.bytes), operation::plus);
                      }});
  to.cases.push_back({name, "answers above the mean size", [=] { return above_mean_job(log().bytes); }});
}

// ---- genomes

bool names_genome(std::string const& file) {
  auto const ending = extension_of(file.ends_with(".gz") ? file.substr(0, file.size() - 3) : file);
  return ending == ".fa" || ending == ".fasta" || ending == ".fna";
}

void add_genome(demo_inputs& to, std::string const& file, std::string const& name) {
  parse_fasta(read_text_file(file, nullptr));  // refuses what is none
  to.cases.push_back({name, "most frequent words of 11 letters", [=] { return frequent_words_job(file); }});
}

}  // namespace

void add_bytes(demo_inputs& to, std::string const& file, std::string const& name) {
  auto const bytes = bytes_of(file);
  if (bytes.n == 0) throw bad_data("found an empty file");
  to.cases.push_back(
      {name, "running sum of bytes", [=] { return plain_job(converted(bytes_of(file), element::i64), operation::plus); }});
  if (is_text(bytes)) {
    to.cases.push_back({name, "position in the line", [=] { return position_in_line(file); }});
    to.cases.push_back({name, "different lines, in order", [=] { return different_lines_job(file); }});
  } else to.cases.push_back({name, "position in a run of bytes", [=] { return position_in_run(file); }});
  if (has_runs(bytes)) to.cases.push_back({name, "runs of bytes", [=] { return make_encode_job(bytes_of(file)); }});
  if (names_genome(file))
    if (auto const reason = attempt([&] { add_genome(to, file, name); }); !reason.empty()) to.skipped.push_back(reason);
  if (!is_access_log(view_of(bytes))) return;
  if (auto const reason = attempt([&] { add_log(to, file, name); }); !reason.empty()) to.skipped.push_back(reason);
}

void add_file(demo_inputs& to, fs::path const& path, std::string const& name) {
  if (describes_another(path)) return;
  auto const ending = extension_of(path.string());
  demo_inputs made;
  auto const reason = attempt([&] {
    if (ending == ".npy") add_npy(made, path, name);
    else if (ending == ".csv" || ending == ".tsv") add_table(made, path, name);
    else if (ending == ".npz" || names_matrix_market(path.string())) add_matrix(made, path.string(), name);
    else add_bytes(made, path.string(), name);
  });
  if (reason.empty()) {
    std::move(made.cases.begin(), made.cases.end(), std::back_inserter(to.cases));
    std::move(made.skipped.begin(), made.skipped.end(), std::back_inserter(to.skipped));
  }
  if (!reason.empty())
    to.skipped.push_back(reason.find(path.string()) == std::string::npos ? path.string() + ": " + reason : reason);
}

}  // namespace lookback::app
