// A stable merge sort in shared memory, by some lanes, a warp or a block: how long it takes does not depend on the keys.
//
// A thread has K neighbours. It sorts them in registers; then runs are merged two by two, and each thread makes K neighbours of the
// result: where its part begins in both runs is found by a search along the diagonal. K is odd, so that threads that read their
// parts side by side meet in no bank.
// Source: Green, McColl & Bader, GPU merge path, 2012.
#pragma once
#include "merge_runs.cuh"
#include "networks.cuh"

namespace lookback::gpu::detail {

/// Threads that sort together: a whole block, one warp, or as many neighbouring lanes. All groups of a warp come together.
template <int Threads>
struct thread_group {
  static constexpr int threads = Threads;
  static __device__ __forceinline__ int rank() { return Threads <= 32 ? threadIdx.x % Threads : threadIdx.x; }
  static __device__ __forceinline__ void sync() {
    if constexpr (Threads <= 32) __syncwarp();
    else __syncthreads();
  }
  /// Does every thread of the group say so?
  static __device__ __forceinline__ bool all(bool says) {
    if constexpr (Threads > 32) return __syncthreads_and(says);
    unsigned const lanes = Threads == 32 ? all_lanes : ((1u << Threads % 32) - 1) << threadIdx.x % 32 / Threads * Threads;
    return (__ballot_sync(all_lanes, says) & lanes) == lanes;
  }
  /// Those of one warp are enough where `near`, of which all threads say the same.
  static __device__ __forceinline__ void sync(bool near) {
    if (near) __syncwarp();
    else sync();
  }
};

/// Is there no entry that comes before no other? Then a caller's function compares, which may contradict itself.
template <class Order>
inline constexpr bool lacks_last = requires {
  requires Order::lacks_last;
};

/// Sorts s[0, count), at most 64 entries, by the lanes of one warp: neighbours change places where one belongs before the other, so
/// that equal ones keep their order, and none is lost, whatever `order` says.
template <class Entry, class Order>
__device__ __forceinline__ void sort_by_lanes(Entry* s, int count, Order const& order) {
  int const lane = threadIdx.x % 32;
  for (int round = 0; round < count; ++round) {
    int const i = 2 * lane + round % 2;
    if (i + 1 < count) {
      Entry const x = s[i], y = s[i + 1];
      if (order(y, x)) s[i] = y, s[i + 1] = x;
    }
    __syncwarp();
  }
}

/// Sorts K entries, equal ones in their order: by neighbours it takes K * K / 2 exchanges, so more than a few are sorted in halves,
/// which the thread merges through its own part of shared memory.
inline constexpr int most_by_neighbours = 17;
template <int K, class Entry, class Order>
__device__ __forceinline__ void sort_in_halves(Entry* s, Entry (&k)[K], Order const& order) {
  constexpr int half = K / 2;
  sort_by_neighbours<0, half>(k, order);
  sort_by_neighbours<half, K>(k, order);
#pragma unroll
  for (int j = 0; j < K; ++j) s[j] = k[j];
  merge_serially(s, 0, half, half, K, K - 1, k[0], k[half], k, order, [](int, bool) {});
}

/// Sorts entries s[0, count), at most Threads * K, which every thread sees. Up to the next multiple of K there lie entries that
/// come before no other, unless there are none. In the end thread t holds the entries from t * K on, and s is free. `order(x, y)`:
/// does x come before y; `order.has_ties()`: may two entries be told apart of which neither comes before the other? False if a
/// caller's function contradicts itself so that an entry may be lost.
template <int Threads, int K, class Entry, class Order>
__device__ __forceinline__ bool merge_on_chip(Entry* s, int count, Entry (&k)[K], Order const& order) {
  static_assert(K % 2 == 1);
  using group = thread_group<Threads>;
  constexpr bool exact = lacks_last<Order>;
  int const thread = group::rank(), base = thread * K, padded = exact ? count : (count + K - 1) / K * K;
  bool const active = base < padded;
  [[maybe_unused]] bool agrees = true;
  constexpr bool by_lanes = exact && Threads >= 32 && K <= 65;
  if constexpr (by_lanes) {  // what is not K entries is sorted by a warp
    int const whole = padded / K, left = padded % K;
    if (left > 0 && thread / 32 == whole / 32) sort_by_lanes(s + whole * K, left, order);
  }
  if (active) {
    bool const is_full = !exact || base + K <= padded;
    if (exact ? !is_full && !by_lanes : order.has_ties())
      sort_by_insertion(
          exact ? padded - base : K, [=](int i) -> Entry& { return s[base + i]; }, order);
#pragma unroll
    for (int j = 0; j < K; ++j)
      if (!exact || base + j < padded) k[j] = s[base + j];
    if constexpr (exact) {
      if (!is_full) {
      } else if constexpr (!Order::is_stable) sort_network(k, order);
      else if constexpr (K <= most_by_neighbours) sort_by_neighbours<0, K>(k, order);
      else sort_in_halves(s + base, k, order);
    } else if (!order.has_ties()) {
      sort_network(k, order);
    }
  }
  // Groups of one warp have as many rounds.
  for (int of_run = 1; Threads < 32 ? of_run < Threads : of_run * K < padded; of_run *= 2) {  // threads
    int const length = of_run * K;
    if (of_run > 1) group::sync(of_run <= 32);  // the runs before have been read
    if (active) {
#pragma unroll
      for (int j = 0; j < K; ++j) s[base + j] = k[j];
    }
    group::sync(2 * of_run <= 32);
    int const a_begin = (thread & ~(2 * of_run - 1)) * K, a_end = min(a_begin + length, padded);
    int begin_in_a = 0, end_in_a = 0;
    if (active) {
      int const b_begin = a_end, b_end = min(b_begin + length, padded), diagonal = base - a_begin;
      int const taken = taken_of_a(
          a_end - a_begin, b_end - b_begin, diagonal, [=](int i) -> Entry const& { return s[a_begin + i]; },
          [=](int i) -> Entry const& { return s[b_begin + i]; }, order);
      int const a = a_begin + taken, b = b_begin + diagonal - taken;
      begin_in_a = a;
      int const last = b_end - 1;  // what lies behind may be another warp's, which writes
      end_in_a = merge_serially(s, a, a_end, b, b_end, last, s[min(a, last)], s[min(b, last)], k, order, [](int, bool) {});
    }
    if constexpr (exact) {  // a thread ends where the next one begins: then nobody took what another one has
      int next = __shfl_down_sync(all_lanes, begin_in_a, 1);
      if constexpr (Threads > 32)
        if (2 * of_run > 32) {
          __shared__ int begins[Threads / 32];
          if (thread % 32 == 0) begins[thread / 32] = begin_in_a;
          __syncthreads();
          if (thread % 32 == 31 && thread + 1 < Threads) next = begins[thread / 32 + 1];
        }
      bool const is_last = ((thread + 1) & (2 * of_run - 1)) == 0 || base + K >= padded;
      agrees = agrees && (!active || end_in_a == (is_last ? a_end : next));
    }
  }
  group::sync();
  if constexpr (exact) return group::all(agrees);
  return true;
}

/// The same for a kernel that seldom needs it, whose registers it shall not take: entries s[0, count) in order, for all to see.
/// There is room for K more.
template <int Threads, int K, class Entry, class Order>
__device__ __noinline__ void merge_as_fallback(Entry* s, int count, Entry last, Order order) {
  using group = thread_group<Threads>;
  int const base = group::rank() * K;
  group::sync();
  if (group::rank() < K) s[count + group::rank()] = last;
  group::sync();
  Entry k[K];
  merge_on_chip<Threads>(s, count, k, order);
#pragma unroll
  for (int j = 0; j < K; ++j)
    if (base + j < count) s[base + j] = k[j];
  group::sync();
}

}  // namespace lookback::gpu::detail
