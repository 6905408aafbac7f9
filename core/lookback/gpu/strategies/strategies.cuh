// The strategies of the GPU: each a way to exchange prefixes between tiles, and a file.
#pragma once
#include "auxiliary_block.cuh"
#include "chained.cuh"
#include "decoupled_look_back.cuh"
#include "reduce_then_scan.cuh"
