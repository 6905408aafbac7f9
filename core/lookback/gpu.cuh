// The GPU back end: include this where `gpu::on(stream)` is used. Needs nvcc; kernels are instantiated in the including file.
#pragma once
#include "gpu/counts.cuh"
#include "gpu/distribute_into.cuh"
#include "gpu/most_read.cuh"
#include "gpu/policy.cuh"
#include "gpu/scan_into.cuh"
#include "gpu/workspace.cuh"
