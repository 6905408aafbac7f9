// What is scanned and how, as options of a command.
#include <CLI/CLI.hpp>

#include "io/numbers.hpp"
#include "scan_job.hpp"

namespace lookback::app {

void add_scan_options(CLI::App& command, scan_options& options) {
  add_input(command, options, "IN", "Input");
  command.add_option("--op", options.op, "Operator")
      ->check(CLI::IsMember({"plus", "multiplies", "min", "max", "and", "or", "xor"}))
      ->capture_default_str();
  command.add_flag("--exclusive", options.exclusive, "Each item gets what was scanned before it");
  command
      .add_option_function<std::string>(
          "--init", [&options](std::string const& text) { options.initial = text, options.has_initial = true; },
          "Initial value of every segment (else the operator's identity)")
      ->type_name("V");
  command.add_flag("--reverse", options.reverse, "From the last item to the first");
  command.add_option("--as", options.as, "Convert to TYPE first, accumulate and write it")->type_name("TYPE");

  auto* const segments = command.add_option_group("Segments", "A segment begins at item 0 and at every head");
  segments->add_option("--heads", options.heads, "A flag per item, non-zero where a segment begins")->type_name("FLAGS");
  segments->add_option("--head-bits", options.head_bits, "The same, a bit per item, little-endian within bytes")->type_name("BITS");
  segments->add_option("--offsets", options.offsets, "i32 or i64: first 0, last n, never decreasing")->type_name("OFF");
  segments->add_option("--keys", options.keys, "A key per item: a segment is a run of equal ones")->type_name("KEYS");
  segments->add_option("--row-length", options.row_length, "Segments of N items")
      ->type_name("N")
      ->check(
          [](std::string const& text) {
            index_t length = 0;
            bool const good = parse_number(std::string_view(text), length) == parsed::ok && length > 0;
            return good ? std::string() : "found '" + text + "', expected a whole number of items from 1";
          },
          "");
  segments->require_option(0, 1);
  command.add_option("--segments-dtype", options.segments_type, "Type of a raw or text file of segments (flags, bits: u8)")
      ->type_name("TYPE");
  command.add_option("--segments-column", options.segments_column, "Column of a text file of segments")->type_name("NAME|INDEX");
}

}  // namespace lookback::app
