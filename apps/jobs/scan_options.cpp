// What is scanned and how, as options of a command.
#include <CLI/CLI.hpp>

#include "io/numbers.hpp"
#include "scan_job.hpp"

namespace lookback::app {

void add_scan_options(CLI::App& command, scan_options& options) {
  add_input(command, options, "IN", "Input file");
  command.add_option("--op", options.op, "Operator of the scan; integers wrap around (--as sums in a wider type)")
      ->check(CLI::IsMember({"plus", "multiplies", "min", "max", "and", "or", "xor"}))
      ->capture_default_str();
  command.add_flag("--exclusive", options.exclusive, "Exclusive scan: a result does not include its own item");
  command
      .add_option_function<std::string>(
          "--init", [&options](std::string const& text) { options.initial = text, options.has_initial = true; },
          "Initial value of every segment (default: the identity of the operator)")
      ->type_name("V");
  command.add_flag("--reverse", options.reverse, "Scan from the last item to the first");
  command.add_option("--as", options.as, "Convert the items to TYPE before the scan; the results have this type")
      ->type_name("TYPE");

  auto* const segments =
      command.add_option_group("Segments", "A segment begins at item 0 and at every head; at most one of these options");
  segments->add_option("--heads", options.heads, "File of flags, one per item: not zero where a segment begins")
      ->type_name("FLAGS");
  segments
      ->add_option("--head-bits", options.head_bits, "File of packed flags, one bit per item: item i has bit i % 8 of byte i / 8")
      ->type_name("BITS");
  segments
      ->add_option("--offsets", options.offsets,
                   "File of offsets, i32 or i64, where segments begin: first 0, never decreasing, last the number of items")
      ->type_name("OFF");
  segments->add_option("--keys", options.keys, "File of keys, one per item: a segment is a run of equal keys")->type_name("KEYS");
  segments->add_option("--row-length", options.row_length, "Segments of N items each")
      ->type_name("N")
      ->check(
          [](std::string const& text) {
            index_t length = 0;
            bool const good = parse_number(std::string_view(text), length) == parsed::ok && length > 0;
            return good ? std::string() : "found '" + text + "', expected a whole number of items, at least 1";
          },
          "");
  segments->require_option(0, 1);
  command
      .add_option("--segments-dtype", options.segments_type,
                  "Type of a raw or text file of segments (default for raw flags and bits: u8)")
      ->type_name("TYPE");
  command.add_option("--segments-column", options.segments_column, "Column of a text file of segments")->type_name("NAME|INDEX");
}

}  // namespace lookback::app
