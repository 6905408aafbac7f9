// How a sort is asked for: options behind its arguments, in any order; values that move along, one array or several.
#pragma once
#include <lookback/model/call.hpp>
#include <lookback/model/overlap.hpp>
#include <lookback/model/sort_job.hpp>
#include <string>
#include <tuple>
#include <utility>

namespace lookback {

/// Sorts by bits [begin, end) of the key's number alone (model/radix_order.hpp): by all of an unsigned key's bits where that is 0
/// and its width. No bits: the order stays, which makes a copy.
struct bits {
  int begin, end;
};
/// The largest key first. Equal keys keep the order that they had.
struct descending_t {};
inline constexpr descending_t descending{};
/// NaNs before all other keys instead of behind them.
struct nan_first_t {};
inline constexpr nan_first_t nan_first{};
/// By the plainest algorithm that is right: radix_sort by `split`, one bit a pass; quicksort by segmented scans, one pivot a
/// segment and round. For readers, and to check others by.
struct textbook {};
/// What a round of the textbook's quicksort has left to the next: segments of more than one item, and the items in them.
struct round_left {
  index_t segments, items;
};
/// textbook{} of quicksort, which calls report(round_left) on the host after each round.
template <class Report>
struct textbook_rounds {
  Report report;
};
/// quicksort may let equal items change places: a chance to be faster, not a promise of another order.
struct unstable_t {};
inline constexpr unstable_t unstable{};

/// Sorts by f(item), an arithmetic key: items may be any structs then. f is pure, and called several times for an item. Also a
/// pointer to a member.
template <class F>
struct by_key {
  F f;
};
template <class F>
by_key<F> by(F f) {
  return {f};
}

/// Sorts inside of segments: offsets(o), as elsewhere, or segment s as items [begins[s], ends[s]). Those need not be in order, nor
/// touch: what lies between them stays. They do not overlap.
template <contiguous Begins, contiguous Ends>
auto offsets(Begins const& begins, Ends const& ends) {
  expects_count(std::ssize(ends), std::ssize(begins), "a segment has a begin and an end");
  return detail::described_by<Begins, Ends>(segment_bounds{offsets(begins), offsets(ends), std::ssize(begins)});
}

namespace detail {

/// Segments that lie side by side end where the next one begins.
inline segment_bounds bounds_of(segments const& s) {
  expects(is_offsets(s), "the segments of a sort are given by offsets");
  expects(s.count >= 1, "offsets hold at least one position");
  segments ends = s;
  ends.data = static_cast<char const*>(s.data) + (s.kind == segment_kind::offsets32 ? 4 : 8);
  return {s, ends, s.count - 1};
}
inline segment_bounds bounds_of(segment_bounds const& s) { return s; }

template <class Option>
inline constexpr bool is_segments = false;
template <>
inline constexpr bool is_segments<segments> = true;
template <>
inline constexpr bool is_segments<offset_segments> = true;
template <>
inline constexpr bool is_segments<segment_bounds> = true;
template <class Described>
inline constexpr bool is_segments<in_host_container<Described>> = is_segments<Described>;

template <class Option>
inline constexpr bool is_sort_option =
    is_segments<Option> || std::is_same_v<Option, bits> || std::is_same_v<Option, descending_t> ||
    std::is_same_v<Option, nan_first_t> || std::is_same_v<Option, textbook>;
template <class F>
inline constexpr bool is_sort_option<by_key<F>> = true;

template <class Option>
inline constexpr bool is_by = false;
template <class F>
inline constexpr bool is_by<by_key<F>> = true;

template <class Option>
inline constexpr bool is_textbook_rounds = false;
template <class Report>
inline constexpr bool is_textbook_rounds<textbook_rounds<Report>> = true;

/// Those of a sort by comparisons, whose function says what others ask options for.
template <class Option>
inline constexpr bool is_quicksort_option =
    is_segments<Option> || std::is_same_v<Option, unstable_t> || std::is_same_v<Option, textbook> || is_textbook_rounds<Option>;

}  // namespace detail

template <class Option>
concept sort_option = detail::is_sort_option<std::remove_cvref_t<Option>>;
template <class Option>
concept quicksort_option = detail::is_quicksort_option<std::remove_cvref_t<Option>>;

namespace detail {

/// The options of one call.
template <class... Options>
struct sort_options {
  std::tuple<Options...> given;

