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

/// Room for results: of the last chunk, one more.
inline index_t room_of(reduce_request const& r) { return r.n + (r.state && r.state->is_last ? 1 : 0); }

/// Are both passes one?
inline bool is_one_pass(reduce_request const& r) {
  return r.op == operation::plus && size_of(r.type) >= 4 && !is_float(r.key_type) && size_of(r.key_type) >= 4;
}

/// Any keys with any values: two passes over the keys, and a table of as many reductions as there are values and operators, beside
/// that of `unique`, instead of its product with the keys.
template <class T, class Op, class On, class Flip>
void reduce_in_two(On const& on, reduce_request const& r, Flip const& flip) {
  segmented_reduce_async(on, flip.before(items_at<T>(r.values, r.n)), keys_of(r), flip.behind(room_at<T>(r.values_out, room_of(r))),
                         r.count, Op{});
  // By the default strategy, whose kernels are there: which of them finds the keys changes nothing.
  runs_request by;
  by.in = r.keys, by.n = r.n, by.type = r.key_type, by.firsts = r.keys_out, by.count = r.count;
  if (r.state) by.state = &r.state->keys, by.count = &r.state->new_keys;
  runs_cpu({back_end::cpu, on.threads}, by);
}

/// Sums by integer keys of 4 or 8 bytes are what people reduce: one pass.
template <class T, class On>
bool summed_in_one(On const& on, reduce_request const& r) {
  auto const sum = [&]<class Key>(Key) {
    reduce_by_key_async(on, items_at<Key>(r.keys, r.n), items_at<T>(r.values, r.n), room_at<Key>(r.keys_out, r.n),
                        room_at<T>(r.values_out, room_of(r)), r.count);
    return true;
  };
  if (!is_one_pass(r)) return false;
  return size_of(r.key_type) == 4 ? sum(std::uint32_t{}) : sum(std::uint64_t{});
}

template <class T, class Op, class On, class Flip>
void reduce_on(On const& on, reduce_request const& r, Flip const& flip) {
  if constexpr (std::is_same_v<Op, plus<T>> && sizeof(T) >= 4)
    if (summed_in_one<T>(on, r)) return;
  reduce_in_two<T, Op>(on, r, flip);
}

/// What one chunk hands to the next, if there are chunks.
template <class T>
carry<T, any_key> carry_of(reduce_request const& r) {
  using state_type = carried<T, any_key>;
  static_assert(sizeof(state_type) <= sizeof(scan_state) && alignof(state_type) <= alignof(scan_state));
  if (!r.state) return {};
  auto* const state = reinterpret_cast<state_type*>(&r.state->values);
  return {state, r.state->is_last ? nullptr : state};
}

/// The default strategy has room for a carry, used or not: it takes no second instance.
template <class T, class Op, bool EveryStrategy = false, class Flip = nothing_flipped>
void reduce_cpu(place const& on, reduce_request const& r, Flip const& flip = {}) {
  by_strategy<EveryStrategy>(on_workers(on, r.how), r.how, [&](auto const& policy) {
    if constexpr (std::is_same_v<decltype(policy), cpu::policy<> const&>) {
      auto const chunk = carry_of<T>(r);
      bool const was_open = chunk.in && chunk.in->any;
      reduce_on<T, Op>(policy.with(chunk), r, flip);
      if (r.state) r.state->new_keys = *r.count + (chunk.out && chunk.out->any ? 1 : 0) - (was_open ? 1 : 0);
    } else {
      expects(!r.state, "a reduction that is cut into chunks has the default strategy");
      reduce_on<T, Op>(policy, r, flip);
    }
  });
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
