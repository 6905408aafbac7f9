// A call for few items: one tile a block, read straight into registers, all of them at once. What counts here is the chain of
// latencies: ticket, load, publish, look back, store, and the start of the kernel itself, which overlaps the end of the one before
// it. What is done with a tile is a sink's business (wave_each.cuh, wave_compact.cuh, wave_per_segment.cuh).
//
// A warp has rows of 32 x 16 bytes, so that every load and store is of whole lines. Nobody publishes a prefix but tile 0: by the
// time a block looks back, all others have told what they are worth, and one reading of the window brings everything.
#pragma once
#include "../../model/tile.hpp"
#include "../device/thread_run.cuh"
#include "../host/scan_call.cuh"
#include "../protocol/look_back.cuh"
#include "../tiles/shape.cuh"

namespace lookback::gpu {

/// Items of one thread: `rows` times `items` neighbours.
template <class Items, class T, class Out>
struct wave_shape {
  static constexpr int width = detail::widest(arrays_t<Items>{}, static_cast<int>(std::max(sizeof(Out), sizeof(T))));
  static constexpr int items = std::max(1, 16 / width), rows = 2;
  static constexpr int items_per_thread = items * rows;
  static constexpr int fewest_threads = 256, most_threads = 1024;
  static constexpr bool possible = width <= 16;

  /// Threads of a block so that n items are at most `blocks` tiles; 0 if they are not.
  static int threads(index_t n, int blocks) {
    for (int t = fewest_threads; t <= most_threads; t *= 2)
      if (n <= index_t{t} * items_per_thread * blocks) return t;
    return 0;
  }
};

namespace detail {

/// `Bytes` bytes at once where that is a power of two.
template <int Bytes>
struct vector_of {
  using type = void;
};
template <>
struct vector_of<2> {
  using type = std::uint16_t;
};
template <>
struct vector_of<4> {
  using type = std::uint32_t;
};
template <>
struct vector_of<8> {
  using type = uint2;
};
template <>
struct vector_of<16> {
  using type = uint4;
};

/// N neighbours of each array from item `first` on; those at or past `items` are not touched.
template <int N>
__device__ __forceinline__ void read_runs(staged_runs<N>&, arrays<> const&, int, int, bool) {}
template <int N, class T, class... Rest>
__device__ __forceinline__ void read_runs(staged_runs<N, T, Rest...>& to, arrays<T, Rest...> const& from, int first, int items,
                                          bool aligned) {
  using vector = typename vector_of<N * sizeof(T)>::type;
  T const* const data = from.data + first;
  if constexpr (!std::is_void_v<vector>) {
    if (aligned && items == N) {
      vector const v = *reinterpret_cast<vector const*>(data);
      memcpy(to.items_of_thread.word, &v, sizeof v);
      return read_runs<N>(to.rest, from.rest, first, items, aligned);
    }
  }
#pragma unroll
  for (int j = 0; j < N; ++j)
    if (j < items) {
      T const item = data[j];
      to.items_of_thread.set(j, item);
    }
  read_runs<N>(to.rest, from.rest, first, items, aligned);
}

template <int N, class Out>
__device__ __forceinline__ void write_run(Out* to, run<Out, N> const& from, int items, bool aligned) {
  using vector = typename vector_of<N * sizeof(Out)>::type;
  if constexpr (!std::is_void_v<vector>) {
    if (aligned && items == N) {
      vector v;
      memcpy(&v, from.word, sizeof v);
      *reinterpret_cast<vector*>(to) = v;
      return;
    }
  }
#pragma unroll
  for (int j = 0; j < N; ++j)
    if (j < items) to[j] = from.get(j);
}

/// Do runs of `items` elements begin where whole vectors may? Where there is no such vector, elements are read one by one anyway.
template <class T>
bool aligned_for_runs(T const* data, int items) {
  std::size_t const bytes = static_cast<std::size_t>(items) * sizeof(T);
  return (bytes & (bytes - 1)) != 0 || bytes > 16 || reinterpret_cast<std::uintptr_t>(data) % bytes == 0;
}
inline bool runs_aligned(arrays<> const&, int) { return true; }
template <class T, class... Rest>
bool runs_aligned(arrays<T, Rest...> const& from, int items) {
  return aligned_for_runs(from.data, items) && runs_aligned(from.rest, items);
}

}  // namespace detail

/// The value of all tiles before `tile`, tile > 0, where none but tile 0 tells a prefix: reads until nobody is empty. By one warp,
/// of which each lane takes Own tiles: neighbours, or, where any order will do, such that those of all lanes lie side by side.
template <class T, int Own = sizeof(T) <= 8 ? 4 : 1, class Fold, class Descriptors>
__device__ __forceinline__ T fold_all_before(Descriptors const& tiles, int tile, Fold const& op) {
  constexpr bool any_order = detail::redux_of<Fold>::kind != 0;
  int const lane = threadIdx.x % 32;
  room<T> before;
  bool first = true;
  for (int last = tile - 1; last >= 0; last -= 32 * Own) {
    auto const number = [&](int k) { return last - (any_order ? 32 * k + lane : lane * Own + k); };
    room<T> value[Own];
    bool ready;
    do {
      status state[Own];  // all of them are read before any is asked for
#pragma unroll
      for (int k = 0; k < Own; ++k) state[k] = number(k) >= 0 ? tiles.peek(number(k), value[k]) : status::prefix;
      ready = true;
#pragma unroll
      for (int k = 0; k < Own; ++k) ready = ready & (state[k] != status::empty);
    } while (!__all_sync(all_lanes, ready));
    room<T> fold = value[0];
#pragma unroll
    for (int k = 1; k < Own; ++k)
      if (number(k) >= 0) fold.value = op(value[k].value, fold.value);
    fold.value = fold_back(fold.value, op, min(any_order ? last : last / Own, 31));
    before.value = first ? fold.value : op(fold.value, before.value);
    first = false;
  }
  return before.value;
}

/// What every block keeps of a call.
struct wave_block {
  std::uint32_t ticket, epoch;
  int items;
};

/// The items of one thread of a tile: rows of N, 32 N items apart (a warp's loads and stores are whole lines), or neighbours (a
/// warp has one scan for all of them).
template <class Items, int N, int Rows, bool Neighbours>
struct wave_rows {
  template <class... Ts>
  static staged_runs<N, Ts...> runs_of(arrays<Ts...>);
  int first;
  int items[Rows];
  decltype(runs_of(arrays_t<Items>{})) staged[Rows];

