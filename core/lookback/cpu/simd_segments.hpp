// One result per segment, where heads say which item begins one. Read by simd_text.hpp only.
#ifdef LOOKBACK_SIMD
namespace lookback::cpu::LOOKBACK_SIMD {

/// Of segments whose items are counted, `open` so far of the first: a segment is as long as its head is away from the next one.
template <class Parts, class T>
void count_by_heads(Parts const& p, tile const& t, std::uint64_t const* starts, maybe<T>& open, index_t segment) {
  auto* to = p.sink.out + segment;
  index_t begin = t.begin - (open.has ? static_cast<index_t>(open.value) : 0);
  for (index_t at = t.begin; at < t.end; at += 64)
    for (std::uint64_t bits = starts[(at - t.begin) / 64]; bits != 0; bits &= bits - 1) {
      index_t const head = at + __builtin_ctzll(bits);
      if (head > 0) *to++ = static_cast<typename Parts::result>(p.sink.f(static_cast<T>(head - begin)));
      begin = head;
    }
  open = maybe<T>{static_cast<T>(t.end - begin)};
}

/// Every head but that of item 0 ends a segment: number `segment` the first in this tile, of which `open` is what came before.
/// A segmented scan of a block in the first-level cache; then the values left of the heads are what the sink gets.
template <class Parts, class Room, class T>
void fold_by_heads(Parts const& p, tile const& t, Room const& room, std::uint64_t const* starts, maybe<T>& open, index_t segment) {
  if constexpr (Parts::counts)
    if (!p.initial.has) return count_by_heads(p, t, starts, open, segment);
  auto const store = [&](T const& total) { p.sink.out[segment++] = static_cast<typename Parts::result>(p.sink.f(total)); };
  for (index_t at = t.begin; at < t.end; at += Parts::block) {
    index_t const n = t.end - at < Parts::block ? t.end - at : Parts::block;
    std::uint64_t const* const words = starts + (at - t.begin) / 64;
    maybe<T> const left = open;
    scan_values<false>(p.op, fetch(p, at, n, room.values), room.values, n, open, false, false, words, p.initial,
                       line_of(p.items, p.arrays, at + n));
    for (index_t w = 0; w * 64 < n; ++w)
      for (std::uint64_t bits = words[w]; bits != 0; bits &= bits - 1) {
        index_t const k = w * 64 + __builtin_ctzll(bits);
        if (k > 0) store(room.values[k - 1]);
        else if (at > 0) store(left.value);
      }
  }
}

/// The segments that end in a tile of the merge path, from `first_segment` on; `open` is the sum of the first so far.
template <class Parts, class Held, class Room, class Ends, class T>
void fold_by_ends(Parts const& p, Held const& h, Room const& room, Ends const& ends, maybe<T> open) {
  index_t i = h.t.begin;
  for (index_t s = h.first_segment; s < h.first_segment + h.ended; ++s) {
    index_t end = ends(s);
    end = end < i ? i : end < h.t.end ? end : h.t.end;
    maybe<T> total = open.has || i == end ? open : p.initial;
    open = maybe<T>{};
    if constexpr (Parts::reads_values) {
      if (end - i < 32) {  // too short for packs
        if (!total.has && i < end) total = maybe<T>{p.arrays.data[i++]};
        for (; i < end; ++i) total = maybe<T>{static_cast<T>(p.op(total.value, p.arrays.data[i]))};
      }
    }
    while (i < end) reduce_block<false>(p, i, end, room, total);
    if (!total.has) total = p.empty;
    if (total.has) p.sink.out[s] = static_cast<typename Parts::result>(p.sink.f(total.value));
  }
}

}  // namespace lookback::cpu::LOOKBACK_SIMD
#endif
