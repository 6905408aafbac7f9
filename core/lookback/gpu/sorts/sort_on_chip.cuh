// Segments that a quarter of a warp, a warp or a block sorts by itself: items are read once and written once.
//
// What is sorted is an entry for each item (entries.cuh). Then items and values follow, out of shared memory, where they are
// staged: so the output may be the input.
#pragma once
#include "../pipelines/scatter.cuh"
#include "entries.cuh"
#include "merge_on_chip.cuh"

namespace lookback::gpu {

/// The most items that so many threads sort, at most MostK a thread, where they have `Room` bytes of shared memory.
template <class T, class Order, class Beside, int Threads, int MostK, int Room>
struct chip_shape {
  using entries = detail::entries<T, Order, Beside>;
  static constexpr int threads = Threads, entry_bytes = sizeof(typename entries::entry);
  static constexpr int item_bytes =
      entries::stand_alone ? entry_bytes : std::max(entry_bytes, 2 + detail::widest_staged<T, Beside>);
  static constexpr int K = std::clamp(detail::odd<(Room - 16) / (Threads * item_bytes)>, 1, MostK), items = Threads * K;
  static_assert(Room <= detail::most_shared_bytes);
  static constexpr int stage_at = (2 * items + 15) / 16 * 16, bytes = (item_bytes * items + 31) / 16 * 16;
};

namespace detail {

/// An array goes where source(p), a place in the segment, says what belongs at place p.
template <class Group, class V, class Source>
__device__ __forceinline__ void place_staged(V const* in, V* out, V* staged, int count, Source const& source) {
  int const thread = Group::rank();
  Group::sync();
#pragma unroll 4
  for (int i = thread; i < count; i += Group::threads) staged[i] = in[i];
  Group::sync();
#pragma unroll 4
  for (int p = thread; p < count; p += Group::threads) out[p] = staged[source(p)];
}
template <class Group, class Source>
__device__ __forceinline__ void place_beside(columns<> const&, unsigned char*, index_t, int, Source const&) {}
template <class Group, class Column, class... Rest, class Source>
__device__ __forceinline__ void place_beside(columns<Column, Rest...> const& all, unsigned char* stage, index_t begin, int count,
                                             Source const& source) {
  using V = typename Column::value_type;
  if constexpr (Column::is_generated) {
    for (int p = Group::rank(); p < count; p += Group::threads) all.first.out[begin + p] = static_cast<V>(begin + source(p));
  } else {
    place_staged<Group>(all.first.in + begin, all.first.out + begin, reinterpret_cast<V*>(stage), count, source);
  }
  place_beside<Group>(all.rest, stage, begin, count, source);
}

}  // namespace detail

/// A group of threads sorts items [begin, begin + count), count at most Shape::threads * K, where K is at most that of the
/// shape.
template <class Shape, int K, class T, class Order, class Beside>
__device__ __forceinline__ void sort_on_chip(chip_job<T, Order, Beside> const& job, index_t begin, int count,
                                             unsigned char* memory) {
  using group = detail::thread_group<Shape::threads>;
  using all_entries = detail::entries<T, Order, Beside>;
  using entry = typename all_entries::entry;
  all_entries const of(job.order);
  entry* const s = reinterpret_cast<entry*>(memory);
  int const thread = group::rank(), padded = (count + K - 1) / K * K;
  entry k[K];
#pragma unroll
  for (int j = 0; j < K; ++j) {
    int const i = thread + j * Shape::threads;
    if constexpr (!detail::lacks_last<all_entries>) k[j] = all_entries::last();
    if (i < count) k[j] = of.make(of.number_of(job.in[begin + i]), i);
  }
  group::sync();  // the segment before has left
#pragma unroll
  for (int j = 0; j < K; ++j)
    if (thread + j * Shape::threads < (detail::lacks_last<all_entries> ? count : padded)) s[thread + j * Shape::threads] = k[j];
  group::sync();
  [[maybe_unused]] bool const is_merged = detail::merge_on_chip<Shape::threads>(s, count, k, of);
  bool const active = thread * K < padded;
  if constexpr (all_entries::stand_alone) {
    if (active) {
#pragma unroll
      for (int j = 0; j < K; ++j) s[thread * K + j] = k[j];
    }
    group::sync();
    for (int p = thread; p < count; p += Shape::threads) {
      if (detail::lacks_last<all_entries> && !is_merged) job.out[begin + p] = job.in[begin + p];
      else job.out[begin + p] = of.item_of(s[p]);
    }
  } else {
    auto* const sources = reinterpret_cast<std::uint16_t*>(memory);
    if (active) {
#pragma unroll
      for (int j = 0; j < K; ++j)
        sources[thread * K + j] =
            static_cast<std::uint16_t>(detail::lacks_last<all_entries> && !is_merged ? thread * K + j : all_entries::place(k[j]));
    }
    group::sync();
    auto const source = [=](int p) { return static_cast<int>(sources[p]); };
    unsigned char* const stage = memory + Shape::stage_at;
    if (job.out) detail::place_staged<group>(job.in + begin, job.out + begin, reinterpret_cast<T*>(stage), count, source);
    detail::place_beside<group>(job.beside, stage, begin, count, source);
  }
}

}  // namespace lookback::gpu
