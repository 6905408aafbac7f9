// lookback rle encode IN -o VALUES --lengths LENGTHS: runs of equal items as a value and a length each.
// lookback rle decode VALUES --lengths LENGTHS -o OUT: the items again.
#include <CLI/CLI.hpp>

#include "commands.hpp"
#include "jobs/decode_job.hpp"
#include "jobs/runs_job.hpp"

namespace lookback::app {

command_words declare_rle_encode(CLI::App& command, bool compared) {
  struct arguments {
    input_words in;
    std::string values, lengths;
  };
  auto const a = std::make_shared<arguments>();
  add_input(command, a->in, "IN", "Input file");
  add_output(command, a->values, compared);
  command.add_option("--lengths", a->lengths, "Output file for the length of each run, as i64")
      ->type_name("LENGTHS")
      ->required(!compared);
  auto const read = [a](input_reading* times) {
    auto format = format_of(a->in.type, a->in.column, a->in.header, "--dtype");
    format.only_mapped = true;
    return make_encode_job(read_input(a->in.in, format, input_role::values, times));
  };
  return {read, [a] { return std::vector{a->values, a->lengths}; }, [a] { return std::vector{a->in.in}; }};
}

command_words declare_rle_decode(CLI::App& command, bool compared) {
  struct arguments {
    decode_options decode;
    std::string out;
  };
  auto const a = std::make_shared<arguments>();
  auto& d = a->decode;
  add_input(command, d, "VALUES", "File of values, one per run");
  command.add_option("--lengths", d.lengths, "File of lengths, one per run: integers, none negative")
      ->type_name("LENGTHS")
      ->required();
  command.add_option("--lengths-dtype", d.lengths_type, "Type of raw or text lengths")->type_name("TYPE");
  command.add_option("--lengths-column", d.lengths_column, "Column of a text file of lengths")->type_name("NAME|INDEX");
  add_output(command, a->out, compared);
  return {[a](input_reading* times) { return read_decode_job(a->decode, times); }, [a] { return std::vector{a->out}; },
          [a] {
            return std::vector{a->decode.in, a->decode.lengths};
          }};
}

}  // namespace lookback::app
