// A plain scan of few items: one tile a block, read straight into registers, all of them at once. What counts here is the chain of
// latencies: ticket, load, publish, look back, store, and the start of the kernel itself, which overlaps the end of the one before
// it.
//
// A warp has rows of 32 x 16 bytes, so that every load and store is of whole lines. Nobody publishes a prefix but tile 0: by the
// time a block looks back, all others have told what they are worth, and one reading of the window brings everything.
#pragma once
#include "../tile.hpp"
#include "look_back.cuh"
#include "scan_call.cuh"
#include "shape.cuh"
#include "thread_run.cuh"

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

/// The value of all tiles before `tile`, tile > 0, where none but tile 0 tells a prefix: reads until nobody is empty. By one warp.
template <class T, class Fold, class Descriptors>
__device__ __forceinline__ T fold_all_before(Descriptors const& tiles, int tile, Fold const& op) {
  constexpr int groups = sizeof(T) <= 8 ? 4 : 1;
  room<T> before;
  bool first = true;
  for (int last = tile - 1; last >= 0; last -= 32 * groups) {
    int const mine = last - static_cast<int>(threadIdx.x % 32);
    room<T> value[groups];
    bool told;
    do {
      status state[groups];  // all of them are read before any is asked for
#pragma unroll
      for (int g = 0; g < groups; ++g) state[g] = mine - 32 * g >= 0 ? tiles.peek(mine - 32 * g, value[g]) : status::prefix;
      told = true;
#pragma unroll
      for (int g = 0; g < groups; ++g) told = told & (state[g] != status::empty);
    } while (!__all_sync(all_lanes, told));
    if constexpr (detail::redux_of<Fold>::kind != 0) {  // may be folded in any order: one step for all groups
      T fold = Fold::identity();
#pragma unroll
      for (int g = 0; g < groups; ++g)
        if (mine - 32 * g >= 0) fold = op(value[g].value, fold);
      fold = fold_back(fold, op, 31);
      before.value = first ? fold : op(fold, before.value);
      first = false;
    } else {
#pragma unroll
      for (int g = 0; g < groups; ++g) {
        int const nearest = last - 32 * g;
        if (nearest < 0) break;
        T const fold = fold_back(value[g].value, op, min(nearest, 31));
        before.value = first ? fold : op(fold, before.value);
        first = false;
      }
    }
  }
  return before.value;
}

/// What the threads of a block share.
template <class T>
struct wave_state {
  room<T> before;
  std::uint32_t ticket, epoch;
  int items;
  room<T> warp_total[32];
};

