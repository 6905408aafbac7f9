// What radix_sort, quicksort and split_by need of the GPU back end. sort_strings and split need all of <lookback/gpu.cuh>.
#pragma once
#include "scans.cuh"
#include "sorts/sort_into.cuh"
