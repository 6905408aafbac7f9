// All strategies of the GPU, a file each.
#pragma once
#include "auxiliary_block.cuh"
#include "chained.cuh"
#include "decoupled_look_back.cuh"
#include "fast_tracked_look_back.cuh"
#include "fenced_look_back.cuh"
#include "immediate_look_back.cuh"
#include "reduce_then_scan.cuh"
#include "scan_then_propagate.cuh"
#include "sequential_look_back.cuh"
#include "wide_look_back.cuh"
