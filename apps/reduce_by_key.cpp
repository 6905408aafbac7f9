// lookback reduce-by-key KEYS VALUES -o KEYS_OUT --values-out VALUES_OUT: one result for every run of equal keys.
#include <CLI/CLI.hpp>

#include "commands.hpp"
#include "jobs/reduce_job.hpp"

namespace lookback::app {

command_words declare_reduce_by_key(CLI::App& command, bool compared) {
  struct arguments {
    reduce_options reduce;
    std::string keys_out, values_out;
  };
  auto const a = std::make_shared<arguments>();
  auto& r = a->reduce;
  constexpr char const* formats = ": .npy, .csv, .tsv, or any other name with a type (raw) or column (text); text and raw also .gz";
  command.add_option("KEYS", r.keys, std::string("File of keys, one per item") + formats)->required();
  command.add_option("VALUES", r.values, std::string("File of values, one per item") + formats)->required();
  command.add_option("--keys-dtype", r.keys_type, "Type of raw or text keys")->type_name("TYPE");
  command.add_option("--keys-column", r.keys_column, "Column of a text file of keys")->type_name("NAME|INDEX");
  command.add_option("--dtype", r.type, std::string("Type of raw or text values: ") + all_element_names)->type_name("TYPE");
  command.add_option("--column", r.column, "Column of a text file of values")->type_name("NAME|INDEX");
  add_header_option(command, r.header);
  command.add_option("--op", r.op, "Operator of the reduction; integers wrap around in the type of the values")
      ->check(CLI::IsMember({"plus", "multiplies", "min", "max", "and", "or", "xor"}))
      ->capture_default_str();
  add_output(command, a->keys_out, compared);
  command.add_option("--values-out", a->values_out, "Output file for the result of each run")
      ->type_name("OUT")
      ->required(!compared);
  auto const read = [a](input_reading* times) { return read_reduce_job(a->reduce, times); };
  return {read,
          [a] {
            return std::vector{a->keys_out, a->values_out};
          },
          [a] {
            return std::vector{a->reduce.keys, a->reduce.values};
          }};
}

}  // namespace lookback::app
