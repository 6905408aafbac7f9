// lookback rle encode IN -o VALUES --lengths LENGTHS: runs of equal items as a value and a length each.
#include <CLI/CLI.hpp>

#include "commands.hpp"
#include "common/runs_job.hpp"

namespace lookback::app {

command_words declare_rle_encode(CLI::App& command, bool compared) {
  struct arguments {
    input_words in;
    std::string values, lengths;
  };
  auto const a = std::make_shared<arguments>();
  add_input(command, a->in, "IN", "Input");
  add_output(command, a->values, compared);
  command.add_option("--lengths", a->lengths, "Where the length of each run goes, as i64")
      ->type_name("LENGTHS")
      ->required(!compared);
  auto const read = [a](read_times* times) {
    auto const format = format_of(a->in.type, a->in.column, "--dtype");
    return make_encode_job(read_array(a->in.in, format, input_role::values, times));
  };
  return {read, [a] { return std::vector{a->values, a->lengths}; }};
}

}  // namespace lookback::app
