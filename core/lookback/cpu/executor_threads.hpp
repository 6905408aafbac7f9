// Moved: this path stays for programs that include it.
#pragma once
#include "run/executor_threads.hpp"
