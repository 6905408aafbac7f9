// Selections of one type on the CPU.
#pragma once
#include <lookback/partition_if.hpp>
#include <lookback/select_if.hpp>

#include "by_strategy.hpp"
#include "compaction_tables.hpp"
#include "on_workers.hpp"

namespace lookback::dispatch {

/// low <= x and x <= high. Nothing lies between where high is below low; a NaN lies nowhere.
template <class T>
struct within {
  T low, high;
  bool operator()(T x) const { return (low <= x) & (x <= high); }
};

/// The same for integers, signed or not, by their unsigned difference: one kernel for two types.
template <std::unsigned_integral T>
struct within<T> {
  T low, distance;
  bool any;
  bool operator()(T x) const { return (static_cast<T>(x - low) <= distance) & any; }
};

template <class T>
within<T> within_of(select_request const& request) {
  T low, high;
  std::memcpy(&low, request.low, sizeof low), std::memcpy(&high, request.high, sizeof high);
  if constexpr (std::is_floating_point_v<T>) {
    return {low, high};
  } else {
    using S = std::make_signed_t<T>;
    bool const any = is_signed_integer(request.type) ? static_cast<S>(low) <= static_cast<S>(high) : low <= high;
    return {low, static_cast<T>(high - low), any};
  }
}

struct is_not_zero {
  bool operator()(std::uint8_t flag) const { return flag != 0; }
};

template <class T, class On>
void select_on(On const& on, select_request const& r) {
  auto const in = items_at<T>(r.in, r.n);
  auto const kept = room_at<T>(r.kept, r.n);
  auto const rejected = room_at<T>(r.rejected, r.rejected ? r.n : 0);
  if constexpr (!std::is_floating_point_v<T>)  // what a flag keeps need not be a number
    if (r.flags) {
      auto const flags = items_at<std::uint8_t>(r.flags, r.n);
      if (r.rejected) return partition_if_async(on, in, stencil(flags), kept, rejected, is_not_zero{}, r.counts);
      return select_flagged_async(on, in, flags, kept, r.counts);
    }
  auto const keep = within_of<T>(r);
  if (r.rejected) partition_if_async(on, in, kept, rejected, keep, r.counts);
  else select_if_async(on, in, kept, keep, r.counts);
}

template <class T, bool EveryStrategy>
void select_cpu(place const& on, select_request const& request) {
  by_strategy<EveryStrategy>(on_workers(on, request.how), request.how, [&](auto const& policy) { select_on<T>(policy, request); });
}

}  // namespace lookback::dispatch
