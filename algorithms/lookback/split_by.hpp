// A stable split into up to 256 classes: the pass of a radix sort, or a bucket for every part of something.
//
//   lookback::split_by<16>(on, in, out, [](auto x) { return int(x >> 28); }, starts);
//   class c is then out[starts[c]] up to, but not including, out[starts[c + 1]]
#pragma once
#include <lookback/model/compaction.hpp>

namespace lookback {

namespace detail {
template <class F>
struct class_by {
  F f;
  LOOKBACK_CALLS_USER
  template <class X>
  LOOKBACK_FN int operator()(X const& x) const {
    using said = std::remove_cvref_t<decltype(called(f, x))>;
    static_assert(std::is_integral_v<said> || std::is_enum_v<said>, "f(item) is the number of a class: an integer");
    return static_cast<int>(called(f, x));
  }
};
}  // namespace detail

/// out: the items of class 0, in order, then those of class 1, and so on. starts[c] is where class c begins, and starts[k] how many
/// items there are in all. f(item) is the class.
///
///   in      n elements, or mapped(...), generate(...)
///   out     room for n elements, apart from in
///   f       pure; returns an integer in [0, k). With another the item is dropped where NDEBUG is defined; else invalid_argument is
///           thrown (cpu), or the kernel ends with an error (gpu)
///   starts  k + 1 of index_t, apart from everything
///
/// Cost:   in is read twice, out is written once; scratch of 256 counts for every tile (gpu), of k (cpu).
/// Throws: invalid_argument; out_of_memory; device_error. right_to_left is refused.
/// Source: Merrill & Grimshaw, High Performance and Scalable Radix Sorting, 2011.
template <int k, policy On, readable In, writable_range Out, class F, writable_range Starts>
void split_by(On const& on, In const& in, Out&& out, F f, Starts&& starts) {
  static_assert(k >= 1 && k <= 256, "a split has 1 to 256 classes");
  auto const from = detail::input_of(on, in, "in");
  auto const to = detail::output_of(on, out, "out");
  auto const where = detail::output_of(on, starts, "starts");
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(*where.data)>, index_t>, "starts are index_t");
  index_t const n = from.size.bound;
  expects(n >= 0, "the number of items is not negative");
  detail::expects_room(to, n);
  expects_size(where.size, k + 1, "starts has a place for every class and one more");
  expects(!detail::touches(from.items.arrays(), to.data, n), "out does not overlap the items");
  expects(!detail::touches(from.items.arrays(), n, where.data, k + 1) &&
              !detail::overlap(detail::bytes(to.data, n), detail::bytes(where.data, k + 1)),
          "starts overlap neither the items nor out");
  using out_type = std::remove_cvref_t<decltype(*to.data)>;
  static_assert(std::is_same_v<out_type, item_value_t<items_t<In>>>, "out has the type of the items, whose classes f says");
  detail::expects_count_apart(from.size, detail::bytes(to.data, n));
  detail::expects_count_apart(from.size, detail::bytes(where.data, k + 1));
  scatter_into(detail::without_direction(on), from.size, from.items,
               scatter<k, out_type, detail::class_by<F>>{to.data, {f}, where.data, {}}, where.data);
}

/// The same by the name that other verbs have for calls that only enqueue.
template <int k, class... Arguments>
void split_by_async(Arguments&&... arguments) {
  split_by<k>(std::forward<Arguments>(arguments)...);
}

}  // namespace lookback
