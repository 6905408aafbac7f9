// A sort by comparisons as the command line describes it.
#pragma once
#include "array_sort.hpp"
#include "dispatch/quicksort.hpp"

namespace lookback::app {

struct quicksort_options : array_sort_options {
  bool by_magnitude = false, unstable = false;
};

/// Keys come out, with their values. With values and segments all is gathered by the order, which has room of its own behind the
/// results.
struct quicksort_job final : array_sort {
  dispatch::key_order order = dispatch::key_order::ascending;
  bool unstable = false;
  /// What each round of the last run by the textbook's form left: told, and no part of the result.
  mutable std::vector<round_left> rounds;

  /// Throws bad_data if there is not a value for every key or offsets are wrong.
  quicksort_job(sort_inputs inputs, quicksort_options const& options);

  std::vector<std::size_t> room() const override;
  std::vector<std::size_t> used(outputs const& out) const override;
  bool offers(back_end where, strategy how) const override { return dispatch::offers_quicksort(where, how, by.has_value()); }
  void run(dispatch::place const& on, strategy how, bool reproducible, places const& at) const override;
  std::vector<peer_call> peers(back_end where) const override;
  std::string about_peers(back_end where) const override;
  std::vector<array_view> results(outputs const& out) const override;
  bool results_are_outputs() const override { return true; }
  std::string first_difference(outputs const& out) const override;
  std::string tolerance() const override { return unstable ? "exact, equal keys in any order" : "exact"; }
  std::string finding(outputs const& out) const override;
  std::vector<std::pair<std::string, double>> facts(outputs const& out) const override;

 private:
  dispatch::quicksort_request request(places const& at) const;
  bool needs_order() const { return by && has_values; }
};

std::unique_ptr<job> read_quicksort_job(quicksort_options const& options, input_reading* times = nullptr);

/// The files of the results.
std::vector<std::string> outputs_of(quicksort_options const& options);

}  // namespace lookback::app
