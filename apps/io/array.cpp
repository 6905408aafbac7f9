#include "array.hpp"

#include <cmath>

namespace lookback::app {

namespace {

// Truncated as NumPy's astype does, but what does not fit is refused: the standard leaves it undefined.
template <class To, class From>
void truncate(array const& from, To* out) {
  auto const low = static_cast<From>(std::numeric_limits<To>::min());
  auto const high = std::ldexp(From{1}, std::numeric_limits<To>::digits);  // one more than the largest
  auto const in = from.as<From>();
  for (std::size_t i = 0; i < in.size(); ++i) {
    auto const whole = std::trunc(in[i]);
    if (!(whole >= low && whole < high)) refuse(from.from, "item " + text_of(i), text_of(in[i]), range_of<To>());
    out[i] = static_cast<To>(whole);
  }
}

}  // namespace

array converted(array const& from, element to) {
  array made = make_array(to, from.n);
  made.shape = from.shape;
  made.from = from.from;
  made.column = from.column;
  with_type(from.type, [&]<class From>(std::type_identity<From>) {
    with_type(to, [&]<class To>(std::type_identity<To>) {
      To* const out = made.memory.as<To>();
      if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) truncate<To, From>(from, out);
      else
        for (index_t i = 0; i < from.n; ++i) out[i] = static_cast<To>(from.as<From>()[static_cast<std::size_t>(i)]);
    });
  });
  return made;
}

array as_flags(array flags, bool words) {
  auto const size = dispatch::size_of(flags.type);
  if (!dispatch::is_float(flags.type) && (size == 1 || (words && size == 4))) return flags;
  array made = make_array(element::u8, flags.n);
  made.from = flags.from;
  with_type(flags.type, [&]<class T>(std::type_identity<T>) {
    auto const in = flags.as<T>();
    for (std::size_t i = 0; i < in.size(); ++i) made.memory.as<std::uint8_t>()[i] = in[i] != T{};
  });
  return made;
}

void expect_count(array const& of, index_t found, index_t n, std::string const& what) {
  if (found != n) refuse(of.from, "size", grouped(found) + " " + what, grouped(n) + ", to match the number of input items");
}

}  // namespace lookback::app
