// The staged pipeline: a block keeps several tiles in flight, each in a slot of shared memory. Tiles are claimed by ticket, so a
// tile's predecessors have always started; their arrays arrive by asynchronous copies that complete on the slot's barrier.
//
//   slot s    | array 0 .. | array 1 .. | ... | head flags or bitmap |    each array at the phase of 16 bytes that it has in global
//             memory; before array 0, where neighbours are compared, the item left of it
//   path      | values | ends |    at the phase of 128 bytes; what values are made of beside them, or in regions apart
//
// What the copies bring is the aligned superset of the tile, never beyond the array: the few bytes before its first and after its
// last 16-byte boundary are loaded one by one. sm_90 copies by the copy engine, older devices 16 bytes a thread.
#pragma once
#include "../../source.hpp"
#include "../tiles/heads.cuh"
#include "ptx.cuh"

namespace lookback::gpu {

struct span_of_bytes {  // what of one array belongs to a tile, and where the whole array ends
  char const* begin;
  char const* end;
  char const* array_begin;
  char const* array_end;
};

namespace detail {

__device__ __forceinline__ std::uint64_t down_16(void const* p) {
  return reinterpret_cast<std::uintptr_t>(p) & ~std::uintptr_t{15};
}
__device__ __forceinline__ std::uint64_t up_16(void const* p) {
  return (reinterpret_cast<std::uintptr_t>(p) + 15) & ~std::uintptr_t{15};
}

/// The part of an array that whole 16-byte copies bring, as offsets from its begin rounded down.
struct copied {
  char const* from;
  std::uint32_t to, bytes;  // `to`: from where in the region of the array
};
__device__ __forceinline__ copied copied_part(span_of_bytes const& s) {
  std::uint64_t const low = max(down_16(s.begin), up_16(s.array_begin)), high = min(up_16(s.end), down_16(s.array_end));
  return {reinterpret_cast<char const*>(low), static_cast<std::uint32_t>(low - down_16(s.begin)),
          high > low ? static_cast<std::uint32_t>(high - low) : 0};
}
/// The rest, by the calling thread alone: at most 15 bytes at each end, of the first and last tile only.
__device__ __forceinline__ void load_edges(char* region, span_of_bytes const& s, copied const& body) {
  char const* const origin = reinterpret_cast<char const*>(down_16(s.begin));
  char const* const low = body.bytes ? body.from : s.end;
  char const* const high = body.bytes ? body.from + body.bytes : s.end;
  for (char const* p = s.begin; p < low && p < s.end; ++p) region[p - origin] = *p;
  for (char const* p = high; p < s.end; ++p) region[p - origin] = *p;
  if (low > s.begin || high < s.end) ptx::fence_for_copy_engine();  // the next copy into the slot comes after these
}

}  // namespace detail

/// Starts the copies of one array into its region of a slot, by `threads` threads, of which this is number `thread`. Strided: each
/// of them copies neighbouring bytes.
template <bool Strided = false>
__device__ __forceinline__ void start_copies(char* region, span_of_bytes const& s, int thread, int threads) {
  auto const body = detail::copied_part(s);
  if (thread == 0) detail::load_edges(region, s, body);
  if constexpr (Strided) {
    std::uint32_t const vectors = body.bytes / 16, each = (vectors + static_cast<std::uint32_t>(threads) - 1) / threads;
    std::uint32_t const first = static_cast<std::uint32_t>(thread) * each, end = min(first + each, vectors);
    for (std::uint32_t v = first; v < end; ++v) ptx::copy_16(region + body.to + 16 * v, body.from + 16 * v);
  } else {
    for (std::uint32_t at = static_cast<std::uint32_t>(thread) * 16; at < body.bytes;
         at += static_cast<std::uint32_t>(threads) * 16)
      ptx::copy_16(region + body.to + at, body.from + at);
  }
}

/// Calls f(at, span) for every staged array of items [begin, end) of n; `at` is where its region, of `room` items, begins in a
/// slot. With Left, also for the item left of the first array's: what of it shares 16 bytes with the tile comes with the tile,
/// which may end there; the rest by a copy of its own, so that the tile's begins where it would without.
template <int Left = 0, class F>
__device__ __forceinline__ void for_each_span(arrays<> const&, int, int, index_t, index_t, index_t, F&&, int = 0) {}
template <int Left = 0, class T, class... Rest, class F>
__device__ __forceinline__ void for_each_span(arrays<T, Rest...> const& a, int room, int pad, index_t begin, index_t end, index_t n,
                                              F&& f, int at = 0) {
  auto const address = [&](index_t i) { return reinterpret_cast<char const*>(a.data + i); };
  if (Left > 0 && begin > 0) {
    char const* const left = address(begin - Left);
    auto const* const high = reinterpret_cast<char const*>(detail::down_16(address(begin)));
    f(at, span_of_bytes{left < high ? high : left, address(end), address(0), address(n)});
    if (left < high)
      f(at - static_cast<int>(reinterpret_cast<std::uintptr_t>(high) - detail::down_16(left)),
        span_of_bytes{left, high, address(0), address(n)});
  } else {
    f(at, span_of_bytes{address(begin), address(end), address(0), address(n)});
  }
  for_each_span<0>(a.rest, room, pad, begin, end, n, f, at + region_bytes<T>(room, pad));
}

/// The staged part of a description of segments. From right to left a flag is of the item before it: one more on the right than the
/// tile has items. Only then: from left to right the slot has no room for it.
__device__ __forceinline__ span_of_bytes head_span(segments const& s, index_t begin, index_t end, index_t n, bool reversed) {
  char const* const data = static_cast<char const*>(s.data);
  index_t const last = reversed && end < n ? end + 1 : end;
  if (s.kind == segment_kind::flags8) return {data + begin, data + last, data, data + n};
  return {data + begin / 8, data + (last + 7) / 8, data, data + (n + 7) / 8};
}

}  // namespace lookback::gpu
