// The CPU back end on oneTBB. Without oneTBB include <lookback/cpu/threads.hpp> instead: the same engine on std::thread.
//
//   lookback::inclusive_scan(lookback::cpu::on(8), in, out);     at most 8 threads; on(0): all of the calling thread's arena
//   lookback::inclusive_scan(lookback::cpu::seq, in, out);       this thread alone
//
// A unit that calls one kind of verb may include less: cpu/on.hpp (or cpu/on_threads.hpp), and the verb's part below.
#pragma once
#include "cpu/compactions.hpp"
#include "cpu/on.hpp"
#include "cpu/reductions.hpp"
#include "cpu/scans.hpp"
#include "cpu/sorts.hpp"
