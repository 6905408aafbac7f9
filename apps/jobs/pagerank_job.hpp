// The ranks of the pages of a graph: the stationary distribution of a surfer who follows a link, weighted, with probability
// `damping` and starts anew at any page otherwise, or where there is no link (Brin & Page 1998).
#pragma once
#include "command.hpp"
#include "dispatch/spmv.hpp"
#include "graph.hpp"

namespace lookback::app {

struct pagerank_law {
  double damping = 0.85, tolerance = 1e-8;
  index_t most_iterations = 1000;
};
struct pagerank_options {
  std::string matrix;
  pagerank_law law;
  index_t top = 10;
  bool unweighted = false;
};

/// Everything in memory and checked. Power iteration from 1/n everywhere:
///
///   r' = damping P r + (1 - damping + damping D) / n,   P as passed_ranks has it, D the rank of all dangling pages
///
/// until the sum of |r' - r| is at most `tolerance`. Each step is a sparse product with alpha and beta, and two sums.
struct pagerank_job final : job {
  matrix links;
  passed_ranks passed;
  array start, ends;  // 1/n at every page; 0 and n
  pagerank_law law;
  index_t top = 10;

  pagerank_job() { command = "pagerank"; }

  array const& items() const override { return passed.turned.values; }
  std::vector<std::span<std::byte const>> inputs() const override;
  std::vector<std::size_t> room() const override;
  std::vector<std::size_t> used(outputs const& out) const override;
  bool leaves_counts() const override { return true; }
  bool offers(back_end where, strategy how) const override;
  dispatch::values_of stored_values() const override { return dispatch::values_of::products; }
  void run(dispatch::place const& on, strategy how, bool reproducible, places const& at) const override;
  std::vector<peer_call> peers(back_end where) const override;
  std::vector<array_view> results(outputs const& out) const override;
  byte_counts moved(outputs const& out) const override;
  std::string moved_text() const override;
  std::string first_difference(outputs const& out) const override;
  std::string tolerance() const override { return "2 eps a rounding"; }
  std::string finding(outputs const& out) const override;
  std::vector<std::pair<std::string, double>> facts(outputs const& out) const override;
  std::string shortcoming(outputs const& out) const override;
};

/// What a run leaves beside the ranks.
struct pagerank_end {
  index_t iterations;
  double change;      // of the last one
  index_t additions;  // through which a term of its sums has passed at most
};
pagerank_end end_in(outputs const& out);

/// Throws bad_data if the matrix is no graph; out_of_memory, before anything is made of it, if all that is would be too much.
std::unique_ptr<pagerank_job> make_pagerank_job(matrix links, pagerank_law const& law = {}, index_t top = 10,
                                                bool without_weights = false);
std::unique_ptr<job> read_pagerank_job(pagerank_options const& options, input_reading* times = nullptr);

}  // namespace lookback::app
