#include "generators.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "random.hpp"
#include "report/progress.hpp"

namespace lookback::app {

namespace {

template <class T>
T from_word(std::uint64_t word) {
  if constexpr (std::is_same_v<T, float>) return static_cast<float>(word >> 40) * 0x1p-24f;
  else if constexpr (std::is_same_v<T, double>) return static_cast<double>(word >> 11) * 0x1p-53;
  else return static_cast<T>(word >> (64 - 8 * sizeof(T)));
}

template <class F>
array made_of(element type, index_t n, F&& value_at) {
  array made = make_array(type, n);
  progress line("generating", static_cast<double>(n));
  with_type(type, [&]<class T>(std::type_identity<T> of) {
    T* const out = made.memory.as<T>();
    for (index_t i = 0; i < n; ++i) {
      out[i] = value_at(of, static_cast<std::uint64_t>(i));
      if (i % (1 << 20) == 0) line.at(static_cast<double>(i));
    }
  });
  return made;
}

// Positions where segments of at least one item begin, rising, the first 0, and n behind the last.
std::vector<index_t> boundaries(index_t n, std::uint64_t seed, length_law law) {
  if (!(law.mean >= 1)) throw usage_error("--mean: found " + text_of(law.mean) + ", expected at least 1");
  if (law.power != 0 && !(law.power > 2))
    throw usage_error("--power: found " + text_of(law.power) + ", expected an exponent above 2");
  std::vector<index_t> at{0};
  double const geometric = std::log1p(-1 / law.mean);  // -infinity for a mean of 1
  double const shortest = law.mean * (law.power - 2) / (law.power - 1);
  for (std::uint64_t k = 0; at.back() < n; ++k) {
    double const u = 1 - random_unit(seed, k);  // in (0, 1]
    double const drawn =
        law.power == 0 ? 1 + std::floor(std::log(u) / geometric) : std::floor(shortest * std::pow(u, -1 / (law.power - 1)) + 0.5);
    double const left = static_cast<double>(n - at.back());
    at.push_back(drawn < left ? at.back() + std::max<index_t>(1, static_cast<index_t>(drawn)) : n);
  }
  return at;
}

}  // namespace

array uniform_values(element type, index_t n, std::uint64_t seed, std::optional<scalar> low, std::optional<scalar> high) {
  if (!low && !high)
    return made_of(type, n, [&]<class T>(std::type_identity<T>, std::uint64_t i) { return from_word<T>(random_word(seed, i)); });
  return made_of(type, n, [&]<class T>(std::type_identity<T>, std::uint64_t i) {
    T from{}, to = std::is_floating_point_v<T> ? T{1} : std::numeric_limits<T>::max();
    if (low) std::memcpy(&from, low->bytes, sizeof from);
    if (high) std::memcpy(&to, high->bytes, sizeof to);
    bool finite = true;
    if constexpr (std::is_floating_point_v<T>) finite = std::isfinite(to - from);
    if (!(from < to) || !finite)
      throw usage_error("--low: found " + text_of(from) + " with --high " + text_of(to) +
                        ", expected less than --high, by a finite difference");
    if constexpr (std::is_floating_point_v<T>)
      return std::min(from + (to - from) * from_word<T>(random_word(seed, i)), std::nextafter(to, from));
    else
      return static_cast<T>(static_cast<std::uint64_t>(from) +
                            random_below(seed, i, static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from)));
  });
}

array entropy_values(element type, index_t n, std::uint64_t seed, int level) {
  if (dispatch::is_float(type))
    throw usage_error(std::string("--dtype: found '") + dispatch::name_of(type) + "', expected a type of integers for gen entropy");
  return made_of(type, n, [&]<class T>(std::type_identity<T>, std::uint64_t i) {
    std::uint64_t word = ~std::uint64_t{0};
    for (int k = 0; k <= level; ++k) word &= random_word(seed + static_cast<std::uint64_t>(k) * 0x632be59bd9b4e019u, i);
    return from_word<T>(word);
  });
}

array run_values(element type, index_t n, std::uint64_t seed, length_law law) {
  auto const at = boundaries(n, seed, law);
  std::size_t run = 0;
  return made_of(type, n, [&]<class T>(std::type_identity<T>, std::uint64_t i) {
    while (static_cast<std::uint64_t>(at[run + 1]) <= i) ++run;
    return from_word<T>(random_word(~seed, run));
  });
}

array random_segments(std::string const& form, element type, index_t n, std::uint64_t seed, length_law law) {
  auto const at = boundaries(n, seed, law);
  if (form == "flags" || form == "bits") {
    array made = make_array(element::u8, form == "flags" ? n : (n + 7) / 8);
    auto* const out = made.memory.as<std::uint8_t>();
    for (std::size_t s = 0; s + 1 < at.size(); ++s)
      if (form == "flags") out[at[s]] = 1;
      else out[at[s] / 8] = static_cast<std::uint8_t>(out[at[s] / 8] | 1 << at[s] % 8);
    return made;
  }
  if (form == "keys") {
    std::size_t segment = 0;
    return made_of(type, n, [&]<class T>(std::type_identity<T>, std::uint64_t i) {
      while (static_cast<std::uint64_t>(at[segment + 1]) <= i) ++segment;
      return static_cast<T>(segment);
    });
  }
  if (type != element::i32 && type != element::i64)
    throw usage_error(std::string("--dtype: found '") + dispatch::name_of(type) + "', expected i32 or i64 for --form offsets");
  if (type == element::i32 && n > std::numeric_limits<std::int32_t>::max())
    throw usage_error("--dtype: found 'i32', expected i64 for offsets up to " + text_of(n));
  if (!(law.empty >= 0 && law.empty < 1))
    throw usage_error("--empty: found " + text_of(law.empty) + ", expected a share from 0 to less than 1");
  std::vector<index_t> positions;
  std::uint64_t drawn = 0;
  for (auto const position : at) {
    positions.push_back(position);
    while (random_unit(~seed, drawn++) < law.empty) positions.push_back(position);
  }
  return made_of(type, static_cast<index_t>(positions.size()),
                 [&]<class T>(std::type_identity<T>, std::uint64_t k) { return static_cast<T>(positions[k]); });
}

}  // namespace lookback::app
