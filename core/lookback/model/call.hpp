// What every verb asks of its arguments before anything is queued: memory that the back end reaches, a direction that it has,
// operators that take what they are given.
#pragma once
#include <string>
#include <type_traits>

#include "../error.hpp"
#include "../fn.hpp"
#include "../operators.hpp"
#include "../policy.hpp"
#include "../segments.hpp"
#include "../sink.hpp"
#include "../source.hpp"

namespace lookback::detail {

/// Does `On` run where host memory may be out of reach? Such a policy has reaches(pointer), and for a
/// carry keeps_carry_at(pointer).
template <class On>
concept on_device = requires(On const& on, void const* p) {
  on.reaches(p);
};

/// In a build with assertions, throws invalid_argument that names an argument whose memory `on` does not reach. `items` of them;
/// without any, memory may be anything.
template <policy On>
void expects_reached([[maybe_unused]] On const& on, [[maybe_unused]] void const* data, [[maybe_unused]] index_t items,
                     [[maybe_unused]] char const* name) {
  if constexpr (asserts && on_device<On>)
    if (data && items > 0 && !on.reaches(data))
      throw invalid_argument(std::string("lookback: expected: the device reaches the memory of every array; it does not reach `") +
                             name + "`");
}

template <policy On>
void expects_reached(On const&, arrays<> const&, index_t, char const*) {}
template <policy On, class T, class... Rest>
void expects_reached(On const& on, arrays<T, Rest...> const& from, index_t items, char const* name) {
  expects_reached(on, static_cast<void const*>(from.data), items, name);
  expects_reached(on, from.rest, items, name);
}

template <policy On, bool OnHost>
constexpr void expects_no_host_container() {
  static_assert(
      !OnHost || !on_device<On>,
      "gpu::on does not reach std::vector, std::string, std::array and built-in arrays: copy the elements to device memory, "
      "or say that the GPU reaches them by passing a std::span");
}

/// What a verb reads: as_input(in) where `on` reaches it. `name` is the parameter's.
template <policy On, class In>
input<items_t<In>> input_of(On const& on, In const& in, char const* name) {
  using from_type = decltype(as_input(in));
  expects_no_host_container<On, is_on_host<from_type>>();
  auto const from = as_input(in);
  expects_reached(on, from.items.arrays(), from.size.bound, name);
  expects_reached(on, from.size.count, 1, "n");
  return {from.items, from.size};
}

/// A range that a verb makes a description of, if `on` reaches it.
template <policy On, contiguous R>
R const& reached_range(On const& on, R const& range, char const* name) {
  input_of(on, range, name);
  return range;
}

template <class T, class F, bool OnHost>
output<T, F> without_place(output<T, F, OnHost> const& out) {
  return {out.data, out.size, out.f};
}
template <class Out>
inline constexpr bool is_output_on_host = false;
template <class T, class F, bool OnHost>
inline constexpr bool is_output_on_host<output<T, F, OnHost>> = OnHost;

/// What a verb writes: as_output(out) where `on` reaches it.
template <policy On, class Out>
auto output_of(On const& on, Out&& out, char const* name) {
  expects_no_host_container<On, is_output_on_host<decltype(as_output(out))>>();
  auto const to = without_place(as_output(out));
  expects_reached(on, to.data, to.size, name);
  return to;
}

/// The same of segments by an array.
template <policy On>
void expects_reached(On const& on, segments const& s) {
  expects_reached(on, s.data, s.count, "segments");
}
template <policy On, class Key, class Equal>
void expects_reached(On const& on, key_segments<Key, Equal> const& s) {
  expects_reached(on, s.data, s.count, "keys");
}

/// Segments that a verb is told of, if `on` reaches what describes them.
template <policy On, class Described>
without_container_t<Described> const& segments_of(On const& on, Described const& described) {
  expects_no_host_container<On, is_on_host<Described>>();
  expects_reached(on, static_cast<without_container_t<Described> const&>(described));
  return described;
}

/// For verbs whose results are the same from either side.
template <policy On>
On const& without_direction(On const& on) {
  expects(on.direction == left_to_right, "right_to_left is given to a scan; this algorithm has no direction");
  return on;
}

/// The last chunk of a call that is cut ends what an earlier one has left open: one result more than it has items, at most.
template <policy On>
index_t left_open(On const& on) {
  if constexpr (std::is_same_v<typename On::carry_type, no_carry>) return 0;
  else return on.carry.in && !on.carry.out ? 1 : 0;
}

/// What a call accumulates that is given Op for the values of In.
template <class Op, class In>
using accumulated_t = accumulator_t<known_operator_t<Op, item_value_t<items_t<In>>>, item_value_t<items_t<In>>>;

/// In place of what a sentence has refused, so that it stays the only one.
template <class T>
struct left_one {
  LOOKBACK_FN T operator()(T const& a, T const&) const { return a; }
};

/// Is Op what a call may be given as the operator for the values of In? Else a sentence says what it is called with.
template <class Op, class In>
constexpr bool expects_operator() {
  using known = known_operator_t<Op, item_value_t<items_t<In>>>;
  using T = accumulated_t<Op, In>;
  constexpr bool is_operator = LOOKBACK_DEVICE_ONLY(known) || std::is_invocable_v<known const&, T const&, T const&>;
  static_assert(is_operator,
                "op is called as op(a, b) with values of the type that is accumulated; it comes before the initial value");
  return is_operator;
}

/// The operator that a call applies which is given `op` for the values of In.
template <class In, class Op>
auto operator_on(Op const& op) {
  using known = known_operator_t<Op, item_value_t<items_t<In>>>;
  if constexpr (!expects_operator<Op, In>()) return left_one<accumulated_t<Op, In>>{};
  else if constexpr (std::is_same_v<known, Op>) return op;
  else return known{};
}

/// The initial value of a call.
template <class T, class Initial>
maybe<T> initially(Initial const& initial) {
  constexpr bool is_initial = std::is_constructible_v<T, Initial const&>;
  static_assert(is_initial, "the initial value becomes one of the type that is accumulated, and comes behind op");
  if constexpr (is_initial) return {static_cast<T>(initial)};
  else return {};
}

/// Has the operator of a call an identity, where it is not given an initial value? Else a sentence says that it needs one.
template <class Op, class In>
constexpr bool expects_identity() {
  if constexpr (!expects_operator<Op, In>()) return false;
  else {
    constexpr bool has = has_identity<known_operator_t<Op, item_value_t<items_t<In>>>>;
    static_assert(has, "an exclusive scan needs an initial value or an operator with identity()");
    return has;
  }
}

}  // namespace lookback::detail
