// Runs, given as a value and a length each, written out: the inverse of run_length_encode.
//
//   std::vector<T> out(lookback::decoded_size(on, lengths));
//   lookback::run_length_decode(on, values, lengths, out);
#pragma once
#include <lookback/model/compaction.hpp>
#include <lookback/model/run_lengths.hpp>
#include <string>

namespace lookback {

namespace detail {

/// Finds where rows of runs end, and returns the total: waits. Throws invalid_argument where it is refused, and names the length.
template <policy On, class Length>
index_t expects_total(On const& on, run_lengths<Length> const& runs) {
  auto const numbers = wait_for_counts<total_numbers>(on, [&](index_t* to) {
    measure_runs(on, runs);
    write_total(on, runs, to);
  });
  if (numbers[0] >= 0) return numbers[0];
  auto const length = static_cast<Length>(numbers[2]);
  throw invalid_argument("lookback: expected: no length is negative, and all lengths add up to at most 2^63 - 1; lengths[" +
                         std::to_string(numbers[1]) + "] is " + std::to_string(length) +
                         (std::is_signed_v<Length> && static_cast<index_t>(length) < 0 ? "" : ", where the sum exceeds that"));
}

template <class Length>
run_lengths<Length> runs_of(input<elements<Length>> const& lengths, index_t* row_ends) {
  return {lengths.items.data, lengths.size, row_ends};
}

template <class Length>
void expects_runs(input<elements<Length>> const& lengths) {
  expects(lengths.size.bound >= 0, "the number of runs is not negative");
}
template <class Items, class Length, class Out>
void expects_decodable(input<Items> const& values, input<elements<Length>> const& lengths, output<Out, as_it_is> const& out) {
  expects_runs(lengths);
  expects_size(values.size.bound, lengths.size.bound, "there is a value for every length");
  expects(!touches(values.items.arrays(), lengths.size.bound, out.data, out.size) &&
              !touches(lengths.items.arrays(), lengths.size.bound, out.data, out.size),
          "out does not overlap values or lengths");
}

}  // namespace detail

/// The number of items that runs of these lengths have: what `out` has room for. Waits.
///
///   lengths  integers in memory: a range, or first(range, n)
///
/// Cost:   one pass: reads the lengths; scratch of 8 bytes for 512 of them.
/// Throws: invalid_argument for right_to_left, and one that names the first negative length, or the first at which the total is
/// more than an index_t can tell;
///         out_of_memory; device_error.
template <policy On, in_memory Lengths>
requires std::is_integral_v<item_value_t<items_t<Lengths>>> index_t decoded_size(On const& on, Lengths const& lengths) {
  auto const from = detail::input_of(on, lengths, "lengths");
  detail::expects_runs(from);
  detail::without_direction(on);
  auto const ends = scratch_for(on, detail::numbers_of_rows(from.size.bound), std::type_identity<index_t>{});
  return detail::expects_total(on, detail::runs_of(from, ends.data()));
}

/// Writes values[r] to lengths[r] places of out, run after run. Leaves how many items all runs have in *count, readable where `on`
/// runs.
///
///   values   as many as lengths at least: a range, or mapped(...), generate(...): f is called once or a few times a run
///   lengths  integers, 0 among them: a range in memory, or first(range, n)
///   out      apart from values and lengths; with too little room the first items are written, and *count says how many there are
///   count    negative where a length is or where the total overflows: then what out holds is not told (cpu: as it was); not the
///            number of `first`
///
/// Cost:   reads the lengths and the values once (cpu: the lengths twice), writes the items once; scratch of 40 bytes for 2048 runs
///         (cpu: as decoded_size). One run of n takes no longer than many: the work is divided by what is written.
/// Throws: invalid_argument, for right_to_left too; out_of_memory; device_error. What a function throws (cpu) comes through, with
/// out part written. Source: distribute, in Sengupta, Harris, Zhang, Owens, Scan Primitives for GPU Computing, 2007.
template <policy On, readable Values, in_memory Lengths, writable_range Out>
requires std::is_integral_v<item_value_t<items_t<Lengths>>>
void run_length_decode_async(On const& on, Values const& values, Lengths const& lengths, Out&& out, index_t* count) {
  auto const from = detail::input_of(on, values, "values");
  auto const lasting = detail::input_of(on, lengths, "lengths");
  auto const to = detail::output_of(on, out, "out");
  detail::expects_decodable(from, lasting, to);
  detail::expects_reached(on, count, 1, "count");
  expects(!lasting.size.count || lasting.size.count != count, "count is not the address where the number of lengths is stored");
  distribute_into(detail::without_direction(on), to.size, detail::runs_of(lasting, nullptr), from.items, to.data, count);
}

/// The same, and returns the number of items: waits. Throws invalid_argument, with nothing written, where out has less room, and
/// where decoded_size throws. Reads the lengths twice: first decoded_size.
template <policy On, readable Values, in_memory Lengths, writable_range Out>
requires std::is_integral_v<item_value_t<items_t<Lengths>>> index_t run_length_decode(On const& on, Values const& values,
                                                                                      Lengths const& lengths, Out&& out) {
  auto const from = detail::input_of(on, values, "values");
  auto const lasting = detail::input_of(on, lengths, "lengths");
  auto const to = detail::output_of(on, out, "out");
  detail::expects_decodable(from, lasting, to);
  auto const& forward = detail::without_direction(on);
  auto const ends = scratch_for(on, detail::numbers_of_rows(lasting.size.bound), std::type_identity<index_t>{});
  auto const runs = detail::runs_of(lasting, ends.data());
  index_t const total = detail::expects_total(forward, runs);
  expects_size(to.size, total, "out has room for every decoded item");
  distribute_into(forward, total, runs, from.items, to.data, nullptr);
  return total;
}

}  // namespace lookback
