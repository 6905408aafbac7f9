// sort_into on the GPU: which passes a stable sort by digits makes, and the memory that they share. Only enqueues.
//
//   count     all digits of all keys in one read
//   plan      where each digit begins; which passes have anything to do; where each reads and writes
//   scatter   a pass for 8 bits, the lowest first
//   settle    if the order ended in scratch, or no pass had anything to do
//
// The host does not know what the keys are: it enqueues every pass, and those that the plan leaves out end at once.
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
  using shape = scatter_shape<T, Beside>;
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

template <bool Drops, class In, class Class, class Beside>
void enqueue_scatter(index_t tiles, scatter_call<In, Class, Beside> const& call, cudaStream_t stream) {
  using shape = scatter_shape<typename In::value_type, Beside>;
  constexpr auto kernel = &scatter_kernel<In, Class, Beside, Drops>;
  int const resident = resident_blocks<kernel, 1>(shape::threads, shape::bytes, 0);
  enqueue<kernel>(static_cast<int>(std::clamp<index_t>(tiles, 1, resident)), shape::threads, shape::bytes, stream, call);
}

template <class In, class Classes>
void enqueue_count(In const& in, Classes const& classes, size n, pass_plan* plan, cudaStream_t stream) {
  check(cudaMemsetAsync(plan->counts, 0, sizeof plan->counts[0] * static_cast<std::size_t>(classes.passes()), stream));
  count_call<In, Classes> const call{in, classes, n, plan->counts[0]};
  constexpr auto kernel = &count_kernel<In, Classes>;
  index_t const resident = resident_blocks<kernel, 1>(count_threads, 0, 0);
  enqueue<kernel>(static_cast<int>(std::clamp<index_t>(tiles_of(n.bound, 8192), 1, resident)), count_threads, 0, stream, call);
}

template <auto Kernel, class... Arguments>
void enqueue_overlapping(int grid, int threads, cudaStream_t stream, Arguments const&... arguments) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(grid));
  config.blockDim = dim3(static_cast<unsigned>(threads));
  config.stream = stream;
  cudaLaunchAttribute overlap{};
  overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  overlap.val.programmaticStreamSerializationAllowed = 1;
  config.attrs = &overlap;
  config.numAttrs = may_start_early<Kernel>() ? 1 : 0;
  check(cudaLaunchKernelEx(&config, Kernel, arguments...));
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

/// Loads the kernels of a sort: what cannot be loaded fails while nothing has begun.
template <class T, class Order, class Beside>
void load_sort() {
  using shape = scatter_shape<T, Beside>;
  resident_blocks<&count_kernel<routed_items<T>, digits_to_count<T, Order>>, 1>(count_threads, 0, 0);
  resident_blocks<&scatter_kernel<routed_items<T>, digit_of<Order>, Beside, false>, 1>(shape::threads, shape::bytes, 0);
  load<&plan_kernel<scatter_classes>>();
  load<&settle_kernel<T>>();
  if constexpr (Beside::bytes > 0) load<&settle_kernel<typename Beside::value_type>>();
}

/// All columns go along. `memory` has the layout's bytes.
template <class Policy, class T, class Order, class Columns>
void sort_along(Policy const& on, sort_job<T, Order, Columns> const& job, char* memory) {
  using beside_type = typename beside_of<Columns>::type;
  bool const keeps_items = job.out != nullptr;
  sort_layout<T, beside_type> const layout(job.size.bound, keeps_items);
  scratch_of_call const scratch(on.scratch, layout.words_64(), 0, 0, on.stream);
  load_sort<T, Order, beside_type>();
  auto* const plan = reinterpret_cast<pass_plan*>(memory + layout.plan);
  T* const one = reinterpret_cast<T*>(memory + layout.items);
  T* const to = keeps_items ? job.out : reinterpret_cast<T*>(memory + layout.more_items);
  auto const beside = places_of(job.beside, memory + layout.beside);
  bool const in_place = job.in == job.out || is_in_place(beside);

  digits_to_count<T, Order> const digits{job.order};
  half_call begun(on.scratch);
  routed_items<T> const in{{const_cast<T*>(job.in), to, one}};
  enqueue_count(in, digits, job.size, plan, on.stream);
  enqueue_overlapping<&plan_kernel<scatter_classes>>(1, scatter_classes, on.stream, plan, digits.passes(), job.size, in_place,
                                                     keeps_items);
  for (int p = 0; p < digits.passes(); ++p) {
    int const shift = job.order.begin + 8 * p;
    scatter_call<routed_items<T>, digit_of<Order>, beside_type> const call{
        .in = in,
        .out = {nullptr, to, one},
        .beside = beside,
        .class_of = {job.order, shift, std::min(8, job.order.end - shift)},
        .size = job.size,
        .starts = plan->starts[p],
        .route = plan->routes + p,
        .tiles = {descriptors_in<count_descriptors>(scratch.get())},
        .memory = scratch.get()};
    enqueue_scatter<false>(layout.tiles, call, on.stream);
  }
  if (keeps_items) enqueue_settle(job.in, job.out, one, false, plan, job.size, on.stream);
  if constexpr (beside_type::bytes > 0)
    enqueue_settle(static_cast<typename beside_type::value_type const*>(beside.at[0]), beside.at[1], beside.at[2],
                   beside_type::is_generated, plan, job.size, on.stream);
  begun.is_whole();
}

