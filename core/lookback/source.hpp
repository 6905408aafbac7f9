// What a scan reads: contiguous arrays that the engine stages a tile at a time, and a function from their items to a value.
#pragma once
#include <array>
#include <memory>
#include <ranges>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "error.hpp"
#include "fn.hpp"

namespace lookback {

namespace detail {
/// f(x), or for a pointer to a member what it points to in x.
LOOKBACK_CALLS_USER
template <class F, class X>
LOOKBACK_FN decltype(auto) called(F const& f, X const& x) {
  if constexpr (std::is_member_object_pointer_v<F>) return x.*f;
  else if constexpr (std::is_member_function_pointer_v<F>) return (x.*f)();
  else return f(x);
}
}  // namespace detail

/// The arrays that a source reads, one element of each per item: a list that host and device code can both walk.
template <class... Ts>
struct arrays {
  static constexpr int count = 0;
};
template <class T, class... Rest>
struct arrays<T, Rest...> {
  static constexpr int count = 1 + sizeof...(Rest);
  T const* data;
  arrays<Rest...> rest;
};

/// A value that may be absent, without a default constructor and without touching the bytes of an absent one.
template <class T>
struct maybe {
  struct nothing {};
  union {
    nothing none;
    T value;
  };
  bool has;
  LOOKBACK_FN maybe() : none(), has{false} {}
  LOOKBACK_FN maybe(T const& v) : value{v}, has{true} {}
};

// ---- items: arrays() names what is staged; operator()(i, x...) gives the value of item i from one element of each array. What
// other items stage beside them may follow: it is passed over.

/// The elements of one array, as they are.
template <class T>
struct elements {
  T const* data;
  LOOKBACK_FN lookback::arrays<T> arrays() const { return {data, {}}; }
  template <class... Others>
  LOOKBACK_FN T operator()(index_t, T const& x, Others const&...) const {
    return x;
  }
};

/// f(i) for i in [0, n): no memory is read.
template <class F>
struct generated {
  F f;
  LOOKBACK_FN lookback::arrays<> arrays() const { return {}; }
  LOOKBACK_CALLS_USER
  template <class... Others>
  LOOKBACK_FN auto operator()(index_t i, Others const&...) const {
    return f(i);
  }
};

/// f of what another source gives: a map fused into the scan.
template <class Items, class F>
struct mapped_items {
  Items items;
  F f;
  LOOKBACK_FN auto arrays() const { return items.arrays(); }
  LOOKBACK_CALLS_USER
  template <class... X>
  LOOKBACK_FN auto operator()(index_t i, X const&... x) const {
    return detail::called(f, items(i, x...));
  }
};

namespace detail {

LOOKBACK_FN inline arrays<> joined(arrays<> const&, arrays<> const&) { return {}; }
template <class T, class... Rest>
LOOKBACK_FN arrays<T, Rest...> joined(arrays<> const&, arrays<T, Rest...> const& b) {
  return b;
}
template <class T, class... Rest, class... Others>
LOOKBACK_FN arrays<T, Rest..., Others...> joined(arrays<T, Rest...> const& a, arrays<Others...> const& b) {
  return {a.data, joined(a.rest, b)};
}

/// items(i, x...) without the first Skipped elements.
LOOKBACK_CALLS_USER
template <int Skipped, class Items, class... X>
LOOKBACK_FN auto value_of_later(Items const& items, index_t i, X const&... x) {
  return items(i, x...);
}
LOOKBACK_CALLS_USER
template <int Skipped, class Items, class First, class... X>
requires(Skipped > 0) LOOKBACK_FN auto value_of_later(Items const& items, index_t i, First const&, X const&... x) {
  return value_of_later<Skipped - 1>(items, i, x...);
}

}  // namespace detail

/// Two sources, one beside the other: stages what both need and gives the value of the second. `first` gives its own to whoever
/// calls it with the elements of both: a payload that goes where the second says.
template <class First, class Second>
struct beside {
  First first;
  Second second;
  LOOKBACK_FN auto arrays() const { return detail::joined(first.arrays(), second.arrays()); }
  LOOKBACK_CALLS_USER
  template <class... X>
  LOOKBACK_FN auto operator()(index_t i, X const&... x) const {
    return detail::value_of_later<decltype(first.arrays())::count>(second, i, x...);
  }
};

/// 1 for every item of an array that is staged for whoever compares its neighbours: summed, the length of a run. An engine may tell
/// it by where runs begin.
template <class T, class Number>
struct unit_items {
  T const* data;
  LOOKBACK_FN lookback::arrays<T> arrays() const { return {data, {}}; }
  template <class... X>
  LOOKBACK_FN Number operator()(index_t, X const&...) const {
    return Number{1};
  }
};
template <class Items>
inline constexpr bool are_unit_items = false;
template <class T, class Number>
inline constexpr bool are_unit_items<unit_items<T, Number>> = true;

namespace detail {
/// Do items call a function of the caller's, which may read anything?
template <class Items>
inline constexpr bool calls_user = true;
template <class T>
inline constexpr bool calls_user<elements<T>> = false;
template <class First, class Second>
inline constexpr bool calls_user<beside<First, Second>> = calls_user<Second>;
template <class T, class Number>
inline constexpr bool calls_user<unit_items<T, Number>> = false;
}  // namespace detail

/// Items whose value needs something from anywhere in memory, beside what is staged: `looked_up look_up(i, x...)`, and then
/// value_of(looked_up, i, x...). An engine may ask for that once, for neighbours together, and do something else meanwhile.
template <class Items>
inline constexpr bool reads_elsewhere = requires {
  typename Items::looked_up;
};

/// Those where value_of(looked_up, i, first, ...) is op(first, looked_up) for the operator op = joining_operator(), which has no
/// state that changes: an engine may apply it to several items at once, with the elements of the first array on its left. Where
/// looked_up lies in memory, found_at(i, x...) may say where.
template <class Items>
concept joins_found = reads_elsewhere<Items> && requires(Items const& items) {
  items.joining_operator();
};

/// Those that read some of it so often that a block does well to keep it: what lies in [kept(), kept() + cached_count), a multiple
/// of 16 elements at a multiple of 16 bytes, of at most cached_bytes bytes. An engine may call look_up(copy, read, i, x...) instead
/// of look_up(i, x...), with a copy of its own, and read(p) for the element at p of all others. Nobody writes those while the call
/// runs, and what is kept is written by a kernel between them and this one (ptx::load_to_stay).
template <class Items>
concept caches_values = reads_elsewhere<Items> && requires(Items const& items) {
  items.cached();
  items.cached_count;
  Items::cached_bytes;
};

/// One segment from end to end: a plain scan.
struct no_segments {};

namespace detail {
/// A description by an array in a container whose memory is the host's. A verb refuses it where it does not reach that memory, and
/// else takes the description itself. A variable that holds one description or another is a lookback::segments, which does not
/// know.
template <class Described>
struct in_host_container : Described {
  using Described::operator=;
};
template <class Described>
struct without_container {
  using type = Described;
};
template <class Described>
struct without_container<in_host_container<Described>> {
  using type = Described;
};
template <class Described>
using without_container_t = typename without_container<Described>::type;
}  // namespace detail

/// Everything that the engine reads. `initial`, where present, is what is scanned before the first item of all, and with
/// segments before the first item of every segment.
template <class Items, class Segments, class T>
struct source {
  static_assert(std::is_same_v<Segments, detail::without_container_t<Segments>>,
                "a source names lookback::segments, key_segments or offset_segments, not what head_flags(...) and its kin return");
  Items items;
  Segments segments;
  maybe<T> initial;
};

namespace detail {

template <class... X>
struct type_list {};

template <class Items, class... X>
auto value_of(type_list<X...>)
    -> std::remove_cvref_t<decltype(std::declval<Items const&>()(index_t{}, std::declval<X const&>()...))>;
template <class Arrays>
struct array_types;
template <>
struct array_types<arrays<>> {
  using type = type_list<>;
};
template <class T, class... Rest>
struct array_types<arrays<T, Rest...>> {
  using type = type_list<T, Rest...>;
};

}  // namespace detail

/// The arrays<...> that Items stage.
template <class Items>
using arrays_t = decltype(std::declval<Items const&>().arrays());

/// The type that Items give for one item.
template <class Items>
using item_value_t = decltype(detail::value_of<Items>(typename detail::array_types<arrays_t<Items>>::type{}));

// ---- what a caller may pass as input: a contiguous sized range, or one of the lazy forms below.

namespace detail {

/// A container in device memory whose elements the host reaches through references of their own: thrust::device_vector.
template <class R>
concept device_container = requires(R const& r) {
  r.data().get();
  r.size();
};
/// True, or a sentence in place of the many that overload resolution would print.
template <class R>
consteval bool is_no_wrong_range() {
  constexpr bool is_contiguous = std::ranges::contiguous_range<R const>;
  static_assert(is_contiguous || !device_container<R>,
                "pass thrust::device_vector v as std::span(thrust::raw_pointer_cast(v.data()), v.size())");
  static_assert(
      is_contiguous || device_container<R> || !std::ranges::range<R const>,
      "a range must be contiguous; std::vector<bool>, std::deque and std::list are not: copy the elements to a std::vector");
  return true;
}

/// Containers whose memory is the host's, whatever they hold: the GPU does not reach it.
template <class R>
inline constexpr bool is_host_container = std::is_array_v<R>;
template <class T>
inline constexpr bool is_host_container<std::vector<T, std::allocator<T>>> = true;
template <class C, class Traits>
inline constexpr bool is_host_container<std::basic_string<C, Traits, std::allocator<C>>> = true;
template <class T, std::size_t N>
inline constexpr bool is_host_container<std::array<T, N>> = true;

}  // namespace detail

template <class R>
concept contiguous = detail::is_no_wrong_range<std::remove_cvref_t<R>>() && std::ranges::contiguous_range<R const> &&
    std::ranges::sized_range<R const>;

template <contiguous R>
using value_t = std::remove_cv_t<std::remove_reference_t<decltype(*std::ranges::data(std::declval<R const&>()))>>;

/// A number of items: known here, or bounded here and counted in memory that is readable where the scan runs.
struct size {
  index_t bound = 0;
  index_t const* count = nullptr;
  constexpr size() = default;
  constexpr size(index_t n) : bound{n} {}
  constexpr size(index_t n, index_t const* in_memory) : bound{n}, count{in_memory} {}
};

/// Items with their number: what every lazy form returns, and what ranges become. `OnHost`: some of them lie in a container whose
/// memory is the host's.
template <class Items, bool OnHost = false>
struct input {
  Items items;
  lookback::size size;
};

/// What every element is: its bytes are all of it, so that tiles of them can be staged, kept in descriptors and copied.
template <class T>
constexpr void expects_element() {
  static_assert(
      std::is_trivially_copyable_v<T>,
      "elements must be trivially copyable. std::pair, std::tuple and std::string are not: use a struct with the same members");
}

template <contiguous R>
auto as_input(R const& range) {
  expects_element<value_t<R>>();
  return input<elements<value_t<R>>, detail::is_host_container<R>>{{std::ranges::data(range)},
                                                                   static_cast<index_t>(std::ranges::size(range))};
}
template <class Items, bool OnHost>
auto as_input(input<Items, OnHost> const& lazy) {
  return lazy;
}

template <class In>
concept readable = requires(In const& in) {
  as_input(in);
};

template <class In>
using items_t = decltype(as_input(std::declval<In const&>()).items);

namespace detail {
template <class In>
inline constexpr bool is_on_host = false;
template <class Items, bool OnHost>
inline constexpr bool is_on_host<input<Items, OnHost>> = OnHost;
template <class Described>
inline constexpr bool is_on_host<in_host_container<Described>> = true;

/// What keeps the address of an argument: the argument lives longer. A type whose destructor does nothing owns nothing, unless it
/// holds its elements in itself.
template <class R>
constexpr void expects_lasting() {
  static_assert(std::is_lvalue_reference_v<R> || !std::ranges::range<R> || std::ranges::borrowed_range<R> ||
                    (std::is_trivially_destructible_v<R> && !is_host_container<std::remove_cv_t<R>>),
                "a temporary that owns its elements is gone before they are read: name it, and pass the name");
}
}  // namespace detail

/// f(x) for every x of `in`, fused into the scan that reads it. f is pure, may be called more than once per item, and reads
/// nothing else that the call writes. A temporary that owns its elements is refused: they are read later.
template <class In, class F>
requires readable<In>
auto mapped(In&& in, F f) {
  detail::expects_lasting<In>();
  static_assert(!LOOKBACK_DEVICE_ONLY(F), "mapped(in, f) asks the host's compiler what f returns: make it [] __host__ __device__");
  auto const from = as_input(in);
  return input<mapped_items<items_t<In>, F>, detail::is_on_host<decltype(as_input(in))>>{{from.items, f}, from.size};
}

/// f(0), f(1), ... f(n-1), in no memory at all. f is pure, and reads nothing that the call writes, with one exception: in a scan
/// f(i) may read what lies where out[i] is stored.
template <class F>
auto generate(index_t n, F f) {
  static_assert(!LOOKBACK_DEVICE_ONLY(F), "generate(n, f) asks the host's compiler what f returns: make it [] __host__ __device__");
  return input<generated<F>>{{f}, n};
}

/// The first items of `in`, which has as many; their number may lie in device memory, left there by an `_async` form. Throws
/// invalid_argument.
template <class In>
requires readable<In>
auto first(In&& in, lookback::size n) {
  detail::expects_lasting<In>();
  auto const from = as_input(in);
  expects_size(from.size.bound, n.bound, "first(in, n): in holds at least n items");
  return input<items_t<In>, detail::is_on_host<decltype(as_input(in))>>{from.items, n};
}

}  // namespace lookback
