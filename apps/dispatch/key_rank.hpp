// The order of keys of every type of one width as run-time values, so that one comparator, and with it one kernel, serves for all
// of them. Nothing here knows of CUDA.
#pragma once
#include "as_bits.hpp"

namespace lookback::dispatch {

/// By magnitude: by |x|, from the least on. NaNs come last in each of them, and 0 equals -0.
enum class key_order : std::uint8_t { ascending, descending, by_magnitude };

/// Maps the bits of a key to its rank: a number that is lower where the key comes first. Equal keys have equal ranks.
///
/// The bits of unsigned integers rise with the number. Those of signed integers do once the sign is inverted, and those of negative
/// floats rise where the number falls, so that all of theirs are. Inverted once more, ranks fall. The magnitude of a negative
/// integer is its two's complement: as an unsigned number it holds that of the least one, too.
template <std::unsigned_integral Bits>
struct key_rank {
  Bits sign;                      // none for unsigned integers
  Bits of_positive, of_negative;  // the bits that are inverted
  Bits carry;                     // added to what is negative
  bool has_nans;

  LOOKBACK_FN Bits operator()(Bits x) const {
    if constexpr (may_be_float<Bits>)
      if (has_nans) {
        constexpr int mantissa = sizeof(Bits) == 4 ? 23 : 52;
        constexpr Bits most = magnitude_bits<Bits>, infinity = most >> mantissa << mantissa;
        Bits const magnitude = x & most;
        if (magnitude > infinity) return all_bits<Bits>;
        if (magnitude == 0) x = 0;
      }
    return (x & sign) != 0 ? static_cast<Bits>((x ^ of_negative) + carry) : static_cast<Bits>(x ^ of_positive);
  }
};

template <class Bits>
key_rank<Bits> key_rank_of(element type, key_order order) {
  constexpr Bits none{}, all = all_bits<Bits>, sign = static_cast<Bits>(~magnitude_bits<Bits>);
  bool const by_magnitude = order == key_order::by_magnitude;
  key_rank<Bits> rising{};
  if (is_float(type)) rising = by_magnitude ? key_rank<Bits>{sign, none, sign, 0, true} : key_rank<Bits>{sign, sign, all, 0, true};
  else if (!is_signed_integer(type)) rising = {none, none, none, 0, false};
  else rising = by_magnitude ? key_rank<Bits>{sign, none, all, 1, false} : key_rank<Bits>{sign, sign, sign, 0, false};
  if (order != key_order::descending) return rising;
  return {rising.sign, static_cast<Bits>(~rising.of_positive), static_cast<Bits>(~rising.of_negative), 0, rising.has_nans};
}

/// Does key a come before key b?
template <class Bits>
struct lower_rank {
  key_rank<Bits> rank;
  LOOKBACK_FN bool operator()(Bits const& a, Bits const& b) const { return rank(a) < rank(b); }
};

}  // namespace lookback::dispatch