template <class Items, class Out>
using items_to_scatter = std::conditional_t<std::is_same_v<Items, elements<Out>>, routed_items<Out>, lazy_items<Out, Items>>;
template <class Out, class Items>
items_to_scatter<Items, Out> to_scatter(Items const& items) {
  if constexpr (std::is_same_v<Items, elements<Out>>) return {{const_cast<Out*>(items.data), nullptr, nullptr}};
  else return {items};
}

// ---- columns that are gathered in the end

/// The bytes of the widest column that cannot be gathered where it belongs, because it is read there.
inline std::size_t widest_gathered(columns<> const&) { return 0; }
template <class Column, class... Rest>
std::size_t widest_gathered(columns<Column, Rest...> const& all) {
  bool aside = false;
  if constexpr (!Column::is_generated) aside = all.first.in == all.first.out;
  return std::max(aside ? sizeof(typename Column::value_type) : 0, widest_gathered(all.rest));
}
template <class V, class Place>
void enqueue_gather(V const* in, V* out, Place const* places, size n, cudaStream_t stream) {
  gather_call<V, Place> const call{in, out, places, n};
  enqueue<&gather_kernel<V, Place>>(blocks_for(n.bound, copy_threads * 4), copy_threads, 0, stream, call);
}
template <class Place>
void gather_columns_of(columns<> const&, Place const*, void*, size, cudaStream_t) {}
template <class Place, class Column, class... Rest>
void gather_columns_of(columns<Column, Rest...> const& all, Place const* places, void* aside, size n, cudaStream_t stream) {
  using V = typename Column::value_type;
  static_assert(!Column::is_generated, "places stand alone");
  V const* const in = all.first.in;
  V* const out = all.first.out;
  if (in == out) {  // it would be read where it has been overwritten
    enqueue_gather<V, Place>(in, static_cast<V*>(aside), places, n, stream);
    enqueue_gather<V, Place>(static_cast<V*>(aside), out, nullptr, n, stream);
  } else {
    enqueue_gather<V, Place>(in, out, places, n, stream);
  }
  gather_columns_of(all.rest, places, aside, n, stream);
}

/// Items go with their places; values are gathered by these.
template <class Place, class Policy, class T, class Order, class Columns>
void sort_and_gather(Policy const& on, sort_job<T, Order, Columns> const& job) {
  using along = columns<places_beside<Place>>;
  index_t const n = job.size.bound;
  sort_layout<T, typename beside_of<along>::type> layout(n, true);
  std::size_t const places_at = layout.all.add(static_cast<std::size_t>(n) * sizeof(Place)),
                    aside_at = layout.all.add(static_cast<std::size_t>(n) * widest_gathered(job.beside));
  scratch_between_calls<char> const memory(on.scratch, static_cast<index_t>(layout.all.bytes()), on.stream);
  auto* const places = reinterpret_cast<Place*>(memory.data() + places_at);
  sort_along(on, sort_job<T, Order, along>{job.size, job.in, job.out, job.order, {{places}, {}}}, memory.data());
  gather_columns_of(job.beside, static_cast<Place const*>(places), memory.data() + aside_at, job.size, on.stream);
}

}  // namespace detail

