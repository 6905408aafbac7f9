#include <lookback/cpu.hpp>
#include <lookback/scan.hpp>
#include <vector>

void scan_v4(std::vector<float>& v) { lookback::inclusive_scan(lookback::cpu::seq, v, v); }
