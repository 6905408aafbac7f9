// PageRank by a plain loop over the links, page by page: the reference, and what one writes first.
#pragma once
#include <vector>

#include "pagerank_job.hpp"

namespace lookback::app {

struct plain_ranks {
  std::vector<double> ranks;
  index_t iterations = 0;
  double change = 0;
};
/// Of a matrix that expect_graph has let pass. A negative tolerance asks for all iterations.
plain_ranks plain_pagerank(matrix const& links, pagerank_law const& law);

/// Nonzeros of the longest row.
index_t longest_row(matrix const& of);

}  // namespace lookback::app
