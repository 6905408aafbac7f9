// One result per segment, where offsets say where each ends. Read by simd/text.hpp only.
#ifdef LOOKBACK_SIMD
namespace lookback::cpu::inline LOOKBACK_UNIT::LOOKBACK_SIMD {

/// The reduction of n > 0 values of a segment, of which `readable` may be read: most are so short that packs do not pay.
template <class Op, class T>
LOOKBACK_INLINE T reduce_short(Op const& op, T const* in, index_t n, index_t readable) {
  if constexpr (is_vectorized<Op, T>)
    if (n >= 16) return reduce_segment(op, in, n, readable);
  T sum = in[0];
  for (index_t k = 1; k < n; ++k) sum = static_cast<T>(op(sum, in[k]));
  return sum;
}

/// Items outside the inner loop, once or twice a tile, or all of it: a number by a row of lanes, or by another.
template <class T, class Parts>
[[gnu::noinline]] T reduce_apart(Parts const& p, index_t begin, index_t end) {
  if constexpr (joins_rows<Parts, T>) {
    T sum;
    store_row(sum.lane, reduce_products<T, true>(p, begin, end, end));
    return sum;
  } else {
    if (end - begin >= 8 && !read_far_apart(p, begin, end)) return reduce_joined<T>(p, begin, end);
    return reduce_in_turn<T>(p, begin, end);
  }
}

/// How segments are summed one by one. In chains: most are short, or items have no lanes. Side by side: most have eight items or
/// more. In turn: where most find what they read far apart. A loop for each: short ones pay for what is done for long ones.
enum class made_rows { in_chains, side_by_side, in_turn };

/// The reduction of items [begin, end), some of them, that are made one by one. In chains: four where operands may be swapped, so
/// that none waits for what another reads.
template <class T, made_rows Rows, class Parts>
LOOKBACK_INLINE T reduce_made(Parts const& p, index_t begin, index_t end) requires(!joins_rows<Parts, T>) {
  auto const made = [&](index_t i) __attribute__((always_inline)) { return static_cast<T>(value_at(p.items, p.arrays, i)); };
  auto const op = [&](T const& a, T const& b) __attribute__((always_inline)) { return static_cast<T>(p.op(a, b)); };
  if constexpr (!sums_rows_aside<Parts, T>)
    ask_for_items(p.arrays, begin);  // those that could be side by side are few, long, or next to empty
  if constexpr (Rows == made_rows::side_by_side)
    if (end - begin >= 8) return reduce_joined<T>(p, begin, end);
  if constexpr (Rows != made_rows::in_chains) return reduce_in_turn<T>(p, begin, end);
  T sum = made(begin);
  index_t i = begin + 1;
  if constexpr (is_commutative<decltype(p.op)>) {
    if (end - begin >= 8) {
      T chain[3] = {made(i), made(i + 1), made(i + 2)};
      auto const add = [&](auto k) __attribute__((always_inline)) {
        if constexpr (k % 4 == 0) sum = op(sum, made(i + k));
        else chain[k % 4 - 1] = op(chain[k % 4 - 1], made(i + k));
      };
      for (i += 3; i + 8 <= end; i += 8) {
        ask_for_items(p.arrays, i);
        unrolled<8>(add);
      }
      if (i + 4 <= end) unrolled<4>(add), i += 4;
      sum = op(op(sum, chain[0]), op(chain[1], chain[2]));
    }
  }
  for (; i < end; ++i) sum = op(sum, made(i));
  return sum;
}

template <class T, made_rows, class Parts>
LOOKBACK_INLINE T reduce_made(Parts const& p, index_t begin, index_t end) requires joins_rows<Parts, T> {
  return reduce_apart<T>(p, begin, end);
}

/// The segments that end in a tile of the merge path, one after the other, where what is made of items comes from anywhere in
/// memory: to keep it for later would cost more than its sum.
template <made_rows Rows = made_rows::in_chains, class Parts, class Held, class Room, class EndOf, class T>
LOOKBACK_INLINE void fold_each_made(Parts const& p, Held const& h, [[maybe_unused]] Room const& room, EndOf const& ends,
                                    maybe<T> const& open) {
  auto* const out = p.sink.out;
  auto const put = [&](index_t s, T const& total) __attribute__((always_inline)) {
    out[s] = static_cast<typename Parts::result>(lookback::detail::stored(p.sink.f, s, total));
  };
  index_t begin = h.t.begin, s = h.first_segment;
  index_t const last = s + h.ended, tail = h.tail;
  auto const end_of = [&](index_t of) __attribute__((always_inline)) {
    index_t const end = ends(of);
    return end < begin ? begin : end < tail ? end : tail;
  };
  // The first may have begun before the tile, and any may begin with an initial value.
  for (bool first = true; s < last && (first || p.initial.has); first = false, ++s) {
    index_t const end = end_of(s);
    maybe<T> total = first && open.has ? open : begin == end ? maybe<T>{} : p.initial;
    if (begin < end) {
      T const more = reduce_made<T, Rows>(p, begin, end);
      total = maybe<T>{total.has ? static_cast<T>(p.op(total.value, more)) : more};
    }
    if (!total.has) total = p.empty;
    if (total.has) put(s, total.value);
    begin = end;
  }
  T const empty = p.empty.value;                             // there is one, by offsets
  constexpr bool asks_width = requires { ends.described; };  // of every end: there the inner loop is not worth its code
  if constexpr (joins_rows<Parts, T> && !asks_width) {
    auto const none = load_row<T::count>(empty.lane);
    auto const next = [&](index_t of) __attribute__((always_inline)) {
      index_t const from = begin;
      begin = end_of(of);
      return from < begin ? reduce_products<T>(p, from, begin, h.t.end) : none;
    };
    if constexpr (Parts::stores_results) {
      // Past the caches a block of rows at a time: their places need not be those of whole vectors.
      index_t const block = p.streaming ? Parts::block : last - s;
      while (s < last) {
        index_t const n = last - s < block ? last - s : block;
        T* const to = p.streaming ? room.values : out + s;
        for (index_t k = 0; k < n; ++k) store_row(to[k].lane, next(s + k));
        if (p.streaming) stream_bytes(out + s, to, n * static_cast<index_t>(sizeof(T)));
        s += n;
      }
    }
    for (T total; s < last; ++s) store_row(total.lane, next(s)), put(s, total);
    return;
  }
  for (; s < last; ++s) {
    index_t const end = end_of(s);
    put(s, begin < end ? reduce_made<T, Rows>(p, begin, end) : empty);
    begin = end;
  }
}

/// The same, out of the way of the loop for short ones.
template <made_rows Rows, class Parts, class Held, class Room, class EndOf, class T>
[[gnu::noinline]] void fold_each_made_apart(Parts const& p, Held const& h, Room const& room, EndOf const& ends,
                                            maybe<T> const& open) {
  fold_each_made<Rows>(p, h, room, ends, open);
}

/// The segments that end in a tile of the merge path, from `first_segment` on; `open` is the sum of the first so far. A block of
/// items is read, or made of what is read, at a time, whatever their segments.
template <class Parts, class Held, class Room, class Ends, class T>
void fold_by_ends(Parts const& p, Held const& h, Room const& room, Ends const& ends, maybe<T> open) {
  auto* const out = p.sink.out;
  auto const put = [&](index_t s, T const& total) __attribute__((always_inline)) {
    out[s] = static_cast<typename Parts::result>(lookback::detail::stored(p.sink.f, s, total));
  };
  index_t s = h.first_segment;
  index_t const last = s + h.ended;
  if constexpr (reads_elsewhere<decltype(p.items)>) {
    if constexpr (requires { ends.template offsets<std::int32_t>(); }) {
      auto const fold = [&](auto const* offsets) __attribute__((always_inline)) {
        auto const end_of = [=](index_t of) __attribute__((always_inline)) { return index_t{offsets[of]}; };
        if constexpr (joins_four<Parts, T>)
          if (ends.order == row_order::by_length && are_better_in_turn(p, h))
            return fold_each_made_apart<made_rows::in_turn>(p, h, room, end_of, open);
        if constexpr (sums_rows_aside<Parts, T>)
          if (!are_one_by_one(ends.order, h.ended, h.t.end - h.t.begin, sizeof(T))) return fold_rows(p, h, room, offsets, open);
        if constexpr (joins_four<Parts, T>)
          if (h.ended > 0 && h.tail - h.t.begin >= 8 * h.ended) {
            if (read_far_apart(p, h.t.begin, h.tail)) return fold_each_made_apart<made_rows::in_turn>(p, h, room, end_of, open);
            return fold_each_made_apart<made_rows::side_by_side>(p, h, room, end_of, open);
          }
        fold_each_made(p, h, room, end_of, open);
      };
      if (ends.described.kind == segment_kind::offsets32) return fold(ends.template offsets<std::int32_t>());
      if (ends.described.kind == segment_kind::offsets64) return fold(ends.template offsets<std::int64_t>());
    }
    return fold_each_made(p, h, room, ends, open);
  }
  for (index_t begin = h.t.begin; s < last;) {
    index_t const n = h.tail - begin < Parts::block ? h.tail - begin : Parts::block;
    T const* const in = n > 0 ? fetch(p, begin, n, room.values) : nullptr;
    index_t at = 0;
    while (s < last) {
      index_t end = ends(s) - begin;
      if (end > n && begin + n < h.tail) break;
      end = end < at ? at : end < n ? end : n;
      if (open.has || p.initial.has || end == at) {  // once a block, but for segments that begin with something or are empty
        maybe<T> total = open.has || end == at ? open : p.initial;
        if (end > at) {
          T const more = reduce_short(p.op, in + at, end - at, n - at);
          total = maybe<T>{total.has ? static_cast<T>(p.op(total.value, more)) : more};
        }
        open = maybe<T>{};
        if (!total.has) total = p.empty;
        if (total.has) put(s, total.value);
      } else {
        put(s, reduce_short(p.op, in + at, end - at, n - at));
      }
      at = end, ++s;
    }
    if (at < n) {
      T const more = reduce_short(p.op, in + at, n - at, n - at);
      maybe<T> const left = open.has ? open : p.initial;
      open = maybe<T>{left.has ? static_cast<T>(p.op(left.value, more)) : more};
    }
    begin += n;
  }
}

}  // namespace lookback::cpu::inline LOOKBACK_UNIT::LOOKBACK_SIMD
#endif
