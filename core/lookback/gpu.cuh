// The GPU back end: include this where `gpu::on(stream)` is used. Needs nvcc; kernels are instantiated in the including file.
// A unit that calls one kind of verb may include the verb's part alone.
#pragma once
#include "gpu/compactions.cuh"
#include "gpu/reductions.cuh"
#include "gpu/scans.cuh"
#include "gpu/sorts.cuh"
#include "gpu/streams.cuh"
