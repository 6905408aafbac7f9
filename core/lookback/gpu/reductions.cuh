// What reductions of segments, products of matrices and codes of run lengths need of the GPU back end.
#pragma once
#include "host/counts.cuh"
#include "host/distribute_into.cuh"
#include "host/policy.cuh"
#include "host/scan_compact.cuh"
#include "host/scan_per_segment.cuh"
#include "host/workspace.cuh"
