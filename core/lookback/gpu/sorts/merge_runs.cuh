// Two sorted runs are merged: where to cut them (merge path), by one thread, and by a block in shared memory.
// Source: Green, McColl & Bader, GPU merge path, 2012.
#pragma once
#include "../../tile.hpp"

namespace lookback::gpu::detail {

/// Which lie in front among the first `number` of two sorted runs, of the first run: `in_a` and `in_b` items that a(i) and b(i)
/// are.
template <class Index, class A, class B, class Order>
__device__ __forceinline__ Index taken_of_a(Index in_a, Index in_b, Index number, A const& a, B const& b, Order const& order) {
  Index low = max(number - in_b, Index{0}), high = min(number, in_a);
  while (low < high) {
    Index const middle = low + (high - low) / 2;
    if (order(b(number - 1 - middle), a(middle))) high = middle;
    else low = middle + 1;
  }
  return low;
}
/// The same by a block, all of whose threads ask at a time.
template <int Threads, class A, class B, class Order>
__device__ __forceinline__ index_t taken_of_a_by_block(index_t in_a, index_t in_b, index_t number, A const& a, B const& b,
                                                       Order const& order) {
  index_t low = max(number - in_b, index_t{0}), high = min(number, in_a);
  while (low < high) {
    index_t const step = (high - low + Threads - 1) / Threads, middle = low + step * threadIdx.x;
    bool const is_taken = middle < high && !order(b(number - 1 - middle), a(middle));
    int const taken = __syncthreads_count(is_taken);
    if (taken == 0) return low;
    index_t const last = low + step * (taken - 1);  // of these, the last that is taken
    low = last + 1, high = min(high, last + step);
  }
  return low;
}

/// By one thread: k is the first K of what runs s[a, a_end) and s[b, b_end) give; x is s[a] and y is s[b], where there are such. No
/// item behind s[last] is read. took(j, of_b): item j is of the second run. Says where the next item of the first run is.
template <int K, class Entry, class Order, class Took>
__device__ __forceinline__ int merge_serially(Entry const* s, int a, int a_end, int b, int b_end, int last, Entry x, Entry y,
                                              Entry (&k)[K], Order const& order, Took const& took) {
#pragma unroll
  for (int j = 0; j < K; ++j) {
    bool const takes_b = b < b_end && (a >= a_end || order(y, x));
    k[j] = takes_b ? y : x;
    took(j, takes_b);
    if (takes_b) ++b;
    else ++a;
    if (j + 1 < K) {
      Entry const next = s[min(takes_b ? b : a, last)];
      if (takes_b) y = next;
      else x = next;
    }
  }
  return min(a, a_end);
}

/// By a block, items s[0, in_a) and s[in_a, count), which all threads see: in the end thread t holds those of the result from t * K
/// on, and s is free. took(j, of_b): item j of this thread is of the second run;
/// begin_in_a: where its items of the first run begin. False if the function contradicts itself so that
/// an item may be lost.
template <int Threads, int K, class Entry, class Order, class Took>
__device__ __forceinline__ bool merge_two_runs(Entry const* s, int in_a, int count, Entry (&k)[K], Order const& order,
                                               Took const& took, int& begin_in_a) {
  __shared__ int begins[Threads];
  int const thread = threadIdx.x, base = thread * K;
  int end_in_a = 0;
  if (base < count) {
    int const a = taken_of_a(
        in_a, count - in_a, base, [=](int i) -> Entry const& { return s[i]; }, [=](int i) -> Entry const& { return s[in_a + i]; },
        order);
    begins[thread] = begin_in_a = a;
    int const b = in_a + base - a, last = count - 1;
    end_in_a = merge_serially(s, a, in_a, b, count, last, s[min(a, last)], s[min(b, last)], k, order, took);
  }
  __syncthreads();
  bool const agrees = base >= count || end_in_a == (base + K >= count ? in_a : begins[thread + 1]);
  return __syncthreads_and(agrees);
}

}  // namespace lookback::gpu::detail
