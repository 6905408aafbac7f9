// lookback select IN -o OUT: the items of which a condition holds, in order.
#include <CLI/CLI.hpp>

#include "commands.hpp"
#include "jobs/select_job.hpp"

namespace lookback::app {

command_words declare_select(CLI::App& command, bool compared) {
  struct arguments {
    select_options select;
    std::string out, rejected;
  };
  auto const a = std::make_shared<arguments>();
  auto& s = a->select;
  add_input(command, s, "IN", "Input file");
  auto* const which = command.add_option_group("Condition", "Which items are kept; exactly one of these options");
  which->add_option("--below", s.below, "Keep items below V")->type_name("V");
  which->add_option("--above", s.above, "Keep items above V")->type_name("V");
  which->add_option("--equal", s.equal, "Keep items equal to V")->type_name("V");
  which->add_option("--between", s.between, "Keep items x with LO <= x < HI")->type_name("LO HI")->expected(2)->delimiter(',');
  which->add_option("--flags", s.flags, "Keep items whose flag is not zero; the file F has one flag per item")->type_name("F");
  which->require_option(1);
  command.add_option("--flags-dtype", s.flags_type, "Type of a raw or text file of flags (default for raw: u8)")->type_name("TYPE");
  command.add_option("--flags-column", s.flags_column, "Column of a text file of flags")->type_name("NAME|INDEX");
  add_output(command, a->out, compared);
  auto* const rejected =
      command.add_option("--rejected", a->rejected, "Output file for the other items, in order")->type_name("OUT2");
  command
      .add_flag("--in-place", s.in_place,
                "Use the in-place form of the algorithm, on a copy in memory: the file IN does not change")
      ->excludes(rejected);
  auto const read = [a](input_reading* times) {
    a->select.rejects = !a->rejected.empty();
    return read_select_job(a->select, times);
  };
  return {read,
          [a] {
            return a->rejected.empty() ? std::vector{a->out} : std::vector{a->out, a->rejected};
          },
          [a] {
            return std::vector{a->select.in, a->select.flags};
          }};
}

}  // namespace lookback::app
