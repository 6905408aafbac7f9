// Moved: this path stays for programs that include it.
#pragma once
#include "model/run_lengths.hpp"
