// Parts that sorts by digits on the GPU are made of, on the host: how scratch is laid out, what goes along with items, launches.
#pragma once
#include "../host/policy.cuh"
#include "../host/scan_launch.cuh"
#include "copies.cuh"

namespace lookback::gpu {

namespace detail {

/// Arrays one behind another in one piece of memory.
class scratch_layout {
 public:
  std::size_t add(std::size_t bytes) {
    std::size_t const at = bytes_;
    bytes_ += (bytes + 255) / 256 * 256;
    return at;
  }
  std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_ = 0;
};

template <class... Columns>
columns<Columns...> list_of();

template <class Column>
struct beside_of;
template <>
struct beside_of<columns<>> {
  using type = nothing_beside;
};
template <class V>
struct beside_of<columns<values_beside<V>>> {
  using type = one_beside<V, false>;
};
template <class I>
struct beside_of<columns<places_beside<I>>> {
  using type = one_beside<I, true>;
};

/// Does everything that moves beside the items go along in every pass? Else places do, and it is gathered by them in the end. Up to
/// 8 bytes: what places cost is 4 or 8.
inline constexpr int most_bytes_beside = 8;
template <class Beside>
inline constexpr bool goes_along = false;
template <>
inline constexpr bool goes_along<columns<>> = true;
template <class V>
inline constexpr bool goes_along<columns<values_beside<V>>> = sizeof(V) <= most_bytes_beside;
template <class I>
inline constexpr bool goes_along<columns<places_beside<I>>> = true;

inline int blocks_for(index_t n, index_t each) {
  index_t const most = index_t{8} * multiprocessors(current_device());
  return static_cast<int>(std::clamp<index_t>(tiles_of(n, each), 1, most));
}

/// The memory of one sort whose columns go along.
template <class T, class Beside>
struct sort_layout {
  using shape = scatter_shape<T, Beside, false>;
  scratch_layout all;
  std::size_t plan, items, more_items, beside;
  index_t tiles;
  sort_layout(index_t n, bool keeps_items)
      : plan{all.add(sizeof(pass_plan))},
        items{all.add(static_cast<std::size_t>(n) * sizeof(T))},
        more_items{keeps_items ? 0 : all.add(static_cast<std::size_t>(n) * sizeof(T))},
        beside{all.add(static_cast<std::size_t>(n) * Beside::bytes)},
        tiles{tiles_of(n, shape::tile_items)} {}
  std::size_t words_64() const { return static_cast<std::size_t>(tiles) * scatter_classes; }
};

template <bool Drops, class In, class Class, class Beside, class Tiling>
void enqueue_scatter(index_t tiles, scatter_call<In, Class, Beside, Tiling> const& call, cudaStream_t stream) {
  using shape = scatter_shape<typename In::value_type, Beside, Class::are_even>;
  constexpr auto kernel = &scatter_kernel<In, Class, Beside, Drops, Tiling>;
  int const resident = resident_blocks<kernel, 1>(shape::threads, shape::bytes, 0);
  enqueue<kernel>(static_cast<int>(std::clamp<index_t>(tiles, 1, resident)), shape::threads, shape::bytes, stream, call);
}

template <class In, class Classes>
void enqueue_count(In const& in, Classes const& classes, size n, pass_plan* plan, std::int32_t const* is_done,
                   cudaStream_t stream) {
  check(cudaMemsetAsync(plan->counts, 0, sizeof plan->counts[0] * static_cast<std::size_t>(classes.passes()), stream));
  count_call<In, Classes> const call{in, classes, n, plan->counts[0], is_done};
  constexpr auto kernel = &count_kernel<In, Classes>;
  constexpr int bytes = count_shape<Classes>::bytes;
  index_t const resident = resident_blocks<kernel, 1>(count_threads, bytes, 0);
  enqueue<kernel>(static_cast<int>(std::clamp<index_t>(tiles_of(n.bound, 8192), 1, resident)), count_threads, bytes, stream, call);
}

template <class V>
void enqueue_settle(V const* in, V* out, V* scratch, bool makes_places, pass_plan const* plan, size n, cudaStream_t stream) {
  settle_call<V> const call{{const_cast<V*>(in), out, scratch}, makes_places, &plan->result, n};
  enqueue<&settle_kernel<V>>(blocks_for(n.bound, copy_threads * 8), copy_threads, 0, stream, call);
}

/// Where what moves beside lies: its input, its output and scratch.
inline nothing_beside places_of(columns<> const&, void*) { return {}; }
template <class V>
one_beside<V, false> places_of(columns<values_beside<V>> const& all, void* scratch) {
  return {{const_cast<V*>(all.first.in), all.first.out, static_cast<V*>(scratch)}};
}
template <class I>
one_beside<I, true> places_of(columns<places_beside<I>> const& all, void* scratch) {
  return {{nullptr, all.first.out, static_cast<I*>(scratch)}};
}
inline bool is_in_place(nothing_beside const&) { return false; }
template <class V, bool Generated>
bool is_in_place(one_beside<V, Generated> const& beside) {
  return beside.at[0] == beside.at[1];
}

/// Loads the kernels of passes: what cannot be loaded fails while nothing has begun.
template <class T, class Order, class Beside, class Tiling>
void load_passes() {
  using shape = scatter_shape<T, Beside, digit_of<Order>::are_even>;
  resident_blocks<&scatter_kernel<routed_items<T>, digit_of<Order>, Beside, false, Tiling>, 1>(shape::threads, shape::bytes, 0);
}
/// Those of a sort by the lowest digits, which are counted and planned first.
template <class T, class Order, class Beside>
void load_sort() {
  using digits = digits_to_count<T, Order>;
  resident_blocks<&count_kernel<routed_items<T>, digits>, 1>(count_threads, count_shape<digits>::bytes, 0);
  load_passes<T, Order, Beside, whole_array>();
  load<&plan_kernel<scatter_classes>>();
  load<&settle_kernel<T>>();
  if constexpr (Beside::bytes > 0) load<&settle_kernel<typename Beside::value_type>>();
}

}  // namespace detail
}  // namespace lookback::gpu
