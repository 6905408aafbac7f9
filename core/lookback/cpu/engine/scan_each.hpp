// scan_into on the CPU where every value is stored: how large tiles are, what is known before the first item.
#pragma once
#include <algorithm>
#include <type_traits>

#include "../../operators.hpp"
#include "../../sink.hpp"
#include "../run/policy.hpp"
#include "../simd/unit.hpp"
#include "../sinks/each.hpp"
#include "../sinks/heads.hpp"
#include "../sinks/items.hpp"
#include "../sinks/reproducible.hpp"
#include "chunk.hpp"
#include "run_work.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

namespace detail {

template <class Policy, class Parts, class Heads>
void scan_each(Policy const& on, Parts const& parts, Heads const& heads, maybe<typename Parts::value_type> const& before, index_t n,
               index_t item_bytes) {
  using T = typename Parts::value_type;
  simd_level const level = usable(on.tuning.simd);
  auto const last = [&] {
    if constexpr (Policy::is_reproducible && std::is_floating_point_v<T>) {
      using op = decltype(Parts::op);
      static_assert(lookback::is_reproducible<op>,
                    "a reproducible scan of floats needs plus, multiplies, minimum or maximum of float or double");
      index_t const items =
          on.tuning.tile_items > 0 ? on.tuning.tile_items : reproducible_work<Parts, Heads>::most * tree<T>::items;
      expects(items % tree<T>::items == 0 && items <= reproducible_work<Parts, Heads>::most * tree<T>::items,
              "with reproducible, tuning.tile_items is 1 to 8 times the items of a tree tile");
      reproducible_work<Parts, Heads> work{parts, heads, before, n, items, level};
      return run_by_policy(on, work, n * item_bytes);
    } else {
      each_work<Parts, Heads> work{parts, heads, before, n, tile_items(on, item_bytes), level};
      return run_by_policy(on, work, n * item_bytes);
    }
  }();
  if constexpr (!std::is_same_v<typename Policy::carry_type, no_carry>) {
    static_assert(std::is_same_v<std::remove_cvref_t<decltype(on.carry.out->value)>, T>,
                  "the value in the carry has the type of what is accumulated");
    bool stays_open = true;
    if constexpr (Parts::is_segmented) stays_open = heads.stays_open();
    chunk(on.carry).leave(stays_open ? maybe<T>{last.value} : maybe<T>{}, n, heads);
  }
}

}  // namespace detail

/// Runs a scan where `on` says. Waits; throws what an operator threw, with `out` part written.
template <class Strategy, class Carry, bool Reproducible, class Items, class Segments, class T, class Op, class Sink>
requires is_each<Sink>
void scan_into(policy<Strategy, Carry, Reproducible> const& on, size const& number, source<Items, Segments, T> const& from,
               Op const& given, Sink const& sink) {
  detail::expects_strategy<Strategy, Carry, Reproducible, T, Sink>();
  index_t const n = count_of(number);
  if constexpr (is_lifted<Strategy>) lookback::detail::scan_lifted<typename Strategy::base>(on, n, from, given, sink);
  else {
    auto const& op = detail::plain_operator(given);
    constexpr bool is_segmented = !std::is_same_v<Segments, no_segments>;
    using plain = std::remove_cvref_t<decltype(op)>;
    using parts = each_parts<Items, T, plain, Sink, is_segmented>;
    if constexpr (!std::is_same_v<Carry, no_carry>)
      if (n == 0) detail::chunk(on.carry).pass_on();
    if (n == 0) return;
    auto const arrays = from.items.arrays();
    index_t const read_bytes = detail::bytes_of(arrays), item_bytes = std::max<index_t>(read_bytes, sizeof(T));
    index_t const out_bytes = n * static_cast<index_t>(sizeof(typename Sink::value_type));
    bool const streaming = out_bytes > stream_above(on.tuning) && !detail::reads_from(arrays, sink.out);
    if (streaming) detail::fill_by_huge_pages(sink.out, out_bytes);
    parts const p{from.items, arrays, op, sink, from.initial, on.direction == right_to_left, streaming};
    auto before = detail::chunk(on.carry).template open<T>();
    if (!before.has) before = from.initial;
    if constexpr (is_segmented) {
      auto const marks = detail::described(from.segments, arrays, n);
      heads<std::remove_const_t<decltype(marks)>> const h{marks, n, p.reversed, on.carry};
      if (h.starts) before = maybe<T>{};
      detail::scan_each(on, p, h, before, n, item_bytes);
    } else detail::scan_each(on, p, no_segments{}, before, n, item_bytes);
  }
}

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
