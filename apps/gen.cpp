// lookback gen NAME -o OUT: seeded inputs for demonstrations, tests and comparisons.
#include <CLI/CLI.hpp>
#include <limits>
#include <memory>

#include "commands.hpp"
#include "common/clock.hpp"
#include "common/generators.hpp"
#include "common/table.hpp"
#include "common/write_array.hpp"

namespace lookback::app {

namespace {

struct gen_arguments {
  std::string name, out, count = "2^20", type, low, high, form = "flags";
  std::uint64_t seed = 1;
  int level = 1;
  index_t columns = 0;
  length_law law;
  common_options common;
};

// An option that NAME does not know would be a wish that nobody hears.
struct option_of {
  CLI::Option const* option;
  std::vector<std::string> names;
};
void expect_heard(gen_arguments const& a, std::vector<option_of> const& options) {
  for (auto const& [option, names] : options) {
    if (option->count() > 0 && std::find(names.begin(), names.end(), a.name) == names.end())
      throw usage_error(option->get_name() + ": belongs to gen " + names[0] + (names.size() > 1 ? " and " + names[1] : "") +
                        ", found gen " + a.name);
    if (option->count() > 0 && option->get_name() == "--empty" && a.form != "offsets")
      throw usage_error("--empty: belongs to --form offsets, found " + a.form);
  }
}

array generate(gen_arguments const& a, index_t n, element type) {
  auto const bound = [&](std::string const& text, char const* option) {
    return text.empty() ? std::optional<scalar>() : parse_scalar(text, type, option);
  };
  if (a.name == "uniform") return uniform_values(type, n, a.seed, bound(a.low, "--low"), bound(a.high, "--high"));
  if (a.name == "entropy") return entropy_values(type, n, a.seed, a.level);
  if (a.name == "runs") return run_values(type, n, a.seed, a.law);
  return random_segments(a.form, type, n, a.seed, a.law);
}

void run(gen_arguments const& a) {
  auto const n = parse_count(a.count, "--n");
  element type = a.name == "segments" && a.form == "offsets" ? element::i64 : element::i32;
  if (!a.type.empty()) {
    auto const named = element_named(a.type);
    if (!named) throw usage_error("--dtype: found '" + a.type + "', expected one of " + all_element_names);
    if (a.name == "segments" && (a.form == "flags" || a.form == "bits") && *named != element::u8)
      throw usage_error("--dtype " + a.type + ": flags and bits are u8");
    type = *named;
  }
  output_file out(a.out);
  stopwatch clock;
  auto made = generate(a, n, type);
  if (a.columns > 0) {
    if (made.n % a.columns != 0)
      throw usage_error("--columns " + text_of(a.columns) + ": does not divide " + text_of(made.n) + " items");
    made.shape = {made.n / a.columns, a.columns};
  }
  write_array(out, {made.type, made.shape, made.data, made.column});
  out.commit();
  say(a.common, "gen: " + a.out + ": " + a.name + (a.name == "segments" ? " as " + a.form : "") + ", " + grouped(made.n) + " x " +
                    dispatch::name_of(made.type) + " (" + bytes_text(static_cast<double>(made.bytes())) + "), seed " +
                    text_of(a.seed) + ", in " + time_text(clock.lap()));
}

}  // namespace

void add_gen(CLI::App& program) {
  auto const a = std::make_shared<gen_arguments>();
  auto* const command = program.add_subcommand("gen", "Seeded inputs: the same file for the same words on every machine");
  command
      ->add_option("NAME", a->name, "uniform: equally likely values; entropy: AND of random words; runs: of equal values; segments")
      ->required()
      ->check(CLI::IsMember({"uniform", "entropy", "runs", "segments"}));
  command->add_option("-o,--output", a->out, "Output: .npy, .csv, .tsv, any other name raw")->type_name("OUT")->required();
  command->add_option("--n", a->count, "Items: 1000000, 2^24, 64k, 16M")->type_name("N")->capture_default_str();
  command
      ->add_option("--dtype", a->type,
                   std::string("Type of elements, i32 unless said (offsets i64, flags and bits u8): ") + all_element_names)
      ->type_name("TYPE");
  command->add_option("--columns", a->columns, "Two-dimensional output with C columns")
      ->check(CLI::Range(index_t{1}, std::numeric_limits<index_t>::max()))
      ->type_name("C");
  command->add_option("--seed", a->seed, "Seed")->type_name("S")->capture_default_str();
  std::vector<option_of> options;
  auto const only = [&options](std::vector<std::string> names, CLI::Option* option) {
    options.push_back({option, std::move(names)});
    return option;
  };
  only({"uniform"}, command->add_option("--low", a->low, "uniform: smallest value")->type_name("V"));
  only({"uniform"}, command->add_option("--high", a->high, "uniform: one above the largest value")->type_name("V"));
  only({"entropy"}, command->add_option("--level", a->level, "entropy: words beyond the first that are ANDed")
                        ->check(CLI::Range(0, 64))
                        ->type_name("L")
                        ->capture_default_str());
  only({"runs", "segments"},
       command->add_option("--mean", a->law.mean, "runs, segments: mean length in items")->type_name("M")->capture_default_str());
  only({"runs", "segments"},
       command->add_option("--power", a->law.power, "runs, segments: lengths by a power law with this exponent, above 2")
           ->type_name("A"));
  only({"segments"}, command->add_option("--empty", a->law.empty, "segments as offsets: share of empty ones")->type_name("SHARE"));
  only({"segments"}, command->add_option("--form", a->form, "segments: how they are described")
                         ->check(CLI::IsMember({"flags", "bits", "offsets", "keys"}))
                         ->capture_default_str());
  add_quiet_option(*command, a->common);
  command->callback([a, options] {
    expect_heard(*a, options);
    run(*a);
  });
}

}  // namespace lookback::app
