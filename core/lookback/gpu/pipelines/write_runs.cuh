// How the threads of a block write runs out, a part of a tile at a time.
//
//   all      where each run that has items begins, and which of these it is
//                heads     one bit an item        0 0 0 1 0 0 0 1 1 0 ...      in shared memory
//                values    one a run that has items
//   all      write: the run of an item is as many heads as there are up to it; 16 bytes a thread at whole vectors of memory
//
// The bits begin at the phase that the part has in its vector of 16 bytes, so that the items of a vector are neighbours in one
// word.
#pragma once
#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "../device/thread_run.cuh"
#include "../device/warp.cuh"

namespace lookback::gpu {

template <class Out>
struct distribute_shape {
  static constexpr int bytes = sizeof(Out), threads = 256, warps = threads / 32;
  static constexpr int each = std::clamp(32 / bytes, 1, 8), runs = threads * each;   // of a thread, of a tile
  static constexpr int part = std::clamp((128 << 10) / bytes / 32 * 32, 32, 32768);  // items that are written at once
  static constexpr int parts_at_most = 2;                                            // of a tile that is not put off
  static constexpr int words = part / 32 + 1;                                        // of heads; the phase is less than a word
  static constexpr int vector = 16;
  static_assert(bytes <= 64);
};

/// A tile whose items are written in parts: they are number `first_part` of all parts and on, and begin at item `begin`.
struct tile_put_off {
  index_t first_part, begin, tile;
};

/// What the threads of a block share.
template <class Out>
struct distribute_state {
  using shape = distribute_shape<Out>;
  alignas(std::max<std::size_t>(alignof(Out), 16)) unsigned char values[(shape::runs + 1) * sizeof(Out)];  // number 0 is nobody's
  std::uint32_t heads[shape::words];
  std::uint16_t before[shape::words];  // heads in the words before
  index_t totals[shape::warps];        // items of each warp
  std::uint32_t filled[shape::warps];  // its runs that have any
  index_t claimed, begin;
  tile_put_off now;
  std::uint32_t epoch;

