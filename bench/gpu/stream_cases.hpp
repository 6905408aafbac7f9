// Where streams run, and the memory they are given.
#pragma once
#include <cstddef>
#include <lookback/gpu.cuh>

namespace bench {

inline auto on_of_streams() { return lookback::gpu::on(nullptr); }
inline constexpr std::size_t megabytes_of_streams[] = {96, 384, 1536};

}  // namespace bench
