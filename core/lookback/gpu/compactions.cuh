// What select_if, partition_if and unique need of the GPU back end.
#pragma once
#include "host/counts.cuh"
#include "host/policy.cuh"
#include "host/scan_compact.cuh"
#include "host/workspace.cuh"
