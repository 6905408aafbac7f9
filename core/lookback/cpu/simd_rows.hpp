// Rows side by side, a lane each, where offsets say where they end and items read elsewhere: a row of a few items costs less than a
// wrong guess of where it ends, so no branch is about the length of one. Read by simd_text.hpp only.
//
//   items -> block in the first-level cache -> a pack for each row, filled up with what changes nothing -> a lane for each row
#ifdef LOOKBACK_SIMD
namespace lookback::cpu::LOOKBACK_SIMD {

template <class Parts, class T>
inline constexpr bool sums_rows_aside = false;
template <class Parts, class T>
requires joins_lanes<Parts, T>
inline constexpr bool sums_rows_aside<Parts, T> =
    is_vectorized<decltype(Parts::op), T> && pack<T>::lanes >= 4 && pack<T>::lanes <= 16;

/// Lane k is the reduction of the lanes of pack k, of as many packs as lanes.
template <int N, class Op, class T>
LOOKBACK_INLINE pack<T> reduce_each(Op const& op, pack<T> const* of) {
  if constexpr (N == 1) return *of;
  else {
    pack<T> const a = reduce_each<N / 2>(op, of), b = reduce_each<N / 2>(op, of + N / 2);
    return combine(op, even_lanes(a, b), odd_lanes(a, b));
  }
}

/// Rows [s, to), whose ends are ends[0], ends[1] ...; the first begins at ends[-1], and ends are there for as many rows as fill the
/// last pack. in[0] to in[n - 1] are items from `begin` on, among which are all of theirs; `readable`, four packs more than n, may
/// be read. Nothing is kept of a row but its pack: where it lies is read again, as often as the longest beside it has packs.
template <class Parts, class Offset, class T>
void reduce_rows(Parts const& p, Offset const* ends, index_t s, index_t to, index_t begin, T const* in, index_t n,
                 index_t readable) {
  constexpr int lanes = pack<T>::lanes, most = 4 * lanes;
  using result = typename Parts::result;
  auto const bound = static_cast<std::uint64_t>(n);
  auto const end_of = [&](index_t row) __attribute__((always_inline)) {  // in [0, n], of wrong ends too
    auto const end = static_cast<std::uint64_t>(index_t{ends[row]} - begin);
    return end < bound ? end : bound;
  };
  // A bit for each item of a row that is shorter than `most`.
  auto const there = [](std::uint64_t length) __attribute__((always_inline)) { return ~(~std::uint64_t{0} << (length & 63)); };
  auto const sink = p.sink;
  pack<T> const identity = broadcast<T>(detail::lane_identity<decltype(p.op), T>);
  for (; s < to; s += lanes, ends += lanes) {
    pack<T> of[lanes];
    std::uint64_t const first = end_of(-1);
    std::uint64_t lengths = 0, empty = 0, at = first;
    unrolled<lanes>([&](auto k) __attribute__((always_inline)) {
      std::uint64_t const end = end_of(k), length = end - at;
      lengths |= length, empty |= length - 1;
      of[k] = select(there(length) & all_lanes<T>, identity, load(in + at));
      at = end;
    });
    for (std::uint64_t j = lanes; j < most && j < lengths; j += lanes) {
      at = first;
      unrolled<lanes>([&](auto k) __attribute__((always_inline)) {
        std::uint64_t const end = end_of(k);
        of[k] = combine(p.op, of[k], select(there(end - at) >> j & all_lanes<T>, identity, load(in + at + j)));
        at = end;
      });
    }
    pack<T> totals = reduce_each<lanes>(p.op, of);
    std::uint64_t long_rows = 0;
    if (lengths >= most || empty >> 63 != 0) {
      std::uint64_t empty_rows = 0;
      at = first;
      unrolled<lanes>([&](auto k) __attribute__((always_inline)) {
        std::uint64_t const end = end_of(k), length = end - at;
        empty_rows |= std::uint64_t{length == 0} << k, long_rows |= std::uint64_t{length >= most} << k;
        at = end;
      });
      totals = select(empty_rows, totals, broadcast<T>(p.empty.value));
    }
    if constexpr (Parts::stores_results)
      if (long_rows == 0 && s + lanes <= to) {
        store(sink.out + s, totals);
        continue;
      }
    alignas(pack_bytes) T some[lanes];
    store(some, totals);
    for (; long_rows != 0; long_rows &= long_rows - 1) {
      int const k = __builtin_ctzll(long_rows);
      auto const row = static_cast<index_t>(end_of(k - 1)), length = static_cast<index_t>(end_of(k)) - row;
      if (length > 0) some[k] = reduce_segment(p.op, in + row, length, readable - row);  // ends may go down
    }
    for (index_t k = 0; k < lanes && s + k < to; ++k)
      sink.out[s + k] = static_cast<result>(lookback::detail::stored(sink.f, s + k, some[k]));
  }
}

/// The segments that end in a tile of the merge path: as many as fit into a block at a time.
template <class Parts, class Held, class Room, class Offset, class T>
LOOKBACK_INLINE void fold_rows(Parts const& p, Held const& h, Room const& room, Offset const* ends, maybe<T> const& open) {
  constexpr index_t lanes = pack<T>::lanes, block = Parts::block, readable = block + 4 * lanes;
  index_t begin = h.t.begin, s = h.first_segment;
  index_t const last = s + h.ended, tail = h.tail;
  auto const end_of = [&](index_t of) __attribute__((always_inline)) {
    index_t const end = ends[of];
    return end < begin ? begin : end < tail ? end : tail;
  };
  for (bool first = true; s < last; first = false) {
    // The first may have begun before the tile, and any may begin with an initial value or be longer than a block.
    if (index_t const end = end_of(s); first || p.initial.has || end - begin > block) {
      maybe<T> total = first && open.has ? open : begin == end ? maybe<T>{} : p.initial;
      while (begin < end) {
        index_t to = end;
        reduce_block<false>(p, begin, to, room, total);
      }
      if (!total.has) total = p.empty;
      if (total.has) p.sink.out[s] = static_cast<typename Parts::result>(lookback::detail::stored(p.sink.f, s, total.value));
      ++s;
      continue;
    }
    index_t to = s;
    while (to + lanes <= last && end_of(to + lanes - 1) - begin <= block) to += lanes;
    Offset some_ends[lanes + 1];
    Offset const* of = ends + s;
    if (to == s) {  // the last ones, or together too long
      while (to < last && to < s + lanes && end_of(to) - begin <= block) ++to;
      for (index_t k = 0; k <= lanes; ++k) some_ends[k] = ends[s + k <= to ? s + k - 1 : to - 1];
      of = some_ends + 1;
    }
    index_t const n = end_of(to - 1) - begin;
    evaluate(p, begin, n, room.values);
    reduce_rows(p, of, s, to, begin, room.values, n, readable);
    begin += n, s = to;
  }
}

}  // namespace lookback::cpu::LOOKBACK_SIMD
#endif
