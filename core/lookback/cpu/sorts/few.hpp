// A stable sort of a few records by comparisons: each goes behind as many as come before it, which no branch depends on.
//
// Places that a contradictory comparison gives to two records, or to none, are found: then these few are sorted by insertion.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "../../fn.hpp"
#include "../simd/simd.hpp"
#include "../simd/unit.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

/// Room for `Most` items, which need no constructor.
template <class T, int Most>
struct room_of {
  alignas(T) std::byte bytes[static_cast<std::size_t>(Most) * sizeof(T)];
  T* data() { return reinterpret_cast<T*>(bytes); }
  T const* data() const { return reinterpret_cast<T const*>(bytes); }
};

/// from[0], ..., from[m - 1], which are moved as bytes.
template <class Record>
void copy_records(Record const* from, index_t m, Record* to) {
  if (m > 0) std::memcpy(static_cast<void*>(to), static_cast<void const*>(from), static_cast<std::size_t>(m) * sizeof(Record));
}

namespace detail {

/// Function objects that compare numbers and hold nothing are mostly a few instructions, which the compiler does for many numbers
/// at a time. One that holds something may look elsewhere for what it compares, so it is asked as seldom as can be.
template <class Order, class T>
inline constexpr bool compares_many =
    std::is_arithmetic_v<T>&& std::is_class_v<decltype(Order::less)>&& std::is_trivially_copyable_v<decltype(Order::less)> &&
    sizeof(decltype(Order::less)) == 1;

/// Counted beside an item: as wide, so that as many fit side by side.
template <class T>
using place_of_few = std::conditional_t<
    sizeof(T) == 8, std::uint64_t,
    std::conditional_t<sizeof(T) == 2, std::uint16_t, std::conditional_t<sizeof(T) == 1, std::uint8_t, std::uint32_t>>>;

/// places[i], for i < m: how many come before item i. Each two are compared once.
template <class Record, class Order, class Place>
void count_pair_by_pair(Record const* from, int m, Order const& order, Place* places) {
  for (int i = 0; i < m; ++i) places[i] = 0;
  for (int i = 1; i < m; ++i)
    for (int k = 0; k < i; ++k) {
      bool const before = order(from[i].item, from[k].item);
      places[k] += before, places[i] += !before;
    }
}

}  // namespace detail

/// Sorts a few, where they lie.
template <class Record, class Order>
void insert_records(Record* from, index_t m, Order const& order) {
  for (index_t i = 1; i < m; ++i) {
    Record const x = from[i];
    index_t j = i;
    for (; j > 0 && order(x.item, from[j - 1].item); --j) from[j] = from[j - 1];
    from[j] = x;
  }
}

/// As many records are a few.
template <class Order, class T>
inline constexpr int most_few = detail::compares_many<Order, T> ? 32 : 8;

/// Sorts m <= Most records to `to`, which is `from` or apart from it.
template <int Most, class Record, class Order>
[[gnu::noinline]] void sort_few_of(Record const* from, int m, Record* to, Order const& order, simd_level level) {
  using T = decltype(Record::item);
  constexpr auto room = static_cast<unsigned>(Most);
  detail::place_of_few<T> places[room];
  room_of<Record, Most> records;
  copy_records(from, m, records.data());
  if constexpr (!detail::compares_many<Order, T>) detail::count_pair_by_pair(records.data(), m, order, places);
  else
    // Not by AVX-512, whose code has fused multiplications: a function would say of the same items what it does not say elsewhere.
    at_level(std::min(level, simd_level::avx2), [&](auto kernels) {
      if constexpr (sizeof(Record) == sizeof(T)) {
        for (int i = m; i < Most; ++i) records.data()[i] = records.data()[0];
        kernels.template count_before<Most>(&records.data()->item, m, order, places);
      } else {
        T x[room];
        for (int i = 0; i < Most; ++i) x[i] = records.data()[i < m ? i : 0].item;
        kernels.template count_before<Most>(x, m, order, places);
      }
    });
  std::uint32_t found = 0;
  for (int i = 0; i < m; ++i) places[i] &= 31, found |= std::uint32_t{1} << places[i];
  if (found == ~std::uint32_t{0} >> (32 - m))
    for (int i = 0; i < m; ++i) to[places[i]] = records.data()[i];
  else {
    copy_records(records.data(), m, to);
    insert_records(to, m, order);
  }
}
template <class Record, class Order>
void sort_few(Record const* from, index_t m, Record* to, Order const& order, simd_level level) {
  int const few = static_cast<int>(m);
  if (few <= 3) {
    if (to != from) copy_records(from, m, to);
    insert_records(to, m, order);
  } else if constexpr (detail::compares_many<Order, decltype(Record::item)>) {
    if (few <= 8) sort_few_of<8>(from, few, to, order, level);
    else if (few <= 16) sort_few_of<16>(from, few, to, order, level);
    else sort_few_of<32>(from, few, to, order, level);
  } else sort_few_of<8>(from, few, to, order, level);
}

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
