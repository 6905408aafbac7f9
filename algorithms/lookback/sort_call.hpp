// One call of a sort: the caller's arrays are checked and become a job, whatever it is sorted by.
#pragma once
#include <limits>
#include <lookback/model/compaction.hpp>
#include <lookback/sort_options.hpp>
#include <tuple>

namespace lookback::detail {

/// One sort of what `in` and `out` name; `out` is null where items stay. `how` says by what order, in which segments, and sorts.
template <policy On, class T, class Beside, std::size_t Arrays, class How>
void sort_items(On const& on, size n, T const* in, T* out, Beside const& beside, moved_array const (&all)[Arrays], How const& how) {
  expects(n.bound >= 0, "the number of items is not negative");
  expects_sortable(all);
  for (moved_array const& a : all) expects_count_apart(n, a.out);
  auto const segments = how.bounds(on);
  using segments_type = std::remove_const_t<decltype(segments)>;
  expects_sortable(on, segments, all);
  static_assert(sizeof(T) <= 64, "items have at most 64 bytes");
  auto const order = how.template order<T, Beside::count == 0>();
  using order_type = std::remove_const_t<decltype(order)>;
  sort_job<T, order_type, Beside, segments_type> const job{n, in, out, order, beside, segments};
  static_assert(!How::template has<textbook> || std::is_same_v<segments_type, no_segments>, "textbook{} sorts one array");
  how.sort(without_direction(on), job);
}

template <class Items, class Out>
constexpr void expects_same_keys() {
  static_assert(std::is_same_v<item_value_t<Items>, std::remove_cvref_t<Out>>, "keys_out has elements of the type of keys");
}

template <policy On, class Keys, class KeysOut, class How>
void sort_keys(On const& on, Keys const& keys, KeysOut& keys_out, How const& how) {
  auto const from = input_of(on, keys, "keys");
  auto const to = output_of(on, keys_out, "keys_out");
  expects_same_keys<items_t<Keys>, decltype(*to.data)>();
  index_t const n = from.size.bound;
  expects_size(to.size, n, "keys_out has room for every key");
  sort_items(on, from.size, from.items.data, to.data, columns<>{}, {{{from.items.data, n}, {to.data, n}, "keys_out"}}, how);
}

template <policy On, class Keys, class Values, class KeysOut, class ValuesOut, class How>
void sort_pairs(On const& on, Keys const& keys, Values& values, KeysOut& keys_out, ValuesOut& values_out, How const& how) {
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
  sort_items(on, from.size, from.items.data, to.data, beside, all, how);
}

/// indices[k]: the place in keys of the key that is k-th in order.
template <policy On, class Keys, class Indices, class How>
void sort_places(On const& on, Keys const& keys, Indices& indices, How const& how) {
  auto const from = input_of(on, keys, "keys");
  auto const to = output_of(on, indices, "indices");
  using place = std::remove_cvref_t<decltype(*to.data)>;
  using T = item_value_t<items_t<Keys>>;
  static_assert(std::is_same_v<place, std::int32_t> || std::is_same_v<place, std::uint32_t> || std::is_same_v<place, std::int64_t>,
                "indices are std::int32_t, std::uint32_t or std::int64_t");
  index_t const n = from.size.bound;
  expects_size(to.size, n, "indices has room for every key");
  expects(n == 0 || n - 1 <= static_cast<index_t>(std::numeric_limits<place>::max()), "indices can name every place of the keys");
  sort_items(
      on, from.size, from.items.data, static_cast<T*>(nullptr), columns<places_beside<place>>{{to.data}, {}},
      {{{from.items.data, n}, {static_cast<T*>(nullptr), 0}, "keys"}, {{static_cast<place*>(nullptr), 0}, {to.data, n}, "indices"}},
      how);
}

}  // namespace lookback::detail
