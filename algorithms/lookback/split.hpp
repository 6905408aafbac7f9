// What sorting was first made of (Blelloch, Prefix Sums and Their Applications, 1990): numbering flags, and splitting by one.
//
//   lookback::enumerate(on, flags, numbers);       numbers[i]: how many of the flags before i are set
//   lookback::split(on, in, flags, out);           items without a flag, in order, then those with one, in order
#pragma once
#include <lookback/model/compaction.hpp>
#include <lookback/scan.hpp>

namespace lookback {

namespace detail {
template <class Number>
struct one_if_set {
  template <class Flag>
  LOOKBACK_FN Number operator()(Flag const& flag) const {
    return flag != Flag{} ? Number{1} : Number{0};
  }
};
}  // namespace detail

/// numbers[i] = how many of flags[0], ..., flags[i-1] are set: any that are not zero.
///
///   flags    n elements, or mapped(...), generate(...)
///   numbers  n integers
///
/// Cost:   one exclusive scan. Throws: as exclusive_scan.
template <policy On, readable Flags, writable_range Numbers>
void enumerate(On const& on, Flags const& flags, Numbers&& numbers) {
  using number = std::remove_cvref_t<decltype(*std::ranges::data(numbers))>;
  static_assert(std::is_integral_v<number>, "numbers are integers");
  exclusive_scan(on, mapped(as_input(flags), detail::one_if_set<number>{}), numbers, plus<number>{});
}

/// out: the items whose flag is zero, in order, then the others, in order. Leaves how many there are of each in counts[0] and
/// counts[1], readable where `on` runs.
///
///   in     n elements, or mapped(...), generate(...)
///   flags  as many
///   out    n elements, apart from both
///
/// Cost:   where the second part begins must be known first: flags are read twice, in once or twice; scratch O(tiles).
/// Throws: as partition_if; right_to_left is refused.
/// Source: Sengupta, Harris, Zhang, Owens, Scan Primitives for GPU Computing, 2007.
template <policy On, readable In, readable Flags, writable_range Out>
void split_async(On const& on, In const& in, Flags const& flags, Out&& out, index_t* counts) {
  auto const from = detail::input_of(on, in, "in");
  auto const by = detail::input_of(on, flags, "flags");
  auto const to = detail::output_of(on, out, "out");
  index_t const n = from.size.bound;
  expects_size(by.size.bound, n, "there is a flag for every item");
  detail::expects_room(to, n);
  expects(!detail::touches(from.items.arrays(), to.data, n) && !detail::touches(by.items.arrays(), to.data, n),
          "out overlaps neither the items nor the flags");
  auto const classes = mapped(by, detail::one_if_set<int>{}).items;
  detail::compact_into<2>(on.with(reduce_then_scan{}), from.size,
                          beside<items_t<In>, std::remove_const_t<decltype(classes)>>{from.items, classes}, no_segments{},
                          {to.data, to.data}, {false, false}, detail::payload(from.items, as_it_is{}), counts, true);
}
/// The same, and returns how many items had no flag: waits.
template <policy On, readable In, readable Flags, writable_range Out>
index_t split(On const& on, In const& in, Flags const& flags, Out&& out) {
  return detail::wait_for_counts<2>(on, [&](index_t* counts) { split_async(on, in, flags, out, counts); })[0];
}

}  // namespace lookback
