#include "demo_inputs.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "attempt.hpp"
#include "generators.hpp"
#include "text_records.hpp"

namespace lookback::app {

namespace fs = std::filesystem;

namespace {

using made_job = std::unique_ptr<job>;
using job_maker = std::function<made_job()>;

std::unique_ptr<scan_job> plain_job(array values, operation op, bool exclusive = false, bool reverse = false) {
  auto made = std::make_unique<scan_job>();
  made->values = std::move(values);
  made->op = op;
  made->exclusive = exclusive;
  made->reverse = reverse;
  made->title = title_of(*made, {});
  return made;
}

made_job segmented_job(array values, operation op, std::string const& kind, array description) {
  auto made = plain_job(std::move(values), op);
  describe_segments(*made, kind, std::move(description));
  return made;
}

array ones(index_t n) {
  array made = make_array(element::i32, n);
  std::fill_n(made.memory.as<std::int32_t>(), n, 1);
  return made;
}

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
  std::string const stem = file.substr(0, file.size() - 4);
  for (auto const& [ending, kind] :
       {std::pair{".heads.npy", "heads"}, {".bits.npy", "head-bits"}, {".offsets.npy", "offsets"}, {".keys.npy", "keys"}})
    if (std::string const beside = stem + ending; fs::exists(beside))
      to.cases.push_back({name, std::string("total per segment, by ") + kind, [=, kind = std::string(kind)] {
                            return segmented_job(read_array(file, {}), operation::plus, kind,
                                                 read_array(beside, {}, input_role::flags));
                          }});
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
array days_of(std::string const& file, char delimiter, std::size_t column, index_t rows) {
  input_file const text(file);
  text_records records(text.text(), delimiter, false, text.path());
  array days = make_array(element::i32, rows);
  records.next(column);  // the header
  for (index_t i = 0; i < rows && records.next(column); ++i) {
    auto const field = records.field_text();
    if (!is_date(field)) refuse(file, "line " + text_of(records.line()), "'" + std::string(field) + "'", "a date yyyy-mm-dd");
    for (char const c : field.substr(0, 10))
      if (c != '-') days.memory.as<std::int32_t>()[i] = days.memory.as<std::int32_t>()[i] * 10 + (c - '0');
  }
  return days;
}

void add_table(demo_inputs& to, fs::path const& path, std::string const& name) {
  std::string const file = path.string();
  char const delimiter = path.extension() == ".tsv" ? '\t' : ',';
  input_file const text(file);
  text_records records(text.text(), delimiter, false, text.path());
  std::vector<std::string> head, first;
  if (!records.next(head) || !records.next(first)) throw bad_data("fewer than two lines");
  auto const dates = static_cast<std::size_t>(std::find_if(first.begin(), first.end(), is_date) - first.begin());
  bool any = false;
  for (std::size_t c = 0; c < std::min(head.size(), first.size()); ++c) {
    double number = 0;
    if (parse_number(first[c], number) == parsed::not_a_number) continue;
    input_format format;
    format.column = text_of(c);
    auto const rows = read_array(file, format).n;  // refuses what is no number
    any = true;
    auto const values = [=] { return read_array(file, format); };
    for (operation const op : {operation::plus, operation::max}) {
      std::string const what = head[c] + (op == operation::plus ? ": running total" : ": running maximum");
      to.cases.push_back({name, what, [=] { return plain_job(values(), op); }});
      if (dates < first.size())
        to.cases.push_back(
            {name, what + " per day", [=] { return segmented_job(values(), op, "keys", days_of(file, delimiter, dates, rows)); }});
    }
  }
  if (!any) throw bad_data("no column of numbers");
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

void add_bytes(demo_inputs& to, std::string const& file, std::string const& name) {
  auto const bytes = bytes_of(file);
  if (bytes.n == 0) throw bad_data("an empty file");
  to.cases.push_back(
      {name, "running sum of bytes", [=] { return plain_job(converted(bytes_of(file), element::i64), operation::plus); }});
  if (is_text(bytes)) to.cases.push_back({name, "position in the line", [=] { return position_in_line(file); }});
  else to.cases.push_back({name, "position in a run of bytes", [=] { return position_in_run(file); }});
}

void add_file(demo_inputs& to, fs::path const& path, std::string const& name) {
  if (describes_another(path)) return;
  auto const ending = extension_of(path.string());
  demo_inputs made;
  auto const reason = attempt([&] {
    if (ending == ".npy") add_npy(made, path, name);
    else if (ending == ".csv" || ending == ".tsv") add_table(made, path, name);
    else add_bytes(made, path.string(), name);
  });
  if (reason.empty()) std::move(made.cases.begin(), made.cases.end(), std::back_inserter(to.cases));
  else to.skipped.push_back(reason.find(path.string()) == std::string::npos ? path.string() + ": " + reason : reason);
}

}  // namespace

std::string find_data_folder() {
  std::error_code none;
  auto above = fs::read_symlink("/proc/self/exe", none).parent_path();
  std::vector<fs::path> places{fs::current_path(none)};
  for (int level = 0; level < 4 && !above.empty(); ++level, above = above.parent_path()) places.push_back(above);
  for (auto const& place : places)
    if (fs::exists(place / "data" / "lund_a.mtx", none)) return (place / "data").string();
  return {};
}

void add_files(demo_inputs& to, std::string const& folder) {
  std::error_code failed;
  if (!fs::is_directory(folder, failed)) throw no_input(folder + ": is no folder");
  std::vector<fs::path> files;
  for (auto it = fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied, failed); it != fs::end(it);
       it.increment(failed))
    if (it->path().filename().string().starts_with(".")) {
      if (it->is_directory(failed)) it.disable_recursion_pending();
    } else if (!it->is_directory(failed)) {
      if (it->is_regular_file(failed)) files.push_back(it->path());
      else to.skipped.push_back(it->path().string() + ": no regular file");
    }
  std::sort(files.begin(), files.end());
  for (auto const& file : files)
    if (file.filename() != "README.md" && file.filename() != "make.sh")
      add_file(to, file, file.lexically_relative(folder).string());
}

void add_system_files(demo_inputs& to) {
  if (fs::exists("/usr/share/dict/words")) add_bytes(to, "/usr/share/dict/words", "words");
  std::string const table = "/usr/share/unicode/UnicodeData.txt";
  if (!fs::exists(table)) return;
  input_format classes;
  classes.column = "3";
  to.cases.push_back({"UnicodeData.txt", "combining class: running maximum",
                      [=] { return plain_job(read_array(table, classes), operation::max); }});
  to.cases.push_back({"UnicodeData.txt", "characters so far of one combining class", [=] {
                        auto keys = read_array(table, classes);
                        auto counted = ones(keys.n);
                        return segmented_job(std::move(counted), operation::plus, "keys", std::move(keys));
                      }});
}

void add_generated(demo_inputs& to) {
  constexpr index_t n = index_t{1} << 24;
  auto const segments_of = [](char const* form, double mean, double power) {
    return random_segments(form, element::i64, n, 7, {mean, power, power > 0 ? 0.1 : 0.0});
  };
  auto const add = [&](char const* input, char const* meaning, job_maker make) {
    to.cases.push_back({input, meaning, std::move(make)});
  };
  add("uniform i32", "running total", [] { return plain_job(uniform_values(element::i32, n, 1), operation::plus); });
  add("uniform i32", "total before, from the right",
      [] { return plain_job(uniform_values(element::i32, n, 1), operation::plus, true, true); });
  add("uniform f32", "running total", [] { return plain_job(uniform_values(element::f32, n, 2), operation::plus); });
  add("uniform f64", "running maximum", [] { return plain_job(uniform_values(element::f64, n / 2, 3), operation::max); });
  add("uniform f32, flags, mean 2", "total per segment",
      [=] { return segmented_job(uniform_values(element::f32, n, 4), operation::plus, "heads", segments_of("flags", 2, 0)); });
  add("uniform f32, bits, mean 32", "total per segment",
      [=] { return segmented_job(uniform_values(element::f32, n, 5), operation::plus, "head-bits", segments_of("bits", 32, 0)); });
  add("uniform i32, offsets, power law", "total per segment", [=] {
    return segmented_job(uniform_values(element::i32, n, 6), operation::plus, "offsets", segments_of("offsets", 64, 2.2));
  });
}

}  // namespace lookback::app
