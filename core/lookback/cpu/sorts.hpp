// What radix_sort, quicksort and split_by need of the CPU back end. sort_strings and split need all of <lookback/cpu.hpp>.
#pragma once
#include "engine/scan_scatter.hpp"
#include "engine/scatter_into.hpp"
#include "scans.hpp"
#include "sorts/sort_into.hpp"
