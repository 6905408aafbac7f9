// What the units of compaction and runs supply to their tables; nobody else includes this.
#pragma once
#include <cstring>
#include <span>

#include "runs.hpp"
#include "scan_tables.hpp"
#include "select.hpp"

namespace lookback::dispatch {

// By the size of the elements, so that they compile side by side: 1 and 2 bytes, 4 and 8.
void select_cpu_narrow(place const& on, select_request const& request);
void select_cpu_wide(place const& on, select_request const& request);
void runs_cpu(place const& on, runs_request const& request);
void decode_cpu(place const& on, decode_request const& request);
void reduce_cpu_narrow(place const& on, reduce_request const& request);
void reduce_cpu_wide(place const& on, reduce_request const& request);
void reduce_cpu_float(place const& on, reduce_request const& request);

void select_gpu(place const& on, select_request const& request);
void runs_gpu(place const& on, runs_request const& request);
void decode_gpu(place const& on, decode_request const& request);
void reduce_gpu(place const& on, reduce_request const& request);

/// n elements of a request.
template <class T>
std::span<T const> items_at(void const* data, index_t n) {
  return {static_cast<T const*>(data), static_cast<std::size_t>(n)};
}
template <class T>
std::span<T> room_at(void* data, index_t n) {
  return {static_cast<T*>(data), static_cast<std::size_t>(n)};
}

}  // namespace lookback::dispatch
