// What a sort moves: a record of 1, 2, 4, 8, 16 or 32 bytes. It begins with what tells the item's number, and what moves along with
// the item lies behind it. So all loops over records know nothing but a size and how a number is read.
//
//   | number              | values ... |   keys that are integers, or floats that stand alone: the number tells the key
//   | bits of a float key | values ... |   -0 and +0 have one number, so the key's own bits are kept
//   | number | item       | values ... |   by(f): f is called before anything is overwritten, and not again
//   | number | place      |                more than 32 bytes: what belongs to the item is gathered at the end (gather.hpp)
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "../../model/sort_job.hpp"
#include "../simd/simd.hpp"
#include "../simd/unit.hpp"
#include "store_lines.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

/// `Bytes` bytes, moved as few integers. A power of two, so that lines of a cache hold whole ones.
template <int Bytes>
struct record {
  using unit = typename lookback::detail::unsigned_of<static_cast<std::size_t>(std::min(Bytes, 8))>::type;
  unit units[static_cast<std::size_t>(Bytes) / sizeof(unit)];
};
inline constexpr int most_record_bytes = 32;
template <int Bytes>
using record_of = record<static_cast<int>(std::bit_ceil(static_cast<unsigned>(Bytes)))>;

/// What lies at byte `offset` of a record.
template <class Record, class X>
void put_into(Record& r, int offset, X const& x) {
  std::memcpy(reinterpret_cast<std::byte*>(&r) + offset, &x, sizeof x);
}
template <class Record, class X>
void get_from(Record const& r, int offset, X* to) {
  std::memcpy(static_cast<void*>(to), reinterpret_cast<std::byte const*>(&r) + offset, sizeof(X));
}

// ---- readers: the number of a record

template <class Number>
struct number_reader {
  using value = Number;
  template <int Bytes>
  value operator()(record<Bytes> const& r) const {
    value number;
    get_from(r, 0, &number);
    return number;
  }
};
/// Of a floating-point key that is kept as it is.
template <class Key>
struct key_reader {
  using value = typename key_number<Key, false>::value;
  key_number<Key, false> of;
  template <int Bytes>
  value operator()(record<Bytes> const& r) const {
    value bits;
    get_from(r, 0, &bits);
    return of(__builtin_bit_cast(Key, bits));
  }
};

// ---- what moves along: columns, packed one behind the other from byte `Offset` on

template <class Columns>
inline constexpr int packed_bytes = 0;
template <class Column, class... Rest>
inline constexpr int packed_bytes<columns<Column, Rest...>> =
    static_cast<int>(sizeof(typename Column::value_type)) + packed_bytes<columns<Rest...>>;

/// The places of the items of a segment, which begins at `begin`.
template <class I>
struct places_from {
  using value_type = I;
  static constexpr bool is_generated = true;
  I* out;
  index_t begin;
};
template <class I>
I place_of(places_beside<I> const&, index_t i) {
  return static_cast<I>(i);
}
template <class I>
I place_of(places_from<I> const& places, index_t i) {
  return static_cast<I>(places.begin + i);
}

template <int Offset, class Record>
void pack_columns(Record&, columns<> const&, index_t) {}
template <int Offset, class Record, class Column, class... Rest>
void pack_columns(Record& r, columns<Column, Rest...> const& all, index_t i) {
  using V = typename Column::value_type;
  if constexpr (Column::is_generated) put_into(r, Offset, place_of(all.first, i));
  else put_into(r, Offset, all.first.in[i]);
  pack_columns<Offset + static_cast<int>(sizeof(V))>(r, all.rest, i);
}
/// to[k] = what lies at byte `Offset` of from[k], for k < m.
template <int Offset, class V, class Record>
void unpack_array(Record const* from, index_t m, V* to, store_way const& how) {
  store_lines(to, m, how, [=](V* here, index_t first, index_t count) {
    Record const* const mine = from + first;
    if constexpr (lookback::cpu::detail::is_lane<V>)
      make_some(count, here, [=](index_t k) {
        V x;
        get_from(mine[k], Offset, &x);
        return x;
      });
    else
      for (index_t k = 0; k < count; ++k) get_from(mine[k], Offset, here + k);
  });
}
/// To places `at` and on, from m records.
template <int Offset, class Record>
void unpack_columns(Record const*, index_t, columns<> const&, index_t, store_way const&) {}
template <int Offset, class Record, class Column, class... Rest>
void unpack_columns(Record const* from, index_t m, columns<Column, Rest...> const& all, index_t at, store_way const& how) {
  unpack_array<Offset>(from, m, all.first.out + at, how);
  unpack_columns<Offset + static_cast<int>(sizeof(typename Column::value_type))>(from, m, all.rest, at, how);
}

// ---- codecs: how a job becomes records, and records its results

/// `WithItem`: the item lies behind the number. Else the key tells all of it, or nobody wants it.
template <class Job, bool WithItem>
struct packing {
  using T = typename Job::item_type;
  using order_type = typename Job::order_type;
  using value = typename order_type::value;
  static constexpr bool of_keys = std::is_same_v<std::remove_cvref_t<decltype(order_type::by)>, itself>;
  static constexpr bool keeps_bits = of_keys && !order_type::is_exact;
  static constexpr int item_at = sizeof(value), values_at = item_at + (WithItem ? static_cast<int>(sizeof(T)) : 0);
  static constexpr int bytes = values_at + packed_bytes<decltype(Job::beside)>;
  static constexpr bool fits = bytes <= most_record_bytes;
  static constexpr bool are_numbers = order_type::is_exact && bytes == static_cast<int>(sizeof(value));
  static constexpr int width = order_type::number::width;
  using record_type = record_of<fits ? bytes : 1>;
  using reader = std::conditional_t<keeps_bits, key_reader<typename order_type::key>, number_reader<value>>;

  Job job;
  store_way how;

  reader reads() const {
    if constexpr (keeps_bits) return {job.order.of};
    else return {};
  }
  /// The record of item i.
  record_type operator()(index_t i) const {
    record_type r{};
    if constexpr (keeps_bits) put_into(r, 0, job.in[i]);
    else put_into(r, 0, job.order(job.in[i]));
    if constexpr (WithItem) put_into(r, item_at, job.in[i]);
    pack_columns<values_at>(r, job.beside, i);
    return r;
  }
  /// Stores what m sorted records hold at places `at` and on.
  void unpack(record_type const* from, index_t m, index_t at) const {
    if constexpr (WithItem) unpack_array<item_at>(from, m, job.out + at, how);
    else if constexpr (of_keys) {
      if (job.out) unpack_keys(from, m, job.out + at);
    }
    unpack_columns<values_at>(from, m, job.beside, at, how);
  }

 private:
  void unpack_keys(record_type const* from, index_t m, T* to) const {
    if constexpr (keeps_bits) unpack_array<0>(from, m, to, how);
    else
      store_lines(to, m, how, [from, of = job.order.of](T* here, index_t first, index_t count) {
        record_type const* const mine = from + first;
        make_some(count, here, [=](index_t k) {
          value x;
          get_from(mine[k], 0, &x);
          return of.key(x);
        });
      });
  }
};

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
