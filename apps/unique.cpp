// lookback unique IN -o OUT: the first item of every run of equal ones, with --counts also how many there were.
#include <CLI/CLI.hpp>

#include "commands.hpp"
#include "jobs/runs_job.hpp"

namespace lookback::app {

command_words declare_unique(CLI::App& command, bool compared) {
  struct arguments {
    input_words in;
    std::string out, counts;
  };
  auto const a = std::make_shared<arguments>();
  add_input(command, a->in, "IN", "Input file");
  add_output(command, a->out, compared);
  command.add_option("--counts", a->counts, "Output file for the length of each run, as i64")->type_name("COUNTS");
  auto const read = [a](input_reading* times) {
    auto format = format_of(a->in.type, a->in.column, a->in.header, "--dtype");
    format.only_mapped = true;
    return make_unique_job(read_input(a->in.in, format, input_role::values, times), !a->counts.empty());
  };
  return {read,
          [a] {
            return a->counts.empty() ? std::vector{a->out} : std::vector{a->out, a->counts};
          },
          [a] { return std::vector{a->in.in}; }};
}

}  // namespace lookback::app
