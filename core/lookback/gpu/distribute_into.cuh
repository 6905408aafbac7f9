// distribute_into on the GPU: a tile of the path of items and ends of runs a block, and nobody waits for another. Where tiles begin
// another kernel has found: a warp that searches has nobody to wait for it there.
//
//   all          read the tile's lengths, and scan them: where each run that has items begins, and which of these it is
//                heads     one bit an item        0 0 0 1 0 0 0 1 1 0 ...      in shared memory
//                values    one a run that has items
//   all          write: the run of an item is as many heads as there are up to it; 16 bytes a thread at whole vectors of memory
//
// The bits begin at the phase that the tile has in its vector of 16 bytes, so that the items of a vector are neighbours in one
// word.
#pragma once
#include <algorithm>
#include <cstring>
#include <type_traits>

#include "launch.cuh"
#include "measure_runs.cuh"
#include "policy.cuh"
#include "thread_run.cuh"

namespace lookback::gpu {

/// What the kernel is given. `whole_vectors`: a vector of 16 bytes holds whole items, or an item is whole vectors.
template <class Items, class Out>
struct distribute_call {
  Items items;
  lookback::detail::untyped_lengths lengths;
  place_on_path const* places;  // tile k lies between number k and the next
  Out* out;
  bool whole_vectors;
};

/// Tiles of equally many steps: 32 KiB of output where runs are long.
template <class Out>
struct distribute_shape {
  static constexpr int bytes = sizeof(Out), threads = 256, warps = threads / 32;
  static constexpr int steps = std::min(16384, 32768 / bytes / 32 * 32);
  static constexpr int runs_of_thread = std::clamp(32 / bytes, 1, 4);  // their values wait in registers
  static constexpr int words = steps / 32 + 1;                         // of heads; the phase is less than a word
  // A run with an item costs two steps, but for the last, whose end is no step of this tile. Number 0 is nobody's.
  static constexpr int values = steps / 2 + 2;
  static constexpr int vector = 16;
  static_assert(bytes <= 64 && steps < 1 << 15);  // two numbers up to that share a word
};

/// What the threads of a block share.
template <class Out>
struct distribute_state {
  using shape = distribute_shape<Out>;
  alignas(std::max<std::size_t>(alignof(Out), 16)) unsigned char values[shape::values * sizeof(Out)];
  std::uint32_t heads[shape::words];
  std::uint16_t before[shape::words];     // heads in the words before
  std::uint32_t totals[2][shape::warps];  // of each warp, this time and the time before

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

/// The low words of the lengths of runs `from` + `mine` and on, up to `ended`. All are asked for before any is there.
template <int N>
__device__ __forceinline__ void read_lengths(lookback::detail::untyped_lengths const& lengths, index_t from, int mine, int ended,
                                             std::uint32_t (&to)[N]) {
  auto const read = [&](auto const* data, int words) {
    auto const* const at = data + from * words;
#pragma unroll
    for (int k = 0; k < N; ++k) to[k] = mine + k < ended ? at[(mine + k) * words] : 0;
  };
  if (lengths.width == 1) return read(static_cast<std::uint8_t const*>(lengths.data), 1);
  if (lengths.width == 2) return read(static_cast<std::uint16_t const*>(lengths.data), 1);
  read(static_cast<std::uint32_t const*>(lengths.data), lengths.width / 4);
}

/// All threads: the runs of a tile, each with `length` items of it, become heads and values. The bits are clear; ends with all in
/// place for who is past the next barrier.
template <class Items, class Out>
__device__ __forceinline__ void place_runs(distribute_call<Items, Out> const& call, distribute_state<Out>& state,
                                           place_on_path const& from, place_on_path const& to, int phase) {
  using shape = distribute_shape<Out>;
  constexpr int each = shape::runs_of_thread;
  int const lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  // Of the first run some items may lie before the tile, of the last some behind it. Differences are small: low words are enough.
  int const ended = static_cast<int>(to.run - from.run);
  auto const written = static_cast<std::uint32_t>(from.item - from.begin);
  auto const open = static_cast<std::uint32_t>(to.item - max(to.begin, from.item));
  int const runs = ended + (open > 0 ? 1 : 0);
  auto const arrays = call.items.arrays();

  std::uint32_t placed = 0;  // runs with items << 16 | items
  for (int first = 0, turn = 0; first < runs; first += shape::threads * each, turn ^= 1) {
    int const mine = first + static_cast<int>(threadIdx.x) * each;
    std::uint32_t length[each], sum = 0;
    room<Out> value[each];
    read_lengths<each>(call.lengths, from.run, mine, ended, length);
    // Of runs without an item too, as many as lie within the tile: nobody waits for a length before asking for a value.
#pragma unroll
    for (int k = 0; k < each; ++k)
      if (mine + k < runs) value[k].value = static_cast<Out>(value_in_memory(call.items, arrays, from.run + mine + k));
#pragma unroll
    for (int k = 0; k < each; ++k) {
      if (mine + k >= ended) length[k] = mine + k < runs ? open : 0;
      if (mine + k == 0) length[k] -= ended > 0 ? written : 0;
      sum += length[k] > 0 ? 1u << 16 | length[k] : 0;
    }
    std::uint32_t const upto = gpu::sum_of_lanes_upto(sum);
    if (lane == 31) state.totals[turn][warp] = upto;
    __syncthreads();
    std::uint32_t const total = lane < shape::warps ? state.totals[turn][lane] : 0;
    std::uint32_t at = placed + __reduce_add_sync(all_lanes, lane < warp ? total : 0) + upto - sum;
    placed += __reduce_add_sync(all_lanes, total);

    std::uint32_t bits = 0;  // neighbours are most often in one word
    int here = 0;
#pragma unroll
    for (int k = 0; k < each; ++k) {
      if (length[k] == 0) continue;
      int const bit = phase + static_cast<int>(at & 0xffff);
      if (bit / 32 != here) {
        if (bits) atomicOr(&state.heads[here], bits);
        bits = 0, here = bit / 32;
      }
      bits |= 1u << bit % 32;
      state.value()[1 + (at >> 16)] = value[k].value;
      at += 1u << 16 | length[k];
    }
    if (bits) atomicOr(&state.heads[here], bits);
  }
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
__device__ __forceinline__ void write_vectors(distribute_state<Out>& state, char* out, int phase, int end, int first, int last) {
  constexpr int N = items_of_vector<Out>;
  int const past = min(last * 32, end);
  for (int bit = first * 32 + static_cast<int>(threadIdx.x % 32) * N; bit < past; bit += 32 * N) {
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
__device__ __forceinline__ void write_units(distribute_state<Out>& state, Out* out, int end, int first, int last) {
  constexpr int units = static_cast<int>(sizeof(Out) / sizeof(Unit));
  auto const* const values = reinterpret_cast<Unit const*>(state.values);
  int const past = min(last * 32, end) * units;
  for (int u = first * 32 * units + static_cast<int>(threadIdx.x % 32); u < past; u += 32) {
    int const bit = u / units, part = u % units;
    int const number = state.before[bit / 32] + __popc(state.heads[bit / 32] & bits_upto(bit % 32));
    reinterpret_cast<Unit*>(out)[u] = values[number * units + part];
  }
}

}  // namespace detail

template <class Items, class Out>
__global__ void __launch_bounds__(distribute_shape<Out>::threads)
    distribute_kernel(__grid_constant__ distribute_call<Items, Out> const call) {
  using shape = distribute_shape<Out>;
  __shared__ __align__(128) unsigned char memory[sizeof(distribute_state<Out>)];  // raw: Out need not be default-constructible
  auto& state = *reinterpret_cast<distribute_state<Out>*>(memory);
  int const warp = threadIdx.x / 32;

  ptx::let_next_kernel_start();
  for (int w = threadIdx.x; w < shape::words; w += shape::threads) state.heads[w] = 0;
  ptx::wait_for_kernel_before();
  place_on_path const from = call.places[blockIdx.x], to = call.places[blockIdx.x + 1];
  int const items = static_cast<int>(to.item - from.item);
  if (items == 0) return;  // ends of empty runs, or the path has ended before
  __syncthreads();         // the bits are clear

  bool const packed = detail::items_of_vector<Out> > 0 && (!detail::may_be_askew<Out> || call.whole_vectors);
  Out* const out = call.out + from.item;
  int const phase = packed ? static_cast<int>(reinterpret_cast<std::uintptr_t>(out) % shape::vector / sizeof(Out)) : 0;
  detail::place_runs(call, state, from, to, phase);
  __syncthreads();

  int const end = phase + items, words = (end + 31) / 32, share = (words + shape::warps - 1) / shape::warps;
  int const first = warp * share, last = min(first + share, words);
  if (first >= last) return;
  detail::count_heads(state, first, last);
  if constexpr (detail::items_of_vector < Out >> 0)
    if (packed) return detail::write_vectors(state, reinterpret_cast<char*>(out) - phase * sizeof(Out), phase, end, first, last);
  if constexpr (detail::may_be_whole<Out> && detail::items_of_vector<Out> == 0)
    if (!detail::may_be_askew<Out> || call.whole_vectors) return detail::write_units<uint4>(state, out, end, first, last);
  if constexpr (detail::may_be_askew<Out>) detail::write_units<detail::unit_of<alignof(Out)>>(state, out, end, first, last);
}

/// The numbers of scratch that runs need, and that distribute_into needs for them.
template <class Strategy, class Carry, class Tuning, class Out>
index_t scratch_of_runs(policy<Strategy, Carry, Tuning> const&, index_t runs, index_t items, std::type_identity<Out>) {
  index_t const places = items > 0 ? tiles_of(runs + items, distribute_shape<Out>::steps) + 1 : 0;
  return lookback::detail::rows_of_runs(runs) + 1 + places * static_cast<index_t>(sizeof(place_on_path) / sizeof(index_t));
}

/// out[i] = items(r), where item i lies in run r, for i below `room` and below the total, which is left in *total unless that is
/// null; for runs that have been measured. Only enqueues.
template <class Strategy, class Carry, class Tuning, class Length, class Items, class Out>
void distribute_into(policy<Strategy, Carry, Tuning> const& on, index_t room, run_lengths<Length> const& described,
                     Items const& items, Out* out, index_t* total) {
  static_assert(std::is_same_v<Carry, no_carry>, "a carry is for sinks that store every value");
  static_assert(std::is_trivially_copyable_v<Out>, "what is written out is trivially copyable");
  using shape = distribute_shape<Out>;
  auto const runs = measured_runs::of(described);
  index_t const tiles = room > 0 ? tiles_of(room + runs.number.bound, shape::steps) : 0;
  expects(tiles < (index_t{1} << 31), "the number of tiles is below 2^31");
  int const searching = static_cast<int>(tiles_of(tiles + 1, detail::runs_warps));
  if (tiles > 0 || total)
    detail::enqueue<&detail::places_kernel<detail::runs_threads>>(searching, detail::runs_threads, 0, on.stream,
                                                                  detail::places_call{runs, room, shape::steps, total});
  if (tiles == 0) return;
  bool const whole = detail::may_be_whole<Out> && reinterpret_cast<std::uintptr_t>(out) % detail::whole_at<Out> == 0;
  distribute_call<Items, Out> const call{items, runs.lengths, runs.places(), out, whole};
  detail::enqueue<&distribute_kernel<Items, Out>>(static_cast<int>(tiles), shape::threads, 0, on.stream, call);
}

}  // namespace lookback::gpu
