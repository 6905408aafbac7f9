// Elements of an array that indices ask for most often, and the indices with those renamed: ~k asks for element number k of the
// kept ones, every other index for what it did. Found by counting: two passes over the indices and two over the counts.
//
//   count   how often each element is asked for
//   tally   how many elements are asked for so often, and how often together: which are kept is known from that
//   number  the kept ones, in any order: what lies at which number changes no result
//   rename
//
// No scan does that. So this is the one algorithm with kernels of its own. Tiles of the merge path keep what was
// renamed (caches_values in source.hpp).
#pragma once
#include <cstdint>
#include <limits>
#include <lookback/gpu/host/launch.cuh>
#include <lookback/gpu/host/policy.cuh>
#include <lookback/gpu/host/stream_memory.cuh>
#include <lookback/most_read.hpp>
#include <vector>

namespace lookback::gpu {

namespace detail {

__device__ __forceinline__ index_t first_of_grid() { return index_t{blockIdx.x} * blockDim.x + threadIdx.x; }
__device__ __forceinline__ index_t step_of_grid() { return index_t{gridDim.x} * blockDim.x; }

/// Elements of a class by how often they are asked for: how many there are, and how often all of them together.
struct tallied {
  unsigned long long elements, counts;
};
inline constexpr std::uint32_t not_kept = ~std::uint32_t{0};

}  // namespace detail

/// A block counts in its own table the elements that were first to reach their slot, when it looked at some places all over the
/// indices; the rest is added in memory. There additions to one counter take turns: a column that all of 33 M nonzeros are in took
/// 25 ms (docs/lab/gpu.md, Counting columns).
template <class Index>
__global__ void count_indices_kernel(Index const* indices, index_t count, index_t size, std::uint32_t* counts) {
  constexpr int bits = 11, slots = 1 << bits;
  __shared__ std::uint32_t owners[slots], own_counts[slots];
  int const thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  // Every `apart`-th one of those that name an element: nobody has checked them.
  auto const each_element = [&](index_t stride, auto f) {
    for (index_t k = detail::first_of_grid() * stride; k < count; k += detail::step_of_grid() * stride)
      if (auto const at = static_cast<std::uint64_t>(indices[k]); at < static_cast<std::uint64_t>(size)) {
        auto const element = static_cast<std::uint32_t>(at);
        f(element, element * 2654435761u >> (32 - bits));  // Knuth's multiplicative hash
      }
  };
  for (int s = thread; s < slots; s += threads) owners[s] = detail::not_kept, own_counts[s] = 0;
  __syncthreads();  // the table is empty
  index_t const looked_at = slots / threads * detail::step_of_grid();
  each_element((count + looked_at - 1) / looked_at,
               [&](std::uint32_t element, std::uint32_t slot) { atomicCAS(&owners[slot], detail::not_kept, element); });
  __syncthreads();  // owners stay as they are from here
  each_element(1, [&](std::uint32_t element, std::uint32_t slot) {
    if (owners[slot] == element) atomicAdd(&own_counts[slot], 1u);
    else atomicAdd(&counts[element], 1u);
  });
  __syncthreads();  // all of the block is counted
  for (int s = thread; s < slots; s += threads)
    if (own_counts[s] > 0) atomicAdd(&counts[owners[s]], own_counts[s]);
}
/// `unit` counts to a class; all above `near` are in the last one, behind `classes` others.
template <class Count>
__global__ void tally_counts_kernel(Count const* counts, index_t size, Count least, Count near, Count unit, int classes,
                                    detail::tallied* tally) {
  for (index_t k = detail::first_of_grid(); k < size; k += detail::step_of_grid()) {
    Count const count = counts[k];
    if (count < least) continue;  // most of them
    detail::tallied& in = tally[count > near ? static_cast<Count>(classes) : min(count / unit, static_cast<Count>(classes - 1))];
    atomicAdd(&in.elements, 1ull), atomicAdd(&in.counts, static_cast<unsigned long long>(count));
  }
}
/// Counts become numbers.
template <class Count>
__global__ void number_cached_kernel(Count* counts, index_t size, Count least, Count* next, Count* elements) {
  for (index_t k = detail::first_of_grid(); k < size; k += detail::step_of_grid()) {
    Count number = detail::not_kept;
    if (counts[k] >= least) elements[number = atomicAdd(next, Count{1})] = static_cast<Count>(k);
    counts[k] = number;
  }
}
template <class Index>
__global__ void rename_indices_kernel(Index const* indices, index_t count, index_t size, std::uint32_t const* numbers,
                                      Index* renamed) {
  for (index_t k = detail::first_of_grid(); k < count; k += detail::step_of_grid()) {
    Index const index = indices[k];
    auto const at = static_cast<std::uint64_t>(index);
    std::uint32_t const number = at < static_cast<std::uint64_t>(size) ? numbers[at] : detail::not_kept;
    renamed[k] = number == detail::not_kept ? index : static_cast<Index>(~static_cast<Index>(number));
  }
}
/// Up to a multiple of 16 elements the last one again.
template <class X>
__global__ void copy_cached_kernel(X const* x, std::uint32_t const* elements, int count, int rounded, X* cached) {
  int const k = static_cast<int>(detail::first_of_grid());
  if (k < rounded) cached[k] = x[elements[min(k, count - 1)]];
}

/// Indices of which the most frequent are renamed, on the device that is current at construction. Memory is freed in the order of
/// the stream that it was made on.
template <class Index>
class most_read {
  static_assert(std::is_signed_v<Index>, "names are negative");

