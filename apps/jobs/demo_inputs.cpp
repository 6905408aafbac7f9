#include "demo_inputs.hpp"

#include <algorithm>

#include "demo_files.hpp"
#include "demo_jobs.hpp"
#include "generate/generators.hpp"
#include "generate/matrix_generators.hpp"

namespace lookback::app {

namespace fs = std::filesystem;

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
  if (!fs::is_directory(folder, failed)) throw no_input(folder + ": is not a folder");
  std::vector<fs::path> files;
  for (auto it = fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied, failed); it != fs::end(it);
       it.increment(failed))
    if (it->path().filename().string().starts_with(".")) {
      if (it->is_directory(failed)) it.disable_recursion_pending();
    } else if (!it->is_directory(failed)) {
      if (it->is_regular_file(failed)) files.push_back(it->path());
      else to.skipped.push_back(it->path().string() + ": is not a regular file");
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
  auto const add = [&](char const* input, char const* meaning, std::function<std::unique_ptr<job>()> make) {
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
  add("uniform u32", "half of the items, in order",
      [] { return make_select_job(uniform_values(element::u32, n, 8), condition::below, {}, scalar_of(std::uint32_t{1} << 31)); });
  add("uniform u32", "the same in place", [] {
    auto made = make_select_job(uniform_values(element::u32, n, 8), condition::below, {}, scalar_of(std::uint32_t{1} << 31));
    made->works_in_place = true;
    return made;
  });
  add("uniform f64", "both halves, each in order", [] {
    auto made = make_select_job(uniform_values(element::f64, n / 2, 9), condition::above, scalar_of(0.5), {});
    made->rejects = true;
    return made;
  });
  add("runs i32, mean 32", "first items of runs", [] {
    return make_unique_job(run_values(element::i32, n, 10, {32, 0, 0}), false);
  });
  add("runs i32, mean 32", "values and lengths of runs", [] {
    return make_encode_job(run_values(element::i32, n, 10, {32, 0, 0}));
  });
  // As many as the textbook's sort takes a fraction of a second for.
  add("uniform u32", "items in order", [] { return sorted_job(uniform_values(element::u32, n >> 4, 13)); });
  add("uniform f32", "order of the items", [] { return sorted_job(uniform_values(element::f32, n >> 4, 14), true); });
  add("uniform i32", "items by magnitude", [] { return by_magnitude_job(uniform_values(element::i32, n >> 4, 15)); });
  add("power-law lengths, u8", "runs written out", [] {
    auto values = uniform_values(element::u8, 1 << 19, 11);
    auto offsets = random_segments("offsets", element::i64, n, 12, {32, 2.2, 0});
    index_t const runs = std::min<index_t>(offsets.n - 1, values.n);
    array lengths = make_array(element::i64, runs);
    for (index_t r = 0; r < runs; ++r) {
      auto const* const at = offsets.memory.as<index_t>() + r;
      lengths.memory.as<index_t>()[r] = at[1] - at[0];
    }
    values.n = runs;
    values.shape = {runs};
    return make_decode_job(std::move(values), std::move(lengths));
  });
  add("Poisson 1000 x 1000, f64", "y = A x", [] { return make_spmv_job(poisson_2d(1000)); });
  add("R-MAT 2^16, f32", "y = A x", [] { return make_spmv_job(rmat({}, {.type = element::f32})); });
  add("R-MAT 2^14", "ranks of pages", [] { return make_pagerank_job(unweighted(rmat({.scale = 14}))); });
  add("uniform f32, keys, mean 2", "total per key", [=] {
    return make_reduce_job(random_segments("keys", element::i32, n, 7, {2, 0, 0}), uniform_values(element::f32, n, 4),
                           operation::plus);
  });
}

}  // namespace lookback::app
