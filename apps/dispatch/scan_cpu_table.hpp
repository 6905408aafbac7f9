// The CPU's operators of one width.
#pragma once
#include "by_strategy.hpp"
#include "call_scan.hpp"
#include "on_workers.hpp"
#include "scan_tables.hpp"

namespace lookback::dispatch {

/// One operator under every strategy that was compiled for it. The default one has room for a carry, used or not: it takes no
/// second instance.
template <class T, class Op, bool EveryStrategy>
void scan_cpu(place const& on, scan_request const& request) {
  auto const with_carry = [&](auto const& policy) { call_scan<T, Op>(policy.with(carry_of<T, any_key>(request)), request); };
  if constexpr (std::is_floating_point_v<T>)  // integers are reproducible as they are
    if (request.reproducible && is_default(request.how)) return with_carry(cpu::on(on.threads).with(reproducible));
  by_strategy<EveryStrategy, stored::values>(on_workers(on, request.how), request.how, [&](auto const& policy) {
    if constexpr (std::is_same_v<decltype(policy), cpu::policy<> const&>) with_carry(policy);
    else {
      expects(!request.state, "a scan that is cut into chunks has the default strategy");
      call_scan<T, Op>(policy, request);
    }
  });
}

/// Wrapping sums and products and the bit operators of an integer depend on its width alone, so they run as unsigned: one kernel
/// for two types. Only min and max need to know the sign.
template <class Signed, class Unsigned>
void scan_cpu_integer(place const& on, scan_request const& request) {
  bool const is_signed = is_signed_integer(request.type);
  constexpr bool every = sizeof(Signed) == 4;
  switch (request.op) {
    case operation::plus:
      return scan_cpu<Unsigned, plus<Unsigned>, every>(on, request);
    case operation::multiplies:
      return scan_cpu<Unsigned, multiplies<Unsigned>, false>(on, request);
    case operation::bit_and:
      return scan_cpu<Unsigned, bit_and<Unsigned>, false>(on, request);
    case operation::bit_or:
      return scan_cpu<Unsigned, bit_or<Unsigned>, false>(on, request);
    case operation::bit_xor:
      return scan_cpu<Unsigned, bit_xor<Unsigned>, false>(on, request);
    case operation::min:
      return is_signed ? scan_cpu<Signed, minimum<Signed>, false>(on, request)
                       : scan_cpu<Unsigned, minimum<Unsigned>, false>(on, request);
    case operation::max:
      return is_signed ? scan_cpu<Signed, maximum<Signed>, every>(on, request)
                       : scan_cpu<Unsigned, maximum<Unsigned>, false>(on, request);
  }
}

template <class T>
void scan_cpu_float(place const& on, scan_request const& request) {
  switch (request.op) {
    case operation::plus:
      return scan_cpu<T, plus<T>, true>(on, request);
    case operation::multiplies:
      return scan_cpu<T, multiplies<T>, false>(on, request);
    case operation::min:
      return scan_cpu<T, minimum<T>, false>(on, request);
    default:
      return scan_cpu<T, maximum<T>, true>(on, request);
  }
}

}  // namespace lookback::dispatch
