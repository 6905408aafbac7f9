// A scan as the command line describes it: what `scan`, `compare scan` and `demo` have in common.
#pragma once
#include <optional>
#include <string>

#include "command.hpp"
#include "io/scalar.hpp"

namespace CLI {
class App;
}

namespace lookback::app {

struct scan_options : input_words {
  std::string op = "plus", as, initial;
  bool exclusive = false, has_initial = false, reverse = false;
  // At most one of these five describes the segments; the type and column are those of its file.
  std::string heads, head_bits, offsets, keys;
  index_t row_length = 0;
  std::string segments_type, segments_column;
};

/// Declares IN and what is to be done with it (scan_options.cpp).
void add_scan_options(CLI::App& command, scan_options& options);

/// Everything in memory and checked.
struct scan_job final : job {
  array values;
  array description;  // what `heads` points into
  std::optional<segments> heads;
  operation op = operation::plus;
  std::optional<scalar> initial;
  bool exclusive = false, reverse = false;

  scan_job() { command = "scan"; }

  array const& items() const override { return values; }
  std::vector<std::span<std::byte const>> inputs() const override;
  std::vector<std::size_t> room() const override { return {values.bytes()}; }
  void load() const override { values.load(), description.load(); }
  std::unique_ptr<chunked_job> in_chunks(back_end where, bool reproducible) const override;
  std::unique_ptr<chunked_job> in_chunks_by_peer(back_end where) const override;
  bool offers(back_end where, strategy how) const override {
    return dispatch::offers(where, how, values.type, op, stored_values());
  }
  dispatch::values_of stored_values() const override { return dispatch::scanned_by(heads ? &*heads : nullptr); }
  void run(dispatch::place const& on, strategy how, bool reproducible, places const& at) const override;
  std::vector<peer_call> peers(back_end where) const override;
  std::vector<array_view> results(outputs const& out) const override;
  bool results_are_outputs() const override { return true; }
  byte_counts moved(outputs const&) const override;
  std::string first_difference(outputs const& out) const override;
  std::string tolerance() const override;
};

/// Reads and checks. Throws usage_error, no_input, bad_data naming file and place.
std::unique_ptr<scan_job> read_scan_job(scan_options const& options, input_reading* times = nullptr);

/// Makes `description` (of `kind` "heads", "head-bits", "offsets" or "keys") the segments of the job; checks its length and
/// content.
void describe_segments(scan_job& job, std::string const& kind, array description);
void describe_rows(scan_job& job, index_t length);

/// "inclusive plus, reverse, by keys"; `kind` of segments empty for none.
std::string title_of(scan_job const& job, std::string const& kind);

operation operation_named(std::string const& name);

}  // namespace lookback::app