  /// Full: no item is missing and every address is that of a whole vector; then no time is spent on asking. A kernel this short
  /// waits for its own instructions to be fetched: what is executed must be little.
  template <bool Full>
  __device__ __forceinline__ void read(Items const& from, int begin, int end) {
    int const lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    first = begin + (Neighbours ? static_cast<int>(threadIdx.x) * Rows : warp * Rows * 32 + lane) * N;
#pragma unroll
    for (int r = 0; r < Rows; ++r) {
      items[r] = Full ? N : min(N, max(0, end - place(r, 0)));
      detail::read_runs<N>(staged[r], from.arrays(), place(r, 0), items[r], Full);
    }
  }
  __device__ __forceinline__ int place(int r, int j) const { return first + r * (Neighbours ? 1 : 32) * N + j; }
  template <class Source>
  __device__ __forceinline__ auto value(Source const& from, int r, int j) const {
    return staged[r].value(from, place(r, j), j);
  }
};

/// The same by place among all items of a thread that has neighbours.
template <class Items, int N, int Rows>
struct wave_items : wave_rows<Items, N, Rows, true> {
  static constexpr int most = N * Rows;
  static_assert(most <= 32, "a bit for each item");
  template <bool Full>
  __device__ __forceinline__ bool has(int k) const {
    return Full || k % N < this->items[k / N];
  }
  template <bool Full>
  __device__ __forceinline__ int count() const {
    if (Full) return most;
    int all = 0;
#pragma unroll
    for (int r = 0; r < Rows; ++r) all += this->items[r];
    return all;
  }
  template <class Source>
  __device__ __forceinline__ auto value(Source const& from, int k) const {
    return wave_rows<Items, N, Rows, true>::value(from, k / N, k % N);
  }
};

/// Is an element of the first array read by one load, so that whoever has looked at a part of it has all of it?
template <class Arrays>
inline constexpr bool is_read_at_once = false;
template <class T, class... Rest>
inline constexpr bool is_read_at_once<arrays<T, Rest...>> = alignof(T) == sizeof(T);

/// Shapes of waves that gather their output: as many threads as have room for it.
template <class Items, class T, class Stored>
struct gathering_shape : wave_shape<Items, T, T> {
  using base = wave_shape<Items, T, T>;
  static constexpr int bytes_of_thread = base::items_per_thread * detail::bytes_of_arrays(Stored{}), most_bytes = 88 << 10;
  static constexpr int most_threads = bytes_of_thread * 1024 <= most_bytes ? 1024 : bytes_of_thread * 512 <= most_bytes ? 512 : 256;
  static constexpr bool possible = base::possible && bytes_of_thread * most_threads <= most_bytes;
  static int threads(index_t n, int blocks) {
    int const t = base::threads(n, blocks);
    return t <= most_threads ? t : 0;
  }
};

/// From left to right. The last tile stores the count, which may lie where the number of items does. Every block with a tile has
/// read the number by then: the last tile has seen what all of them told. A block without a tile may read the count instead. One
/// count is at most the number of items, so the block still has no tile; and if the count is 0, so is that of an empty call. Counts
/// of several classes have no such order: the pipeline stores them when the last block leaves (leave_call).
template <class Wave>
__global__ void __launch_bounds__(1024, 1) one_wave_kernel(__grid_constant__ typename Wave::call_type const call) {
  using state_type = typename Wave::state_type;
  __shared__ __align__(16) unsigned char memory[sizeof(state_type)];  // raw: values need not be default-constructible
  auto& state = *reinterpret_cast<state_type*>(memory);

  ptx::let_next_kernel_start();
  ptx::wait_for_kernel_before();
  if (threadIdx.x == 0) {
    state.ticket = atomicAdd(&call.memory.state->ticket, 1u);
    state.epoch = call.memory.state->epoch_minus_one + 1;
    state.items = static_cast<int>(items_in(call.size));
  }
  __syncthreads();
  int const n = state.items, tile_items = static_cast<int>(blockDim.x) * Wave::form::items_per_thread;
  int const begin = static_cast<int>(state.ticket) * tile_items;
  if (begin < n) {
    if (begin + tile_items <= n && call.layout.aligned) Wave::template tile<true>(call, state, begin, begin + tile_items);
    else Wave::template tile<false>(call, state, begin, min(begin + tile_items, n));
  }
  if (threadIdx.x >= 32) return;
  // The block of the last tile has seen what every other one told, so all have claimed and read the epoch: it prepares the next
  // call. Where blocks have no tile, or descriptors will be cleared, the last to leave does that.
  int const tiles = (n + tile_items - 1) / tile_items, blocks = static_cast<int>(gridDim.x);
  bool last = static_cast<int>(state.ticket) == blocks - 1;
  if (tiles < blocks || state.epoch == last_epoch) {
    std::uint32_t left = 0;
    if (threadIdx.x == 0) left = ptx::add_acquire_release(&call.memory.state->left, 1);
    last = static_cast<int>(__shfl_sync(all_lanes, left, 0)) == blocks - 1;
  }
  if (!last) return;
  if (n == 0 && threadIdx.x == 0) Wave::end_empty_call(call);
  end_call(call.memory, state.epoch);
}

}  // namespace lookback::gpu
