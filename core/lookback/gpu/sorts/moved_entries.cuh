// What moves when items are sorted by a sample: an item together with what goes beside it, as one entry. Arrays are zipped when
// they are read first, and come apart when a result is stored.
#pragma once
#include "entries.cuh"

namespace lookback::gpu {

namespace detail {

/// Starts a copy of one value to shared memory, where there are copies of its size; else makes it. Both addresses are multiples of
/// Alignment.
template <int Alignment, class V>
__device__ __forceinline__ void start_copy(V* to, V const* from) {
  constexpr auto fits = [](int bytes) { return Alignment % bytes == 0 && sizeof(V) % bytes == 0; };
  constexpr int chunk = fits(16) ? 16 : fits(8) ? 8 : fits(4) ? 4 : 0;
  if constexpr (chunk == 0) *to = *from;
  else
#pragma unroll
    for (int at = 0; at < static_cast<int>(sizeof(V)); at += chunk)
      ptx::copy_async<chunk>(reinterpret_cast<char*>(to) + at, reinterpret_cast<char const*>(from) + at);
}

template <class T, class V>
struct item_and_value {
  T item;
  V value;
};

}  // namespace detail

template <class T, class Columns>
struct moved_entry;
template <class T>
struct moved_entry<T, columns<>> {
  using entry = room<T>;
  static __device__ __forceinline__ T const& item(entry const& e) { return e.value; }
  template <class Job>
  static __device__ __forceinline__ void start_fetch(Job const& job, index_t i, entry* to) {
    detail::start_copy<alignof(T)>(&to->value, job.in + i);
  }
  template <class Job>
  static __device__ __forceinline__ void store(Job const& job, index_t i, entry const& e) {
    job.out[i] = e.value;
  }
};
template <class T, class Column>
struct moved_entry<T, columns<Column>> {
  using V = typename Column::value_type;
  using entry = room<detail::item_and_value<T, V>>;
  static __device__ __forceinline__ T const& item(entry const& e) { return e.value.item; }
  template <class Job>
  static __device__ __forceinline__ void start_fetch(Job const& job, index_t i, entry* to) {
    detail::start_copy<alignof(T)>(&to->value.item, job.in + i);
    if constexpr (Column::is_generated) to->value.value = static_cast<V>(i);
    else detail::start_copy<alignof(V)>(&to->value.value, job.beside.first.in + i);
  }
  template <class Job>
  static __device__ __forceinline__ void store(Job const& job, index_t i, entry const& e) {
    if (job.out) job.out[i] = e.value.item;
    job.beside.first.out[i] = e.value.value;
  }
};

namespace detail {

template <class T, class Columns>
using entry_of = typename moved_entry<T, Columns>::entry;
/// Of entries side by side from a multiple of 16 bytes on.
template <class Entry>
inline constexpr int entry_alignment = std::min(16, static_cast<int>(sizeof(Entry) & (~sizeof(Entry) + 1)));

/// The order of entries, for who sorts on chip.
template <class T, class Order, class Columns>
struct order_of_entries {
  static constexpr bool lacks_last = true, is_stable = Order::is_stable;
  using moved = moved_entry<T, Columns>;
  using entry = typename moved::entry;
  Order order;
  __device__ __forceinline__ bool operator()(entry const& x, entry const& y) const { return order(moved::item(x), moved::item(y)); }
  static __device__ __forceinline__ bool has_ties() { return true; }
};

}  // namespace detail

}  // namespace lookback::gpu
