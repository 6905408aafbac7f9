// A sort as the command line describes it.
#pragma once
#include "array_sort.hpp"

namespace lookback::app {

struct sort_options : array_sort_options {
  std::string indices_out;
  std::string bits;  // "B,E"
  bool nan_first = false;
};

/// Keys come out, or the order, or both. By segments, all but keys alone is gathered by the
/// order, which then has room of its own behind the results.
struct sort_job final : array_sort {
  bool stores_keys = true, finds_order = false;
  bool descending = false, nan_first = false;
  int begin_bit = 0, end_bit = -1;  // -1: all bits

  /// Throws bad_data if there is not a value for every key or offsets are wrong, usage_error for bits that the keys do not have.
  sort_job(sort_inputs inputs, sort_options const& options);

  bool by_bits() const { return end_bit >= 0; }
  /// Does the order of equal keys show in nothing but their own bits?
  bool is_alone() const { return !has_values && !finds_order && !by_bits(); }

  std::vector<std::size_t> room() const override;
  std::vector<std::size_t> used(outputs const& out) const override;
  bool offers(back_end where, strategy how) const override { return dispatch::offers_sort(where, how, by.has_value()); }
  void run(dispatch::place const& on, strategy how, bool reproducible, places const& at) const override;
  std::vector<peer_call> peers(back_end where) const override;
  std::string about_peers(back_end where) const override;
  std::vector<array_view> results(outputs const& out) const override;
  bool results_are_outputs() const override { return true; }
  std::string first_difference(outputs const& out) const override;

  dispatch::sort_request request(places const& at) const;
  /// Where in the outputs: -1 for what is not among them.
  int keys_at() const { return stores_keys || has_values ? 0 : -1; }
  int values_at() const { return has_values ? 1 : -1; }
  bool needs_order() const { return finds_order || (by && !is_alone()); }
  int indices_at() const { return needs_order() ? 1 + keys_at() + (has_values ? 1 : 0) : -1; }
};

std::unique_ptr<job> read_sort_job(sort_options const& options, input_reading* times = nullptr);

/// The files of the results. Throws usage_error where none is named and the command does not compare.
std::vector<std::string> outputs_of(sort_options const& options, bool compared);

}  // namespace lookback::app
