#include "options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <set>

#include "io/numbers.hpp"
#include "report/failures.hpp"
#include "report/printable.hpp"
#include "report/progress.hpp"
#include "strategy_names.hpp"

namespace lookback::app {

namespace {

std::string strategy_help() {
  using dispatch::back_end, dispatch::values_of;
  // What a kind of command has on a back end, for all types or for few, but for what `others` have there.
  auto const names = [](back_end where, values_of what, bool for_all, values_of others) {
    return strategy_names([&](strategy how) {
      bool const is_new = what == others || !dispatch::has_form(where, how, true, others);
      return is_new && dispatch::has_form(where, how, true, what) && dispatch::has_form(where, how, false, what) == for_all;
    });
  };
  auto const to_compare = [&](values_of what, values_of others) {
    return names(back_end::cpu, what, false, others) + " on the CPU, " + names(back_end::gpu, what, false, others) + " on the GPU";
  };
  std::string const of_all = names(back_end::gpu, values_of::no_scan, true, values_of::no_scan);
  return "By which strategy tiles learn what comes before them (default: the library chooses, and may run by chunks): " + of_all +
         ", on the CPU also sequential. To compare, for i32, f32 and f64 with plus and max: " +
         to_compare(values_of::no_scan, values_of::no_scan) + "; scan also " + to_compare(values_of::scan, values_of::no_scan) +
         "; scan of segments, the lifted ones not by --offsets, also " + to_compare(values_of::scan_by_heads, values_of::scan) +
         ". spmv has them for f32 and f64; sorts and decode have none of these. sort and quicksort have textbook, which is slow";
}

constexpr char const* group = "Common options";

}  // namespace

void add_place_options(CLI::App& command, common_options& options) {
  command
      .add_option("--on", options.on,
                  "Back end; auto takes the GPU if there is one and it has an implementation for the command and type")
      ->check(CLI::IsMember({"auto", "cpu", "gpu"}))
      ->capture_default_str()
      ->group(group);
  command.add_option("--threads", options.threads, "Number of CPU threads; 0: one per core")
      ->check(CLI::Range(0, 4096))
      ->capture_default_str()
      ->group(group);
  command.add_option("--device", options.device, "Number of the GPU (default 0)")->check(CLI::Range(0, 1 << 16))->group(group);
}

void add_common_options(CLI::App& command, common_options& options) {
  add_place_options(command, options);
  command.add_option("--strategy", options.strategy, strategy_help())->type_name("NAME")->group(group);
  command
      .add_flag("--reproducible", options.reproducible,
                "Give the same bits on every run, thread count and back end; for reduce-by-key only runs of one back end agree, "
                "complex products are reproducible on the CPU only")
      ->group(group);
  command
      .add_flag(
          "--validate", options.validate,
          "Check the result against a plain loop, against std::stable_sort for sorts, or against Eigen for a matrix with 32-bit "
          "indices (exit code 1 if it differs)")
      ->group(group);
  command.add_option("--repeat", options.repeat, "Run N times, each in one piece, and report the median")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str()
      ->group(group);
  command
      .add_option(
          "--memory", options.memory,
          "Memory, as 64k, 512M or 2G, for the chunks of a command that reads, runs and writes at the same time: scan, select, "
          "unique, rle, reduce-by-key and, on a GPU, spmv, to .npy and raw files (default 8M, on a GPU 96M and as much "
          "for inputs); and for what is on its way to and from a GPU in parts (default 64M)")
      ->type_name("SIZE")
      ->group(group);
  add_json_option(command, options);
  command
      .add_flag("--no-tuning", options.no_tuning,
                "Pass over what lookback tune has found for such a run; so do --reproducible and --strategy")
      ->group(group);
  add_quiet_option(command, options);
}

void add_json_option(CLI::App& command, common_options& options) {
  command
      .add_option("--json", options.json,
                  "Write times and properties of the run to FILE, as JSON in the format of Google Benchmark")
      ->type_name("FILE")
      ->group(group);
}

void add_quiet_option(CLI::App& command, common_options& options) {
  auto const remember = [&options](std::int64_t) { options.quiet = progress::quiet = true; };
  command.add_flag_function("--quiet", remember, "Print errors only")->group(group);
}

strategy strategy_named(std::string name, bool has_textbook_form) {
  std::replace(name.begin(), name.end(), '_', '-');
  if (name.empty()) return strategy::best;
  for (strategy const how : dispatch::scan_strategies)
    if (name == dispatch::name_of(how)) return how;
  if (name == dispatch::name_of(strategy::textbook)) {
    if (has_textbook_form) return strategy::textbook;
    throw usage_error("--strategy textbook: belongs to sort and quicksort without --offsets");
  }
  auto const all = strategy_names([](strategy) { return true; });
  throw dispatch::unavailable("--strategy " + name + ": no such strategy, expected " + all + ", or textbook for sorts");
}

void say(common_options const& options, std::string const& text) {
  if (!options.quiet) std::fprintf(stderr, "%s\n", printable(text, true).c_str());
}

void note(std::string const& text) {
  static std::set<std::string> told;
  if (progress::quiet || !told.insert(text).second) return;
  std::fprintf(stderr, "lookback: note: %s\n", printable(text).c_str());
}

std::int64_t parse_count(std::string const& text, std::string const& option) {
  auto const wrong = [&] {
    throw usage_error(option + ": found '" + text + "', expected a count such as 1000000, 2^24, 64k or 16M");
  };
  std::int64_t value = 0;
  if (text.starts_with("2^")) {
    if (parse_number(std::string_view(text).substr(2), value) != parsed::ok || value < 0 || value > 62) wrong();
    return std::int64_t{1} << value;
  }
  auto const unit = std::string_view("kMG").find(text.empty() ? '\0' : text.back());
  auto const digits = std::string_view(text).substr(0, text.size() - (unit == std::string_view::npos ? 0 : 1));
  if (parse_number(digits, value) != parsed::ok || value < 0 || value > std::int64_t{1} << 40) wrong();
  return unit == std::string_view::npos ? value : value << 10 * (unit + 1);
}

}  // namespace lookback::app
