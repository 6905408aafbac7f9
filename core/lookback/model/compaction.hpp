// What the algorithms that compact share: how an item becomes a class, what is moved, and who waits for the counts.
#pragma once
#include <array>
#include <type_traits>

#include "../error.hpp"
#include "../operators.hpp"
#include "../policy.hpp"
#include "../segments.hpp"
#include "../sink.hpp"
#include "../source.hpp"
#include "../strategy.hpp"
#include "call.hpp"
#include "overlap.hpp"

namespace lookback::detail {

/// Classes by predicates, asked in turn: the first that holds, else the class behind the last.
template <class... Predicates>
struct first_that_holds {
  template <class X>
  LOOKBACK_FN int operator()(X const&) const {
    return 0;
  }
};
template <class Predicate, class... Rest>
struct first_that_holds<Predicate, Rest...> {
  Predicate holds;
  first_that_holds<Rest...> rest;
  LOOKBACK_CALLS_USER
  template <class X>
  LOOKBACK_FN int operator()(X const& x) const {
    return called(holds, x) ? 0 : 1 + rest(x);
  }
};

struct is_set {
  template <class Flag>
  LOOKBACK_FN bool operator()(Flag const& flag) const {
    return flag != Flag{};
  }
};

/// What moves: the item as it lies in memory, or what the source and `into` make of it.
template <class T>
the_item payload(elements<T> const&, as_it_is) {
  return {};
}
template <class Items>
Items payload(Items const& items, as_it_is) {
  return items;
}
template <class Items, class F>
mapped_items<Items, F> payload(Items const& items, F f) {
  return {items, f};
}

/// The place of an item, as Place.
template <class Place>
struct place_of_item {
  template <class... X>
  LOOKBACK_FN Place operator()(index_t i, X const&...) const {
    return static_cast<Place>(i);
  }
};

/// The same in the whole, of a chunk before which there were `*before` items, which is read where the call runs, or else
/// `known_before`.
template <class Place>
struct place_in_whole {
  index_t const* before;
  index_t known_before;
  template <class... X>
  LOOKBACK_FN Place operator()(index_t i, X const&...) const {
    return static_cast<Place>((before ? *before : known_before) + i);
  }
};
template <class Place, policy On>
auto place_payload(On const& on) {
  if constexpr (std::is_same_v<typename On::carry_type, no_carry>) return place_of_item<Place>{};
  else {
    if constexpr (on_device<On>)
      if (on.carry.in && on.keeps_carry_at(on.carry.in)) return place_in_whole<Place>{&on.carry.in->count, 0};
    return place_in_whole<Place>{nullptr, on.carry.in ? on.carry.in->count : 0};
  }
}

/// The value of items that stand beside others which are staged first.
template <int Skipped, class Items>
struct item_beside {
  Items items;
  LOOKBACK_CALLS_USER
  template <class... X>
  LOOKBACK_FN auto operator()(index_t i, X const&... x) const {
    return value_of_later<Skipped>(items, i, x...);
  }
};

/// One scan that compacts. Classes come from `classes`, or from `marks` where there are any.
template <std::size_t Number, policy On, class From, class Marks, class Out, class Payload>
void compact_into(On const& on, size n, From const& classes, Marks const& marks, Out* const (&outputs)[Number],
                  bool const (&reversed)[Number], Payload const& payload, index_t* counts, bool stacked = false) {
  constexpr int Classes = static_cast<int>(Number);
  expects(n.bound >= 0, "the number of items is not negative");
  expects_reached(on, counts, Number, Number == 1 ? "count" : "counts");
  compact<Classes, Out, Payload> sink{{}, counts, {}, payload, {}, stacked};
  for (int c = 0; c < Classes; ++c) {
    sink.outputs[c] = outputs[c], sink.reversed[c] = reversed[c];
    expects_exact_or_apart(classes.arrays(), outputs[c] - (reversed[c] ? n.bound : 0), n.bound);
    if constexpr (is_runs<Marks>)
      expects(std::is_same_v<Out, item_value_t<From>> || !touches(classes.arrays(), outputs[c], n.bound),
              "the output may overlap the input only if both have the same element type");
  }
  scan_into(without_direction(on), n, source<From, Marks, int>{classes, marks, {}}, ranks<Classes>{}, sink);
}

template <class Out>
void expects_room(Out const& out, index_t n) {
  expects_size(out.size, n, "an output of a compaction has room for every item");
}

template <policy On, class Out>
void expects_room_for_results(On const& on, Out const& out, index_t n) {
  if (left_open(on) == 0) expects_room(out, n);
  else expects_size(out.size, n + 1, "there is room for the result of every item, and of what an earlier chunk has left open");
}

/// `outs` elements from `out` on, and n of each column.
template <class Out>
void expects_apart_from_each_other(Out const*, index_t, columns<> const&, index_t) {}
template <class Out, class Column, class... Rest>
void expects_apart_from_each_other(Out const* out, index_t outs, columns<Column, Rest...> const& all, index_t n) {
  expects(!overlap(bytes(out, outs), bytes(all.first.out, n)), "the outputs do not overlap");
  expects_apart_from_each_other(out, outs, all.rest, n);
  expects_apart_from_each_other(all.first.out, n, all.rest, n);
}

/// Results for each run of up to n keys, and what is stored of first items beside them: where they may lie.
template <policy On, class Arrays, class Out, class... Columns>
void expects_runs_storable(On const& on, Arrays const& in, Out const* out, columns<Columns...> const& firsts, index_t n) {
  expects(n >= 0, "the number of items is not negative");
  expects_apart_from_each_other(out, n + left_open(on), firsts, n);
  expects(!touches(in, n, out, n + left_open(on)), "the results of runs do not overlap the input");
  expects_firsts_apart(in, firsts, n, reads_twice<typename On::strategy_type>);
}

/// Calls compact(counts) and waits for the counts that it leaves there. Throws invalid_argument where `on` is being captured.
template <int Counts, policy On, class Compact>
std::array<index_t, static_cast<std::size_t>(Counts)> wait_for_counts(On const& on, Compact compact) {
  auto counts = count_storage_for(on, std::integral_constant<int, Counts>{});
  compact(counts.data());
  return counts.wait();
}

template <class Items>
inline constexpr bool is_elements = false;
template <class T>
inline constexpr bool is_elements<elements<T>> = true;

}  // namespace lookback::detail

namespace lookback {

template <class Place>
inline constexpr bool takes_only_the_item<detail::place_of_item<Place>> = true;
template <class Place>
inline constexpr bool takes_only_the_item<detail::place_in_whole<Place>> = true;

template <class Equal, class T>
concept equality_of = requires(Equal const& equal, T const& x) {
  static_cast<bool>(equal(x, x));
};

/// Another array, or lazy input, of at least as many elements as there are items: the predicate is asked of these.
template <class Items, bool OnHost = false>
struct stencil_of {
  input<Items, OnHost> of;
};
template <readable In>
auto stencil(In const& in) {
  return stencil_of<items_t<In>, detail::is_on_host<decltype(as_input(in))>>{as_input(in)};
}

/// Input whose elements lie in memory: a range, or first(range, n).
template <class In>
concept in_memory = readable<In> && detail::is_elements<items_t<In>>;

}  // namespace lookback
