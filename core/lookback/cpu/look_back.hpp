// Moved: this path stays for programs that include it.
#pragma once
#include "engine/look_back.hpp"
