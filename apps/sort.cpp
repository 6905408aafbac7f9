// lookback sort IN -o OUT: the items in order, with --values what belongs to them, with --indices-out where they were.
#include <CLI/CLI.hpp>

#include "commands.hpp"
#include "jobs/sort_job.hpp"

namespace lookback::app {

command_words declare_sort(CLI::App& command, bool compared) {
  auto const a = std::make_shared<sort_options>();
  add_input(command, *a, "IN", "Input file of the keys");
  add_output(command, a->out, true);
  auto* const output = command.get_option("--output");
  if (!compared)
    output->description(
        "Output file of the sorted keys: .npy, .csv, .tsv, .mtx (dense); any other name: raw. Required without "
        "--indices-out");
  add_values_options(command, *a, compared);
  command
      .add_option(
          "--indices-out", a->indices_out,
          "Output file of the order, as i64: the k-th number is the place in IN of the k-th key in order, from 0. Without -o "
          "only the order is computed")
      ->type_name("I");
  command.add_flag("--descending", a->descending, "Largest key first. Equal keys keep their order in both directions");
  command.add_flag("--nan-first", a->nan_first, "NaNs before all numbers (default: behind them, in both directions)");
  command
      .add_option("--bits", a->bits,
                  "Compare only bits B to E - 1 of the keys, bit 0 the lowest. Those of signed integers and floats are bits of a "
                  "number from 0 that rises with the key")
      ->type_name("B,E");
  add_offsets_options(command, *a);
  return {[a](input_reading* times) { return read_sort_job(*a, times); }, [a, compared] { return outputs_of(*a, compared); },
          [a] { return inputs_of(*a); }, nullptr, [a] { return a->offsets.empty(); }};
}

}  // namespace lookback::app
