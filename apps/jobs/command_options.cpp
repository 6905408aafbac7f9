// The options that commands share, and a command of them.
#include <CLI/CLI.hpp>

#include "commands.hpp"
#include "perform.hpp"

namespace lookback::app {

void add_input(CLI::App& command, input_words& words, char const* name, char const* what) {
  command
      .add_option(
          name, words.in,
          std::string(what) + ": .npy, .csv, .tsv, or any other name with --dtype (raw) or --column (text); text and raw also .gz")
      ->required();
  command
      .add_option(
          "--dtype", words.type,
          std::string(
              "Type of the elements of a raw or text file (default for text: i64, u64 or f64, the first that holds all): ") +
              all_element_names)
      ->type_name("TYPE");
  command.add_option("--column", words.column, "Column of a text file: its name, or its index from 0")->type_name("NAME|INDEX");
  add_header_option(command, words.header);
}

void add_header_option(CLI::App& command, header_line& header, std::string const& column_option) {
  auto const take = [&header](std::string const& word) {
    header = word == "yes" ? header_line::yes : word == "no" ? header_line::no : header_line::automatic;
  };
  command
      .add_option_function<std::string>(
          "--header", take,
          "yes: the first line of a text file holds the names of the columns; no: the first line is data; auto: the first line "
          "holds names if " +
              column_option +
              " has one of them and not an index, or if no field of it that is read is empty or a number; a note says so")
      ->check(CLI::IsMember({"yes", "no", "auto"}))
      ->default_str("auto");
}

array read_input(std::string const& path, input_format const& format, input_role role, input_reading* times) {
  auto made = read_array(path, format, role, times);
  for (auto const& one : made.notes) note(one);
  if (times && times->most_items && made.n > *times->most_items) made.n = *times->most_items, made.shape = {made.n};
  return made;
}

void add_output(CLI::App& command, std::string& path, bool compared) {
  std::string const what = compared ? "Output file of the runs of lookback (default: none is kept)"
                                    : "Output file: .npy, .csv, .tsv, .mtx (dense); any other name: raw";
  command.add_option("-o,--output", path, what)->type_name("OUT")->required(!compared);
}

CLI::App& add_parent(CLI::App& parent, char const* name, char const* what) {
  auto* const command = parent.add_subcommand(name, what);
  command->require_subcommand(1);
  return *command;
}

void add_command(CLI::App& program, char const* name, char const* what, declare_function declare) {
  auto* const command = program.add_subcommand(name, what);
  auto const common = std::make_shared<common_options>();
  auto const words = declare(*command, false);
  add_common_options(*command, *common);
  command
      ->add_flag(
          "--explain", common->explain,
          "Tell which way the library takes and why, what that reads, writes and launches, and how far it is from a copy of as "
          "many bytes; runs some ten times, in one piece")
      ->group("Common options");
  command->callback([words, common] { perform(words, *common); });
}

}  // namespace lookback::app
