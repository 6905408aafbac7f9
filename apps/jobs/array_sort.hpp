// What every sort of arrays has: keys, perhaps values beside them and offsets of segments, from the command line to a request.
#pragma once
#include <optional>

#include "command.hpp"
#include "dispatch/sort.hpp"

namespace lookback::app {

struct array_sort_options : input_words {
  std::string out, values, values_out;
  std::string values_type, values_column;
  std::string offsets, segments_type, segments_column;
  bool descending = false;
};
/// --values and --values-out with what belongs to them.
void add_values_options(CLI::App& command, array_sort_options& options, bool compared);
/// --offsets with what belongs to it.
void add_offsets_options(CLI::App& command, array_sort_options& options);
/// The files that a sort reads; empty where one is not named.
std::vector<std::string> inputs_of(array_sort_options const& options);

/// What these files hold.
struct sort_inputs {
  array keys, values, offsets;
};
sort_inputs read_sort_inputs(array_sort_options const& options, input_reading* times);

/// Everything in memory and checked.
struct array_sort : job {
  array keys, values;
  array offsets;  // what `by` points into
  std::optional<segments> by;
  bool has_values = false;

  array const& items() const override { return keys; }
  std::vector<std::span<std::byte const>> inputs() const override;
  void load() const override { keys.load(), values.load(); }
  bool has_textbook_form() const override { return !by; }
  byte_counts moved(outputs const& out) const override;
  std::string reference() const override { return "std::stable_sort"; }

 protected:
  /// Throws bad_data if there is not a value for every key or offsets are wrong.
  void take(sort_inputs inputs, array_sort_options const& options);
  /// The arrays of a request. Outputs are numbered, -1 for what is not among them. Without places it says which arrays there are:
  /// then a job is asked what it is, not to run.
  void describe(dispatch::sort_arrays& request, places const& at, int keys_at, int values_at, int indices_at) const;
  /// A result in one of the outputs.
  static array_view view_of(array const& like, outputs const& out, int at) {
    return {like.type, like.shape, out[static_cast<std::size_t>(at)].data(), like.column};
  }
};

}  // namespace lookback::app
