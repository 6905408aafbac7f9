// A product by blocks of rows, on a GPU that need not have room for the matrix.
#pragma once
#include <memory>

#include "chunked_job.hpp"
#include "spmv_job.hpp"

namespace lookback::app {

std::unique_ptr<chunked_job> blocks_of_rows(spmv_job const& of);

}  // namespace lookback::app
