// Where the offsets of a tile begin. A kernel whose segments come as offsets makes a table of that first of all, every thread a
// share of it (along a path but the warp that moves tiles); whoever needs an entry that is not there yet searches for itself, so
// nobody waits.
#pragma once
#include "../../segments.hpp"
#include "../device/thread_run.cuh"
#include "../device/tile_slots.cuh"
#include "../device/warp.cuh"
#include "../host/scan_call.cuh"
#include "../protocol/descriptors.cuh"

namespace lookback::gpu {

/// The first k in [first, last) for which below(k) does not hold, else last; below holds for a first part. By one thread.
template <class Below>
__device__ __forceinline__ index_t partition_point(index_t first, index_t last, Below below) {
  while (first < last) {
    index_t const middle = first + (last - first) / 2;
    if (below(middle)) first = middle + 1;
    else last = middle;
  }
  return first;
}

/// The same where it is likely to be close to `expected`: read there, and then ever farther away until it lies between. Half the
/// steps where it is within 512, a quarter more at worst (of 2^25).
template <class Below>
__device__ __forceinline__ index_t partition_point_near(index_t expected, index_t first, index_t last, Below below) {
  if (first >= last) return first;
  index_t const begin = max(min(expected, last - 1), first);
  bool const ahead = below(begin);
  if (ahead) first = begin + 1;
  else last = begin;
  constexpr index_t close = 512, wider = 8;  // as sums of the lengths of 10^5 to 10^7 rows are off
  for (index_t distance = close; last - first > distance; distance *= wider) {
    index_t const k = ahead ? first + distance : last - 1 - distance;
    bool const passed = below(k);
    if (passed) first = k + 1;
    else last = k;
    if (passed != ahead) break;
  }
  return partition_point(first, last, below);
}

/// The same by one warp, 33 ways at a time: log33(last - first) dependent reads.
template <class Below>
__device__ __forceinline__ index_t warp_partition_point(index_t first, index_t last, Below below) {
  int const lane = threadIdx.x % 32;
  while (last - first > 32) {
    index_t const step = (last - first + 32) / 33, k = first + (lane + 1) * step;
    int const passed = __popc(__ballot_sync(all_lanes, k < last && below(k)));
    last = min(last, first + (passed + 1) * step);
    if (passed > 0) first += passed * step + 1;
  }
  return first + __popc(__ballot_sync(all_lanes, first + lane < last && below(first + lane)));
}

/// The same by each group of neighbouring lanes for itself, Lanes + 1 ways at a time, for several ranges whose reads are on their
/// way together: in first. Every lane of a warp calls; below(r, k) is of range r.
template <int Lanes, int Ranges, class Below>
__device__ __forceinline__ void partition_points(index_t (&first)[Ranges], index_t (&last)[Ranges], Below below) {
  static_assert(Lanes == 8 || Lanes == 16);
  int const lane = threadIdx.x % Lanes, group = threadIdx.x % 32 - lane;
  auto const searching = [&] {
    bool any = false;
#pragma unroll
    for (int r = 0; r < Ranges; ++r) any |= first[r] < last[r];
    return __any_sync(all_lanes, any);
  };
  while (searching()) {
    index_t step[Ranges];
    bool passes[Ranges];
#pragma unroll
    for (int r = 0; r < Ranges; ++r) {  // any step is right; equal parts are best
      step[r] = static_cast<index_t>(static_cast<float>(last[r] - first[r]) * (1.0f / (Lanes + 1))) + 1;
      index_t const k = first[r] + (lane + 1) * step[r] - 1;
      passes[r] = k < last[r] && below(r, k);
    }
#pragma unroll
    for (int r = 0; r < Ranges; ++r) {
      int const passed = __popc(__ballot_sync(all_lanes, passes[r]) >> group & ((1u << Lanes) - 1));
      if (passed < Lanes) last[r] = min(last[r], first[r] + (passed + 1) * step[r] - 1);
      first[r] += passed * step[r];
    }
  }
}

__device__ __forceinline__ int offset_bytes(segments const& s) { return s.kind == segment_kind::offsets32 ? 4 : 8; }
/// Bytes of `count` offsets from number `first` on.
__device__ __forceinline__ span_of_bytes offset_span(segments const& s, index_t first, index_t count) {
  char const* const data = static_cast<char const*>(s.data);
  int const bytes = offset_bytes(s);
  return {data + first * bytes, data + (first + count) * bytes, data, data + s.count * bytes};
}

namespace detail {

/// Offset number k of the window.
__device__ __forceinline__ index_t staged_offset(segments const& s, offset_window const& w, index_t k) {
  if (w.at == not_staged) return offset_at(s, w.first + k);
  if (s.kind == segment_kind::offsets32) return slot_memory_at<std::int32_t const>(w.at)[k];
  return slot_memory_at<std::int64_t const>(w.at)[k];
}
/// The same as a place in the tile, never outside [0, limit].
__device__ __forceinline__ int place_of(segments const& s, offset_window const& w, index_t k, int limit) {
  index_t const place = staged_offset(s, w, k) - w.origin;
  return static_cast<int>(min(max(place, index_t{0}), index_t{limit}));
}

/// All threads: sets the bits of the places in [0, items) that the window's staged offsets name. A thread has neighbouring offsets,
/// so that most of its bits are of one word. Low words are enough: the difference of two positions in one tile is small.
__device__ __forceinline__ void set_staged_heads(segments const& s, offset_window const& w, int items, int bitmap, int thread,
                                                 int threads) {
  int const stride = s.kind == segment_kind::offsets32 ? 4 : 8, count = static_cast<int>(w.count);
  int const each = (count + threads - 1) / threads, first = thread * each, last = min(first + each, count);
  auto const origin = static_cast<std::uint32_t>(w.origin);
  auto* const words = slot_memory_at<std::uint32_t>(bitmap);
  std::uint32_t bits = 0, here = 0;
  for (int k = first; k < last; ++k) {
    std::uint32_t const place = *slot_memory_at<std::uint32_t const>(w.at + k * stride) - origin;
    if (place >= static_cast<std::uint32_t>(items)) continue;
    if (place / 32 != here && bits) {
      atomicOr(words + here, bits);
      bits = 0;
    }
    here = place / 32;
    bits |= 1u << place % 32;
  }
  if (bits) atomicOr(words + here, bits);
}

/// Calls head(place) for the places in [begin, end) that the window's offsets name, each once however often it is named: runs of
/// empty segments are jumped over.
template <class Head>
__device__ __forceinline__ void each_head(segments const& s, offset_window const& w, int begin, int end, Head head) {
  index_t k = partition_point(0, w.count, [&](index_t j) { return place_of(s, w, j, end) < begin; });
  while (k < w.count) {
    int const place = place_of(s, w, k, end);
    if (place < begin || place >= end) return;
    head(place);
    if (++k < w.count && place_of(s, w, k, end) == place)
      k = partition_point(k + 1, w.count, [&](index_t j) { return place_of(s, w, j, end) <= place; });
  }
}

}  // namespace detail

}  // namespace lookback::gpu
