// What select_if, partition_if and unique need of the CPU back end.
#pragma once
#include "engine/counts.hpp"
#include "engine/scan_compact.hpp"
