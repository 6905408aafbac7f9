// sort_into on the GPU: which passes a stable sort by digits makes, and the memory that they share. Only enqueues. What sorts by
// comparisons is in merge_into.cuh.
//
//   count     all digits of all keys in one read
//   plan      where each digit begins; which passes have anything to do; where each reads and writes
//   scatter   a pass for 8 bits, the lowest first
//   settle    if the order ended in scratch, or no pass had anything to do
//
// The host does not know what the keys are: it enqueues every pass, and those that the plan leaves out end at once.
#pragma once
#include "merge_into.cuh"
#include "sort_pairs_from_top.cuh"

namespace lookback::gpu {

namespace detail {

/// Memory for both ways of keys that stand alone: numbers of the one lie where items of the other do.
template <class T, class Order>
struct either_layout : top_layout<typename Order::value> {
  std::size_t plan, items;
  index_t tiles_of_passes;
  explicit either_layout(index_t n)
      : top_layout<typename Order::value>(n),
        plan{this->all.add(sizeof(pass_plan))},
        items{this->numbers},
        tiles_of_passes{tiles_of(n, scatter_shape<T, nothing_beside, false>::tile_items)} {}
  std::size_t words_64() const {
    return std::max(top_layout<typename Order::value>::words_64(), static_cast<std::size_t>(tiles_of_passes) * scatter_classes);
  }
};

/// By the lowest digits first, all columns along. `is_done`: another way may have sorted before.
template <class Policy, class T, class Order, class Columns, class Layout>
void sort_by_lowest_digits(Policy const& on, sort_job<T, Order, Columns> const& job, Layout const& layout, char* memory,
                           T* more_items, index_t tiles, scratch const& descriptors, std::int32_t const* is_done) {
  using beside_type = typename beside_of<Columns>::type;
  bool const keeps_items = job.out != nullptr;
  auto* const plan = reinterpret_cast<pass_plan*>(memory + layout.plan);
  T* const one = reinterpret_cast<T*>(memory + layout.items);
  T* const to = keeps_items ? job.out : more_items;
  beside_type beside{};
  if constexpr (beside_type::bytes > 0) beside = places_of(job.beside, memory + layout.beside);
  bool const in_place = job.in == job.out || is_in_place(beside);

  digits_to_count<T, Order> const digits{job.order};
  routed_items<T> const in{{const_cast<T*>(job.in), to, one}};
  enqueue_count(in, digits, job.size, plan, is_done, on.stream);
  enqueue<&plan_kernel<scatter_classes>>(1, scatter_classes, 0, on.stream, plan, digits.passes(), job.size, in_place, keeps_items,
                                         is_done);
  for (int p = 0; p < digits.passes(); ++p) {
    int const shift = job.order.begin + 8 * p;
    scatter_call<routed_items<T>, digit_of<Order>, beside_type> const call{
        .in = in,
        .out = {nullptr, to, one},
        .beside = beside,
        .class_of = {job.order, shift, std::min(8, job.order.end - shift)},
        .tiling = {job.size, plan->starts[p], plan->routes + p},
        .tiles = {descriptors_in<count_descriptors>(descriptors)},
        .memory = descriptors};
    enqueue_scatter<false>(tiles, call, on.stream);
  }
  if (keeps_items) enqueue_settle(job.in, job.out, one, false, plan, job.size, on.stream);
  if constexpr (beside_type::bytes > 0)
    enqueue_settle(static_cast<typename beside_type::value_type const*>(beside.at[0]), beside.at[1], beside.at[2],
                   beside_type::is_generated, plan, job.size, on.stream);
}

/// Notes which way the device has taken, once all is queued; waits for it. `counted`: the share of a read that counting takes, 0
/// where the host cannot say what is read. Without tables there was one way. A graph decides whenever it runs: of what is captured
/// nothing is known.
template <class Plan>
void observe_digits(Plan const* plan, int passes, double counted, bool in_place, index_t tiles, top_tables const* tables,
                    bool twice, cudaStream_t stream) {
  lookback::detail::observe([&](observation& seen) {
    char const *const top = "split from the top, leaves sorted on chip", *const lowest = "digit by digit, the lowest first";
    if (is_captured(stream)) {
      std::string const why =
          tables ? "or " + std::string(top) + ": a graph decides whenever it runs" : "a graph plans its passes whenever it runs";
      return seen.add(observed_way{lowest, why, tiles, 0, 0, 0});
    }
    beside_captures const meanwhile;
    std::int32_t from_the_top = 0;
    if (tables) check(cudaMemcpyAsync(&from_the_top, &tables->from_the_top, sizeof from_the_top, cudaMemcpyDeviceToHost, stream));
    pass_route routes[Plan::most_passes];
    check(cudaMemcpyAsync(routes, plan->routes, sizeof routes, cudaMemcpyDeviceToHost, stream));
    check(cudaStreamSynchronize(stream));
    double const splits = twice ? 2 : 1;
    if (from_the_top)
      return seen.add(observed_way{top, "the device found that the keys spread over enough leaves", tiles, 0,
                                   counted > 0 ? counted + splits + 1 : 0, counted > 0 ? splits + 1 : 0});
    auto const done = static_cast<double>(std::count_if(routes, routes + passes, [](pass_route const& r) { return !r.skipped; }));
    // In place the last pass may end in scratch, and what decided may have read the keys as well.
    bool const is_known = counted > 0 && !in_place && !tables && done > 0;
    seen.add(observed_way{lowest,
                          tables ? "the device found that the keys would not spread over the leaves of a split from the top"
                                 : "the keys have few bits or much beside them, or are more than leaves hold",
                          tiles, 0, is_known ? counted + done : 0, is_known ? done : 0});
  });
}

/// The share of all bytes of an item and what is beside it that is the item's.
template <class T, class Beside>
constexpr double share_of_items = static_cast<double>(sizeof(T)) / static_cast<double>(sizeof(T) + Beside::bytes);
template <class T, class Beside>
requires(Beside::is_generated) constexpr double share_of_items<T, Beside> = 0;  // places are written in more bytes than are moved

/// All columns go along. `memory` has the layout's bytes.
template <class Policy, class T, class Order, class Columns>
void sort_along(Policy const& on, sort_job<T, Order, Columns> const& job, char* memory) {
  using beside_type = typename beside_of<Columns>::type;
  sort_layout<T, beside_type> const layout(job.size.bound, job.out != nullptr);
  scratch_of_call const scratch(on.scratch, layout.words_64(), 0, 0, on.stream);
  load_sort<T, Order, beside_type>();
  half_call begun(on.scratch);
  sort_by_lowest_digits(on, job, layout, memory, reinterpret_cast<T*>(memory + layout.more_items), layout.tiles, scratch.get(),
                        nullptr);
  begun.is_whole();
  observe_digits(reinterpret_cast<pass_plan const*>(memory + layout.plan), digits_to_count<T, Order>{job.order}.passes(),
                 share_of_items<T, beside_type>, job.in == job.out, layout.tiles, nullptr, false, on.stream);
}

/// Whether keys that stand alone go from the top is decided on the device; both ways are enqueued, and one of them ends at once.
template <class Policy, class T, class Order>
void sort_either_way(Policy const& on, sort_job<T, Order, columns<>> const& job) {
  either_layout<T, Order> const layout(job.size.bound);
  scratch_between_calls<char> const memory(on.scratch, static_cast<index_t>(layout.all.bytes()), on.stream);
  scratch_of_call const scratch(on.scratch, layout.words_64(), 0, 0, on.stream);
  load_sort<T, Order, nothing_beside>();
  load_from_top<T, Order>();
  half_call begun(on.scratch);
  auto const* const tables = sort_from_top(job, layout, memory.data(), scratch.get(), on.stream);
  sort_by_lowest_digits(on, job, layout, memory.data(), static_cast<T*>(nullptr), layout.tiles_of_passes, scratch.get(),
                        &tables->from_the_top);
  begun.is_whole();
  observe_digits(reinterpret_cast<pass_plan const*>(memory.data() + layout.plan), digits_to_count<T, Order>{job.order}.passes(), 1,
                 job.in == job.out, layout.tiles, tables, layout.widths.second > 0, on.stream);
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
void enqueue_gather(V const* in, V* out, Place const* places, bool moves, size n, bool has_gaps, cudaStream_t stream) {
  gather_call<V, Place> const call{in, out, places, moves, has_gaps, n};
  enqueue<&gather_kernel<V, Place>>(blocks_for(n.bound, copy_threads * 4), copy_threads, 0, stream, call);
}
template <class Place>
void load_gathers(columns<> const&) {}
template <class Place, class Column, class... Rest>
void load_gathers(columns<Column, Rest...> const& all) {
  load<&gather_kernel<typename Column::value_type, Place>>();
  load_gathers<Place>(all.rest);
}
template <class Place>
void gather_columns_of(columns<> const&, Place const*, void*, size, bool, cudaStream_t) {}
template <class Place, class Column, class... Rest>
void gather_columns_of(columns<Column, Rest...> const& all, Place const* places, void* aside, size n, bool has_gaps,
                       cudaStream_t stream) {
  using V = typename Column::value_type;
  static_assert(!Column::is_generated, "places stand alone");
  V const* const in = all.first.in;
  V* const out = all.first.out;
  if (in == out) {  // it would be read where it has been overwritten
    enqueue_gather<V, Place>(in, static_cast<V*>(aside), places, true, n, has_gaps, stream);
    enqueue_gather<V, Place>(static_cast<V*>(aside), out, places, false, n, has_gaps, stream);
  } else {
    enqueue_gather<V, Place>(in, out, places, true, n, has_gaps, stream);
  }
  gather_columns_of(all.rest, places, aside, n, has_gaps, stream);
}

/// The same with one column.
template <class Policy, class T, class Order, class Column>
void sort_pairs_either_way(Policy const& on, sort_job<T, Order, columns<Column>> const& job) {
  using beside_type = typename beside_of<columns<Column>>::type;
  pairs_layout<T, beside_type> const layout(job.size.bound, job.out != nullptr);
  scratch_between_calls<char> const memory(on.scratch, static_cast<index_t>(layout.all.bytes()), on.stream);
  scratch_of_call const scratch(on.scratch, layout.words_64(), 0, 0, on.stream);
  load_sort<T, Order, beside_type>();
  load_pairs_from_top<T, Order, beside_type>();
  half_call begun(on.scratch);
  auto const* const tables = sort_pairs_from_top(job, layout, memory.data(), scratch.get(), on.stream);
  sort_by_lowest_digits(on, job, layout, memory.data(), reinterpret_cast<T*>(memory.data() + layout.more_items), layout.tiles,
                        scratch.get(), &tables->from_the_top);
  begun.is_whole();
  observe_digits(reinterpret_cast<pass_plan const*>(memory.data() + layout.plan), digits_to_count<T, Order>{job.order}.passes(),
                 share_of_items<T, beside_type>, job.in == job.out, layout.tiles, tables, layout.widths.second > 0, on.stream);
}

/// One array: all columns go along, or places do.
template <class T, class Order, class Columns>
auto layout_of(sort_job<T, Order, Columns> const& job) {
  return sort_layout<T, typename beside_of<Columns>::type>(job.size.bound, job.out != nullptr);
}
template <class T, class Order, class Columns>
auto layout_of(sort_job<T, Order, Columns, segment_bounds> const& job) {
  return segments_layout<T, Order, Columns>(job.size.bound, job.segments.count, job.out != nullptr);
}
template <class Policy, class T, class Order, class Columns, class Layout>
void sort_along_in(Policy const& on, sort_job<T, Order, Columns> const& job, Layout const&, char* memory) {
  sort_along(on, job, memory);
}
template <class Policy, class T, class Order, class Columns, class Layout>
void sort_along_in(Policy const& on, sort_job<T, Order, Columns, segment_bounds> const& job, Layout const& layout, char* memory) {
  sort_segments_along(on, job, layout, memory);
}

/// Items go with their places; values are gathered by these. Items of no segment have none.
template <class Place, class Policy, class T, class Order, class Columns, class Segments>
void sort_and_gather(Policy const& on, sort_job<T, Order, Columns, Segments> const& job) {
  index_t const n = job.size.bound;
  sort_job<T, Order, columns<places_beside<Place>>, Segments> with_places{job.size, job.in, job.out, job.order, {}, job.segments};
  auto layout = layout_of(with_places);
  std::size_t const places_at = layout.all.add(static_cast<std::size_t>(n) * sizeof(Place)),
                    aside_at = layout.all.add(static_cast<std::size_t>(n) * widest_gathered(job.beside));
  scratch_between_calls<char> const memory(on.scratch, static_cast<index_t>(layout.all.bytes()), on.stream);
  auto* const places = reinterpret_cast<Place*>(memory.data() + places_at);
  with_places.beside.first.out = places;
  constexpr bool has_gaps = !std::is_same_v<Segments, no_segments>;
  load_gathers<Place>(job.beside);
  if (has_gaps) check(cudaMemsetAsync(places, 0xff, static_cast<std::size_t>(n) * sizeof(Place), on.stream));
  sort_along_in(on, with_places, layout, memory.data());
  gather_columns_of(job.beside, static_cast<Place const*>(places), memory.data() + aside_at, job.size, has_gaps, on.stream);
}

/// Few enough to be sorted by one block.
template <class Policy, class T, class Order, class Columns>
bool sort_few(Policy const& on, sort_job<T, Order, Columns> const& job) {
  using shape = typename chip_shapes<T, Order, Columns>::few;
  if (job.size.bound > shape::items) return false;
  constexpr auto kernel = &few_items_kernel<shape, T, Order, Columns>;
  resident_blocks<kernel, 1>(shape::threads, shape::bytes, 0);
  lookback::detail::observe_way("one block, on chip", "there are few items", 1, 0);
  chip_job<T, Order, Columns> const few{job.in, job.out, compared_by<Order>(job.order), job.beside};
  enqueue<kernel>(1, shape::threads, shape::bytes, on.stream, few, job.size);
  return true;
}
template <class Policy, class T, class Order, class Columns>
bool sort_few(Policy const&, sort_job<T, Order, Columns, segment_bounds> const&) {
  return false;
}

}  // namespace detail

/// What radix_sort and radix_sort_copy need of a workspace for up to n items of T and values of V...: workspace.reserve(it,
/// stream). Where it is reserved, the call allocates nothing, and may be captured.
template <class T, class... V>
scratch_need radix_sort_scratch(index_t n) {
  using beside = decltype(detail::list_of<values_beside<V>...>());
  if constexpr (sizeof...(V) == 0 && (sizeof(T) == 4 || sizeof(T) == 8) && radix_key<T>) {
    detail::either_layout<T, radix_order<T, itself, true>> const layout(n);
    return {layout.words_64(), layout.all.bytes()};
  } else if constexpr (detail::goes_along<beside> && sizeof...(V) == 1) {
    detail::pairs_layout<T, typename detail::beside_of<beside>::type> const layout(n, true);
    return {layout.words_64(), layout.all.bytes()};
  } else if constexpr (sizeof...(V) == 0) {
    detail::sort_layout<T, nothing_beside> const layout(n, true);
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
  detail::pairs_layout<T, one_beside<Place, true>> const layout(n, false);
  return {layout.words_64(), layout.all.bytes()};
}

namespace detail {
/// The widest key that `by` may take from an item.
struct widest_key {
  template <class T>
  LOOKBACK_FN std::uint64_t operator()(T const&) const {
    return 0;
  }
};
template <class T, bool Exact>
struct order_for {
  using type = radix_order<T, widest_key>;
};
template <radix_key T, bool Exact>
struct order_for<T, Exact> {
  using type = radix_order<T, itself, Exact>;
};
template <class T, bool Exact, class Columns>
scratch_need scratch_of_segments(index_t n, index_t segments, bool keeps_items, std::size_t bytes_more = 0) {
  segments_layout<T, typename order_for<T, Exact>::type, Columns> layout(n, segments, keeps_items);
  if (bytes_more > 0) layout.all.add(static_cast<std::size_t>(n) * sizeof(index_t)), layout.all.add(bytes_more);
  return {layout.words_64(), layout.all.bytes()};
}
}  // namespace detail
/// The same with so many segments, of any lengths.
template <class T, class... V>
scratch_need radix_sort_scratch(index_t n, index_t segments) {
  if constexpr (sizeof...(V) == 0) {
    auto const a = detail::scratch_of_segments<T, true, columns<>>(n, segments, true),
               b = detail::scratch_of_segments<T, false, columns<>>(n, segments, true);
    return {std::max(a.words_64, b.words_64), std::max(a.bytes, b.bytes)};
  } else if constexpr (detail::goes_along<decltype(detail::list_of<values_beside<V>...>())>) {
    return detail::scratch_of_segments<T, false, decltype(detail::list_of<values_beside<V>...>())>(n, segments, true);
  } else {
    return detail::scratch_of_segments<T, false, columns<places_beside<index_t>>>(
        n, segments, true, static_cast<std::size_t>(n) * std::max({sizeof(V)...}));
  }
}
template <class T, class Place>
scratch_need argsort_scratch(index_t n, index_t segments) {
  return detail::scratch_of_segments<T, false, columns<places_beside<Place>>>(n, segments, false);
}

/// Moves every item to the end of its class. Where classes begin is counted first, and left in starts[0] to starts[classes].
template <class Strategy, class Carry, class Tuning, class Items, int Classes, class Out, class F>
void scatter_into(policy<Strategy, Carry, Tuning> const& on, size n, Items const& items, scatter<Classes, Out, F> const& sink,
                  index_t* starts) {
  static_assert(std::is_same_v<Carry, no_carry>, "a carry needs a sink that stores every value");
  expects(n.bound < count_descriptors::count_limit, "fewer than 2^40 items are counted");
  using in_type = detail::items_to_scatter<Items, Out>;
  using shape = scatter_shape<Out, nothing_beside, true>;
  using class_type = class_below<F>;
  class_type const class_of{sink.of, Classes};
  index_t const tiles = tiles_of(n.bound, shape::tile_items);
  scratch_between_calls<pass_plan> const plan(on.scratch, 1, on.stream);
  scratch_of_call const scratch(on.scratch, static_cast<std::size_t>(tiles) * scatter_classes, 0, 0, on.stream);
  detail::resident_blocks<&count_kernel<in_type, classes_to_count<class_type>>, 1>(
      count_threads, count_shape<classes_to_count<class_type>>::bytes, 0);
  detail::resident_blocks<&scatter_kernel<in_type, class_type, nothing_beside, true, whole_array>, 1>(shape::threads, shape::bytes,
                                                                                                      0);
  detail::load<&starts_kernel<scatter_classes>>();
  in_type const in = detail::to_scatter<Out>(items);
  lookback::detail::observe_way("counted, then moved", "classes have to be counted before the first item has a place", tiles,
                                shape::tile_items, 2, 1);
  half_call begun(on.scratch);
  detail::enqueue_count(in, classes_to_count<class_type>{class_of}, n, plan.data(), nullptr, on.stream);
  detail::enqueue<&starts_kernel<scatter_classes>>(1, scatter_classes, 0, on.stream, plan.data(), starts, Classes);
  scatter_call<in_type, class_type, nothing_beside> const call{.in = in,
                                                               .out = {nullptr, sink.out, nullptr},
                                                               .beside = {},
                                                               .class_of = class_of,
                                                               .tiling = {n, plan.data()->starts[0], nullptr},
                                                               .tiles = {detail::descriptors_in<count_descriptors>(scratch.get())},
                                                               .memory = scratch.get()};
  detail::enqueue_scatter<true>(tiles, call, on.stream);
  begun.is_whole();
}

/// Sorts on the GPU, by digits or by comparisons, in segments where the job has some.
template <class Strategy, class Carry, class Tuning, class T, class Order, class Beside, class Segments>
void sort_into(policy<Strategy, Carry, Tuning> const& on, sort_job<T, Order, Beside, Segments> const& job) {
  static_assert(std::is_same_v<Strategy, decoupled_look_back>, "sorts have the strategy decoupled_look_back, and textbook{}");
  static_assert(std::is_same_v<Carry, no_carry>, "a carry needs a sink that stores every value");
  index_t const n = job.size.bound;
  expects(n < count_descriptors::count_limit, "fewer than 2^40 items are counted");
  if (n == 0) return;
  if constexpr (!std::is_same_v<Segments, no_segments>) {
    expects(job.segments.count < (index_t{1} << 32), "there are fewer than 2^32 segments");
    if (job.segments.count == 0) return;
  }
  if (detail::sort_few(on, job)) return;
  if constexpr (detail::may_go_from_the_top<T, Order, Beside, Segments>)
    if (job.order.all_of_it() && n <= detail::most_from_the_top<typename Order::value>) return detail::sort_either_way(on, job);
  if constexpr (detail::may_go_from_the_top_in_order<T, Order, Beside, Segments>)
    if (detail::pays_from_the_top(job)) return detail::sort_pairs_either_way(on, job);
  if constexpr (detail::goes_along<Beside>) {
    auto const layout = detail::layout_of(job);
    scratch_between_calls<char> const memory(on.scratch, static_cast<index_t>(layout.all.bytes()), on.stream);
    detail::sort_along_in(on, job, layout, memory.data());
  } else if (n < index_t{1} << 32) {
    detail::sort_and_gather<std::uint32_t>(on, job);
  } else {
    detail::sort_and_gather<index_t>(on, job);
  }
}

}  // namespace lookback::gpu
