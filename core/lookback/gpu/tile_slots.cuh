// Moved: this path stays for programs that include it.
#pragma once
#include "device/tile_slots.cuh"
