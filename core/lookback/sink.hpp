// Where a value lands. Four kinds, so that an engine can gather a tile before it stores.
#pragma once
#include <ranges>
#include <type_traits>

#include "fn.hpp"
#include "source.hpp"

namespace lookback {

/// The identity: the function that fusion leaves out.
struct as_it_is {
  template <class T>
  LOOKBACK_FN T const& operator()(T const& x) const {
    return x;
  }
};

namespace detail {
/// What is stored at place i of a value that was scanned to there: f(value), or f(i, value) if f asks for the place.
LOOKBACK_CALLS_USER
template <class F, class T>
LOOKBACK_FN decltype(auto) stored(F const& f, index_t i, T const& value) {
  if constexpr (std::is_invocable_v<F const&, index_t, T const&>) return f(i, value);
  else return f(value);
}
}  // namespace detail

/// Item i lands at out[i], through `f`: inclusive, or the value before the item. A run-time choice: one kernel for both.
template <class Out, class F = as_it_is>
struct each {
  using value_type = Out;
  Out* out;
  bool exclusive;
  F f;  // (value), or (i, value)
  LOOKBACK_CALLS_USER
  template <class T>
  LOOKBACK_FN Out operator()(index_t i, T const& before, T const& inclusive) const {
    return static_cast<Out>(exclusive ? detail::stored(f, i, before) : detail::stored(f, i, inclusive));
  }
};

/// The operator of a compact scan: how many items of each of k classes came before. Nothing to say, so nothing to pass.
template <int Classes>
struct ranks {};

/// One more array beside an output: out[k] = payload(i, x...) where item i decides what stands at place k of the output. The
/// payload is asked for with the staged elements of the item.
template <class Out, class Payload>
struct column {
  using value_type = Out;
  Out* out;
  Payload payload;
};
/// Any number of them: a list that both host and device code can walk.
template <class... Columns>
struct columns {
  static constexpr int count = 0;
};
template <class Column, class... Rest>
struct columns<Column, Rest...> {
  static constexpr int count = 1 + static_cast<int>(sizeof...(Rest));
  Column first;
  columns<Rest...> rest;
};

/// The payload that compaction moves by default: the item itself, the first staged array.
struct the_item {
  template <class X, class... Rest>
  LOOKBACK_FN X operator()(index_t, X const& x, Rest const&...) const {
    return x;
  }
};

/// Payloads that look at no staged element but the first: what the others held may have gone meanwhile.
template <class Payload>
inline constexpr bool takes_only_the_item = false;
template <>
inline constexpr bool takes_only_the_item<the_item> = true;

/// Each item goes to the end of the output of its class, in order; the source's value is the class, an int in [0, Classes], and
/// class `Classes` is dropped. `reversed[c]` fills outputs[c] from its end towards its front (rejects reversed).
///   outputs[c]   room for every item that may land there; may be the input itself where Payload is the_item (in place): its begin
///                if the scan goes from left to right, its end and `reversed` if it goes from right to left
///   counts       where the number of items of each class is left, `Classes` of them, readable where the scan runs
///   stacked      all outputs are one array, where class c lies behind class c-1: a strategy that reads twice counts them first
///   beside       with one class: what else is stored of an item that is kept, each to an array of its own, on what it is made of
///                or apart; over the keys of runs nothing but keys
template <int Classes, class Out, class Payload = the_item, class... Columns>
struct compact {
  using value_type = Out;
  using stored = arrays<Out, typename Columns::value_type...>;
  static constexpr int classes = Classes;
  Out* outputs[static_cast<std::size_t>(Classes)];
  index_t* counts;
  bool reversed[static_cast<std::size_t>(Classes)];  // true: outputs[c] points one past the last place
  Payload payload;                                   // (i, x...) -> Out, from the staged elements of item i
  columns<Columns...> beside{};
  bool stacked = false;
};

/// Classes whose function returns nothing but classes: `static constexpr bool is_total = true` in it.
template <class F>
inline constexpr bool is_total_class = requires {
  requires F::is_total;
};

/// Each item goes behind the earlier items of its class, and class c begins at out[starts[c]]: a stable split into many classes of
/// known sizes. The source's value is what is stored, and of(value) its class, an int; an item outside of [0, Classes) is dropped.
///   out     room for starts[Classes] items, apart from everything
///   starts  Classes + 1 places, readable where the scan runs: starts[c + 1] - starts[c] is the number of items of class c
///   beside  what else is stored of an item, each to an array of its own, apart too
template <int Classes, class Out, class F, class... Columns>
struct scatter {
  using value_type = Out;
  static constexpr int classes = Classes;
  static_assert(Classes >= 1 && Classes <= 256, "a split has 1 to 256 classes");
  Out* out;
  F of;
  index_t const* starts;
  columns<Columns...> beside{};
};

/// One result per segment: out[s] = f(reduction of segment s), or f(s, reduction) where segments are known to be offsets; with
/// offsets also for empty ones, which give the initial value, else the identity: with offsets there is one or the other. With heads
/// or keys, segments are numbered as they come and `count` receives how many there were.
///   out     room for every segment;  count  may be null; readable where the scan runs
///   firsts  with heads or keys: what is stored of the first item of each segment, to arrays of their own; the keys of runs may
///           go over the keys if the strategy reads once
/// Results are stored while other tiles still read: out is apart from everything. f may read out[s] itself, which nobody else does.
template <class Out, class F = as_it_is, class... Columns>
struct per_segment {
  using value_type = Out;
  using stored = arrays<Out, typename Columns::value_type...>;
  Out* out;
  index_t* count;
  F f;
  columns<Columns...> firsts{};
};

template <class Sink>
inline constexpr bool is_each = false;
template <class Out, class F>
inline constexpr bool is_each<each<Out, F>> = true;
template <class Sink>
inline constexpr bool is_compact = false;
template <int Classes, class Out, class Payload, class... Columns>
inline constexpr bool is_compact<compact<Classes, Out, Payload, Columns...>> = true;
template <class Sink>
inline constexpr bool is_scatter = false;
template <int Classes, class Out, class F, class... Columns>
inline constexpr bool is_scatter<scatter<Classes, Out, F, Columns...>> = true;
template <class Sink>
inline constexpr bool is_per_segment = false;
template <class Out, class F, class... Columns>
inline constexpr bool is_per_segment<per_segment<Out, F, Columns...>> = true;

// ---- what a caller may pass as output: a contiguous sized range, or one through a function.

template <class R>
concept writable_range =
    detail::is_no_wrong_range<std::remove_cvref_t<R>>() && std::ranges::contiguous_range<R> && std::ranges::sized_range<R> &&
    !std::is_const_v<std::remove_reference_t<std::ranges::range_reference_t<R>>>;

template <class T, class F, bool OnHost = false>
struct output {
  T* data;
  index_t size;
  F f;
};

template <writable_range R>
auto as_output(R&& range) {
  using element = std::remove_reference_t<std::ranges::range_reference_t<R>>;
  expects_element<element>();
  return output<element, as_it_is, detail::is_host_container<std::remove_cvref_t<R>>>{
      std::ranges::data(range), static_cast<index_t>(std::ranges::size(range)), {}};
}
template <class T, class F, bool OnHost>
auto as_output(output<T, F, OnHost> const& out) {
  return out;
}

template <class Out>
concept writable = requires(Out&& out) {
  as_output(out);
};

/// Stores g(value) instead of the value, or g(i, value) if g takes the place as well: a map fused behind the scan. g is pure, and
/// may be called more than once for a value.
template <writable_range R, class G>
auto into(R&& range, G g) {
  auto const plain = as_output(range);
  return output<std::remove_reference_t<decltype(*plain.data)>, G, detail::is_host_container<std::remove_cvref_t<R>>>{
      plain.data, plain.size, g};
}

}  // namespace lookback
