// lookback scan IN -o OUT: prefix sums and their relatives, plain or by segments.
#include <CLI/CLI.hpp>

#include "commands.hpp"
#include "jobs/scan_job.hpp"

namespace lookback::app {

command_words declare_scan(CLI::App& command, bool compared) {
  struct arguments {
    scan_options scan;
    std::string out;
  };
  auto const a = std::make_shared<arguments>();
  add_scan_options(command, a->scan);
  add_output(command, a->out, compared);
  return {[a](input_reading* times) { return read_scan_job(a->scan, times); }, [a] { return std::vector{a->out}; },
          [a] {
            return std::vector{a->scan.in, a->scan.heads, a->scan.head_bits, a->scan.offsets, a->scan.keys};
          }};
}

}  // namespace lookback::app