/// What radix_sort and radix_sort_copy need of a workspace for up to n items of T and values of V...: workspace.reserve(it,
/// stream). Where it is reserved, the call allocates nothing, and may be captured.
template <class T, class... V>
scratch_need radix_sort_scratch(index_t n) {
  using beside = decltype(detail::list_of<values_beside<V>...>());
  if constexpr (detail::goes_along<beside>) {
    detail::sort_layout<T, typename detail::beside_of<beside>::type> const layout(n, true);
    return {layout.words_64(), layout.all.bytes()};
  } else {
    using place = one_beside<index_t, true>;  // as wide as places are
    detail::sort_layout<T, place> layout(n, true);
    layout.all.add(static_cast<std::size_t>(n) * sizeof(index_t));
    layout.all.add(static_cast<std::size_t>(n) * std::max({sizeof(V)...}));
    return {layout.words_64(), layout.all.bytes()};
  }
}
/// The same of argsort, for places of type Place.
template <class T, class Place>
scratch_need argsort_scratch(index_t n) {
  detail::sort_layout<T, one_beside<Place, true>> const layout(n, false);
  return {layout.words_64(), layout.all.bytes()};
}

/// Moves every item to the end of its class. Where classes begin is counted first, and left in starts[0] to starts[classes].
template <class Strategy, class Carry, class Tuning, class Items, int Classes, class Out, class F>
void scatter_into(policy<Strategy, Carry, Tuning> const& on, size n, Items const& items, scatter<Classes, Out, F> const& sink,
                  index_t* starts) {
  static_assert(std::is_same_v<Carry, no_carry>, "a carry needs a sink that stores every value");
  expects(n.bound < count_descriptors::count_limit, "fewer than 2^40 items are counted");
  using in_type = detail::items_to_scatter<Items, Out>;
  using shape = scatter_shape<Out, nothing_beside>;
  using class_type = class_below<F>;
  class_type const class_of{sink.of, Classes};
  index_t const tiles = tiles_of(n.bound, shape::tile_items);
  scratch_between_calls<pass_plan> const plan(on.scratch, 1, on.stream);
  scratch_of_call const scratch(on.scratch, static_cast<std::size_t>(tiles) * scatter_classes, 0, 0, on.stream);
  detail::resident_blocks<&count_kernel<in_type, classes_to_count<class_type>>, 1>(count_threads, 0, 0);
  detail::resident_blocks<&scatter_kernel<in_type, class_type, nothing_beside, true>, 1>(shape::threads, shape::bytes, 0);
  detail::load<&starts_kernel<scatter_classes>>();
  in_type const in = detail::to_scatter<Out>(items);
  half_call begun(on.scratch);
  detail::enqueue_count(in, classes_to_count<class_type>{class_of}, n, plan.data(), on.stream);
  detail::enqueue_overlapping<&starts_kernel<scatter_classes>>(1, scatter_classes, on.stream, plan.data(), starts, Classes);
  scatter_call<in_type, class_type, nothing_beside> const call{.in = in,
                                                               .out = {nullptr, sink.out, nullptr},
                                                               .beside = {},
                                                               .class_of = class_of,
                                                               .size = n,
                                                               .starts = plan.data()->starts[0],
                                                               .route = nullptr,
                                                               .tiles = {detail::descriptors_in<count_descriptors>(scratch.get())},
                                                               .memory = scratch.get()};
  detail::enqueue_scatter<true>(tiles, call, on.stream);
  begun.is_whole();
}

/// Sorts by digits on the GPU.
template <class Strategy, class Carry, class Tuning, class T, class Order, class Beside>
void sort_into(policy<Strategy, Carry, Tuning> const& on, sort_job<T, Order, Beside> const& job) {
  static_assert(std::is_same_v<Strategy, decoupled_look_back>, "sorts have the strategy decoupled_look_back, and textbook{}");
  static_assert(std::is_same_v<Carry, no_carry>, "a carry needs a sink that stores every value");
  index_t const n = job.size.bound;
  expects(n < count_descriptors::count_limit, "fewer than 2^40 items are counted");
  if (n == 0) return;
  if constexpr (detail::goes_along<Beside>) {
    using beside_type = typename detail::beside_of<Beside>::type;
    detail::sort_layout<T, beside_type> const layout(n, job.out != nullptr);
    scratch_between_calls<char> const memory(on.scratch, static_cast<index_t>(layout.all.bytes()), on.stream);
    detail::sort_along(on, job, memory.data());
  } else if (n <= index_t{1} << 32) {
    detail::sort_and_gather<std::uint32_t>(on, job);
  } else {
    detail::sort_and_gather<index_t>(on, job);
  }
}

}  // namespace lookback::gpu
