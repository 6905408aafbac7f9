// What lookback/stream.hpp needs of the GPU back end: chunks on their way to the device, through it and back.
#pragma once
#include "host/chunk_flow.cuh"
#include "host/policy.cuh"
