// Predicates that we and every peer are given alike.
#pragma once
#include <lookback/fn.hpp>

namespace bench {

template <class T>
struct below {
  T limit;
  LOOKBACK_FN bool operator()(T const& x) const { return x < limit; }
};

}  // namespace bench
