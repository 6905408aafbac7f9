// distribute_into on the GPU: a scan of the lengths whose tiles write what their runs hold, once they know where that begins.
//
//   all      read lengths and values of neighbouring runs, and add up the lengths
//   warp 0   publishes how many items the tile has, looks back for how many come before
//   all      write them out (write_runs.cuh)
//
// What a tile writes may be more than a block should write alone, one run of all items at worst. Such a tile is put off: a second
// kernel divides its items into parts, which its blocks claim one by one; the runs of a part are found by the scan of the tile's
// lengths again. So every block has little to do, whatever the lengths, and where no tile is put off a length is read once.
#pragma once
#include <algorithm>
#include <type_traits>

#include "../pipelines/write_runs.cuh"
#include "../protocol/look_back.cuh"
#include "../tiles/boundaries.cuh"
#include "launch.cuh"
#include "measure_runs.cuh"
#include "policy.cuh"
#include "scan_launch.cuh"

namespace lookback::gpu {

/// What both kernels are given. `whole_vectors`: a vector of 16 bytes holds whole items, or an item is whole vectors.
template <class Items, class Out>
struct distribute_call {
  Items items;
  lookback::detail::untyped_lengths lengths;
  size runs;
  Out* out;
  index_t room;
  index_t* total;  // is left here, unless null
  bool whole_vectors;
  descriptors<index_t> tiles;  // epoch is filled in on the device
  tile_put_off* put_off;
  scratch memory;
};

namespace detail {

/// All threads: the lengths of the runs of this thread, from `first` on, as far as there are any. All are asked for before any is
/// there. Returns their sum, or `refused`.
template <int N, class Place>
__device__ __forceinline__ index_t read_lengths(lookback::detail::untyped_lengths const& lengths, index_t first, index_t runs,
                                                Place (&to)[N]) {
  return lengths.visit([&]<class Word>(Word const* data) {
    Word word[N];
#pragma unroll
    for (int k = 0; k < N; ++k) word[k] = first + k < runs ? data[first + k] : Word{0};
    lookback::detail::checked_plus const plus;
    std::uint64_t any = 0;
    index_t sum = 0;
#pragma unroll
    for (int k = 0; k < N; ++k) {
      any |= word[k];
      sum = sizeof(Word) < 8 ? sum + static_cast<index_t>(word[k]) : plus(sum, static_cast<index_t>(word[k]));
      to[k] = static_cast<Place>(word[k]);
    }
    return lengths.any_refused(any) ? lookback::detail::refused : sum;
  });
}

/// All threads: how many items of the tile come before this thread's, and how many it has, or `refused`. Each thread has `sum`.
template <class Out>
__device__ __forceinline__ index_t items_before(distribute_state<Out>& state, index_t sum, index_t& total) {
  lookback::detail::checked_plus const plus;
  int const warp = threadIdx.x / 32;
  index_t const upto = warp_scan(sum, directed<lookback::detail::checked_plus>{plus, false}, scan_order{false}, 0, 32);
  if (threadIdx.x % 32 == 31) state.totals[warp] = upto;
  __syncthreads();
  index_t before = 0;
  total = 0;
#pragma unroll
  for (int w = 0; w < distribute_shape<Out>::warps; ++w) {
    index_t const other = state.totals[w];
    if (w < warp) before += other;
    total = plus(total, other);
  }
  return before + upto - sum;
}

/// Asks for run `first` of a tile that some block claims about now to be brought into L2, while this one waits for its ticket.
/// Blocks start about in the order of their numbers.
__device__ __forceinline__ void prefetch_values(arrays<> const&, index_t) {}
template <class T, class... Rest>
__device__ __forceinline__ void prefetch_values(arrays<T, Rest...> const& from, index_t first) {
  ptx::prefetch(from.data + first);
  prefetch_values(from.rest, first);
}
template <class Items, class Out>
__device__ __forceinline__ void prefetch_runs(distribute_call<Items, Out> const& call, index_t first) {
  if (first >= call.runs.bound) return;
  ptx::prefetch(static_cast<char const*>(call.lengths.data) + first * call.lengths.width);
  prefetch_values(call.items.arrays(), first);
}

/// Tiles put off and their parts share a word, so that the list is in the order of the parts.
inline constexpr int part_bits = 36;

template <class Items, class Out>
__global__ void __launch_bounds__(distribute_shape<Out>::threads)
    distribute_kernel(__grid_constant__ distribute_call<Items, Out> const call) {
  using shape = distribute_shape<Out>;
  constexpr int each = shape::each;
  __shared__ __align__(128) unsigned char memory[sizeof(distribute_state<Out>)];  // raw: Out need not be default-constructible
  auto& state = *reinterpret_cast<distribute_state<Out>*>(memory);

  ptx::let_next_kernel_start();
  prefetch_runs(call, index_t{blockIdx.x} * shape::runs + threadIdx.x * each);
  ptx::wait_for_kernel_before();
  if (threadIdx.x == 0) {
    state.claimed = atomicAdd(&call.memory.state->ticket, 1u);
    state.epoch = call.memory.state->epoch_minus_one + 1;
  }
  __syncthreads();
  index_t const id = state.claimed, runs = items_in(call.runs), mine = id * shape::runs + threadIdx.x * each;
  if (id * shape::runs >= runs) return;
  int length[each];  // of a tile that is not put off
  index_t total;
  index_t const sum = read_lengths(call.lengths, mine, runs, length);
  int const begin = static_cast<int>(items_before(state, sum, total));
  bool const at_once = total >= 0 && total <= shape::parts_at_most * shape::part;
  // Of runs without an item too: nobody waits for a length before asking for a value.
  room<Out> value[each];
  if (at_once) {
    auto const arrays = call.items.arrays();
#pragma unroll
    for (int k = 0; k < each; ++k)
      if (mine + k < runs) value[k].value = static_cast<Out>(value_in_memory(call.items, arrays, mine + k));
  }
  if (threadIdx.x < 32) {
    descriptors<index_t> tiles = call.tiles;
    tiles.epoch = state.epoch;
    lookback::detail::checked_plus const plus;
    bool const tells = threadIdx.x == 0;
    if (tells) tiles.publish(id, id == 0 ? status::prefix : status::aggregate, total);
    index_t before = 0;
    if (id > 0) {
      before = look_back<index_t>(tiles, id, directed<lookback::detail::checked_plus>{plus, false});
      if (tells) tiles.publish(id, status::prefix, plus(before, total));
    }
    if (tells) {
      state.begin = before;
      if (call.total && (id + 1) * shape::runs >= runs) *call.total = plus(before, total);
      if (!at_once && before >= 0 && before < call.room && total >= 0) {
        auto const parts = static_cast<std::uint64_t>(tiles_of(min(total, call.room - before), shape::part));
        auto* const all = reinterpret_cast<unsigned long long*>(&call.memory.state->put_off);
        std::uint64_t const earlier = atomicAdd(all, std::uint64_t{1} << part_bits | parts);
        call.put_off[earlier >> part_bits] = {static_cast<index_t>(earlier & ((std::uint64_t{1} << part_bits) - 1)), before, id};
      }
    }
  }
  if (!at_once) return;
  __syncthreads();
  index_t const before = state.begin;
  int const items = before < 0 ? 0 : static_cast<int>(min(max(call.room - before, index_t{0}), total));
  for (int done = 0; done < items; done += shape::part) {
    if (done > 0) __syncthreads();  // the heads of the part before have been read
    int phase;
    bool const packed = is_packed(call.out + before + done, call.whole_vectors, phase);
    int const now = min(shape::part, items - done);
    place_runs<Out>(state, begin - done, length, now, phase, [&](int k) { return value[k].value; });
    __syncthreads();
    write_part(state, call.out + before + done, now, call.whole_vectors, packed, phase);
  }
}

template <class Items, class Out>
__global__ void __launch_bounds__(distribute_shape<Out>::threads)
    distribute_parts_kernel(__grid_constant__ distribute_call<Items, Out> const call) {
  using shape = distribute_shape<Out>;
  constexpr int each = shape::each;
  __shared__ __align__(128) unsigned char memory[sizeof(distribute_state<Out>)];
  auto& state = *reinterpret_cast<distribute_state<Out>*>(memory);

  ptx::let_next_kernel_start();
  ptx::wait_for_kernel_before();
  call_state& shared_state = *call.memory.state;
  std::uint64_t const all = shared_state.put_off;
  index_t const tiles = static_cast<index_t>(all >> part_bits),
                parts = static_cast<index_t>(all & ((std::uint64_t{1} << part_bits) - 1));
  index_t const runs = items_in(call.runs);
  while (parts > 0) {
    __syncthreads();  // the part before has been written
    if (threadIdx.x < 32) {
      index_t claimed = 0;
      if (threadIdx.x == 0) claimed = atomicAdd(reinterpret_cast<unsigned long long*>(&shared_state.next_part), 1ull);
      claimed = shuffle(claimed, 0);
      if (threadIdx.x == 0) state.claimed = claimed;
      if (claimed < parts) {
        index_t const later = warp_partition_point(0, tiles, [&](index_t t) { return call.put_off[t].first_part <= claimed; });
        if (threadIdx.x == 0) state.now = call.put_off[later - 1];
      }
    }
    __syncthreads();
    if (state.claimed >= parts) break;
    tile_put_off const now = state.now;
    index_t const done = (state.claimed - now.first_part) * shape::part, mine = now.tile * shape::runs + threadIdx.x * each;
    index_t length[each], total;
    index_t const sum = read_lengths(call.lengths, mine, runs, length);
    index_t const begin = items_before(state, sum, total);
    int const items = static_cast<int>(min(min(total, call.room - now.begin) - done, index_t{shape::part}));
    int phase;
    bool const packed = is_packed(call.out + now.begin + done, call.whole_vectors, phase);
    auto const arrays = call.items.arrays();
    place_runs<Out>(state, begin - done, length, items, phase,
                    [&](int k) { return static_cast<Out>(value_in_memory(call.items, arrays, mine + k)); });
    __syncthreads();
    write_part(state, call.out + now.begin + done, items, call.whole_vectors, packed, phase);
  }
  // The last block to leave prepares the next call.
  if (threadIdx.x >= 32) return;
  std::uint32_t left = 0;
  if (threadIdx.x == 0) left = ptx::add_acquire_release(&shared_state.left, 1);
  if (__shfl_sync(all_lanes, left, 0) != gridDim.x - 1) return;
  if (threadIdx.x == 0) {
    if (runs == 0 && call.total) *call.total = 0;  // no tile has told
    shared_state.put_off = shared_state.next_part = 0;
  }
  end_call(call.memory, shared_state.epoch_minus_one + 1);
}

}  // namespace detail

/// out[i] = items(r), where item i lies in run r, for i below `room` and below the total, which is left in *total unless that is
/// null. Only enqueues. Where a length or the total is refused, items before that may have been written.
template <class Strategy, class Carry, class Tuning, class Length, class Items, class Out>
void distribute_into(policy<Strategy, Carry, Tuning> const& on, index_t room, run_lengths<Length> const& runs, Items const& items,
                     Out* out, index_t* total) {
  static_assert(std::is_same_v<Carry, no_carry>, "a carry needs a sink that stores every value");
  static_assert(std::is_trivially_copyable_v<Out>, "the elements of out must be trivially copyable");
  using shape = distribute_shape<Out>;
  if (!total && (room <= 0 || runs.number.bound <= 0)) return;
  index_t const tiles = tiles_of(runs.number.bound, shape::runs);
  expects(tiles < (index_t{1} << (64 - detail::part_bits)) && room < (index_t{1} << detail::part_bits) * shape::part,
          "there are fewer than 2^28 tiles of runs, and fewer than 2^36 parts of items");
  scratch_of_call const scratch(on.scratch, 0, tiles, sizeof(tile_put_off) * tiles, on.stream);
  bool const whole = detail::may_be_whole<Out> && reinterpret_cast<std::uintptr_t>(out) % detail::whole_at<Out> == 0;
  distribute_call<Items, Out> const call{.items = items,
                                         .lengths = lookback::detail::untyped_lengths::of(runs.data),
                                         .runs = runs.number,
                                         .out = out,
                                         .room = room,
                                         .total = total,
                                         .whole_vectors = whole,
                                         .tiles = detail::descriptors_in<descriptors<index_t>>(scratch.get()),
                                         .put_off = reinterpret_cast<tile_put_off*>(scratch.get().values),
                                         .memory = scratch.get()};
  constexpr auto parts = &detail::distribute_parts_kernel<Items, Out>;
  index_t const resident = index_t{4} * detail::multiprocessors(detail::current_device());
  detail::load<&detail::distribute_kernel<Items, Out>>();
  detail::load<parts>();
  lookback::detail::observe_way("runs written out", "one kernel, and one for the parts of runs that are very long", tiles, 0, 0, 1);
  if (tiles > 0)
    detail::enqueue<&detail::distribute_kernel<Items, Out>>(static_cast<int>(tiles), shape::threads, 0, on.stream, call);
  half_call begun(on.scratch);
  detail::enqueue<parts>(static_cast<int>(std::min<index_t>(tiles_of(std::max<index_t>(room, 1), shape::part), resident)),
                         shape::threads, 0, on.stream, call);
  begun.is_whole();
}

}  // namespace lookback::gpu
