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
#include <lookback/sort_call.hpp>
#include <lookback/textbook_sort.hpp>

namespace lookback {

namespace detail {

/// How radix_sort sorts.
template <class... Options>
struct digit_options : sort_options<Options...> {
  template <policy On, class Job>
  void sort(On const& on, Job const& job) const {
    if constexpr (sort_options<Options...>::template has<textbook>) textbook_sort(on, job);
    else sort_into(on, job);
  }
};
template <class... Options>
digit_options<Options...> by_digits(Options const&... options) {
  return {{{options...}}};
}

}  // namespace detail

/// Sorts keys in place. Stable where anybody could tell: equal keys of pairs and structs keep their order.
///
///   on       cpu::seq, cpu::on(threads), gpu::on(stream) ...; a GPU call only enqueues, and may be captured in a graph. A sort
///            has ways of its own: the strategy of a scan is that of the scans of `textbook` alone
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
  detail::sort_keys(on, keys, keys, detail::by_digits(options...));
}

/// The same of keys with values, which move along: a value of 1 to 64 bytes for every key, or zip(...) of arrays of them. Stable.
template <policy On, writable_range Keys, sort_values Values, sort_option... Options>
void radix_sort(On const& on, Keys&& keys, Values&& values, Options const&... options) {
  detail::sort_pairs(on, keys, values, keys, values, detail::by_digits(options...));
}

/// To another array: `keys_out` has room for n keys and is apart from everything, or exactly the input. `keys` may be
/// first(keys, {bound, count}), whose number lies in memory where `on` runs.
template <policy On, in_memory Keys, writable_range KeysOut, sort_option... Options>
void radix_sort_copy(On const& on, Keys const& keys, KeysOut&& keys_out, Options const&... options) {
  detail::sort_keys(on, keys, keys_out, detail::by_digits(options...));
}
template <policy On, in_memory Keys, sort_values Values, writable_range KeysOut, sort_values ValuesOut, sort_option... Options>
void radix_sort_copy(On const& on, Keys const& keys, Values&& values, KeysOut&& keys_out, ValuesOut&& values_out,
                     Options const&... options) {
  detail::sort_pairs(on, keys, values, keys_out, values_out, detail::by_digits(options...));
}

/// indices[k] is the place in keys of the key that is k-th in order: keys stay as they are. Stable: equal keys by their places.
///
///   indices  n of int32_t, uint32_t or int64_t, apart from keys; written only. invalid_argument where the type is too narrow
///
/// Cost: as radix_sort of pairs, but that indices are made in the first pass, not read; scratch for 2 n keys and n indices.
template <policy On, in_memory Keys, writable_range Indices, sort_option... Options>
void argsort(On const& on, Keys const& keys, Indices&& indices, Options const&... options) {
  detail::sort_places(on, keys, indices, detail::by_digits(options...));
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
