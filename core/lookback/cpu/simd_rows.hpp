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

// Bit i says whether lane i is in the upper half of 2 D neighbours.
template <int D>
inline constexpr std::uint64_t upper_lanes = D == 1   ? 0xaaaaaaaaaaaaaaaa
                                             : D == 2 ? 0xcccccccccccccccc
                                             : D == 4 ? 0xf0f0f0f0f0f0f0f0
                                                      : 0xff00ff00ff00ff00;

/// Lane k is the reduction of the lanes of pack k, of N packs; N lanes, and then the same again.
template <int N, class Op, class T>
LOOKBACK_INLINE pack<T> reduce_each(Op const& op, pack<T> const* of) {
  if constexpr (N == 1) return *of;
  else {
    constexpr int half = N / 2;
    constexpr std::uint64_t upper = upper_lanes<half> & all_lanes<T>;
    pack<T> const a = reduce_each<half>(op, of), b = reduce_each<half>(op, of + half);
    return combine(op, select(upper, a, shift_up<half>(b, b)), select(upper, shift_down<half>(a, a), b));
  }
}

/// Rows [s, s + count), no more than there are lanes. in[0] to in[n - 1] are items from `begin` on, among which are all of theirs;
/// `readable`, four packs more than n, may be read.
template <class Parts, class EndOf, class T>
LOOKBACK_INLINE void reduce_rows(Parts const& p, EndOf const& ends, index_t s, index_t count, index_t begin, T const* in, index_t n,
                                 index_t readable) {
  constexpr int lanes = pack<T>::lanes, most = 4 * lanes;
  using result = typename Parts::result;
  using bits = std::conditional_t<(most > 32), std::uint64_t, std::uint32_t>;
  alignas(64) std::uint32_t from[lanes];
  alignas(64) bits there[lanes];  // one for each item of a row
  auto const bound = static_cast<std::uint32_t>(n);
  auto const place = [&](index_t row) __attribute__((always_inline)) {  // of wrong ends, too
    auto const end = static_cast<std::uint32_t>(ends(row) - begin);
    return end < bound ? end : bound;
  };
  std::uint32_t longest = 0, shortest = most;
  auto const look_at = [&](int k) __attribute__((always_inline)) {
    std::uint32_t const at = place(s + k - 1), length = place(s + k) - at;
    from[k] = at;
    there[k] = length < most ? ~(~bits{0} << length) : ~bits{0};
    longest = longest < length ? length : longest;
    shortest = length < shortest ? length : shortest;
  };
  if (count == lanes) {
    for (int k = 0; k < lanes; ++k) look_at(k);
  } else {
    for (int k = 0; k < lanes; ++k) from[k] = 0, there[k] = 0;
    for (int k = 0; k < count; ++k) look_at(k);
  }
  pack<T> const identity = broadcast<T>(detail::lane_identity<decltype(p.op), T>);
  pack<T> of[lanes];
  unrolled<lanes>([&](auto k)
                      __attribute__((always_inline)) { of[k] = select(there[k] & all_lanes<T>, identity, load(in + from[k])); });
  for (std::uint32_t j = lanes; j < most && j < longest; j += lanes)
    unrolled<lanes>([&](auto k) __attribute__((always_inline)) {
      of[k] = combine(p.op, of[k], select(there[k] >> j & all_lanes<T>, identity, load(in + from[k] + j)));
    });
  pack<T> totals = reduce_each<lanes>(p.op, of);
  if (shortest == 0) {
    std::uint64_t empty = 0;
    for (int k = 0; k < lanes; ++k) empty |= std::uint64_t{there[k] == 0} << k;
    totals = select(empty, totals, broadcast<T>(p.empty.value));
  }
  result* const out = p.sink.out + s;
  if constexpr (Parts::stores_results)
    if (count == lanes && longest <= most) return store(out, totals);
  alignas(pack_bytes) T some[lanes];
  store(some, totals);
  for (index_t k = 0; k < count; ++k) {
    index_t const at = from[k], length = static_cast<index_t>(place(s + k)) - at;
    T const total = length > most ? reduce_segment(p.op, in + at, length, readable - at) : some[k];
    out[k] = static_cast<result>(lookback::detail::stored(p.sink.f, s + k, total));
  }
}

/// The segments that end in a tile of the merge path: as many as fit into a block at a time.
template <class Parts, class Held, class Room, class EndOf, class T>
LOOKBACK_INLINE void fold_rows(Parts const& p, Held const& h, Room const& room, EndOf const& ends, maybe<T> const& open) {
  constexpr index_t lanes = pack<T>::lanes, block = Parts::block, readable = block + 4 * lanes;
  index_t begin = h.t.begin, s = h.first_segment;
  index_t const last = s + h.ended, tail = h.tail;
  auto const end_of = [&](index_t of) __attribute__((always_inline)) {
    index_t const end = ends(of);
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
    if (to == s)
      while (to < last && to < s + lanes && end_of(to) - begin <= block) ++to;
    index_t const n = end_of(to - 1) - begin;
    evaluate(p, begin, n, room.values);
    while (s < to) {
      index_t const count = to - s < lanes ? to - s : lanes;
      reduce_rows(p, ends, s, count, begin, room.values, n, readable);
      s += count;
    }
    begin += n;
  }
}

}  // namespace lookback::cpu::LOOKBACK_SIMD
#endif