  __device__ __forceinline__ Out* value() { return reinterpret_cast<Out*>(values); }
};

namespace detail {

/// Bits 0 to `bit` of a word.
__device__ __forceinline__ std::uint32_t bits_upto(int bit) { return (2u << bit) - 1; }

/// What is stored at once of an item that may lie anywhere: as much as its alignment allows.
template <int Alignment>
using unit_of =
    std::conditional_t<Alignment >= 16, uint4,
                       std::conditional_t<Alignment == 8, std::uint64_t,
                                          std::conditional_t<Alignment == 4, std::uint32_t,
                                                             std::conditional_t<Alignment == 2, std::uint16_t, std::uint8_t>>>>;

/// How many items of Out a vector holds, if it holds whole ones and several.
template <class Out>
inline constexpr int items_of_vector = sizeof(Out) < 16 && 16 % sizeof(Out) == 0 ? 16 / static_cast<int>(sizeof(Out)) : 0;
/// May an array of Out begin where whole vectors are stored? May it begin elsewhere?
template <class Out>
inline constexpr bool may_be_whole = items_of_vector<Out> > 0 || sizeof(Out) % 16 == 0;
template <class Out>
inline constexpr std::size_t whole_at = std::min<std::size_t>(sizeof(Out), 16);
template <class Out>
inline constexpr bool may_be_askew = !may_be_whole<Out> || alignof(Out) < whole_at<Out>;

/// All threads: the runs of a part of a tile become heads and values. `begin`: from the begin of the part to that of the first run
/// of this thread, which may be negative, and far off. value(k): of run k of this thread. Ends with all in place for who is past
/// the next barrier.
template <class Out, class Place, class Value>
__device__ __forceinline__ void place_runs(distribute_state<Out>& state, Place begin,
                                           Place const (&length)[distribute_shape<Out>::each], int items, int phase,
                                           Value&& value) {
  using shape = distribute_shape<Out>;
  constexpr int each = shape::each;
  int const lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  auto const in_part = [&](Place at) { return static_cast<int>(min(max(at, Place{0}), static_cast<Place>(items))); };
  std::uint32_t filled = 0;
  Place end = begin;
#pragma unroll
  for (int k = 0; k < each; ++k) {
    int const at = in_part(end);
    filled += in_part(end += length[k]) > at;
  }
  for (int w = threadIdx.x; w <= (phase + items) / 32; w += shape::threads) state.heads[w] = 0;
  std::uint32_t const upto = gpu::sum_of_lanes_upto(filled);
  if (lane == 31) state.filled[warp] = upto;
  __syncthreads();
  std::uint32_t const others = lane < warp ? state.filled[lane] : 0;
  std::uint32_t number = 1 + __reduce_add_sync(all_lanes, others) + upto - filled;
  std::uint32_t bits = 0;  // neighbours are most often in one word
  int here = 0;
#pragma unroll
  for (int k = 0; k < each; ++k) {
    int const at = in_part(begin);
    if (in_part(begin += length[k]) == at) continue;
    int const bit = phase + at;
    if (bit / 32 != here) {
      if (bits) atomicOr(&state.heads[here], bits);
      bits = 0, here = bit / 32;
    }
    bits |= 1u << bit % 32;
    state.value()[number++] = value(k);
  }
  if (bits) atomicOr(&state.heads[here], bits);
}

/// By one warp: counts the heads before each of words [first, last), which are its own.
template <class Out>
__device__ __forceinline__ void count_heads(distribute_state<Out>& state, int first, int last) {
  int const lane = threadIdx.x % 32;
  std::uint32_t before = 0;
  for (int w = lane; w < first; w += 32) before += __popc(state.heads[w]);
  before = __reduce_add_sync(all_lanes, before);
  for (int w = first; w < last; w += 32) {
    bool const own = w + lane < last;
    std::uint32_t const heads = own ? __popc(state.heads[w + lane]) : 0, upto = gpu::sum_of_lanes_upto(heads);
    if (own) state.before[w + lane] = static_cast<std::uint16_t>(before + upto - heads);
    before += __shfl_sync(all_lanes, upto, 31);
  }
  __syncwarp();
}

/// Several items a vector. Bit 0 is of the vector that begins at `out`; bits [phase, end) are of items. Of the vectors at both
/// edges other tiles may write a part, so they are written item by item.
template <class Out>
__device__ __forceinline__ void write_vectors(distribute_state<Out>& state, char* out, int phase, int end) {
  constexpr int N = items_of_vector<Out>;
  for (int bit = static_cast<int>(threadIdx.x) * N; bit < end; bit += distribute_shape<Out>::threads * N) {
    std::uint32_t const heads = state.heads[bit / 32];
    Out const* value = state.value() + state.before[bit / 32] + __popc(heads & bits_upto(bit % 32));
    std::uint32_t const later = heads >> bit % 32 & (bits_upto(N - 1) & ~1u);
    run<Out, N> items;
#pragma unroll
    for (int j = 0; j < N; ++j) items.set(j, *value);
    if (later) {
#pragma unroll
      for (int j = 1; j < N; ++j) {
        value += later >> j & 1;
        items.set(j, *value);
      }
    }
    auto* const to = reinterpret_cast<Out*>(out) + bit;
    if (bit >= phase && bit + N <= end) {
      *reinterpret_cast<uint4*>(to) = make_uint4(items.word[0], items.word[1], items.word[2], items.word[3]);
    } else {
#pragma unroll
      for (int j = 0; j < N; ++j)
        if (bit + j >= phase && bit + j < end) to[j] = items.get(j);
    }
  }
}

/// Several units an item. Bit 0 is of the item at `out`.
template <class Unit, class Out>
__device__ __forceinline__ void write_units(distribute_state<Out>& state, Out* out, int end) {
  constexpr int units = static_cast<int>(sizeof(Out) / sizeof(Unit));
  auto const* const values = reinterpret_cast<Unit const*>(state.values);
  for (int u = static_cast<int>(threadIdx.x); u < end * units; u += distribute_shape<Out>::threads) {
    int const bit = u / units, part = u % units;
    int const number = state.before[bit / 32] + __popc(state.heads[bit / 32] & bits_upto(bit % 32));
    reinterpret_cast<Unit*>(out)[u] = values[number * units + part];
  }
}

/// All threads: writes `items` items to `out` on, whose runs are placed.
template <class Out>
__device__ __forceinline__ void write_part(distribute_state<Out>& state, Out* out, int items, bool whole_vectors, bool packed,
                                           int phase) {
  using shape = distribute_shape<Out>;
  int const warp = threadIdx.x / 32;
  int const end = phase + items, words = (end + 31) / 32, share = (words + shape::warps - 1) / shape::warps;
  int const from = warp * share, to = min(from + share, words);
  if (from < to) count_heads(state, from, to);
  __syncthreads();  // a block writes from front to back: what is open at once in memory is little
  if constexpr (items_of_vector < Out >> 0)
    if (packed) return write_vectors(state, reinterpret_cast<char*>(out) - phase * sizeof(Out), phase, end);
  if constexpr (may_be_whole<Out> && items_of_vector<Out> == 0)
    if (!may_be_askew<Out> || whole_vectors) return write_units<uint4>(state, out, end);
  if constexpr (may_be_askew<Out>) write_units<unit_of<alignof(Out)>>(state, out, end);
}

/// Are items of a vector written together, and if so how many of them lie before `out` in its vector?
template <class Out>
__device__ __forceinline__ bool is_packed(Out const* out, bool whole_vectors, int& phase) {
  using shape = distribute_shape<Out>;
  bool const packed = items_of_vector<Out> > 0 && (!may_be_askew<Out> || whole_vectors);
  phase = packed ? static_cast<int>(reinterpret_cast<std::uintptr_t>(out) % shape::vector / sizeof(Out)) : 0;
  return packed;
}

}  // namespace detail

}  // namespace lookback::gpu
