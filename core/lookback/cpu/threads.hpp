// The CPU back end on std::thread, for programs without oneTBB.
#pragma once
#include "compactions.hpp"
#include "on_threads.hpp"
#include "reductions.hpp"
#include "scans.hpp"
#include "sorts.hpp"
