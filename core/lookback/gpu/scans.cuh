// What scans, plain and segmented, need of the GPU back end.
#pragma once
#include "host/policy.cuh"
#include "host/scan_each.cuh"
#include "host/workspace.cuh"
