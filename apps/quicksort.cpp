// lookback quicksort IN -o OUT: the items in the order that a comparison says, with --values what belongs to them.
#include <CLI/CLI.hpp>

#include "commands.hpp"
#include "jobs/quicksort_job.hpp"

namespace lookback::app {

command_words declare_quicksort(CLI::App& command, bool compared) {
  auto const a = std::make_shared<quicksort_options>();
  add_input(command, *a, "IN", "Input file of the keys");
  add_output(command, a->out, compared);
  add_values_options(command, *a, compared);
  auto* const descending = command.add_flag("--descending", a->descending, "Largest key first; NaNs last, as always");
  command
      .add_flag("--by-magnitude", a->by_magnitude, "By |x|, the least first: -2 behind 1. Of integers also |x| of the least one")
      ->excludes(descending);
  command.add_flag("--unstable", a->unstable,
                   "Equal keys may change places (default: they keep their order). 0 equals -0, NaNs equal each other");
  add_offsets_options(command, *a);
  return {[a](input_reading* times) { return read_quicksort_job(*a, times); }, [a] { return outputs_of(*a); },
          [a] { return inputs_of(*a); }, nullptr, [a] { return a->offsets.empty(); }};
}

}  // namespace lookback::app
