// Sorting by the digits of keys: keys alone, with values, or the order alone; in place or to other arrays.
//
//   lookback::radix_sort(on, keys);                                              in place, ascending
//   lookback::radix_sort(on, keys, values, lookback::descending);                values move with their keys
//   lookback::radix_sort(on, keys, lookback::zip(a, b), lookback::bits{0, 20});  two arrays of values, by 20 bits of the keys
//   lookback::radix_sort(on, rows, lookback::by(&row::time));                    structs, by a member
//   lookback::radix_sort_copy(on, keys, sorted);                                 keys stay
//   lookback::radix_sort_copy(on, keys, values, keys_out, values_out);           inputs first, then outputs
//   lookback::radix_sort(on, keys, lookback::offsets(rows));                     every row by itself
//   lookback::radix_sort(on, keys, lookback::offsets(begins, ends));             segments with gaps between them, which stay
//   lookback::argsort(on, keys, indices);                                        where each would go: keys[indices[0]] is the least
#pragma once
#include <lookback/model/compaction.hpp>
#include <lookback/sort_options.hpp>
#include <lookback/textbook_sort.hpp>
#include <tuple>

namespace lookback {

namespace detail {

/// One sort of what `in` and `out` name; `out` is null where items stay.
template <policy On, class T, class Beside, std::size_t Arrays, class... Options>
void sort_items(On const& on, size n, T const* in, T* out, Beside const& beside, moved_array const (&all)[Arrays],
                sort_options<Options...> const& options) {
  using given = sort_options<Options...>;
  expects(n.bound >= 0, "the number of items is not negative");
  expects_sortable(all);
  for (moved_array const& a : all) expects_count_apart(n, a.out);
  auto const segments = options.bounds(on);
  using segments_type = std::remove_const_t<decltype(segments)>;
  expects_sortable(on, segments, all);
  static_assert(sizeof(T) <= 64, "items have at most 64 bytes");
  auto const order = options.template order<T, Beside::count == 0>();
  using order_type = std::remove_const_t<decltype(order)>;
  sort_job<T, order_type, Beside, segments_type> const job{n, in, out, order, beside, segments};
  static_assert(!given::template has<textbook> || std::is_same_v<segments_type, no_segments>, "textbook{} sorts one array");
  if constexpr (given::template has<textbook>) textbook_sort(without_direction(on), job);
  else sort_into(without_direction(on), job);
}

template <class Items, class Out>
constexpr void expects_same_keys() {
  static_assert(std::is_same_v<item_value_t<Items>, std::remove_cvref_t<Out>>, "keys_out has elements of the type of keys");
}

template <policy On, class Keys, class KeysOut, class... Options>
void sort_keys(On const& on, Keys const& keys, KeysOut& keys_out, Options const&... options) {
  auto const from = input_of(on, keys, "keys");
  auto const to = output_of(on, keys_out, "keys_out");
  expects_same_keys<items_t<Keys>, decltype(*to.data)>();
  index_t const n = from.size.bound;
  expects_size(to.size, n, "keys_out has room for every key");
  sort_items(on, from.size, from.items.data, to.data, columns<>{}, {{{from.items.data, n}, {to.data, n}, "keys_out"}},
             sort_options<Options...>{{options...}});
}

template <policy On, class Keys, class Values, class KeysOut, class ValuesOut, class... Options>
void sort_pairs(On const& on, Keys const& keys, Values& values, KeysOut& keys_out, ValuesOut& values_out,
                Options const&... options) {
  auto const from = input_of(on, keys, "keys");
  auto const to = output_of(on, keys_out, "keys_out");
  expects_same_keys<items_t<Keys>, decltype(*to.data)>();
  index_t const n = from.size.bound;
  expects_size(to.size, n, "keys_out has room for every key");
  auto const in = ranges_of(values);
  auto const out = ranges_of(values_out);
  constexpr std::size_t number = std::tuple_size_v<std::remove_const_t<decltype(in)>>;
  static_assert(number == std::tuple_size_v<std::remove_const_t<decltype(out)>>, "as many arrays of values come out as go in");
  moved_array all[1 + number];
  all[0] = {{from.items.data, n}, {to.data, n}, "keys_out"};
  auto const beside = values_of(on, n, in, out, all + 1);
  sort_items(on, from.size, from.items.data, to.data, beside, all, sort_options<Options...>{{options...}});
}

}  // namespace detail

/// Sorts keys in place. Stable where anybody could tell: equal keys of pairs and structs keep their order.
///
///   on       cpu::seq, cpu::on(threads), gpu::on(stream) ...; a GPU call only enqueues, and may be captured in a graph
///   keys     bool, integers of 1 to 8 bytes, floating-point numbers of 2 (where the type exists), 4 or 8; with by(f) structs of at
///            most 64 bytes, trivially copyable
///   options  bits{begin, end}, descending, nan_first, by(f), offsets(o) or offsets(begins, ends), textbook: each at most once, in
///            any order
///
/// With segments each is sorted by itself; items of no segment stay, and at keys_out nothing is written in their place. Offsets
/// that are not in order, go beyond n or overlap give an unspecified result, but touch no other memory. Where NDEBUG is not defined
/// all of these but overlaps throw invalid_argument (cpu).
///
/// Order:  -0 equals +0, and NaNs equal each other and come last in both directions, or first with nan_first. Of floating-point
///         keys alone (without by, bits and values) the bits decide between equals: -0 before +0, NaNs without a sign by rising
///         bits, then those with one by falling bits; descending turns that, too, and NaNs still come last (docs/numbers.md).
/// Result: the same bits on every run, number of threads and back end.
/// Cost:   reads and writes the keys once for each digit of 8 bits at most, and reads them once more to count (docs/tuning.md,
///         docs/tuning_cpu.md). Scratch on a GPU: n keys, n values, and 2 KB of counts for every tile: n / 5 bytes of 4-byte keys
///         alone, n / 3 of 8-byte ones on an sm_90. gpu::radix_sort_scratch says it.
/// Throws: invalid_argument; out_of_memory; device_error. right_to_left is refused. What f throws (cpu) comes through: one array
///         is unchanged, and with segments each one is sorted or unchanged.
/// Source: Merrill & Grimshaw, High Performance and Scalable Radix Sorting, 2011; Adinets & Merrill, Onesweep, 2022.
template <policy On, writable_range Keys, sort_option... Options>
void radix_sort(On const& on, Keys&& keys, Options const&... options) {
  detail::sort_keys(on, keys, keys, options...);
}

/// The same of keys with values, which move along: a value of 1 to 64 bytes for every key, or zip(...) of arrays of them. Stable.
template <policy On, writable_range Keys, sort_values Values, sort_option... Options>
void radix_sort(On const& on, Keys&& keys, Values&& values, Options const&... options) {
  detail::sort_pairs(on, keys, values, keys, values, options...);
}

/// To another array: `keys_out` has room for n keys and is apart from everything, or exactly the input. `keys` may be
/// first(keys, {bound, count}), whose number lies in memory where `on` runs.
template <policy On, in_memory Keys, writable_range KeysOut, sort_option... Options>
void radix_sort_copy(On const& on, Keys const& keys, KeysOut&& keys_out, Options const&... options) {
  detail::sort_keys(on, keys, keys_out, options...);
}
template <policy On, in_memory Keys, sort_values Values, writable_range KeysOut, sort_values ValuesOut, sort_option... Options>
void radix_sort_copy(On const& on, Keys const& keys, Values&& values, KeysOut&& keys_out, ValuesOut&& values_out,
                     Options const&... options) {
  detail::sort_pairs(on, keys, values, keys_out, values_out, options...);
}

/// indices[k] is the place in keys of the key that is k-th in order: keys stay as they are. Stable: equal keys by their places.
///
///   indices  n of int32_t, uint32_t or int64_t, apart from keys; written only. invalid_argument where the type is too narrow
///
/// Cost: as radix_sort of pairs, but that indices are made in the first pass, not read; scratch for 2 n keys and n indices.
template <policy On, in_memory Keys, writable_range Indices, sort_option... Options>
void argsort(On const& on, Keys const& keys, Indices&& indices, Options const&... options) {
  auto const from = detail::input_of(on, keys, "keys");
  auto const to = detail::output_of(on, indices, "indices");
  using place = std::remove_cvref_t<decltype(*to.data)>;
  using T = item_value_t<items_t<Keys>>;
  static_assert(std::is_same_v<place, std::int32_t> || std::is_same_v<place, std::uint32_t> || std::is_same_v<place, std::int64_t>,
                "indices are std::int32_t, std::uint32_t or std::int64_t");
  index_t const n = from.size.bound;
  expects_size(to.size, n, "indices has room for every key");
  expects(n == 0 || n - 1 <= static_cast<index_t>(std::numeric_limits<place>::max()), "indices can name every place of the keys");
  detail::sort_items(
      on, from.size, from.items.data, static_cast<T*>(nullptr), columns<places_beside<place>>{{to.data}, {}},
      {{{from.items.data, n}, {static_cast<T*>(nullptr), 0}, "keys"}, {{static_cast<place*>(nullptr), 0}, {to.data, n}, "indices"}},
      detail::sort_options<Options...>{{options...}});
}

/// The same by the name that other verbs have for calls that only enqueue.
template <class... Arguments>
void radix_sort_async(Arguments&&... arguments) {
  radix_sort(std::forward<Arguments>(arguments)...);
}
template <class... Arguments>
void radix_sort_copy_async(Arguments&&... arguments) {
  radix_sort_copy(std::forward<Arguments>(arguments)...);
}
template <class... Arguments>
void argsort_async(Arguments&&... arguments) {
  argsort(std::forward<Arguments>(arguments)...);
}

}  // namespace lookback
