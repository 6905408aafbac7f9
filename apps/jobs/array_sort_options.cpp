// What every sort of arrays reads and writes beside its keys, as options of a command.
#include <CLI/CLI.hpp>

#include "array_sort.hpp"

namespace lookback::app {

void add_values_options(CLI::App& command, array_sort_options& options, bool compared) {
  auto* const values =
      command.add_option("--values", options.values, "File of values, one per key: they move with their keys")->type_name("V");
  auto* const values_out = command.add_option("--values-out", options.values_out, "Output file of the values")->type_name("W");
  command.add_option("--values-dtype", options.values_type, "Type of raw or text values")->type_name("TYPE")->needs(values);
  command.add_option("--values-column", options.values_column, "Column of a text file of values")
      ->type_name("NAME|INDEX")
      ->needs(values);
  values_out->needs(values);
  if (!compared) values->needs(values_out);
}

void add_offsets_options(CLI::App& command, array_sort_options& options) {
  auto* const offsets =
      command
          .add_option("--offsets", options.offsets,
                      "Sort every segment by itself. File of offsets, i32 or i64, where segments begin: first 0, never decreasing, "
                      "last the number of items")
          ->type_name("OFF");
  command.add_option("--segments-dtype", options.segments_type, "Type of a raw or text file of offsets")
      ->type_name("TYPE")
      ->needs(offsets);
  command.add_option("--segments-column", options.segments_column, "Column of a text file of offsets")
      ->type_name("NAME|INDEX")
      ->needs(offsets);
}

}  // namespace lookback::app
