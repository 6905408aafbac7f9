// lookback gen NAME -o OUT: seeded inputs for demonstrations, tests and comparisons.
#include "gen.hpp"

#include <CLI/CLI.hpp>
#include <limits>
#include <memory>

#include "commands.hpp"
#include "generate/generators.hpp"
#include "io/write_array.hpp"
#include "report/clock.hpp"
#include "report/table.hpp"

namespace lookback::app {

void options_of_names::expect_heard(std::string const& name) const {
  for (auto const& [option, names] : options_) {
    if (option->count() == 0 || std::find(names.begin(), names.end(), name) != names.end()) continue;
    std::string known = names[0];
    for (std::size_t k = 1; k < names.size(); ++k) known += (k + 1 < names.size() ? ", " : " and ") + names[k];
    throw usage_error(option->get_name() + ": belongs to gen " + known + ", found gen " + name);
  }
}

namespace {

struct array_words {
  std::string count = "2^20", low, high, form = "flags";
  int level = 1;
  double power = 0;
};

array generate(gen_arguments const& a, array_words const& words, index_t n, element type) {
  auto const bound = [&](std::string const& text, char const* option) {
    return text.empty() ? std::optional<scalar>() : parse_scalar(text, type, option);
  };
  if (a.name == "uniform") return uniform_values(type, n, a.seed, bound(words.low, "--low"), bound(words.high, "--high"));
  if (a.name == "entropy") return entropy_values(type, n, a.seed, words.level);
  length_law const law{a.mean.value_or(length_law{}.mean), words.power, a.empty.value_or(0)};
  if (a.name == "runs") return run_values(type, n, a.seed, law);
  return random_segments(words.form, type, n, a.seed, law);
}

void run(gen_arguments const& a, array_words const& words) {
  if (a.name == "segments" && a.empty && words.form != "offsets")
    throw usage_error("--empty: belongs to --form offsets, found " + words.form);
  auto const n = parse_count(words.count, "--n");
  element type = a.name == "segments" && words.form == "offsets" ? element::i64 : element::i32;
  if (!a.type.empty()) {
    auto const named = element_named(a.type);
    if (!named) throw usage_error("--dtype: found '" + a.type + "', expected one of " + all_element_names);
    if (a.name == "segments" && (words.form == "flags" || words.form == "bits") && *named != element::u8)
      throw usage_error("--dtype: found '" + a.type + "', expected u8 for --form " + words.form);
    type = *named;
  }
  expect_array_name(a.out);
  output_file out(a.out);
  stopwatch clock;
  auto made = generate(a, words, n, type);
  if (a.columns > 0) {
    if (made.n % a.columns != 0)
      throw usage_error("--columns: found " + text_of(a.columns) + ", expected a divisor of the " + text_of(made.n) + " items");
    made.shape = {made.n / a.columns, a.columns};
  }
  write_array(out, {made.type, made.shape, made.data, made.column});
  out.commit();
  say(a.common, "gen: " + a.out + ": " + a.name + (a.name == "segments" ? " as " + words.form : "") + ", " + grouped(made.n) +
                    " x " + dispatch::name_of(made.type) + " (" + bytes_text(static_cast<double>(made.bytes())) + "), seed " +
                    text_of(a.seed) + ", in " + time_text(clock.lap()));
}

gen_function declare_arrays(CLI::App& command, options_of_names& options) {
  auto const words = std::make_shared<array_words>();
  options.only(array_names,
               command.add_option("--n", words->count, "Number of items: 1000000, 2^24, 64k, 16M (k: 2^10, M: 2^20, G: 2^30)")
                   ->type_name("N")
                   ->capture_default_str());
  options.only(
      {"uniform"},
      command
          .add_option(
              "--low", words->low,
              "uniform: lower bound, inclusive (default 0 with --high; without both: integers of all values, floats from 0 to 1)")
          ->type_name("V"));
  options.only({"uniform"},
               command
                   .add_option("--high", words->high,
                               "uniform: upper bound, exclusive (default with --low: largest integer of the type, floats 1)")
                   ->type_name("V"));
  options.only({"entropy"},
               command.add_option("--level", words->level, "entropy: number of random words that are ANDed with the first")
                   ->check(CLI::Range(0, 64))
                   ->type_name("L")
                   ->capture_default_str());
  options.only(
      {"runs", "segments"},
      command
          .add_option("--power", words->power,
                      "runs, segments: draw lengths from a power law with exponent A, above 2 (default: geometric lengths)")
          ->type_name("A"));
  options.only({"segments"}, command.add_option("--form", words->form, "segments: description of the segments")
                                 ->check(CLI::IsMember({"flags", "bits", "offsets", "keys"}))
                                 ->capture_default_str());
  return [words](gen_arguments const& a) { run(a, *words); };
}

std::vector<std::string> all_names() {
  auto names = array_names;
  names.insert(names.end(), matrix_names.begin(), matrix_names.end());
  return names;
}

}  // namespace

void add_gen(CLI::App& program) {
  auto const a = std::make_shared<gen_arguments>();
  auto* const command =
      program.add_subcommand("gen", "Generate seeded input: the same options give the same file on every machine");
  command
      ->add_option(
          "NAME", a->name,
          "Arrays: uniform (equally likely values), entropy (AND of random words), runs (of equal values), segments. Sparse "
          "matrices: rmat (a graph in which few vertices have many edges), poisson2d and poisson3d (grids), elasticity (3 x 3 "
          "blocks on a grid), banded, arrow (diagonal, one row and one column), dense-row (one long row among short ones), circuit "
          "(short rows, a few dense rows and columns), geometric-rows (short rows), varied-rows (row lengths vary as --cv says), "
          "empty-rows (a share of the rows is empty), dense")
      ->required()
      ->check(CLI::IsMember(all_names()));
  command
      ->add_option(
          "-o,--output", a->out,
          "Output file: an array as .npy, .csv, .tsv, .mtx (dense) or, with any other name, raw; a sparse matrix as .mtx or .npz")
      ->type_name("OUT")
      ->required();
  command
      ->add_option("--dtype", a->type,
                   std::string("Type of the elements (default i32, offsets i64, flags and bits u8): ") + all_element_names +
                       "; of the values of a matrix (default f64): f32, f64, i32, i64, c64, c128 (complex)")
      ->type_name("TYPE");
  command->add_option("--seed", a->seed, "Seed of the random numbers")->type_name("S")->capture_default_str();
  auto const options = std::make_shared<options_of_names>();
  auto columns = array_names;
  columns.insert(columns.end(), {"geometric-rows", "varied-rows", "empty-rows", "dense"});
  options->only(
      columns,
      command
          ->add_option(
              "--columns", a->columns,
              "Number of columns: of a two-dimensional array (default: one dimension), of a matrix (default: as many as rows)")
          ->check(CLI::Range(index_t{1}, std::numeric_limits<index_t>::max()))
          ->type_name("C"));
  options->only(
      {"runs", "segments", "dense-row", "circuit", "geometric-rows", "varied-rows", "empty-rows"},
      command
          ->add_option("--mean", a->mean,
                       "Mean length: of runs and segments in items (default 32), of rows in nonzeros (default 8, circuit 4)")
          ->type_name("M"));
  options->only(
      {"segments", "empty-rows"},
      command
          ->add_option("--empty", a->empty, "Share of empty segments with --form offsets (default 0), of empty rows (default 0.5)")
          ->type_name("SHARE"));
  auto const arrays = declare_arrays(*command, *options), matrices = declare_matrices(*command, *options);
  add_quiet_option(*command, a->common);
  command->callback([=] {
    options->expect_heard(a->name);
    (is_matrix(a->name) ? matrices : arrays)(*a);
  });
}

}  // namespace lookback::app
