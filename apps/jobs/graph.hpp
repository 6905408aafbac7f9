// A matrix as the links of pages: row i links to column j where it has an entry there.
#pragma once
#include "io/matrix.hpp"

namespace lookback::app {

/// Throws bad_data unless the matrix is square and its entries, as weights of links, are real, finite and not negative.
void expect_graph(matrix const& links);

/// The same links with a weight of 1 each, whatever stood there, zeros too.
matrix unweighted(matrix links);

/// Is it square, and are all its entries 1: links without weights?
bool is_plain_graph(matrix const& links);

/// What each page hands on, turned around: row j has in column i the share of page i's rank that goes to page j, of f64, columns
/// rising.
///   turned    what a page hands on adds up to 1 in its column, to 0 where it is dangling
///   dangling  1 where a page has no link of any weight: its row of `links` adds up to 0
struct passed_ranks {
  matrix turned;
  array dangling;  // u8
  index_t dangling_pages = 0;
};
passed_ranks passed_by(matrix const& links);
/// Of its column indices.
element column_type_of_turned(matrix const& links);

}  // namespace lookback::app
