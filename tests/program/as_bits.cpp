// What the GPU's tables are told of a type instead of having a kernel for it: order, equality and operators on bits, against the
// comparisons and operators of the type itself.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <dispatch/any_operator.hpp>
#include <dispatch/as_bits.hpp>
#include <dispatch/call_scan.hpp>
#include <limits>
#include <random>
#include <vector>

using namespace lookback::dispatch;

namespace {

template <class T>
using bits_of = std::conditional_t<
    sizeof(T) == 1, std::uint8_t,
    std::conditional_t<sizeof(T) == 2, std::uint16_t, std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;

template <class T>
bits_of<T> as_bits(T x) {
  bits_of<T> bits;
  std::memcpy(&bits, &x, sizeof x);
  return bits;
}
template <class T>
T from_bits(bits_of<T> bits) {
  T x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

template <class T>
element type_of() {
  if (std::is_same_v<T, float>) return element::f32;
  if (std::is_same_v<T, double>) return element::f64;
  int const width = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
  return static_cast<element>((std::is_signed_v<T> ? 0 : 4) + width);
}

// Both ends, both zeros, neighbours of all of these, infinities, NaNs of every kind, and what chance brings.
template <class T>
std::vector<T> edge_values() {
  using limits = std::numeric_limits<T>;
  std::vector<T> values{T(0), T(1), T(2), limits::lowest(), limits::max(), limits::min()};
  auto const add_bits = [&](std::uint64_t bits) { values.push_back(from_bits<T>(static_cast<bits_of<T>>(bits))); };
  if constexpr (std::is_floating_point_v<T>) {
    T const inf = limits::infinity(), tiny = limits::denorm_min();
    for (T const x : {tiny, limits::min(), T(1), T(1.5), limits::max(), inf})
      for (T const y : {x, std::nextafter(x, T(0)), std::nextafter(x, inf)}) values.push_back(y), values.push_back(-y);
    values.push_back(-T(0));
    bits_of<T> const infinite = as_bits(inf), sign = as_bits(-T(0));
    for (bits_of<T> const payload : {bits_of<T>{1}, static_cast<bits_of<T>>(as_bits(limits::quiet_NaN()) ^ infinite),
                                     static_cast<bits_of<T>>(~(infinite | sign))})
      add_bits(infinite | payload), add_bits(infinite | payload | sign);
  } else {
    for (int const near : {-2, -1, 1, 2})
      for (T const x : {T(0), limits::lowest(), limits::max(), static_cast<T>(limits::max() / 2)}) add_bits(as_bits(x) + near);
  }
  std::mt19937_64 random(7);
  for (int k = 0; k < 20; ++k) add_bits(random());
  return values;
}

template <class T>
class as_bits_of : public ::testing::Test {};
using element_types = ::testing::Types<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                                       std::uint32_t, std::uint64_t, float, double>;
TYPED_TEST_SUITE(as_bits_of, element_types);

template <class T>
void expect_between(T low, T high, std::vector<T> const& among) {
  auto const between = bits_between_of<bits_of<T>>(type_of<T>(), &low, &high);
  for (T const x : among)
    ASSERT_EQ(between(as_bits(x)), low <= x && x <= high) << +low << " <= " << +x << " <= " << +high << ", bits " << +as_bits(x);
}

template <class T, class Plain>
void expect_operator(operation op, std::vector<T> const& values, Plain plain) {
  using bits = bits_of<T>;
  using number = std::conditional_t<std::is_floating_point_v<T>, T, bits>;  // what the kernel accumulates
  auto const asked = flipped_operation_of<bits>(op, type_of<T>());
  flip<number, bits> const f{asked.mask};
  any_operator<number> const chosen{asked.which};
  for (T const a : values)
    for (T const b : values) {
      T const want = plain(a, b);
      number const got = f(chosen(f(from_bits<number>(as_bits(a))), f(from_bits<number>(as_bits(b)))));
      bool const both_nan = want != want && got != got;  // whose NaN a sum gives is the machine's choice
      ASSERT_TRUE(as_bits(got) == as_bits(want) || (both_nan && op < operation::min))
          << name_of(op) << " of " << +a << " and " << +b << ": " << +got << ", expected " << +want;
    }
}

}  // namespace

TYPED_TEST(as_bits_of, between_is_the_comparison_of_the_type) {
  auto const values = edge_values<TypeParam>();
  for (auto const low : values)
    for (auto const high : values) expect_between(low, high, values);
}

TEST(as_bits, between_for_every_byte) {
  std::vector<std::int8_t> all(256);
  for (int k = 0; k < 256; ++k) all[static_cast<std::size_t>(k)] = static_cast<std::int8_t>(k);
  std::vector<std::uint8_t> const all_unsigned(all.begin(), all.end());
  for (int low = 0; low < 256; low += 3)
    for (int high = 0; high < 256; high += 5) {
      expect_between(static_cast<std::int8_t>(low), static_cast<std::int8_t>(high), all);
      expect_between(static_cast<std::uint8_t>(low), static_cast<std::uint8_t>(high), all_unsigned);
    }
}

TYPED_TEST(as_bits_of, same_is_equality_of_the_type_or_of_its_bits) {
  using T = TypeParam;
  if constexpr (sizeof(T) >= 4) {  // narrower ones have no floats
    auto const by_value = same_bits_of<bits_of<T>>(type_of<T>(), false), by_bits = same_bits_of<bits_of<T>>(type_of<T>(), true);
    auto const values = edge_values<T>();
    for (T const a : values)
      for (T const b : values) {
        ASSERT_EQ(by_value(as_bits(a), as_bits(b)), a == b) << +a << ", " << +b;
        ASSERT_EQ(by_bits(as_bits(a), as_bits(b)), as_bits(a) == as_bits(b)) << +a << ", " << +b;
      }
  }
}

// Keys of 4 bytes and less are compared widened.
TYPED_TEST(as_bits_of, same_of_keys_is_equality_of_the_type) {
  using T = TypeParam;
  auto const same = same_keys_of(type_of<T>());
  auto const values = edge_values<T>();
  for (T const a : values)
    for (T const b : values) ASSERT_EQ(same(as_bits(a), as_bits(b)), a == b) << +a << ", " << +b;
}

TYPED_TEST(as_bits_of, any_operator_is_that_of_the_type) {
  using T = TypeParam;
  auto const values = edge_values<T>();
  expect_operator(operation::plus, values, lookback::plus<T>{});
  expect_operator(operation::multiplies, values, lookback::multiplies<T>{});
  expect_operator(operation::min, values, lookback::minimum<T>{});
  expect_operator(operation::max, values, lookback::maximum<T>{});
  if constexpr (std::is_integral_v<T>) {
    expect_operator(operation::bit_and, values, lookback::bit_and<T>{});
    expect_operator(operation::bit_or, values, lookback::bit_or<T>{});
    expect_operator(operation::bit_xor, values, lookback::bit_xor<T>{});
  }
}
