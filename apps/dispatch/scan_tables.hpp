// What each back end's units supply to scan.cpp; nobody else includes this.
#pragma once
#include "scan.hpp"

namespace lookback::dispatch {

void scan_on_cpu(place const& on, scan_request const& request);
void scan_on_gpu(place const& on, scan_request const& request);

// One unit per width, so that they compile side by side.
void scan_cpu_8(place const& on, scan_request const& request);
void scan_cpu_16(place const& on, scan_request const& request);
void scan_cpu_32(place const& on, scan_request const& request);
void scan_cpu_64(place const& on, scan_request const& request);
void scan_cpu_f32(place const& on, scan_request const& request);
void scan_cpu_f64(place const& on, scan_request const& request);
void scan_gpu_8(place const& on, scan_request const& request);
void scan_gpu_16(place const& on, scan_request const& request);
void scan_gpu_32(place const& on, scan_request const& request);
void scan_gpu_64(place const& on, scan_request const& request);
void scan_gpu_f32(place const& on, scan_request const& request);
void scan_gpu_f64(place const& on, scan_request const& request);

/// Bytes of a tile of reproducible floats on a GPU (gpu::tuning<>).
inline constexpr index_t reproducible_tile_bytes_on_gpu = 384 * 80;

/// Strategies that are only there to be compared are compiled where the comparison is made: 4-byte integers and floats, plus and
/// max.
constexpr bool has_every_strategy(element type, operation op) {
  return (op == operation::plus || op == operation::max) && (type == element::i32 || is_float(type));
}

}  // namespace lookback::dispatch
