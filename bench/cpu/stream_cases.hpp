// Where streams run, and the memory they are given.
#pragma once
#include <cstddef>
#include <lookback/cpu.hpp>

namespace bench {

inline auto on_of_streams() { return lookback::cpu::on(); }
inline constexpr std::size_t megabytes_of_streams[] = {16, 64, 256};

}  // namespace bench
