// How many items are of each class: of all digits of a key in one read.
//
// Blocks count in shared memory, where it suffices in a copy of every counter for each lane: lanes that count the same class, or
// classes that share a bank, would wait for each other.
#pragma once
#include "../pipelines/scatter.cuh"

namespace lookback::gpu {

/// All digits of the numbers of items, from bit `begin` on, 8 bits each, the last one fewer.
template <class T, class Order>
struct digits_to_count {
  static constexpr int most = static_cast<int>(sizeof(typename Order::value));
  Order order;
  __host__ __device__ int passes() const { return (order.end - order.begin + 7) / 8; }
  template <class Add>
  __device__ __forceinline__ void operator()(T const& item, Add const& add) const {
    auto const number = order(item);
#pragma unroll
    for (int p = 0; p < most; ++p) {
      int const shift = order.begin + 8 * p, width = min(8, order.end - shift);
      if (width > 0) add(p, static_cast<int>(number >> shift) & ((1 << width) - 1));
    }
  }
};
/// The class of an item, or -1 where a caller's function says another than [0, classes). In builds with assertions that ends the
/// kernel.
template <class F>
struct class_below {
  static constexpr bool are_even = true;
  F f;
  int classes;
  // Always 0, but no constant: where ptxas knows that bits of a class are 0, it runs out of predicates (CUDA 13.0, C7600).
  unsigned hidden = 0;
  template <class T>
  __device__ __forceinline__ int operator()(T const& item) const {
    int const c = f(item);
    bool const valid = c >= 0 && c < classes;
    if (lookback::detail::asserts && !valid) __trap();
    return valid ? c : -1;
  }
  template <class T>
  __device__ __forceinline__ unsigned said(T const& item) const {
    return static_cast<unsigned>(f(item));
  }
  template <class T>
  __device__ __forceinline__ int kept(T const& item) const {
    return static_cast<int>((said(item) & 255) ^ hidden);
  }
  __device__ __forceinline__ bool allows(unsigned largest_said) const { return largest_said < static_cast<unsigned>(classes); }
};
/// One class of each item, where it has one.
template <class Class>
struct classes_to_count {
  static constexpr int most = 1;
  Class class_of;
  __host__ __device__ int passes() const { return 1; }
  template <class T, class Add>
  __device__ __forceinline__ void operator()(T const& item, Add const& add) const {
    if (int const c = class_of(item); c >= 0) add(0, c);
  }
};

inline constexpr int count_threads = detail::for_less_memory() ? 512 : 1024;
template <class Classes>
struct count_shape {
  static constexpr int all = Classes::most * scatter_classes, room = detail::for_less_memory() ? 64 * 1024 : 128 * 1024;
  static constexpr int copies = std::min(32, room / (all * 4)), bytes = all * copies * 4;
  static_assert(copies >= 1 && bytes <= detail::most_shared_bytes);
};

template <class In, class Classes>
struct count_call {
  In in;
  Classes classes;
  lookback::size size;
  std::uint64_t* counts;        // [pass][class], zero before the call
  std::int32_t const* is_done;  // not null, and not 0 there: somebody else has sorted
};

/// f of each of n items, by threads `mine`, mine + step, ...: 16 bytes at a time where items divide them and lie so.
template <class T, class F>
__device__ __forceinline__ void for_each_item(T const* in, index_t n, index_t mine, index_t step, F const& f) {
  constexpr int group = 4;
  index_t done = 0;
  if constexpr (16 % sizeof(T) == 0) {
    constexpr int vector = 16 / static_cast<int>(sizeof(T));
    auto const address = reinterpret_cast<std::uintptr_t>(in);
    if (address % sizeof(T) == 0) {
      index_t const lead = min(n, static_cast<index_t>((16 - address % 16) % 16 / sizeof(T))), vectors = (n - lead) / vector;
      auto const* const packs = reinterpret_cast<uint4 const*>(in + lead);
      for (index_t i = mine; i < vectors; i += step * group) {
        uint4 read[group];
#pragma unroll
        for (int g = 0; g < group; ++g)
          if (i + g * step < vectors) read[g] = packs[i + g * step];
#pragma unroll
        for (int g = 0; g < group; ++g)
          if (i + g * step < vectors) {
#pragma unroll
            for (int v = 0; v < vector; ++v) {
              room<T> item;
              memcpy(&item, reinterpret_cast<char const*>(read + g) + v * sizeof(T), sizeof(T));
              f(item.value);
            }
          }
      }
      if (mine < lead) f(in[mine]);  // fewer than there are threads
      done = lead + vectors * vector;
    }
  }
  for (index_t i = done + mine; i < n; i += step) f(in[i]);
}

template <class In>
inline constexpr bool is_routed = false;
template <class T>
inline constexpr bool is_routed<routed_items<T>> = true;

template <class In, class Classes>
__global__ void __launch_bounds__(count_threads) count_kernel(__grid_constant__ count_call<In, Classes> const call) {
  using T = typename In::value_type;
  using shape = count_shape<Classes>;
  constexpr int all = shape::all, copies = shape::copies;
  extern __shared__ __align__(16) unsigned char memory[];
  auto* const counters = reinterpret_cast<std::uint32_t*>(memory);
  ptx::let_next_kernel_start();
  ptx::wait_for_kernel_before();
  if (call.is_done && *call.is_done) return;
  for (int i = threadIdx.x; i < all * copies / 4; i += count_threads) reinterpret_cast<uint4*>(counters)[i] = uint4{0, 0, 0, 0};
  __syncthreads();
  index_t const n = items_in(call.size), step = index_t{gridDim.x} * count_threads;
  index_t const mine = index_t{blockIdx.x} * count_threads + threadIdx.x;
  int const copy = threadIdx.x % copies;
  auto const count = [&](T const& item) {
    call.classes(item, [&](int pass, int c) { atomicAdd(&counters[(pass * scatter_classes + c) * copies + copy], 1u); });
  };
  if constexpr (is_routed<In>) {
    for_each_item(call.in.begin(0, 0), n, mine, step, count);
  } else {
    auto const in = call.in.begin(0, 0);
    for (index_t i = mine; i < n; i += step) count(in[i]);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < all; i += count_threads) {
    std::uint32_t sum = 0;
#pragma unroll
    for (int c = 0; c < copies; ++c) sum += counters[i * copies + (c + threadIdx.x) % copies];
    if (sum) atomicAdd(reinterpret_cast<unsigned long long*>(call.counts + i), static_cast<unsigned long long>(sum));
  }
}

/// What the passes of a sort are told, made of the counts.
struct pass_plan {
  static constexpr int most_passes = 8;
  std::uint64_t counts[most_passes][scatter_classes];
  index_t starts[most_passes][scatter_classes];
  pass_route routes[most_passes];
  std::int32_t result;  // which of input, output and scratch holds the order in the end
};

/// By one block of 256 threads: where digits begin, and where the passes over n items read and write. Passes whose items are all of
/// one class are left out; the others alternate between scratch and output so that the last one writes the output. In place the
/// first one must not: then the last one may end in scratch. Starts may take the place of counts.
template <class Count>
__device__ __forceinline__ void plan_passes(Count const (*counts)[scatter_classes], index_t (*starts)[scatter_classes],
                                            pass_route* routes, std::int32_t& result, int passes, index_t n, bool in_place,
                                            bool keeps_items, index_t* warp_sums, std::uint32_t& constant) {
  int const c = threadIdx.x;
  if (c == 0) constant = 0;
  __syncthreads();
  for (int p = 0; p < passes; ++p) {
    auto const count = static_cast<index_t>(counts[p][c]);
    if (count == n && n > 0) constant |= 1u << p;  // by one thread
    index_t const upto = warp_scan(count, directed<plus<index_t>>{{}, false}, scan_order{false}, 0, 32);
    if (c % 32 == 31) warp_sums[c / 32] = upto;
    __syncthreads();
    index_t before = 0;
    for (int w = 0; w < c / 32; ++w) before += warp_sums[w];
    starts[p][c] = before + upto - count;
    __syncthreads();
  }
  if (c != 0) return;
  std::uint32_t const all = (1u << passes) - 1, active = n == 0 ? 0 : all & ~constant;
  int left = __popc(active);
  bool const turned = in_place && left % 2 == 1;
  int at = 0;
  for (int p = 0; p < passes; ++p) {
    bool const skipped = !(active >> p & 1);
    if (!skipped) --left;
    int const to = (left % 2 == 0) != turned ? 1 : 2;
    routes[p] = {static_cast<std::int8_t>(at), static_cast<std::int8_t>(to), skipped, keeps_items || left > 0};
    if (!skipped) at = to;
  }
  result = at;
}

/// One block of 256 threads.
template <int Threads>
__global__ void __launch_bounds__(Threads)
    plan_kernel(pass_plan* plan, int passes, lookback::size size, bool in_place, bool keeps_items, std::int32_t const* is_done) {
  static_assert(Threads == scatter_classes);
  __shared__ std::uint32_t constant;
  __shared__ index_t warp_sums[Threads / 32];
  ptx::let_next_kernel_start();
  ptx::wait_for_kernel_before();
  if (is_done && *is_done) {
    if (threadIdx.x < passes) plan->routes[threadIdx.x].skipped = true;
    if (threadIdx.x == 0) plan->result = 1;
    return;
  }
  plan_passes(plan->counts, plan->starts, plan->routes, plan->result, passes, items_in(size), in_place, keeps_items, warp_sums,
              constant);
}

/// starts[c] of `classes` classes, and behind them how many items there are in all; of one pass in the plan, too.
template <int Threads>
__global__ void __launch_bounds__(Threads) starts_kernel(pass_plan* plan, index_t* starts, int classes) {
  static_assert(Threads == scatter_classes);
  __shared__ index_t warp_sums[Threads / 32];
  ptx::let_next_kernel_start();
  ptx::wait_for_kernel_before();
  int const c = threadIdx.x;
  auto const count = static_cast<index_t>(plan->counts[0][c]);
  index_t const upto = warp_scan(count, directed<plus<index_t>>{{}, false}, scan_order{false}, 0, 32);
  if (c % 32 == 31) warp_sums[c / 32] = upto;
  __syncthreads();
  index_t before = 0;
  for (int w = 0; w < c / 32; ++w) before += warp_sums[w];
  plan->starts[0][c] = before + upto - count;
  if (c < classes) starts[c] = before + upto - count;
  if (c == classes - 1) starts[classes] = before + upto;
}

}  // namespace lookback::gpu
