// scan_into on the CPU.
#pragma once
#include <type_traits>
#include <vector>

#include "../operators.hpp"
#include "../sink.hpp"
#include "heads.hpp"
#include "items.hpp"
#include "policy.hpp"

namespace lookback::cpu {

namespace detail {

template <class Op>
auto const& plain_operator(Op const& op) {
  if constexpr (lookback::is_segmented<Op>) return op.op;
  else return op;
}

}  // namespace detail

/// Runs a scan where `on` says: what every algorithm calls.
template <class Strategy, class Carry, bool Reproducible, class Items, class Segments, class T, class Op, class Sink>
void scan_into(policy<Strategy, Carry, Reproducible> const& on, size const& number, source<Items, Segments, T> const& from,
               Op const& lifted, Sink const& sink) {
  index_t const n = count_of(number);
  auto const arrays = from.items.arrays();
  bool const reversed = on.direction == right_to_left;
  if constexpr (lookback::is_compact<Sink>) {
    for (int c = 0; c < Sink::classes; ++c) sink.counts[c] = 0;
    for (index_t k = 0; k < n; ++k) {
      index_t const i = reversed ? n - 1 - k : k;
      auto const c = static_cast<int>(value_at(from.items, arrays, i));
      if (c == Sink::classes) continue;
      index_t const rank = sink.counts[c]++;
      sink.outputs[c][sink.reversed[c] ? -1 - rank : rank] =
          static_cast<typename Sink::value_type>(value_at(sink.payload, arrays, i));
    }
    return;
  } else {
    auto const& op = detail::plain_operator(lifted);
    constexpr bool has_segments = !std::is_same_v<Segments, no_segments>;
    heads<Segments> const head{from.segments, n, 0, true};
    if constexpr (lookback::is_each<Sink>) {
      maybe<T> running = from.initial;
      for (index_t k = 0; k < n; ++k) {
        index_t const i = reversed ? n - 1 - k : k;
        if constexpr (has_segments)
          if (reversed ? k == 0 || head(i + 1) : head(i)) running = from.initial;
        T const x = static_cast<T>(value_at(from.items, arrays, i));
        T const inclusive = !running.has ? x : reversed ? op(x, running.value) : op(running.value, x);
        sink.out[i] = sink(i, running.has ? running.value : x, inclusive);
        running = maybe<T>{inclusive};
      }
    } else {
      maybe<T> const empty = [&] {
        if constexpr (has_identity<std::remove_cvref_t<decltype(op)>>)
          return from.initial.has ? from.initial : maybe<T>{op.identity()};
        else return from.initial;
      }();
      auto const store = [&](index_t s, maybe<T> const& value) {
        if (value.has) sink.out[s] = static_cast<typename Sink::value_type>(sink.f(value.value));
      };
      maybe<T> running = from.initial;
      index_t segment = 0;
      bool with_offsets = false;
      if constexpr (std::is_same_v<Segments, segments>) with_offsets = is_offsets(from.segments);
      if constexpr (std::is_same_v<Segments, segments>) {
        if (with_offsets) {
          index_t i = 0;
          for (; segment + 1 < from.segments.count; ++segment) {
            index_t const end = offset_at(from.segments, segment + 1);
            maybe<T> total = i < end && i < n ? from.initial : empty;
            for (; i < end && i < n; ++i) {
              T const x = static_cast<T>(value_at(from.items, arrays, i));
              total = maybe<T>{total.has ? op(total.value, x) : x};
            }
            store(segment, total);
          }
          if (sink.count) *sink.count = segment;
          return;
        }
      }
      for (index_t i = 0; i < n; ++i) {
        if (i > 0 && has_segments && [&] {
              if constexpr (has_segments) return head(i);
              else return false;
            }()) {
          store(segment++, running);
          running = from.initial;
        }
        T const x = static_cast<T>(value_at(from.items, arrays, i));
        running = maybe<T>{running.has ? op(running.value, x) : x};
      }
      if (n > 0) store(segment++, running);
      if (sink.count) *sink.count = segment;
    }
  }
}

}  // namespace lookback::cpu
