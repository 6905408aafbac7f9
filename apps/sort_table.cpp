// lookback sort-table FILE --by COL -o OUT: the rows of a delimited text in the order of columns.
#include <CLI/CLI.hpp>

#include "commands.hpp"
#include "jobs/records_job.hpp"

namespace lookback::app {

command_words declare_sort_table(CLI::App& command, bool compared) {
  auto const a = std::make_shared<records_options>();
  command
      .add_option("FILE", a->in,
                  "Text file, or .gz of one: .csv, .tsv, or any other name, where the first line tells what delimits. A field in "
                  "quotes may hold delimiters and line ends")
      ->required();
  command
      .add_option("--by", a->by,
                  "Columns, each by its name or its index from 0; the first one decides first, equal rows stay as they were. A "
                  "column in which every field is a number is in the order of these (NaNs last); any other, also one with an "
                  "empty field, in the order of its bytes, without the blanks around a field that has no quotes")
      ->type_name("NAME|INDEX,...")
      ->required();
  command.add_flag("--descending", a->descending, "Largest first, in every column; NaNs last, and equal rows as they were");
  add_header_option(command, a->header, "--by");
  auto* const out = command
                        .add_option("-o,--output", a->out,
                                    "Output file: the header if there is one, and the rows as they stand in FILE, blank lines "
                                    "and comments before a row with it (.csv has none: there # begins a field)")
                        ->type_name("OUT");
  if (!compared) out->required();
  auto const read = [a](input_reading* times) {
    auto made = make_records_job(*a, times);
    if (made->layout.header) note(made->layout.note);
    return made;
  };
  return {read, [a] { return std::vector{a->out}; }, [a] { return std::vector{a->in}; }};
}

}  // namespace lookback::app
