// Sorting by comparisons: keys alone, with values, or the order alone, of one array or of each segment, by any strict weak order.
//
//   lookback::quicksort(on, rows, before);                                  rows[a] before rows[b] where before(a, b)
//   lookback::quicksort(on, keys, values, before, lookback::unstable);      equal keys may change places
//   lookback::quicksort(on, rows, lookback::by(&row::time));                the natural order of a member
//   lookback::segmented_quicksort(on, keys, lookback::offsets(o), before);  every segment by itself
//   lookback::argsort(on, keys, indices, before);                           keys stay
//   lookback::is_sorted(on, keys, before);
#pragma once
#include <functional>
#include <lookback/radix_sort.hpp>
#include <lookback/select_if.hpp>
#include <lookback/sort_call.hpp>
#include <lookback/textbook_quicksort.hpp>

namespace lookback {

namespace detail {

/// Is Less the natural order of keys of type T, or the same from behind?
template <class Less, class T>
inline constexpr bool is_ascending =
    std::is_same_v<Less, std::less<>> || std::is_same_v<Less, std::less<T>> || std::is_same_v<Less, std::ranges::less>;
template <class Less, class T>
inline constexpr bool is_descending =
    std::is_same_v<Less, std::greater<>> || std::is_same_v<Less, std::greater<T>> || std::is_same_v<Less, std::ranges::greater>;

struct by_less {
  template <class T>
  LOOKBACK_FN bool operator()(T const& a, T const& b) const {
    return a < b;
  }
};
struct by_greater {
  template <class T>
  LOOKBACK_FN bool operator()(T const& a, T const& b) const {
    return b < a;
  }
};
/// Of items as numbers of type U.
template <class U, class Less>
struct as_type {
  LOOKBACK_FN bool operator()(U const& a, U const& b) const { return Less{}(a, b); }
};
/// a before b where f(a) < f(b).
template <class F>
struct less_by {
  F f;
  LOOKBACK_CALLS_USER
  template <class T>
  LOOKBACK_FN bool operator()(T const& a, T const& b) const {
    return called(f, a) < called(f, b);
  }
};
template <class Less>
inline constexpr bool is_by_key = false;
template <class F>
inline constexpr bool is_by_key<by_key<F>> = true;

/// What is asked in place of `less`: those of the standard library exist on the host alone, and nvcc would not say so.
template <class Less>
Less asked(Less const& less) {
  return less;
}
inline by_less asked(std::less<> const&) { return {}; }
inline by_less asked(std::ranges::less const&) { return {}; }
inline by_greater asked(std::greater<> const&) { return {}; }
inline by_greater asked(std::ranges::greater const&) { return {}; }
template <class U>
as_type<U, by_less> asked(std::less<U> const&) {
  return {};
}
template <class U>
as_type<U, by_greater> asked(std::greater<U> const&) {
  return {};
}
template <class F>
less_by<F> asked(by_key<F> const& key) {
  return {key.f};
}

}  // namespace detail

/// A function that quicksort shall ask, even if it is the natural order of the keys.
template <class Less>
struct opaque_order {
  Less less;
  LOOKBACK_CALLS_USER
  template <class T>
  LOOKBACK_FN bool operator()(T const& a, T const& b) const {
    return static_cast<bool>(less(a, b));
  }
};
template <class Less>
auto opaque(Less less) {
  return opaque_order<decltype(detail::asked(less))>{detail::asked(less)};
}

namespace detail {

/// The order of items of type T that `less` says: by digits where it is a natural one of numbers, else by asking it.
template <class T, bool Alone, bool Unstable, class Less>
auto order_of(Less const& less) {
  if constexpr (is_by_key<Less>) {
    using key = std::remove_cvref_t<decltype(called(less.f, std::declval<T const&>()))>;
    if constexpr (radix_key<key>) return radix_order<T, std::remove_const_t<decltype(less.f)>>{less.f, {false, false}};
    else return comparison_order<T, decltype(asked(less)), !Unstable>{asked(less)};
  } else if constexpr (is_ascending<Less, T> || is_descending<Less, T>) {
    constexpr bool falls = is_descending<Less, T>;
    if constexpr (radix_key<T>) return radix_order < T, itself, Alone && Unstable > {{}, {falls, false}};
    else return comparison_order<T, std::conditional_t<falls, by_greater, by_less>, !Unstable>{};
  } else {
    static_assert(
        requires(T const& x) { static_cast<bool>(less(x, x)); },
        "less is called as less(a, b) with two items, and says whether a comes before b; or it is by(f)");
    return comparison_order<T, decltype(asked(less)), !Unstable>{asked(less)};
  }
}

/// How quicksort sorts.
template <class Less, class... Options>
struct comparison_options {
  Less less;
  sort_options<Options...> given;
  static constexpr int textbooks = sort_options<Options...>::template number_of<textbook> + (0 + ... + is_textbook_rounds<Options>);
  static_assert(textbooks <= 1, "textbook{} or textbook_rounds{f}, and once");
  template <class Option>
  static constexpr bool has = std::is_same_v<Option, textbook> ? textbooks == 1 : sort_options<Options...>::template has<Option>;

