// What a sort must give: std::stable_sort by a comparison that is written here, and takes nothing from the library. Keys are kept
// as their bits (words), so that NaNs compare byte for byte.
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <type_traits>
#include <vector>

namespace oracle {

/// How a sort is asked for.
struct sort_form {
  bool descending = false, nan_first = false;
  int begin = 0, end = -1;  // bits{begin, end}; end < 0: not given
  bool has_bits() const { return end >= 0; }
};

/// How many bits of a key are its exponent; 0: it is an integer. Types of 16 bits are named by whoever has them.
template <class Key>
inline constexpr int exponent_of = std::is_same_v<Key, float>    ? 8
                                   : std::is_same_v<Key, double> ? 11
                                                                 : 0;

template <std::size_t Bytes>
using word_of =
    std::conditional_t<Bytes == 1, std::uint8_t,
                       std::conditional_t<Bytes == 2, std::uint16_t, std::conditional_t<Bytes == 4, std::uint32_t, std::uint64_t>>>;
/// The unsigned integer that has the bytes of a key.
template <class Key>
using word_t = word_of<sizeof(Key)>;

template <class Key>
struct format {
  using word = word_t<Key>;
  static constexpr bool is_float = exponent_of<Key> != 0;
  static constexpr int bits = std::is_same_v<Key, bool> ? 1 : 8 * static_cast<int>(sizeof(Key));
  static constexpr int fraction = 8 * static_cast<int>(sizeof(Key)) - 1 - exponent_of<Key>;
  static constexpr word top = static_cast<word>(word{1} << (8 * sizeof(Key) - 1));
  static constexpr word infinity = static_cast<word>(((std::uint64_t{1} << exponent_of<Key>)-1) << (is_float ? fraction : 0));

  static word magnitude(word w) { return static_cast<word>(w & (top - 1)); }
  static bool has_sign(word w) { return (w & top) != 0; }
  static bool is_nan(word w) { return is_float && magnitude(w) > infinity; }

  /// The number that a word stands for; every type of 16 bits is exact in a double.
  static auto value(word w) {
    if constexpr (std::is_same_v<Key, bool>) return w != 0;
    else if constexpr (!is_float || std::is_same_v<Key, float> || std::is_same_v<Key, double>) return std::bit_cast<Key>(w);
    else {
      int const bias = (1 << (exponent_of<Key> - 1)) - 1, raised = magnitude(w) >> fraction;
      int const digits = magnitude(w) & ((1 << fraction) - 1);
      double const size = raised == 2 * bias + 1 ? HUGE_VAL
                          : raised == 0          ? std::ldexp(digits, 1 - bias - fraction)
                                                 : std::ldexp(digits + (1 << fraction), raised - bias - fraction);
      return has_sign(w) ? -size : size;
    }
  }
};

/// Does a come before b? `alone`: nothing moves along, so the bits decide between equal floats.
template <class Key>
struct comes_before {
  using f = format<Key>;
  using word = typename f::word;
  sort_form how;
  bool alone;

  bool operator()(word a, word b) const {
    if (how.has_bits()) return digits(a) < digits(b);
    if (f::is_nan(a) != f::is_nan(b)) return f::is_nan(how.nan_first ? a : b);
    word const low = how.descending ? b : a, high = how.descending ? a : b;
    if (f::is_nan(a)) return alone && nan_before(low, high);
    if (f::value(low) < f::value(high)) return true;
    return alone && f::is_float && f::value(low) == f::value(high) && f::has_sign(low) && !f::has_sign(high);
  }

 private:
  /// Those without a sign first, the smallest bits first; those with one by falling bits, as their numbers would.
  static bool nan_before(word a, word b) {
    if (f::has_sign(a) != f::has_sign(b)) return f::has_sign(b);
    return f::has_sign(a) ? b < a : a < b;
  }
  /// Bits [begin, end) of the place of a key among all of its type.
  std::uint64_t digits(word w) const {
    std::uint64_t const last = f::bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << f::bits) - 1;
    std::uint64_t const middle = last / 2 + 1;
    std::uint64_t place = w;
    if (f::is_nan(w)) place = how.nan_first ? 0 : last;
    else {
      if constexpr (f::is_float) place = f::value(w) < 0 ? middle - 1 - f::magnitude(w) : middle + f::magnitude(w);
      else if constexpr (std::is_signed_v<Key>) place = f::value(w) < 0 ? w - middle : w + middle;
      if (how.descending) place = last - place;
    }
    std::uint64_t const above = how.end - how.begin == 64 ? last : (std::uint64_t{1} << (how.end - how.begin)) - 1;
    return how.begin == 64 ? 0 : place >> how.begin & above;
  }
};

/// places[k] is where the key lies that is k-th in order.
template <class Key>
std::vector<std::size_t> sorted_places(std::vector<word_t<Key>> const& keys, sort_form const& how, bool alone) {
  std::vector<std::size_t> places(keys.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  comes_before<Key> const before{how, alone};
  std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) { return before(keys[a], keys[b]); });
  return places;
}

/// What lies at these places, in their order.
template <class T>
std::vector<T> taken(std::vector<T> const& from, std::vector<std::size_t> const& places) {
  std::vector<T> out;
  out.reserve(places.size());
  for (std::size_t const i : places) out.push_back(from[i]);
  return out;
}

}  // namespace oracle
