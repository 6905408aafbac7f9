// Where segments begin, for one chunk of a call: the description, what a carry says of the items around it, the direction.
//
// The engine asks where the scan starts anew: from left to right at a head, from right to left at the item left of one, and in
// either direction at the first item scanned, unless a carry continues its segment.
#pragma once
#include <cstring>
#include <span>
#include <type_traits>

#include "../../error.hpp"
#include "../../policy.hpp"
#include "../simd/simd.hpp"
#include "../simd/unit.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

namespace detail {

inline std::size_t key_bytes(segments const& s) {
  if (s.kind == segment_kind::keys8) return 1;
  if (s.kind == segment_kind::keys16) return 2;
  return s.kind == segment_kind::keys32 || s.kind == segment_kind::keys_f32 ? 4 : 8;
}

inline bool same_key(segments const& s, index_t i, void const* key) {
  std::size_t const bytes = key_bytes(s);
  auto const* const there = static_cast<unsigned char const*>(s.data) + static_cast<std::size_t>(i) * bytes;
  auto const equal = [&]<class F>(F a, F b) {
    std::memcpy(&a, there, sizeof a), std::memcpy(&b, key, sizeof b);
    return a == b;
  };
  if (s.kind == segment_kind::keys_f32) return equal(float{}, float{});
  if (s.kind == segment_kind::keys_f64) return equal(double{}, double{});
  return std::memcmp(there, key, bytes) == 0;
}
template <class Key, class Equal>
bool same_key(key_segments<Key, Equal> const& s, index_t i, void const* key, bool key_is_left) {
  Key last = s.data[i];
  std::memcpy(static_cast<void*>(&last), key, sizeof last);
  return key_is_left ? s.equal(last, s.data[i]) : s.equal(s.data[i], last);
}

/// What the words of heads are made of: runs are keys, the first array of the source; anything else is what it is.
template <class Segments, class Arrays>
auto described(Segments const& s, Arrays const&, index_t) {
  if constexpr (are_number_keys<Segments>) return segments(s);
  else return s;
}
template <class Equal, bool Ends, class Key, class... Rest>
auto described(runs<Equal, Ends> const& s, arrays<Key, Rest...> const& from, index_t n) {
  std::span const keys_of_runs(from.data, static_cast<std::size_t>(n));
  return described(keys(keys_of_runs, s.equal), from, n);
}

}  // namespace detail

/// The segments of n items, of which item 0 has position `base` in the whole.
template <class Segments>
struct heads {
  Segments described;
  index_t n, base;
  bool reversed;
  bool starts;  // does the first item scanned start anew

  template <class Carry>
  heads(Segments const& s, index_t items, bool right_to_left, Carry const& carry)
      : described{s}, n{items}, base{0}, reversed{right_to_left}, starts{true} {
    if constexpr (!std::is_same_v<Carry, no_carry>) {
      if (!carry.in && !carry.out) return;
      using key = decltype(carry.in->last_key);
      if constexpr (is_key_segments<Segments>)
        static_assert(std::is_same_v<key const*, decltype(s.data)>, "the key in the carry has the type of the keys");
      if constexpr (std::is_same_v<Segments, segments>)
        expects(!is_keys(s) || std::is_same_v<key, any_key> || detail::key_bytes(s) == sizeof(key),
                "the key in the carry has the type of the keys, or is any_key");
      base = position_of(carry.in ? carry.in->count : 0);
      if (n > 0 && carry.in && carry.in->any) starts = !continues(&carry.in->last_key);
    }
  }

  /// Bit k, for item t.begin + k: does the scan start anew there.
  void start_words(simd_level level, tile const& t, std::uint64_t* words) const {
    index_t const items = t.end - t.begin, at = t.begin + (reversed ? 1 : 0);
    index_t const some = t.end == n && reversed ? items - 1 : items;  // nothing lies right of the last
    words[(items - 1) / 64] = 0;
    at_level(level, [&](auto simd) { simd.head_words(described, base, at, some, words); });
    index_t const first = reversed ? n - 1 : 0;
    if (first < t.begin || first >= t.end) return;
    std::uint64_t const bit = std::uint64_t{1} << ((first - t.begin) % 64);
    auto& word = words[(first - t.begin) / 64];
    word = starts ? word | bit : word & ~bit;
  }

  /// After the last item scanned: does the next chunk go on with its segment. Keys are compared there.
  bool stays_open() const {
    if (!reversed || is_compared()) return true;
    return !head_in_description(0);
  }
  /// The key that the next chunk compares with, as bytes of its own type.
  template <class Key>
  void last_key(Key& key) const {
    index_t const i = reversed ? 0 : n - 1;
    if constexpr (is_key_segments<Segments>) key = described.data[i];
    else if (is_keys(described)) {
      std::size_t const bytes = detail::key_bytes(described);
      std::memcpy(static_cast<void*>(&key), static_cast<unsigned char const*>(described.data) + static_cast<std::size_t>(i) * bytes,
                  bytes);
    }
  }

 private:
  bool is_compared() const {
    if constexpr (is_key_segments<Segments>) return true;
    else return is_keys(described);
  }
  index_t position_of(index_t items_before) const {
    if constexpr (std::is_same_v<Segments, segments>) {
      if (reversed && is_offsets(described)) return offset_at(described, described.count - 1) - items_before - n;
      if (reversed && described.kind == segment_kind::rows) {
        index_t const length = described.count;
        return (length - (items_before + n) % length) % length;  // whole rows: only the place in a row matters
      }
    }
    return items_before;
  }
  bool head_in_description(index_t i) const {
    std::uint64_t word = 0;
    portable::head_words(described, base, i, 1, &word);
    return word & 1;
  }
  bool continues(void const* key) const {
    index_t const first = reversed ? n - 1 : 0;
    if constexpr (is_key_segments<Segments>) return detail::same_key(described, first, key, !reversed);
    else if (is_keys(described)) return detail::same_key(described, first, key);
    else return reversed || !head_in_description(0);
  }
};

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