  template <class T, bool Alone>
  auto order() const {
    static_assert(std::is_trivially_copyable_v<T> && std::is_copy_assignable_v<T>, "items are moved as bytes, and assigned");
    constexpr bool is_unstable = has<unstable_t>;
    return order_of<T, Alone, is_unstable>(less);
  }
  template <policy On>
  auto bounds(On const& on) const {
    return given.bounds(on);
  }
  template <policy On, class Job>
  void sort(On const& on, Job const& job) const {
    if constexpr (has<textbook>)
      textbook_quicksort(on, job, std::apply([](auto const&... each) { return report_of(each...); }, given.given));
    else sort_into(on, job);
  }
};
template <class Less, class... Options>
comparison_options<Less, Options...> by_comparisons(Less const& less, Options const&... options) {
  return {less, {{options...}}};
}

/// May radix_sort.hpp's argsort take by(f) and these options of keys of type T?
template <class Less, class T, class... Options>
inline constexpr bool is_for_digits = false;
template <class F, class T, class... Options>
requires(sort_option<Options>&&...) inline constexpr bool is_for_digits<by_key<F>, T, Options...> =
    radix_key<std::remove_cvref_t<decltype(called(std::declval<F const&>(), std::declval<T const&>()))>>;

/// What is an order, and neither values nor an option.
template <class Less>
concept sort_order = !sort_values<Less> && !is_segments<std::remove_cvref_t<Less>> && !quicksort_option<Less> &&
                     (!sort_option<Less> || is_by_key<std::remove_cvref_t<Less>>);

}  // namespace detail

/// Sorts keys in place by `less`. Stable, unless `unstable` is among the options.
///
///   on       cpu::seq, cpu::on(threads), gpu::on(stream) ...; a GPU call only enqueues, and may be captured in a graph. A sort
///            has ways of its own: the strategy of a scan is that of the scans of `textbook` alone
///   keys     any trivially copyable type of at most 64 bytes that can be assigned
///   less     less(a, b): does a come before b? A strict weak order, pure; or by(f), the natural order of f(item). std::less and
///            std::greater of numbers, and by(f) to a number, are sorted by digits, as radix_sort does, with NaNs last;
///            opaque(less) is asked whatever it is
///   options  offsets(o) or offsets(begins, ends), unstable, textbook or textbook_rounds{f}: each at most once, in any order
///
/// With segments each is sorted by itself; items of no segment stay. Offsets that are not in order, go beyond n or overlap give an
/// unspecified result, but touch no other memory. Where NDEBUG is not defined all of these but overlaps throw invalid_argument
/// (cpu). Where segments overlap, `less` may be asked about anything: one that follows an index in an item must check it.
///
/// A `less` that is no strict weak order (< where there are NaNs) gives an unspecified order, but no item is lost.
///
/// Result: the same bits on every run, number of threads and back end, where less is a strict weak order; of `unstable`,
///         but for the places of equal items.
/// Cost:   O(n log n) comparisons, whatever less says. gpu: items with what moves along, of up to 16 bytes, are read and written
///         three times (twice up to 2^20 of 4 bytes, or 2^18 of 16); some of them more, where n is more than 2^29, or 2^27 of 16
///         bytes. Few items, 2^31 and more, and wider ones: once for each doubling of what a block sorts by itself. cpu: they are
///         read four times and written three times, as long as a 256th of them fits a cache; input that is sorted or falls
///         strictly is compared once; numbers by a function object that holds nothing are compared up to 64 times an item more,
///         many at a time. Scratch: 2 n items, with what moves along, and up to a quarter more. `textbook` waits after every
///         round; there are about 2 log n of them, and at most n, whatever less says.
/// Throws: invalid_argument; out_of_memory; device_error. right_to_left is refused. What less throws (cpu) comes through: one
///         array is unchanged, and with segments each one is sorted or unchanged.
/// Source: Blelloch, Prefix Sums and Their Applications, 1990 (textbook); Green, McColl & Bader, GPU merge path, 2012; Leischner,
///         Osipov & Sanders, GPU sample sort, 2010; Sanders & Winkel, Super scalar sample sort, 2004; Axtmann, Witt, Ferizovic &
///         Sanders, In-place parallel super scalar samplesort, 2017 (cpu).
template <policy On, writable_range Keys, detail::sort_order Less, quicksort_option... Options>
void quicksort(On const& on, Keys&& keys, Less less, Options const&... options) {
  detail::sort_keys(on, keys, keys, detail::by_comparisons(less, options...));
}

/// The same of keys with values, which move along: a value of 1 to 64 bytes for every key, or zip(...) of arrays of them.
template <policy On, writable_range Keys, sort_values Values, detail::sort_order Less, quicksort_option... Options>
void quicksort(On const& on, Keys&& keys, Values&& values, Less less, Options const&... options) {
  detail::sort_pairs(on, keys, values, keys, values, detail::by_comparisons(less, options...));
}

/// To another array: `keys_out` has room for n keys and is apart from everything, or exactly the input. `keys` may be
/// first(keys, {bound, count}), whose number lies in memory where `on` runs.
template <policy On, in_memory Keys, writable_range KeysOut, detail::sort_order Less, quicksort_option... Options>
void quicksort_copy(On const& on, Keys const& keys, KeysOut&& keys_out, Less less, Options const&... options) {
  detail::sort_keys(on, keys, keys_out, detail::by_comparisons(less, options...));
}
template <policy On, in_memory Keys, sort_values Values, writable_range KeysOut, sort_values ValuesOut, detail::sort_order Less,
          quicksort_option... Options>
void quicksort_copy(On const& on, Keys const& keys, Values&& values, KeysOut&& keys_out, ValuesOut&& values_out, Less less,
                    Options const&... options) {
  detail::sort_pairs(on, keys, values, keys_out, values_out, detail::by_comparisons(less, options...));
}

/// Each segment by itself: quicksort with offsets(o) or offsets(begins, ends) among its options.
template <policy On, writable_range Keys, class Segments, detail::sort_order Less, quicksort_option... Options>
requires detail::is_segments<Segments>
void segmented_quicksort(On const& on, Keys&& keys, Segments const& segments, Less less, Options const&... options) {
  quicksort(on, keys, less, segments, options...);
}
template <policy On, writable_range Keys, sort_values Values, class Segments, detail::sort_order Less, quicksort_option... Options>
requires detail::is_segments<Segments>
void segmented_quicksort(On const& on, Keys&& keys, Values&& values, Segments const& segments, Less less,
                         Options const&... options) {
  quicksort(on, keys, values, less, segments, options...);
}

/// indices[k] is the place in keys of the key that is k-th in order: keys stay as they are. Stable, unless `unstable`.
///
///   indices  n of int32_t, uint32_t or int64_t, apart from keys; written only. invalid_argument where the type is too narrow
template <policy On, in_memory Keys, writable_range Indices, detail::sort_order Less, quicksort_option... Options>
requires(!detail::is_for_digits<Less, item_value_t<items_t<Keys>>, Options...>) void argsort(On const& on, Keys const& keys,
                                                                                             Indices&& indices, Less less,
                                                                                             Options const&... options) {
  detail::sort_places(on, keys, indices, detail::by_comparisons(less, options...));
}

/// The same by the name that other verbs have for calls that only enqueue.
template <class... Arguments>
void quicksort_async(Arguments&&... arguments) {
  quicksort(std::forward<Arguments>(arguments)...);
}
template <class... Arguments>
void quicksort_copy_async(Arguments&&... arguments) {
  quicksort_copy(std::forward<Arguments>(arguments)...);
}
template <class... Arguments>
void segmented_quicksort_async(Arguments&&... arguments) {
  segmented_quicksort(std::forward<Arguments>(arguments)...);
}

namespace detail {
template <class T, class Less>
struct comes_too_late {
  T const* keys;
  Less less;
  lookback::size size;
  LOOKBACK_CALLS_USER
  LOOKBACK_FN bool operator()(index_t i) const {
    if (size.count && i + 1 >= *size.count) return false;
    return static_cast<bool>(less(keys[i + 1], keys[i]));
  }
};
struct one_byte {
  LOOKBACK_FN char operator()(index_t) const { return 1; }
};
}  // namespace detail

/// Does no key come before the one that lies before it? Waits.
///
/// Cost: reads the keys once; scratch for a byte each, which is written where one does. Throws: as select_if.
template <policy On, in_memory Keys, detail::sort_order Less>
bool is_sorted(On const& on, Keys const& keys, Less less) {
  using T = item_value_t<items_t<Keys>>;
  auto const from = detail::input_of(on, keys, "keys");
  index_t const n = from.size.bound;
  if (n < 2) return true;
  auto const marks = scratch_for(on, n - 1, std::type_identity<char>{});
  std::span<char> const late(marks.data(), static_cast<std::size_t>(n - 1));
  using less_type = decltype(detail::asked(less));
  return select_if(on, generate(n - 1, detail::this_place{}), into(late, detail::one_byte{}),
                   detail::comes_too_late<T, less_type>{from.items.data, detail::asked(less), from.size}) == 0;
}

}  // namespace lookback
