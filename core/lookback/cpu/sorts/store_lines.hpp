// Storing what is made of sorted records: many items at a time, past the caches where the output is large.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>

#include "../simd/simd.hpp"
#include "../simd/unit.hpp"
#include "../sinks/columns.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

/// to[k] = f(k) for k < m. Some of them at a time are made where nothing else lies: so the compiler knows that they may be made
/// side by side.
template <class X, class F>
void make_some(index_t m, X* to, F f) {
  constexpr index_t some = std::max<index_t>(4, 64 / static_cast<index_t>(sizeof(X)));
  index_t k = 0;
  for (; k + some <= m; k += some) {
    X few[static_cast<std::size_t>(some)];
    for (index_t j = 0; j < some; ++j) few[j] = f(k + j);
    std::memcpy(static_cast<void*>(to + k), few, sizeof few);
  }
  for (; k < m; ++k) to[k] = f(k);
}

/// How outputs of n items are stored: each array past the caches that is large.
struct store_way {
  simd_level level;
  index_t n, stream_above;

  bool streams(index_t item_bytes) const { return n * item_bytes > stream_above; }
};

/// make(here, first, count) makes items [first, first + count) of the m that belong to `to`, at `here`: there, or in a buffer that
/// leaves it by whole lines.
template <class V, class Make>
void store_lines(V* to, index_t m, store_way const& how, Make make) {
  constexpr index_t size = sizeof(V), block = 4096 / size;
  index_t const ahead = static_cast<index_t>(-reinterpret_cast<std::uintptr_t>(to) % 64);
  if (!how.streams(size) || m < block || ahead % size != 0) return make(to, index_t{0}, m);
  alignas(64) std::byte buffer[4096];
  V* const staged = reinterpret_cast<V*>(buffer);
  index_t at = ahead / size;
  if (at > 0) make(to, index_t{0}, at);
  for (index_t count; at < m; at += count) {
    make(staged, at, count = std::min(block, m - at));
    copy_out(to + at, staged, count, how.level, true);
  }
}

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
