// Moved: this path stays for programs that include it.
#pragma once
#include "tiles/heads.cuh"
