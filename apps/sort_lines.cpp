// lookback sort-lines FILE -o OUT: the lines of a text in the order of their bytes.
#include <CLI/CLI.hpp>

#include "commands.hpp"
#include "jobs/lines_job.hpp"

namespace lookback::app {

command_words declare_sort_lines(CLI::App& command, bool compared) {
  auto const a = std::make_shared<lines_options>();
  command
      .add_option("FILE", a->in,
                  "Text file, or .gz of one. Lines end with a newline, which the last one may lack; they hold any bytes")
      ->required();
  auto* const out = command.add_option("-o,--output", a->out, "Output file: the lines, each with its newline")->type_name("OUT");
  if (!compared) out->required();
  command.add_flag("--unique", a->unique, "Each line once, as sort -u");
  command.add_flag("--count", a->count, "Each line once, and before it how many there are, as sort | uniq -c");
  return {[a](input_reading* times) { return make_lines_job(*a, times); }, [a] { return std::vector{a->out}; },
          [a] { return std::vector{a->in}; }};
}

}  // namespace lookback::app
