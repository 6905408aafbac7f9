// Plans of sparse matrices on a GPU: what spmv_plan.hpp has, and how the columns are counted and renamed there.
#pragma once
#include <lookback/most_read.cuh>
#include <lookback/spmv_plan.hpp>
