// The end of a sort that moved nothing but places: every item from where its place says.
#pragma once
#include <lookback/model/sort_job.hpp>
#include <lookback/select_if.hpp>
#include <span>

namespace lookback::detail {

template <class V>
struct item_of_place {
  V const* in;
  LOOKBACK_FN V operator()(index_t place) const { return in[place]; }
};
template <class I>
struct place_as {
  LOOKBACK_FN I operator()(index_t place) const { return static_cast<I>(place); }
};
struct always {
  template <class X>
  LOOKBACK_FN bool operator()(X const&) const {
    return true;
  }
};

/// out[k] = f(places[k]), where f may read what lies at out: so it goes there by way of scratch. Leaves n in *count.
template <policy On, class Places, class F, class V>
void put_by_places(On const& on, Places const& places, F f, V* out, index_t* count) {
  index_t const n = places.size.bound;
  auto const aside = scratch_for(on, n, std::type_identity<V>{});
  std::span<V> const elsewhere(aside.data(), static_cast<std::size_t>(n)), there(out, static_cast<std::size_t>(n));
  select_if_async(on, mapped(places, f), elsewhere, always{}, count);
  select_if_async(on, first(elsewhere, places.size), there, always{}, count);
}
template <policy On, class Places>
void put_beside_by_places(On const&, Places const&, columns<> const&, index_t*) {}
template <policy On, class Places, class Column, class... Rest>
void put_beside_by_places(On const& on, Places const& places, columns<Column, Rest...> const& all, index_t* count) {
  using V = typename Column::value_type;
  if constexpr (Column::is_generated) put_by_places(on, places, place_as<V>{}, all.first.out, count);
  else put_by_places(on, places, item_of_place<V>{all.first.in}, all.first.out, count);
  put_beside_by_places(on, places, all.rest, count);
}

}  // namespace lookback::detail
