// Plans of sparse matrices on this back end.
#pragma once
#include <lookback/spmv_plan.hpp>
