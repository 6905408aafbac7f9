// Where segments begin. However a caller describes it, the engine reads one bit an item: "a segment begins here".
#pragma once
#include <concepts>
#include <type_traits>

#include "error.hpp"
#include "fn.hpp"
#include "source.hpp"

namespace lookback {

/// A run-time value, not a type: one kernel serves every description, but for keys whose type is known.
enum class segment_kind : std::uint8_t {
  flags8,     // one byte an item, any non-zero begins a segment
  flags32,    // the same with four bytes
  bits,       // one bit an item, little-endian within bytes
  offsets32,  // m + 1 increasing positions, the first 0, the last n; equal neighbours are an empty segment
  offsets64,
  rows,   // every `length` items
  keys8,  // a segment begins where a key differs from its left neighbour: compared as integers of this many bits ...
  keys16,
  keys32,
  keys64,
  keys_f32,  // ... or as floats (a NaN differs from everything, -0 equals +0)
  keys_f64,
};

/// Item 0 begins a segment whatever is said here, unless a carry continues one.
struct segments {
  segment_kind kind;
  void const* data;  // null for rows
  index_t count;     // elements behind `data`: flags or keys; bits; offsets (one more than there are segments); rows: the length
};

/// Offsets, known to be so when compiled: no code for other descriptions is.
struct offset_segments : segments {
  explicit offset_segments(segments const& s) : segments{s} {}
};

/// The equality that runs have unless another is named: ==, on either side.
struct equal_to {
  template <class T>
  LOOKBACK_FN bool operator()(T const& a, T const& b) const {
    return a == b;
  }
};

namespace detail {
template <class Key>
constexpr segment_kind kind_of_keys() {
  return std::is_same_v<Key, float>    ? segment_kind::keys_f32
         : std::is_same_v<Key, double> ? segment_kind::keys_f64
         : sizeof(Key) == 1            ? segment_kind::keys8
         : sizeof(Key) == 2            ? segment_kind::keys16
         : sizeof(Key) == 4            ? segment_kind::keys32
                                       : segment_kind::keys64;
}
}  // namespace detail

/// Keys of any type under any equality: a type of its own, because the comparison is code. Numbers under == are also a description
/// that is known when the program runs.
template <class Key, class Equal>
struct key_segments {
  Key const* data;
  index_t count;
  Equal equal;
  static constexpr bool are_numbers = std::is_arithmetic_v<Key> && sizeof(Key) <= 8 && std::is_same_v<Equal, equal_to>;
  operator segments() const requires are_numbers { return {detail::kind_of_keys<Key>(), data, count}; }
};

/// A segment is a run of neighbours that `equal(left, right)` holds equal in the first array of the source: keys that are staged
/// for other reasons too. For algorithms that are made of runs. With Ends, and two classes: marked are only runs of two items or
/// more, their first item as class 0 and their last as class 1.
template <class Equal, bool Ends = false>
struct runs {
  Equal equal;
};

template <class S>
inline constexpr bool is_runs = false;
template <class Equal, bool Ends>
inline constexpr bool is_runs<runs<Equal, Ends>> = true;
template <class S>
inline constexpr bool is_ends_of_runs = false;
template <class Equal>
inline constexpr bool is_ends_of_runs<runs<Equal, true>> = true;

/// Marks of a chunk whose first item goes on with what an earlier chunk has begun, or does not.
template <class Marks>
struct chunk_marks : Marks {
  bool starts;
};

template <class S>
inline constexpr bool is_key_segments = false;
template <class Key, class Equal>
inline constexpr bool is_key_segments<key_segments<Key, Equal>> = true;

/// Keys that a run-time description can name.
template <class S>
inline constexpr bool are_number_keys = false;
template <class Key, class Equal>
inline constexpr bool are_number_keys<key_segments<Key, Equal>> = key_segments<Key, Equal>::are_numbers;

namespace detail {
/// What describes segments by elements of ranges R.
template <class... R, class Described>
auto described_by(Described const& by) {
  if constexpr ((is_host_container<R> || ...)) return in_host_container<Described>{by};
  else return by;
}
}  // namespace detail

template <class S>
concept segmentation = std::same_as<detail::without_container_t<S>, segments> || is_key_segments<detail::without_container_t<S>>;
template <class S>
concept reducible_segmentation = segmentation<S> || std::same_as<detail::without_container_t<S>, offset_segments>;

/// A segment begins at every non-zero flag: one bool, or integer of 1 or 4 bytes, per item.
template <contiguous Flags>
auto head_flags(Flags const& flags) {
  using flag = value_t<Flags>;
  static_assert(std::is_integral_v<flag> && (sizeof(flag) == 1 || sizeof(flag) == 4),
                "head flags must be bool or integers of 1 or 4 bytes");
  return detail::described_by<Flags>(
      segments{sizeof(flag) == 1 ? segment_kind::flags8 : segment_kind::flags32, std::ranges::data(flags), std::ssize(flags)});
}

/// A segment begins at every set bit: item i is bit i % 8 of byte i / 8. The range holds at least ceil(n / 8) bytes.
template <contiguous Bytes>
auto head_bits(Bytes const& bytes) {
  static_assert(sizeof(value_t<Bytes>) == 1, "packed head bits must be a range of bytes");
  return detail::described_by<Bytes>(segments{segment_kind::bits, std::ranges::data(bytes), std::ssize(bytes) * 8});
}

/// Segment s is items [offsets[s], offsets[s + 1]). Signed or unsigned integers of 4 bytes for fewer than 2^31 items, else of 8;
/// may hold empty segments. First 0, last the number of items, never decreasing: others give a result that is not told, but touch
/// no other memory.
template <contiguous Offsets>
auto offsets(Offsets const& positions) {
  using position = value_t<Offsets>;
  static_assert(std::is_integral_v<position> && (sizeof(position) == 4 || sizeof(position) == 8),
                "offsets must be integers of 4 or 8 bytes");
  return detail::described_by<Offsets>(segments{sizeof(position) == 4 ? segment_kind::offsets32 : segment_kind::offsets64,
                                                std::ranges::data(positions), std::ssize(positions)});
}

/// The same, for results of segments: a kernel that knows of no other description.
template <contiguous Offsets>
auto known_offsets(Offsets const& positions) {
  return detail::described_by<Offsets>(offset_segments(offsets(positions)));
}

/// A segment is a run of equal neighbours.
template <contiguous Keys>
requires std::is_arithmetic_v<value_t<Keys>>
auto keys(Keys const& k) {
  return detail::described_by<Keys>(key_segments<value_t<Keys>, equal_to>{std::ranges::data(k), std::ssize(k), {}});
}

/// A segment is a run of neighbours that `equal(left, right)` holds equal.
template <contiguous Keys, class Equal>
auto keys(Keys const& k, Equal equal) {
  return detail::described_by<Keys>(key_segments<value_t<Keys>, Equal>{std::ranges::data(k), std::ssize(k), equal});
}

/// A segment is `length` items: a matrix scanned by rows.
inline segments rows_of(index_t length) {
  expects(length > 0, "a row holds at least one item");
  return {segment_kind::rows, nullptr, length};
}

LOOKBACK_FN bool is_offsets(segments const& s) { return s.kind == segment_kind::offsets32 || s.kind == segment_kind::offsets64; }
LOOKBACK_FN bool is_keys(segments const& s) { return s.kind >= segment_kind::keys8; }

/// Position number k of an offsets description.
LOOKBACK_FN index_t offset_at(segments const& s, index_t k) {
  return s.kind == segment_kind::offsets32 ? static_cast<std::int32_t const*>(s.data)[k]
                                           : static_cast<std::int64_t const*>(s.data)[k];
}

/// The first k in [first, last) with offset_at(k) >= i, else last. O(log(last - first)) reads.
LOOKBACK_FN index_t first_offset_at_or_after(segments const& s, index_t i, index_t first, index_t last) {
  while (first < last) {
    index_t const middle = first + (last - first) / 2;
    if (offset_at(s, middle) < i) first = middle + 1;
    else last = middle;
  }
  return first;
}

/// Does a segment begin at item i > 0? For every description but offsets, which need a search (first_offset_at_or_after).
LOOKBACK_FN bool head_at(segments const& s, index_t i) {
  switch (s.kind) {
    case segment_kind::flags8:
      return static_cast<std::uint8_t const*>(s.data)[i] != 0;
    case segment_kind::flags32:
      return static_cast<std::uint32_t const*>(s.data)[i] != 0;
    case segment_kind::bits:
      return (static_cast<std::uint8_t const*>(s.data)[i / 8] >> i % 8 & 1) != 0;
    case segment_kind::rows:
      return i % s.count == 0;
    case segment_kind::keys8:
      return static_cast<std::uint8_t const*>(s.data)[i] != static_cast<std::uint8_t const*>(s.data)[i - 1];
    case segment_kind::keys16:
      return static_cast<std::uint16_t const*>(s.data)[i] != static_cast<std::uint16_t const*>(s.data)[i - 1];
    case segment_kind::keys32:
      return static_cast<std::uint32_t const*>(s.data)[i] != static_cast<std::uint32_t const*>(s.data)[i - 1];
    case segment_kind::keys64:
      return static_cast<std::uint64_t const*>(s.data)[i] != static_cast<std::uint64_t const*>(s.data)[i - 1];
    case segment_kind::keys_f32:
      return !(static_cast<float const*>(s.data)[i] == static_cast<float const*>(s.data)[i - 1]);
    case segment_kind::keys_f64:
      return !(static_cast<double const*>(s.data)[i] == static_cast<double const*>(s.data)[i - 1]);
    default:
      return false;
  }
}

LOOKBACK_CALLS_USER
template <class Key, class Equal>
LOOKBACK_FN bool head_at(key_segments<Key, Equal> const& s, index_t i) {
  return !s.equal(s.data[i - 1], s.data[i]);
}

}  // namespace lookback