 public:
  using back_end = policy<>;
  static constexpr bool renames = true;

  /// Waits for the stream. See `keeping`; keeps nothing where that does not pay.
  most_read(Index const* indices, index_t count, index_t size, index_t most, keeping const& when, cudaStream_t stream)
      : device_{detail::current_device()} {
    bool const fits = size < index_t{1} << 31 && count < index_t{1} << 32 && most >= 16;
    bool const may_pay = count >= std::max<index_t>(when.least_reads, 1) && size >= when.least_size && when.least_each <= count;
    if (!device_has_room() || !fits || !may_pay) return;
    int const grid = 8 * detail::multiprocessors(device_);
    auto const over = [&]<auto Kernel>(kernel_of<Kernel>, auto const&... arguments) {
      detail::enqueue_after<Kernel>(grid, 256, stream, arguments...);
    };

    // More than `most` elements cannot each be asked for by more than count / most: finer classes than up to there tell nothing.
    // All of the last two classes fit: each of theirs is asked for by part - unit + 1 or more, and (most + 1) * (unit - 1) <= part.
    expects(most < most_classes, "fewer than 2^14 elements are kept");
    index_t const part = count / most + 1, unit = part / most_classes + 1;
    int const classes = static_cast<int>(part / unit) + 1;
    std::vector<tallied> classes_found(static_cast<std::size_t>(classes) + 1);
    std::size_t const count_bytes = static_cast<std::size_t>(size) * sizeof(std::uint32_t),
                      tally_bytes = classes_found.size() * sizeof(tallied);
    stream_memory const counts(count_bytes, stream), tally(tally_bytes, stream);
    auto* const numbers = static_cast<std::uint32_t*>(counts.data());
    auto* const classed = static_cast<tallied*>(tally.data());
    check(cudaMemsetAsync(numbers, 0, count_bytes, stream));
    check(cudaMemsetAsync(classed, 0, tally_bytes, stream));
    auto const least = static_cast<std::uint32_t>(std::clamp<index_t>(when.least_each, 1, count));
    over(kernel_of<&count_indices_kernel<Index>>{}, indices, count, size, numbers);
    // There is room for all that are near: above `part`, they are fewer than `most`.
    auto const near = static_cast<std::uint32_t>(std::max<index_t>(count / std::max<index_t>(when.near_of, 1), part));
    over(kernel_of<&tally_counts_kernel<std::uint32_t>>{}, numbers, size, least, near, static_cast<std::uint32_t>(unit), classes,
         classed);
    {
      beside_captures const meanwhile;
      check(cudaMemcpyAsync(classes_found.data(), classed, tally_bytes, cudaMemcpyDeviceToHost, stream));
      check(cudaStreamSynchronize(stream));
    }

    auto const reads_of_near = static_cast<index_t>(classes_found.back().counts);
    index_t cached = 0, reads = 0, first = classes + 1;
    for (; first > 0; --first) {
      auto const& next = classes_found[static_cast<std::size_t>(first - 1)];
      if (cached + static_cast<index_t>(next.elements) > most) break;
      cached += static_cast<index_t>(next.elements), reads += static_cast<index_t>(next.counts);
    }
    auto const share_of_all = [&](index_t reads_of) { return static_cast<double>(reads_of) / static_cast<double>(count); };
    if (cached == 0 || share_of_all(reads - reads_of_near) < when.least_share) return;

    // What is next for a number lies behind the elements.
    std::size_t const element_bytes = static_cast<std::size_t>(cached) * sizeof(std::uint32_t);
    elements_ = stream_memory(element_bytes + sizeof(std::uint32_t), stream);
    renamed_ = stream_memory(static_cast<std::size_t>(count) * sizeof(Index), stream);
    auto* const next = elements() + cached;
    check(cudaMemsetAsync(next, 0, sizeof(std::uint32_t), stream));
    auto const above = static_cast<std::uint32_t>(std::max<index_t>(least, first * unit));
    over(kernel_of<&number_cached_kernel<std::uint32_t>>{}, numbers, size, above, next, elements());
    over(kernel_of<&rename_indices_kernel<Index>>{}, indices, count, size, static_cast<std::uint32_t const*>(numbers),
         static_cast<Index*>(renamed_.data()));
    beside_captures const meanwhile;
    check(cudaStreamSynchronize(stream));
    cached_ = cached, share_ = share_of_all(reads);
  }

