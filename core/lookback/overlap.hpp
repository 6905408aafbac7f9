// What may lie on top of what.
#pragma once
#include <cstdint>

#include "error.hpp"
#include "segments.hpp"
#include "source.hpp"

namespace lookback::detail {

struct bytes {
  std::uintptr_t begin, end;
  template <class T>
  bytes(T const* data, index_t n)
      : begin{reinterpret_cast<std::uintptr_t>(data)}, end{begin + static_cast<std::uintptr_t>(n) * sizeof(T)} {}
};

inline bool overlap(bytes a, bytes b) { return a.begin < b.end && b.begin < a.end; }

/// A tile stores only over what it has read itself, so out may start where an array of in starts if their elements have one size.
template <class Out>
void expects_exact_or_apart(arrays<> const&, Out const*, index_t) {}
template <class Out, class T, class... Rest>
void expects_exact_or_apart(arrays<T, Rest...> const& in, Out const* out, index_t n) {
  bool const exact = static_cast<void const*>(in.data) == static_cast<void const*>(out) && sizeof(T) == sizeof(Out);
  expects(exact || !overlap({in.data, n}, {out, n}), "out is exactly in, or does not overlap it");
  expects_exact_or_apart(in.rest, out, n);
}

template <class Out>
void expects_apart(no_segments const&, Out const*, index_t) {}

// Neighbouring tiles read the flags, keys and offsets at their common edge: out must not touch them.
template <class Out>
void expects_apart(segments const& s, Out const* out, index_t n) {
  if (s.kind == segment_kind::rows) return;
  auto const* from = static_cast<unsigned char const*>(s.data);
  index_t const size = s.kind == segment_kind::bits                                      ? (s.count + 7) / 8
                       : s.kind == segment_kind::flags8 || s.kind == segment_kind::keys8 ? s.count
                       : s.kind == segment_kind::keys16                                  ? s.count * 2
                       : s.kind == segment_kind::offsets64 || s.kind == segment_kind::keys64 || s.kind == segment_kind::keys_f64
                           ? s.count * 8
                           : s.count * 4;
  expects(!overlap({from, size}, {out, n}), "out does not overlap what describes the segments");
}
template <class Key, class Equal, class Out>
void expects_apart(key_segments<Key, Equal> const& s, Out const* out, index_t n) {
  expects(!overlap({s.data, s.count}, {out, n}), "out does not overlap the keys");
}

template <class Items, class Segments, class Out>
void expects_scannable_in_place(Items const& items, Segments const& segments, Out const* out, index_t n) {
  expects_exact_or_apart(items.arrays(), out, n);
  expects_apart(segments, out, n);
}

}  // namespace lookback::detail
