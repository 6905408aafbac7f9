// Prefix sums and every other scan: inclusive and exclusive, from either side, by any associative operator.
//
//   lookback::inclusive_scan(lookback::cpu::on(8), in, out);
//   lookback::exclusive_scan(lookback::gpu::on(stream).with(lookback::right_to_left), in, out, lookback::maximum<float>{}, 0.0f);
#pragma once
#include "error.hpp"
#include "model/call.hpp"
#include "model/overlap.hpp"
#include "operators.hpp"
#include "policy.hpp"
#include "sink.hpp"
#include "source.hpp"

namespace lookback {

namespace detail {

template <policy On, class Items, class Segments, class Op, class T, class Out, class F>
void scan_each(On const& on, input<Items> const& in, Segments const& segments, output<Out, F> const& out, Op const& op,
               maybe<T> initial, bool exclusive) {
  expects(in.size.bound >= 0, "the number of items is not negative");
  expects_size(out.size, in.size.bound, "out holds at least as many elements as in");
  expects_scannable_in_place(in.items, segments, out.data, in.size.bound);
  scan_into(on, in.size, source<Items, Segments, T>{in.items, segments, initial}, op, each<Out, F>{out.data, exclusive, out.f});
}

}  // namespace detail

/// out[i] = in[0] op in[1] op ... op in[i].
///
///   on    cpu::seq, cpu::on(threads), gpu::on(stream), with a strategy, a direction, a workspace ...; a GPU call only enqueues
///   in    n elements, or mapped(...), generate(...), first(...): readable where `on` runs
///   out   at least n elements, or into(...): out may be exactly in; any other overlap is refused
///   op    associative, need not commute; pure; applied only to items and to results of adjacent ones. Its value_type, where it
///         has one, is what is accumulated, else the item's type (of std::plus<U> too). From right to left out[i] = in[i] op ... op
///         in[n-1].
///
/// Cost:   one pass: reads n, writes n elements; scratch O(tiles).
/// Throws: invalid_argument if out is too short or overlaps; out_of_memory; device_error. What op throws (cpu) comes through.
/// Source: Merrill & Garland, Single-pass Parallel Prefix Scan with Decoupled Look-back, NVR-2016-002.
template <policy On, readable In, writable Out, class Op = plus<>>
void inclusive_scan(On const& on, In const& in, Out&& out, Op op = {}) {
  using T = detail::accumulated_t<Op, In>;
  detail::scan_each(on, detail::input_of(on, in, "in"), no_segments{}, detail::output_of(on, out, "out"),
                    detail::operator_on<In>(op), maybe<T>{}, false);
}

/// The same after an initial value: out[i] = initial op in[0] op ... op in[i].
template <policy On, readable In, writable Out, class Op, class T>
void inclusive_scan(On const& on, In const& in, Out&& out, Op op, T const& initial) {
  detail::scan_each(on, detail::input_of(on, in, "in"), no_segments{}, detail::output_of(on, out, "out"),
                    detail::operator_on<In>(op), detail::initially<detail::accumulated_t<Op, In>>(initial), false);
}

/// out[i] = initial op in[0] op ... op in[i-1]; out[0] = initial. Everything else as in inclusive_scan.
template <policy On, readable In, writable Out, class Op, class T>
void exclusive_scan(On const& on, In const& in, Out&& out, Op op, T const& initial) {
  detail::scan_each(on, detail::input_of(on, in, "in"), no_segments{}, detail::output_of(on, out, "out"),
                    detail::operator_on<In>(op), detail::initially<detail::accumulated_t<Op, In>>(initial), true);
}

/// The same from the operator's identity.
template <policy On, readable In, writable Out, class Op = plus<>>
void exclusive_scan(On const& on, In const& in, Out&& out, Op op = {}) {
  if constexpr (detail::expects_identity<Op, In>())
    exclusive_scan(on, in, out, op, known_operator_t<Op, item_value_t<items_t<In>>>::identity());
}

}  // namespace lookback
