// The radix sort of the textbooks, by one bit a pass: `radix_sort(on, keys, textbook{})`. As slow as it is short.
//
//   number of every key, and its place
//   for each bit, the lowest first:  those without it, in order, then those with it, in order      (split)
//   every item from where its place says
//
// Source: Blelloch 1990; Sengupta, Harris, Zhang, Owens, Scan Primitives for GPU Computing, 2007.
#pragma once
#include <lookback/select_if.hpp>
#include <lookback/sort_options.hpp>
#include <lookback/split.hpp>
#include <span>

namespace lookback::detail {

template <class Number>
struct numbered_place {
  Number number;
  index_t place;
};
template <class T, class Order>
struct number_and_place {
  T const* in;
  Order order;
  LOOKBACK_CALLS_USER
  LOOKBACK_FN auto operator()(index_t i) const { return numbered_place<typename Order::value>{order(in[i]), i}; }
};
struct bit_of {
  int bit;
  template <class Numbered>
  LOOKBACK_FN int operator()(Numbered const& x) const {
    return static_cast<int>(x.number >> bit & 1);
  }
};
template <class V, class Number>
struct from_place {
  V const* in;
  LOOKBACK_FN V operator()(numbered_place<Number> const& x) const { return in[x.place]; }
};
template <class Place>
struct place_alone {
  template <class Number>
  LOOKBACK_FN Place operator()(numbered_place<Number> const& x) const {
    return static_cast<Place>(x.place);
  }
};
struct always {
  template <class X>
  LOOKBACK_FN bool operator()(X const&) const {
    return true;
  }
};

/// out[k] = f(order[k]), where f may read what lies at out: so it goes there by way of scratch.
template <policy On, class Order, class F, class V>
void put_in_order(On const& on, Order const& order, F f, V* out, index_t* count) {
  index_t const n = order.size.bound;
  auto const aside = scratch_for(on, n, std::type_identity<V>{});
  std::span<V> const elsewhere(aside.data(), static_cast<std::size_t>(n)), there(out, static_cast<std::size_t>(n));
  select_if_async(on, mapped(order, f), elsewhere, always{}, count);
  select_if_async(on, first(elsewhere, order.size), there, always{}, count);
}
template <policy On, class Order>
void put_beside_in_order(On const&, Order const&, columns<> const&, index_t*) {}
template <policy On, class Order, class Column, class... Rest>
void put_beside_in_order(On const& on, Order const& order, columns<Column, Rest...> const& all, index_t* count) {
  using V = typename Column::value_type;
  using numbered = item_value_t<items_t<Order>>;
  if constexpr (Column::is_generated) put_in_order(on, order, place_alone<V>{}, all.first.out, count);
  else put_in_order(on, order, from_place<V, decltype(numbered::number)>{all.first.in}, all.first.out, count);
  put_beside_in_order(on, order, all.rest, count);
}

template <policy On, class Job>
void textbook_sort(On const& on, Job const& job) {
  using T = typename Job::item_type;
  using numbered = numbered_place<typename Job::order_type::value>;
  index_t const n = job.size.bound;
  auto const one = scratch_for(on, n, std::type_identity<numbered>{}), another = scratch_for(on, n, std::type_identity<numbered>{});
  auto const counts = scratch_for(on, 2, std::type_identity<index_t>{});
  std::span<numbered> now(one.data(), static_cast<std::size_t>(n)), next(another.data(), static_cast<std::size_t>(n));
  auto const every = [&](std::span<numbered> items) { return first(items, job.size); };

  select_if_async(on, first(generate(n, number_and_place<T, typename Job::order_type>{job.in, job.order}), job.size), now, always{},
                  counts.data());
  for (int bit = job.order.begin; bit < job.order.end; ++bit) {
    split_async(on, every(now), mapped(every(now), bit_of{bit}), next, counts.data());
    std::swap(now, next);
  }
  put_beside_in_order(on, every(now), job.beside, counts.data());
  if (job.out) put_in_order(on, every(now), from_place<T, typename Job::order_type::value>{job.in}, job.out, counts.data());
}

}  // namespace lookback::detail
