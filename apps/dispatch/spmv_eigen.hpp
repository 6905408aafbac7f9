// Eigen's product of a sparse matrix and a vector, on our arrays: a peer, and the reference. Its types stay in one unit.
#pragma once
#include "spmv.hpp"

namespace lookback::dispatch {

/// Its matrices have one type of index, here i32.
bool eigen_takes(spmv_request const& request);

/// On so many threads, where it was compiled with OpenMP; on one it is as without. Integers wrap.
void multiply_with_eigen(spmv_request const& request, int threads);
bool eigen_has_threads();
/// Ends these threads: for some milliseconds after a product they look for more work, on CPUs that somebody else is to have.
void end_eigen_threads();

/// A plain loop over the rows.
void multiply_with_loop(spmv_request const& request);

}  // namespace lookback::dispatch