  /// Does a block of the current device that keeps a copy find room beside its tiles (scan_launch.cuh)? Not before sm_90, nor from
  /// sm_120 on.
  static bool device_has_room() { return detail::shared_bytes_of_a_block(1) >= 200 << 10; }
  /// Elements; none once moved from.
  index_t cached() const { return renamed_ ? cached_ : 0; }
  /// Of the indices, renamed ones.
  double share() const { return renamed_ ? share_ : 0; }
  Index const* renamed() const { return static_cast<Index const*>(renamed_.data()); }
  /// May calls of policies of this type use it? Other tiles than the default's may not leave room, and have another tree.
  template <class On>
  static constexpr bool may_serve = std::is_same_v<typename On::tuning_type, tuning<>>;
  /// Is there something for a call of this policy?
  template <class On>
  bool serves(On const& on) const {
    return cached() > 0 && !on.is_reproducible;
  }
  /// Elements of room for copies, at a multiple of 16 bytes.
  index_t room() const { return (cached_ + 15) / 16 * 16; }
  /// Enqueues copies of the kept elements of x.
  template <class Strategy, class Carry, class Tuning, class X>
  void copy(policy<Strategy, Carry, Tuning> const& on, X const* x, X* to) const {
    expects(detail::current_device() == device_, "a plan is used on the device that was current when it was made");
    int const rounded = static_cast<int>(room());
    detail::enqueue_after<&copy_cached_kernel<X>>((rounded + 255) / 256, 256, on.stream, x,
                                                  static_cast<std::uint32_t const*>(elements()), static_cast<int>(cached_), rounded,
                                                  to);
  }

 private:
  using tallied = detail::tallied;
  template <auto Kernel>
  struct kernel_of {};
  static constexpr index_t most_classes = 1 << 14;
  std::uint32_t* elements() const { return static_cast<std::uint32_t*>(elements_.data()); }

  stream_memory renamed_, elements_;
  int device_;
  index_t cached_ = 0;
  double share_ = 0;
};

/// Unsigned indices have no negative names, and stay as they are.
template <class Strategy, class Carry, class Tuning, class Index>
auto rename_most_read(policy<Strategy, Carry, Tuning> const& on, Index const* indices, index_t count, index_t size, index_t most,
                      keeping const& when) {
  if constexpr (std::is_signed_v<Index>) return most_read<Index>{indices, count, size, most, when, on.stream};
  else return lookback::detail::nothing_renamed<policy<>>{};
}

}  // namespace lookback::gpu
