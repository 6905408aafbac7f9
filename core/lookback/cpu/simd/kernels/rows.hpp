// Rows side by side, a lane each, where offsets say where they end and items read elsewhere: a row of a few items costs less than a
// wrong guess of where it ends, so no branch is about the length of one. Read by simd/text.hpp only.
//
//   items -> block in the first-level cache -> a pack for each row, filled up with what changes nothing -> a lane for each row
#ifdef LOOKBACK_SIMD
namespace lookback::cpu::inline LOOKBACK_UNIT::LOOKBACK_SIMD {

template <class Parts, class T>
inline constexpr bool sums_rows_aside = false;
template <class Parts, class T>
requires joins_lanes<Parts, T>
inline constexpr bool sums_rows_aside<Parts, T> =
    is_vectorized<decltype(Parts::op), T> && (sizeof(T) == 4 || sizeof(T) == 8) && pack<T>::lanes >= 4;

/// Lane k is the reduction of the lanes of pack k, of as many packs as lanes.
template <int N, class Op, class T>
LOOKBACK_INLINE pack<T> reduce_each(Op const& op, pack<T> const* of) {
  if constexpr (N == 1) return *of;
  else {
    pack<T> const a = reduce_each<N / 2>(op, of), b = reduce_each<N / 2>(op, of + N / 2);
    return combine(op, even_lanes(a, b), odd_lanes(a, b));
  }
}

template <class T>
using lane_count = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

/// How far behind `begin`, which is not negative, as many ends as lanes are: 2^31 or more where that is before it or does not fit.
template <class T, class Offset>
LOOKBACK_INLINE pack<lane_count<T>> ends_behind(index_t begin, Offset const* ends) {
  using count = lane_count<T>;
  if constexpr (sizeof(T) == 4 && sizeof(Offset) == 4) {  // a negative end might be little less than 2^32 before it
    auto const end = load(reinterpret_cast<count const*>(ends)).v;
    return {(end - static_cast<count>(begin)) | (end & (count{1} << 31))};
  } else if constexpr (sizeof(Offset) == sizeof(T)) {
    return {load(reinterpret_cast<count const*>(ends)).v - static_cast<count>(begin)};
  } else if constexpr (sizeof(T) == 8) {
    return {load_widened(ends).v - static_cast<count>(begin)};
  } else {
    auto const low_words = [&](Offset const* from) __attribute__((always_inline)) {
      auto const end = load(reinterpret_cast<std::uint64_t const*>(from)).v - static_cast<std::uint64_t>(begin);
      return pack<count>{reinterpret_cast<typename pack<count>::native>(
          end | reinterpret_cast<std::remove_const_t<decltype(end)>>(end >= std::uint64_t{1} << 31))};
    };
    return even_lanes(low_words(ends), low_words(ends + pack<T>::lanes / 2));
  }
}

/// The pack of a row of n values, in four chains. Four packs beyond it may be read.
template <class Op, class T>
LOOKBACK_INLINE pack<T> reduce_long(Op const& op, pack<T> identity, T const* in, index_t n) {
  constexpr int lanes = pack<T>::lanes;
  pack<T> of[4] = {identity, identity, identity, identity};
  for (; n >= 4 * lanes; n -= 4 * lanes, in += 4 * lanes)
    unrolled<4>([&](auto k) __attribute__((always_inline)) { of[k] = combine(op, of[k], load(in + k * lanes)); });
  unrolled<4>([&](auto k) __attribute__((always_inline)) {
    of[k] = combine(op, of[k], first_lanes<k * lanes>(n, load(in + k * lanes), identity));
  });
  return combine(op, combine(op, of[0], of[1]), combine(op, of[2], of[3]));
}

/// Rows [s, to), whose ends are ends[0], ends[1] ...; the first begins at ends[-1], and ends are there for as many rows as fill the
/// last pack. in[0] to in[n - 1] are items from `begin` on, among which are all of theirs; four packs more may be read. Nothing is
/// kept of a row but its pack: where it lies is read again, as often as the longest beside it has packs. Returns the first row that
/// is not done: `to`, unless ends are none of [0, n] or go down.
template <class Parts, class Offset, class T>
index_t reduce_rows(Parts const& p, Offset const* ends, index_t s, index_t to, index_t begin, T const* in, index_t n) {
  constexpr int lanes = pack<T>::lanes;
  using count = lane_count<T>;
  using lengths = pack<count>;
  auto const any = [](auto const& mask) __attribute__((always_inline)) {
    return nonzero_bits(lengths{reinterpret_cast<typename lengths::native>(mask)});
  };
  auto const sink = p.sink;
  maximum<count> const larger;
  pack<T> const identity = broadcast<T>(detail::lane_identity<decltype(p.op), T>);
  for (; s < to; s += lanes, ends += lanes) {
    lengths const from = ends_behind<T>(begin, ends - 1), upto = ends_behind<T>(begin, ends), length{upto.v - from.v};
    if (any(combine(larger, combine(larger, from, upto), length).v > static_cast<count>(n))) return s;
    pack<T> of[static_cast<std::size_t>(lanes)];
    auto const add = [&](auto j) __attribute__((always_inline)) {
      index_t at = ends[-1];
      unrolled<lanes>([&](auto k) __attribute__((always_inline)) {
        index_t const end = ends[k];
        pack<T> const some = first_lanes<j * lanes>(end - at, load(in + (at - begin) + j * lanes), identity);
        if constexpr (j == 0) of[k] = some;
        else of[k] = combine(p.op, of[k], some);
        at = end;
      });
    };
    add(std::integral_constant<int, 0>{});
    if (any(length.v > count{lanes})) {
      add(std::integral_constant<int, 1>{});
      if (any(length.v > count{2 * lanes})) {
        add(std::integral_constant<int, 2>{});
        add(std::integral_constant<int, 3>{});
        if (std::uint64_t long_rows = any(length.v > count{4 * lanes})) {
          pack<T> all[static_cast<std::size_t>(lanes)];  // of[] is in registers: it knows no index
          unrolled<lanes>([&](auto k) __attribute__((always_inline)) { all[k] = of[k]; });
          for (; long_rows != 0; long_rows &= long_rows - 1) {
            int const k = __builtin_ctzll(long_rows);
            all[k] = reduce_long(p.op, identity, in + (ends[k - 1] - begin), index_t{ends[k]} - ends[k - 1]);
          }
          unrolled<lanes>([&](auto k) __attribute__((always_inline)) { of[k] = all[k]; });
        }
      }
    }
    pack<T> const totals = select(any(length.v), broadcast<T>(p.empty.value), reduce_each<lanes>(p.op, of));
    if constexpr (Parts::stores_results)
      if (s + lanes <= to) {
        store(sink.out + s, totals);
        continue;
      }
    alignas(pack_bytes) T some[static_cast<std::size_t>(lanes)];
    store(some, totals);
    for (index_t k = 0; k < lanes && s + k < to; ++k)
      sink.out[s + k] = static_cast<typename Parts::result>(lookback::detail::stored(sink.f, s + k, some[k]));
  }
  return to;
}

/// The segments that end in a tile of the merge path: as many as fit into a block at a time.
template <class Parts, class Held, class Room, class Offset, class T>
LOOKBACK_INLINE void fold_rows(Parts const& p, Held const& h, Room const& room, Offset const* ends, maybe<T> open) {
  constexpr index_t lanes = pack<T>::lanes, block = Parts::block;
  index_t begin = h.t.begin, s = h.first_segment;
  index_t const last = s + h.ended, tail = h.tail;
  auto const end_of = [&](index_t of) __attribute__((always_inline)) {
    index_t const end = ends[of];
    return end < begin ? begin : end < tail ? end : tail;
  };
  bool alone = true;        // the first may have begun before the tile
  bool wrong_ends = false;  // row by row from there on
  while (s < last) {
    // Any may begin with an initial value or be longer than a block.
    if (index_t const end = end_of(s); alone || p.initial.has || end - begin > block) {
      maybe<T> total = open.has ? open : begin == end ? maybe<T>{} : p.initial;
      while (begin < end) {
        index_t to = end;
        reduce_block<false>(p, begin, to, room, total);
      }
      if (!total.has) total = p.empty;
      if (total.has) p.sink.out[s] = static_cast<typename Parts::result>(lookback::detail::stored(p.sink.f, s, total.value));
      open = {}, alone = wrong_ends, ++s;
      continue;
    }
    index_t to = s;
    while (to + lanes <= last && end_of(to + lanes - 1) - begin <= block) to += lanes;
    Offset some_ends[static_cast<std::size_t>(lanes + 1)];
    Offset const* of = ends + s;
    if (to == s) {  // the last ones, or together too long
      while (to < last && to < s + lanes && end_of(to) - begin <= block) ++to;
      for (index_t k = 0; k <= lanes; ++k) some_ends[k] = ends[s + k <= to ? s + k - 1 : to - 1];
      of = some_ends + 1;
    }
    index_t const n = end_of(to - 1) - begin;
    evaluate(p, begin, n, room.values);
    index_t const done = reduce_rows(p, of, s, to, begin, room.values, n);
    alone = wrong_ends = done < to;
    begin = !wrong_ends ? begin + n : done > s ? end_of(done - 1) : begin;
    s = done;
  }
}

}  // namespace lookback::cpu::inline LOOKBACK_UNIT::LOOKBACK_SIMD
#endif
