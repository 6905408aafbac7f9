// The radix sort of the textbooks, by one bit a pass: `radix_sort(on, keys, textbook{})`. As slow as it is short.
//
//   number of every key, and its place
//   for each bit, the lowest first:  those without it, in order, then those with it, in order      (split)
//   every item from where its place says
//
// Source: Blelloch 1990; Sengupta, Harris, Zhang, Owens, Scan Primitives for GPU Computing, 2007.
#pragma once
#include <lookback/put_by_places.hpp>
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
struct its_place {
  template <class Number>
  LOOKBACK_FN index_t operator()(numbered_place<Number> const& x) const {
    return x.place;
  }
};

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
  auto const order = mapped(every(now), its_place{});
  put_beside_by_places(on, order, job.beside, counts.data());
  if (job.out) put_by_places(on, order, item_of_place<T>{job.in}, job.out, counts.data());
}

}  // namespace lookback::detail
