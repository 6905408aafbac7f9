// Reductions by key of one type on the CPU.
#pragma once
#include <lookback/reduce_by_key.hpp>

#include "by_strategy.hpp"
#include "call_scan.hpp"
#include "compaction_tables.hpp"
#include "on_workers.hpp"

namespace lookback::dispatch {

/// What an operator needs done to items before and to results behind it.
struct nothing_flipped {
  template <class Items>
  Items const& before(Items const& items) const {
    return items;
  }
  template <class Out>
  Out const& behind(Out const& out) const {
    return out;
  }
};
template <class T, class Bits>
struct all_flipped {
  flip<T, Bits> by;
  template <class Items>
  auto before(Items const& items) const {
    return mapped(items, by);
  }
  template <class Out>
  auto behind(Out const& out) const {
    return into(out, by);
  }
};

/// Keys of any type, as where segments begin.
inline segments keys_of(reduce_request const& r) {
  if (r.key_type == element::f32) return keys(items_at<float>(r.keys, r.n));
  if (r.key_type == element::f64) return keys(items_at<double>(r.keys, r.n));
  return with_width(r.key_type, [&]<class Key>(Key) { return segments(keys(items_at<Key>(r.keys, r.n))); });
}

/// Any keys with any values: two passes over the keys, and a table of as many reductions as there are values and operators, beside
/// that of `unique`, instead of its product with the keys.
template <class T, class Op, class On, class Flip>
void reduce_in_two(On const& on, reduce_request const& r, Flip const& flip) {
  segmented_reduce_async(on, flip.before(items_at<T>(r.values, r.n)), keys_of(r), flip.behind(room_at<T>(r.values_out, r.n)),
                         r.count, Op{});
  // By the default strategy, whose kernels are there: which of them finds the keys changes nothing.
  runs_request by;
  by.in = r.keys, by.n = r.n, by.type = r.key_type, by.firsts = r.keys_out, by.count = r.count;
  runs_cpu({back_end::cpu, on.threads}, by);
}

/// Sums by integer keys of 4 or 8 bytes are what people reduce: one pass.
template <class T, class On>
bool summed_in_one(On const& on, reduce_request const& r) {
  auto const sum = [&]<class Key>(Key) {
    reduce_by_key_async(on, items_at<Key>(r.keys, r.n), items_at<T>(r.values, r.n), room_at<Key>(r.keys_out, r.n),
                        room_at<T>(r.values_out, r.n), r.count);
    return true;
  };
  if (is_float(r.key_type) || size_of(r.key_type) < 4) return false;
  return size_of(r.key_type) == 4 ? sum(std::uint32_t{}) : sum(std::uint64_t{});
}

template <class T, class Op, class On, class Flip>
void reduce_on(On const& on, reduce_request const& r, Flip const& flip) {
  if constexpr (std::is_same_v<Op, plus<T>> && sizeof(T) >= 4)
    if (summed_in_one<T>(on, r)) return;
  reduce_in_two<T, Op>(on, r, flip);
}

template <class T, class Op, bool EveryStrategy = false, class Flip = nothing_flipped>
void reduce_cpu(place const& on, reduce_request const& r, Flip const& flip = {}) {
  by_strategy<EveryStrategy>(on_workers(on, r.how), r.how, [&](auto const& policy) { reduce_on<T, Op>(policy, r, flip); });
}

/// As the GPU's scans: min serves for max and for both signs, `and` for `or`.
template <class T>
void reduce_cpu_integer(place const& on, reduce_request const& r) {
  constexpr T all = static_cast<T>(~T{}), highest = static_cast<T>(all ^ all >> 1);
  constexpr bool every = sizeof(T) == 4;
  T const sign = is_signed_integer(r.type) ? highest : T{};
  auto const flipped = [](T mask) { return all_flipped<T, T>{{mask}}; };
  switch (r.op) {
    case operation::plus:
      return reduce_cpu<T, plus<T>, every>(on, r);
    case operation::multiplies:
      return reduce_cpu<T, multiplies<T>>(on, r);
    case operation::bit_xor:
      return reduce_cpu<T, bit_xor<T>>(on, r);
    case operation::bit_and:
    case operation::bit_or:
      return reduce_cpu<T, bit_and<T>>(on, r, flipped(r.op == operation::bit_or ? all : T{}));
    case operation::min:
    case operation::max:
      return reduce_cpu<T, minimum<T>, every>(on, r, flipped(static_cast<T>(r.op == operation::max ? sign ^ all : sign)));
  }
}

}  // namespace lookback::dispatch
