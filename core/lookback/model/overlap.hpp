// What may lie on top of what.
#pragma once
#include <cstdint>

#include "../error.hpp"
#include "../segments.hpp"
#include "../sink.hpp"
#include "../source.hpp"

namespace lookback::detail {

struct bytes {
  std::uintptr_t begin, end;
  template <class T>
  bytes(T const* data, index_t n)
      : begin{reinterpret_cast<std::uintptr_t>(data)}, end{begin + static_cast<std::uintptr_t>(n) * sizeof(T)} {}
};

inline bool overlap(bytes a, bytes b) { return a.begin < b.end && b.begin < a.end; }
/// A number of items that lies in memory is read as long as the call runs: nothing that is written lies there.
inline void expects_count_apart(size n, bytes out) {
  expects(!n.count || !overlap(bytes(n.count, 1), out), "the number of items does not lie in what is written");
}
/// Do n elements from a on share memory with n elements from b on?
template <class A, class B>
bool overlap(A const* a, B const* b, index_t n) {
  return overlap(bytes(a, n), bytes(b, n));
}

/// Do `outs` elements from `out` on share memory with n elements of an array of `in`?
template <class Out>
bool touches(arrays<> const&, index_t, Out const*, index_t) {
  return false;
}
template <class Out, class T, class... Rest>
bool touches(arrays<T, Rest...> const& in, index_t n, Out const* out, index_t outs) {
  return overlap(bytes(in.data, n), bytes(out, outs)) || touches(in.rest, n, out, outs);
}
/// n elements from `out` on, of n items?
template <class Arrays, class Out>
bool touches(Arrays const& in, Out const* out, index_t n) {
  return touches(in, n, out, n);
}
/// The same of output c of a compaction, should all n items land there.
template <class Arrays, class Sink>
bool touches(Arrays const& in, Sink const& sink, int c, index_t n) {
  return touches(in, sink.outputs[c] - (sink.reversed[c] ? n : 0), n);
}

/// A tile stores only over what it has read itself, so out may start where an array of in starts if their elements have one size.
template <class Out>
void expects_exact_or_apart(arrays<> const&, Out const*, index_t) {}
template <class Out, class T, class... Rest>
void expects_exact_or_apart(arrays<T, Rest...> const& in, Out const* out, index_t n) {
  bool const exact = static_cast<void const*>(in.data) == static_cast<void const*>(out) && sizeof(T) == sizeof(Out);
  expects(exact || !overlap({in.data, n}, {out, n}),
          "out starts where in starts, with elements of the same size, or does not overlap in");
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
  expects(!overlap({from, size}, {out, n}), "out does not overlap the flags, bits, offsets or keys of the segments");
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

// Compaction stores towards where the scan has already been, so an output may begin with the array that it compacts, on the side
// where the scan begins. How much will land elsewhere only the caller knows: what begins inside an array is refused here.
template <class Out>
void expects_compactable(arrays<> const&, Out const*, index_t, bool, bool) {}
template <class Out, class T, class... Rest>
void expects_compactable(arrays<T, Rest...> const& in, Out const* out, index_t n, bool filled_backwards, bool scanned_backwards) {
  auto const place = reinterpret_cast<std::uintptr_t>(out), begin = reinterpret_cast<std::uintptr_t>(in.data);
  std::uintptr_t const end = begin + static_cast<std::uintptr_t>(n) * sizeof(T);
  bool const exact = place == (filled_backwards ? end : begin) && sizeof(T) == sizeof(Out) && filled_backwards == scanned_backwards;
  bool const inside = filled_backwards ? place > begin && place <= end : place >= begin && place < end;
  expects(
      exact || !inside,
      "an output of a compaction starts where the scan of the input starts, with elements of the same size, or outside the input");
  expects_compactable(in.rest, out, n, filled_backwards, scanned_backwards);
}
template <class Arrays, class Sink>
void expects_compactable(Arrays const& in, Sink const& sink, index_t n, bool scanned_backwards) {
  for (int c = 0; c < Sink::classes; ++c) expects_compactable(in, sink.outputs[c], n, sink.reversed[c], scanned_backwards);
}

// What is stored of first items may begin where the keys do: those are read before the tile publishes.
template <class Arrays>
void expects_firsts_apart(Arrays const&, columns<> const&, index_t, bool) {}
template <class T, class... Others, class Column, class... Rest>
void expects_firsts_apart(arrays<T, Others...> const& in, columns<Column, Rest...> const& all, index_t n, bool reads_twice) {
  bool const exact = static_cast<void const*>(in.data) == static_cast<void const*>(all.first.out) &&
                     std::is_same_v<T, typename Column::value_type> && std::is_same_v<decltype(Column::payload), the_item> &&
                     !reads_twice;
  expects(exact || !overlap(in.data, all.first.out, n),
          "the output of first keys starts where the keys start, has their type and a strategy that reads once, or does not "
          "overlap them");
  expects(!touches(in.rest, all.first.out, n), "the output of first keys does not overlap the values");
  expects_firsts_apart(in, all.rest, n, reads_twice);
}
// What is stored beside an output is over what the scan has read, from the side where it begins, or apart. Over the keys, which a
// neighbouring tile still compares, only keys.
template <class Arrays>
void expects_compactable(Arrays const&, columns<> const&, index_t) {}
template <class T, class... Others, class Column, class... Rest>
void expects_compactable(arrays<T, Others...> const& in, columns<Column, Rest...> const& beside, index_t n) {
  if constexpr (std::is_same_v<decltype(Column::payload), the_item> && std::is_same_v<T, typename Column::value_type>)
    expects_exact_or_apart(in, beside.first.out, n);
  else {
    expects(!overlap(in.data, beside.first.out, n), "an output beside the output of keys does not overlap the keys");
    expects_exact_or_apart(in.rest, beside.first.out, n);
  }
  expects_compactable(in, beside.rest, n);
}

// Marks are read with the tile, where they lie.
template <class Sink>
void expects_marks(no_segments const&, Sink const&, index_t, bool) {}
template <class Equal, bool Ends, class Sink>
void expects_marks(runs<Equal, Ends> const&, Sink const&, index_t, bool scanned_backwards) {
  static_assert(Sink::classes == (Ends ? 2 : 1),
                "a sink of first items of runs has one class, a sink of first and last items has two");
  expects(!scanned_backwards, "runs are compacted from left to right");
}
template <class Segments, class Sink>
void expects_marks(Segments const& marks, Sink const& sink, index_t n, bool scanned_backwards) {
  static_assert(Sink::classes == 1, "a sink of marked items has one class");
  if constexpr (std::is_same_v<Segments, segments>)
    expects(!is_offsets(marks) && marks.kind != segment_kind::rows, "marks are flags, bits or keys");
  expects(!scanned_backwards, "marked items are compacted from left to right");
  for (int c = 0; c < Sink::classes; ++c) expects_apart(marks, sink.outputs[c] - (sink.reversed[c] ? n : 0), n);
}

}  // namespace lookback::detail
