// What scans, plain and segmented, need of the CPU back end.
#pragma once
#include "engine/scan_each.hpp"