/// One tile. Full: no item is missing and every address is that of a whole vector; then no time is spent on asking. A kernel this
/// short waits for its own instructions to be fetched: what is executed must be little.
template <bool Full, class Parts, class Call>
__device__ __forceinline__ void scan_wave_tile(Call const& call, wave_state<typename Parts::value_type>& state, int begin,
                                               int end) {
  using Items = typename Parts::items_type;
  using T = typename Parts::value_type;
  using Out = typename Parts::sink_type::value_type;
  using form = wave_shape<Items, T, Out>;
  constexpr int N = form::items, rows = form::rows;
  int const lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  scan_order const order{false};
  using fold = directed<typename Parts::operator_type>;
  fold const op{call.op, false};

  int const first = begin + (warp * rows * 32 + lane) * N;  // row r begins 32 r N items further
  int items[rows];
  auto const runs_of = []<class... Ts>(arrays<Ts...>) { return staged_runs<N, Ts...>{}; };
  decltype(runs_of(arrays_t<Items>{})) staged[rows];
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    items[r] = Full ? N : min(N, max(0, end - first - r * 32 * N));
    detail::read_runs<N>(staged[r], call.from.items.arrays(), first + r * 32 * N, items[r], Full);
  }
  auto const value = [&](int r, int j) { return static_cast<T>(staged[r].value(call.from.items, first + r * 32 * N + j, j)); };

  // What comes before this thread's part of each row, in its warp; then the warp's total.
  room<T> before_row[rows], run;
  bool has = false;
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    room<T> total;
#pragma unroll
    for (int j = 0; j < N; ++j)
      if (Full || j < items[r]) total.value = j == 0 ? value(r, 0) : op(total.value, value(r, j));
    int const filled = Full ? 32 : __popc(__ballot_sync(all_lanes, items[r] > 0));  // the first lanes
    total.value = warp_scan(total.value, op, order, 0, filled);
    T const earlier = shuffle(total.value, max(lane - 1, 0));
    if (!has) before_row[r].value = earlier;  // absent in lane 0
    else before_row[r].value = lane > 0 && (Full || lane < filled) ? op(run.value, earlier) : run.value;
    if (Full || filled > 0) {
      T const whole = shuffle(total.value, filled - 1);
      run.value = has ? op(run.value, whole) : whole;
      has = true;
    }
  }
  if (lane == 0) state.warp_total[warp].value = run.value;
  __syncthreads();

  // Every warp scans the totals of all.
  constexpr int warp_items = 32 * form::items_per_thread;
  int const filled_warps = Full ? warps : (end - begin + warp_items - 1) / warp_items;
  room<T> totals;
  if (lane < filled_warps) totals.value = state.warp_total[lane].value;
  bool const start = call.from.initial.has;
  int const id = static_cast<int>(state.ticket);
  constexpr bool any_order = detail::redux_of<fold>::kind != 0;
  if constexpr (!any_order) totals.value = warp_scan(totals.value, op, order, 0, filled_warps);
  if (warp == 0) {
    descriptors<T> tiles = call.tiles;
    tiles.epoch = state.epoch;
    room<T> before;
    T total = any_order ? fold_back(totals.value, op, filled_warps - 1) : shuffle(totals.value, filled_warps - 1);
    if (id == 0 && start) before.value = call.from.initial.value, total = op(before.value, total);
    if (lane == 0) tiles.publish(id, id == 0 ? status::prefix : status::aggregate, total);
    if (id > 0) before.value = fold_all_before<T>(tiles, id, op);
    if (lane == 0) state.before.value = before.value;
  }
  __syncthreads();

  room<T> before;
  bool has_before = id > 0 || start;
  if (has_before) before.value = state.before.value;
  if (warp > 0 && (Full || warp < filled_warps)) {
    room<T> earlier_warps;
    if constexpr (any_order) earlier_warps.value = fold_back(totals.value, op, warp - 1);
    else earlier_warps.value = shuffle(totals.value, warp - 1);
    T const earlier = earlier_warps.value;
    before.value = has_before ? op(before.value, earlier) : earlier;
    has_before = true;
  }
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    if (!Full && items[r] == 0) continue;
    bool const inside = r > 0 || lane > 0;
    bool has_run = has_before || inside;
    run.value = !has_before ? before_row[r].value : inside ? op(before.value, before_row[r].value) : before.value;
    gpu::run<Out, N> out;
#pragma unroll
    for (int j = 0; j < N; ++j) {
      if (!Full && j >= items[r]) continue;
      T const x = value(r, j), earlier = has_run ? run.value : x;
      run.value = has_run ? op(run.value, x) : x;
      has_run = true;
      out.set(j, call.sink(first + r * 32 * N + j, earlier, run.value));
    }
    detail::write_run<N>(call.sink.out + first + r * 32 * N, out, items[r], Full);
  }
}

/// From left to right.
template <class Parts>
__global__ void __launch_bounds__(1024, 1)
    one_wave_kernel(__grid_constant__ scan_call<Parts, descriptors<typename Parts::value_type>> const call) {
  using T = typename Parts::value_type;
  using form = wave_shape<typename Parts::items_type, T, typename Parts::sink_type::value_type>;
  __shared__ __align__(16) unsigned char memory[sizeof(wave_state<T>)];  // raw: T need not be default-constructible
  auto& state = *reinterpret_cast<wave_state<T>*>(memory);

  ptx::let_next_kernel_start();
  ptx::wait_for_kernel_before();
  if (threadIdx.x == 0) {
    state.ticket = atomicAdd(&call.memory.state->ticket, 1u);
    state.epoch = call.memory.state->epoch_minus_one + 1;
    state.items = static_cast<int>(items_in(call.size));
  }
  __syncthreads();
  int const n = state.items, tile_items = static_cast<int>(blockDim.x) * form::items_per_thread;
  int const begin = static_cast<int>(state.ticket) * tile_items;
  if (begin < n) {
    if (begin + tile_items <= n && call.pad == 0) scan_wave_tile<true, Parts>(call, state, begin, begin + tile_items);
    else scan_wave_tile<false, Parts>(call, state, begin, min(begin + tile_items, n));
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
  if (last) end_call(call.memory, state.epoch);
}

}  // namespace lookback::gpu