  template <class Option>
  static constexpr int number_of = (0 + ... + static_cast<int>(std::is_same_v<Options, Option>));
  static constexpr int orders = (0 + ... + static_cast<int>(is_by<Options>));
  static constexpr int segmentations = (0 + ... + static_cast<int>(is_segments<Options>));
  static_assert(((number_of<Options> == 1) && ...) && orders <= 1 && segmentations <= 1, "an option of a sort is given once");
  template <class Option>
  static constexpr bool has = number_of<Option> != 0;

  /// The order of items of type T; `Alone`: nothing moves along.
  template <class T, bool Alone>
  auto order() const {
    constexpr bool is_exact = Alone && number_of<bits> == 0;
    if constexpr (orders == 1) return order_by<T, false>(key_function(std::make_index_sequence<sizeof...(Options)>{}));
    else return order_by<T, is_exact>(itself{});
  }
  /// Where the segments lie: no_segments, or segment_bounds, if `on` reaches them.
  template <policy On>
  auto bounds(On const&) const {
    expects_no_host_container<On, ((is_segments<Options> && is_on_host<Options>) || ...)>();
    if constexpr (segmentations == 1) return bounds_of(given_segments(std::make_index_sequence<sizeof...(Options)>{}));
    else return no_segments{};
  }

 private:
  template <std::size_t First, std::size_t... Rest>
  auto given_segments(std::index_sequence<First, Rest...>) const {
    auto const& option = std::get<First>(given);
    if constexpr (is_segments<std::remove_cvref_t<decltype(option)>>) return option;
    else return given_segments(std::index_sequence<Rest...>{});
  }
  template <std::size_t First, std::size_t... Rest>
  auto key_function(std::index_sequence<First, Rest...>) const {
    auto const& option = std::get<First>(given);
    if constexpr (is_by<std::remove_cvref_t<decltype(option)>>) return option.f;
    else return key_function(std::index_sequence<Rest...>{});
  }
  template <class T, bool Exact, class By>
  auto order_by(By const& by) const {
    using key = std::remove_cvref_t<decltype(called(by, std::declval<T const&>()))>;
    static_assert(radix_key<key>, "keys are integers of at most 8 bytes or floating-point numbers; by(f) takes one from a struct");
    if constexpr (radix_key<key>) {
      radix_order<T, By, Exact> order{by, {has<descending_t>, has<nan_first_t>}};
      if constexpr (has<bits>) {
        auto const [begin, end] = std::get<bits>(given);
        expects(0 <= begin && begin <= end && end <= order.end,
                ("bits{begin, end} lie in the key: 0 <= begin <= end <= " + std::to_string(order.end) + ", found {" +
                 std::to_string(begin) + ", " + std::to_string(end) + "}")
                    .c_str());
        order.begin = begin, order.end = end;
      }
      return order;
    }
  }
};

}  // namespace detail

// ---- several arrays of values

/// Arrays that lie beside each other, each with an element for every item.
template <class... Ranges>
struct zipped {
  std::tuple<Ranges...> ranges;  // spans, or references to what the caller named
};
/// radix_sort(on, keys, zip(a, b)): both move with the keys.
template <class... Ranges>
requires(contiguous<std::remove_cvref_t<Ranges>>&&...) zipped<Ranges...> zip(Ranges&&... ranges) {
  (detail::expects_lasting<Ranges>(), ...);
  return {std::tuple<Ranges...>{std::forward<Ranges>(ranges)...}};
}

namespace detail {
template <class T>
inline constexpr bool is_zipped = false;
template <class... Ranges>
inline constexpr bool is_zipped<zipped<Ranges...>> = true;
}  // namespace detail

namespace detail {

/// Where the arrays of a sort lie: each has a place that it is read at and one that it is written at, null where there is none.
struct moved_array {
  bytes in{static_cast<char*>(nullptr), 0}, out{static_cast<char*>(nullptr), 0};
  char const* name = "";
};
/// What is written is exactly what is read of the same array, or apart from everything.
template <std::size_t Number>
void expects_sortable(moved_array const (&all)[Number]) {
  auto const expects_apart = [](bytes a, bytes b, moved_array const& what) {
    if (overlap(a, b))
      throw invalid_argument(
          std::string("lookback: expected: the output of a sort is exactly its input, or apart from every array; `") + what.name +
          "` overlaps another");
  };
  for (moved_array const& a : all) {
    if (a.in.begin != a.out.begin) expects_apart(a.in, a.out, a);
    for (moved_array const& b : all)
      if (&a != &b) expects_apart(a.out, b.in, a), expects_apart(a.out, b.out, a);
  }
}

template <class First, class... Rest>
columns<First, Rest...> columns_of(First const& first, columns<Rest...> const& rest) {
  return {first, rest};
}
/// Nothing that is written overlaps what says where segments lie.
template <policy On, std::size_t Number>
void expects_sortable(On const&, no_segments const&, moved_array const (&)[Number]) {}
template <policy On, std::size_t Number>
void expects_sortable(On const& on, segment_bounds const& s, moved_array const (&all)[Number]) {
  for (segments const& of : {s.begins, s.ends}) {
    expects_reached(on, of);
    index_t const bytes_each = of.kind == segment_kind::offsets32 ? 4 : 8;
    bytes const there(static_cast<char const*>(of.data), s.count * bytes_each);
    for (moved_array const& a : all)
      expects(!overlap(a.out, there), "the output of a sort does not overlap the offsets of segments");
  }
}
/// The columns of values that move: n of each.
template <policy On>
columns<> values_of(On const&, index_t, std::tuple<>, std::tuple<>, moved_array*) {
  return {};
}
template <policy On, class In, class... Ins, class Out, class... Outs>
auto values_of(On const& on, index_t n, std::tuple<In&, Ins&...> in, std::tuple<Out&, Outs&...> out, moved_array* note) {
  auto const from = input_of(on, std::get<0>(in), "values");
  auto const to = output_of(on, std::get<0>(out), "values_out");
  using V = std::remove_cvref_t<decltype(*to.data)>;
  static_assert(std::is_same_v<V, item_value_t<std::remove_cvref_t<decltype(from.items)>>>, "values keep their type");
  static_assert(sizeof(V) <= 64, "values have at most 64 bytes");
  expects_size(from.size.bound, n, "there is a value for every key");
  expects_size(to.size, n, "values_out has room for every value");
  *note = {{from.items.data, n}, {to.data, n}, "values_out"};
  auto const rest = std::apply([](auto&, auto&... others) { return std::tuple<decltype(others)...>{others...}; }, in);
  auto const rest_out = std::apply([](auto&, auto&... others) { return std::tuple<decltype(others)...>{others...}; }, out);
  auto const others = values_of(on, n, rest, rest_out, note + 1);
  return columns_of(values_beside<V>{from.items.data, to.data}, others);
}
/// The ranges of values, by reference.
template <class Values>
auto ranges_of(Values& values) {
  if constexpr (is_zipped<std::remove_const_t<Values>>)
    return std::apply([](auto&... each) { return std::tie(each...); }, values.ranges);
  else return std::tie(values);
}

}  // namespace detail

/// What moves with the items of a sort: a range, or zip(...) of some.
template <class Values>
concept sort_values = detail::is_zipped<std::remove_cvref_t<Values>> || contiguous<std::remove_cvref_t<Values>>;

}  // namespace lookback
