// What reductions of segments, products of matrices and codes of run lengths need of the CPU back end.
#pragma once
#include "engine/counts.hpp"
#include "engine/distribute_into.hpp"
#include "engine/scan_compact.hpp"
#include "engine/scan_per_segment.hpp"
