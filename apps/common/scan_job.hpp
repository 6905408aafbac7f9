// A scan as the command line describes it: what `scan`, `compare scan` and `demo` have in common.
#pragma once
#include <optional>
#include <string>

#include "array.hpp"
#include "back_end.hpp"
#include "read_array.hpp"

namespace CLI {
class App;
}

namespace lookback::app {

struct scan_options {
  std::string in, type, column;
  std::string op = "plus", as, initial;
  bool exclusive = false, has_initial = false, reverse = false;
  // At most one of these five describes the segments; the type and column are those of its file.
  std::string heads, head_bits, offsets, keys;
  index_t row_length = 0;
  std::string segments_type, segments_column;
};

/// Declares IN and what is to be done with it (scan_options.cpp).
void add_scan_options(CLI::App& command, scan_options& options);

/// One element, by its bytes.
struct scalar {
  alignas(8) std::byte bytes[8];
};

/// Everything in memory and checked.
struct scan_job {
  array values;
  array description;  // what `heads` points into
  std::optional<segments> heads;
  operation op = operation::plus;
  std::optional<scalar> initial;
  bool exclusive = false, reverse = false;
  std::string title;  // "inclusive plus, by keys"

  /// The same as a request whose output goes to `out`.
  dispatch::scan_request request(void* out, strategy how, bool reproducible) const;
  std::size_t description_bytes() const { return heads && heads->data ? description.bytes() : 0; }
  /// What a scan must at least read and write.
  double moved_bytes() const { return 2.0 * static_cast<double>(values.bytes()) + static_cast<double>(description_bytes()); }
};

/// Reads and checks. Throws usage_error, no_input, bad_data naming file and place.
scan_job read_scan_job(scan_options const& options, read_times* times = nullptr);

/// Makes `description` (of `kind` "heads", "head-bits", "offsets" or "keys") the segments of the job; checks its length and
/// content.
void describe_segments(scan_job& job, std::string const& kind, array description);
void describe_rows(scan_job& job, index_t length);

/// "inclusive plus, reverse, by keys"; `kind` of segments empty for none.
std::string title_of(scan_job const& job, std::string const& kind);

operation operation_named(std::string const& name);

/// `text` exactly as an element of `type`. Throws usage_error naming `option`.
scalar parse_scalar(std::string const& text, element type, std::string const& option);

}  // namespace lookback::app
