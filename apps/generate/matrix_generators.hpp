// Seeded sparse matrices, made in memory. Each is a pure function of its arguments: the same bits on every machine and for any
// number of threads. Columns of a row rise and stand once, unless an argument says otherwise; offsets are i64 from 2^31 nonzeros
// on.
#pragma once
#include "io/matrix.hpp"

namespace lookback::app {

/// What every generator is told.
///   type     of the values: f32 and f64 are equally likely in [-1, 1), i32 and i64 from -9 to 9 without 0, c64 and c128 have the
///            real part that f32 and f64 have, and another alike; stencils have their own, which are real
///   threads  0: one per core
struct generation {
  element type = element::f64;
  std::uint64_t seed = 1;
  int threads = 0;
};

/// The graph of Chakrabarti, Zhan, Faloutsos, R-MAT, SDM 2004, as Graph500 has it: see rmat.hpp.
///   permuted         vertices have random numbers; otherwise low numbers have most of the edges
///   keep_duplicates  an edge that is drawn m times stands m times with one value; otherwise once with m times that value
struct rmat_law {
  int scale = 16;            // 2^scale vertices
  index_t edge_factor = 16;  // edges drawn for each of them
  bool permuted = true, keep_duplicates = false;
};
matrix rmat(rmat_law const& law, generation const& how = {});

/// Laplace's operator on a grid of size x size points and its 4 neighbours: 4 on the diagonal, -1 beside it.
matrix poisson_2d(index_t size, generation const& how = {});
/// On size^3 points: 7 `points` (6 and -1), or 27 with all that touch (26 and -1), as HPCG has it.
matrix poisson_3d(index_t size, int points, generation const& how = {});
/// The stiffness of an elastic cube of size^3 nodes, held nowhere, in trilinear elements, Poisson's ratio 1/4, in units that make
/// it whole: symmetric, with a row for each of three directions of a node and a block of 3 x 3 for each of up to 27 that touch,
/// zeros of which are entries too.
matrix elasticity_3d(index_t size, generation const& how = {});

/// Square, with all entries at most `bandwidth` from the diagonal.
matrix banded(index_t rows, index_t bandwidth, generation const& how = {});
/// All entries.
matrix dense(index_t rows, index_t columns, generation const& how = {});

enum class row_place { top, middle, end, scattered };

/// The diagonal, and one row and one column that hold everything, at the same place: not scattered.
matrix arrow(index_t rows, row_place where = row_place::top, generation const& how = {});

/// One more row, with `nonzeros` entries spread over all columns, between those of another matrix, whose type its values have.
///   where   not scattered
///   pieces  the same nonzeros as that many rows below each other: what one long row costs shows beside it
struct long_row {
  index_t nonzeros = 0;
  row_place where = row_place::middle;
  index_t pieces = 1;
};
matrix with_long_row(matrix const& others, long_row const& row, generation const& how = {});

/// Where entries of rows stand whose lengths are drawn: a row of n has one in each n-th of its columns, anywhere in it.
///   reach  0: these are all columns. Otherwise 2 reach + 1 around the diagonal, at the ends of the matrix the first or last of
///   them.
///   neighbours  of an entry on average, from 0 to 2: entries stand in runs, each in its own of as many parts of the columns; as
///               near to that as whole runs allow
///   alike       as many rows below each other are drawn as one, so that their columns are the same, or beside the diagonal one
///               step to the right each
/// With mean, variation and reach these are the features by which Mpakos et al., Feature-based SpMV performance analysis, IPDPS
/// 2023, make twins of real matrices; their cross-row similarity is 1 - 1 / alike.
struct column_law {
  index_t columns = 0, reach = 0;
  double neighbours = 0;
  index_t alike = 1;
};

/// Lengths are geometric with this mean >= 1, none is 0; cut where there are no more columns.
matrix geometric_rows(index_t rows, double mean, column_law const& columns, generation const& how = {});

/// Lengths in random order whose law is known exactly: `nonzeros` in all, `mean` of them a row, with a standard deviation of
/// `variation` means as near as whole lengths allow.
///   zipf  the k-th longest row has a length like k^-s; otherwise lengths are lognormal
struct varied_lengths {
  index_t nonzeros = 0;
  double mean = 8, variation = 1;
  bool zipf = false;
};
/// Throws usage_error where no lengths up to the number of columns vary that much.
matrix varied_rows(varied_lengths const& law, column_law const& columns, generation const& how = {});

/// A share of empty rows, to the row, scattered or in one run; the lengths of the others are geometric with this mean.
struct empty_share {
  double share = 0.5;
  row_place where = row_place::scattered;
  double mean = 8;
};
matrix empty_rows(index_t rows, empty_share const& law, column_law const& columns, generation const& how = {});

/// Rows like those of a circuit: most have the diagonal and a few more around it, in all a geometric number with this mean; some
/// are dense, and so are the columns at their places.
///   reach       how far from the diagonal, of those between the dense ones
///   dense_rows  up to 32, anywhere; they cross each other, and others that are the same for a row and its column
///   densest     nonzeros of the densest; the k-th has k^-decay of that, at least where they cross each other
struct circuit_law {
  index_t rows = 0;
  double mean = 4;
  index_t reach = 1000, dense_rows = 20, densest = 0;
  double decay = 1;
};
matrix circuit(circuit_law const& law, generation const& how = {});

/// The same entries in another order within their rows; or all in column 0: rows and balance stay, reads of x cost nothing.
enum class column_order { rising, reversed, shuffled, all_zero };
/// Of a matrix in memory of its own.
void order_columns(matrix& of, column_order order, generation const& how = {});

}  // namespace lookback::app
