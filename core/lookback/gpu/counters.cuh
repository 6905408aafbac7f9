// Moved: this path stays for programs that include it.
#pragma once
#include "protocol/counters.cuh"
