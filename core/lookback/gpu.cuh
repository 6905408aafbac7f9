// The GPU back end: include this where `gpu::on(stream)` is used. Needs nvcc; kernels are instantiated in the including file.
#pragma once
#include "gpu/host/counts.cuh"
#include "gpu/host/distribute_into.cuh"
#include "gpu/host/most_read.cuh"
#include "gpu/host/policy.cuh"
#include "gpu/host/scan_into.cuh"
#include "gpu/host/workspace.cuh"
#include "gpu/sorts/sort_into.cuh"
