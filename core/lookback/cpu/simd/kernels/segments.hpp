// One result per segment, where heads say which item begins one. Read by simd/text.hpp only.
#ifdef LOOKBACK_SIMD
namespace lookback::cpu::inline LOOKBACK_UNIT::LOOKBACK_SIMD {

/// f(bits, w) for every word of heads that has any.
template <class F>
LOOKBACK_INLINE void each_word(std::uint64_t const* words, index_t n, F f) {
  for (index_t w = 0; w * 64 < n; ++w)
    if (words[w] != 0) f(words[w], w);
}

/// places[j] is where the j-th of the bits [0, n) lies that are set; may write up to a pack beyond them. ask(w) asks for what is
/// read after word w of the next block.
template <class Ask>
LOOKBACK_INLINE void note_places(std::uint64_t const* words, index_t n, std::uint32_t* places, Ask ask) {
  for (index_t w = 0; w * 64 < n; ++w) {
    ask(w);
    std::uint64_t bits = words[w];
    if (bits == 0) continue;
    auto const from = static_cast<std::uint32_t>(w * 64);
    auto const note = [&](int j, int k) __attribute__((always_inline)) { places[j] = from + static_cast<std::uint32_t>(k); };
    if (int const count = __builtin_popcountll(bits); count <= few_bits) {
      places += each_of_few(bits, count, note);
    } else if constexpr (has_compress<std::uint32_t>) {
      static constexpr auto counting = [] {
        std::array<std::uint32_t, 64> some{};
        for (std::uint32_t k = 0; k < 64; ++k) some[k] = k;
        return some;
      }();
      constexpr int lanes = pack<std::uint32_t>::lanes;
      for (int k = 0; k < 64; k += lanes)
        places += compress(places, bits >> k & all_lanes<std::uint32_t>, pack<std::uint32_t>{load(counting.data() + k).v + from});
    } else {
      for (; bits != 0; bits &= bits - 1) note(0, __builtin_ctzll(bits)), ++places;
    }
  }
}
/// room.places of the heads of `part`; the lines of the block that begins at item `next` are asked for meanwhile, unless it is -1.
template <class Parts, class Room>
void note_places(Parts const& p, tile const& part, Room const& room, index_t next) {
  index_t const n = part.end - part.begin;
  if (next < 0) note_places(room.words, n, room.places, [](index_t) __attribute__((always_inline)){});
  else
    note_places(
        room.words, n, room.places, [&](index_t w) __attribute__((always_inline)) { ask_for_lines(p.arrays, next + w * 64); });
}

/// How a result is staged.
template <class Parts, class T>
LOOKBACK_INLINE auto result_of(Parts const& p, T const& total) {
  return static_cast<typename Parts::result>(p.sink.f(total));
}

/// The first head of a tile: what ends there, of which this tile has `before`, is not known yet. Room is left for it. The first
/// head of all ends nothing, unless an earlier chunk has left something open.
template <class Held, class T>
LOOKBACK_INLINE void leave_first(Held& h, index_t head, maybe<T> const& before) {
  h.begins = true;
  if (head == 0 && !h.goes_on) return;
  h.before_first = before;
  ++h.ended;
}

/// Segments whose items are counted: one is as long as its head is away from the next one.
template <class Parts, class Room, class Held>
LOOKBACK_INLINE void count_by_heads(Parts const& p, tile const& part, Room const& room, index_t heads, Held& h) {
  using T = typename Parts::value_type;
  index_t const n = part.end - part.begin;
  std::uint32_t const* const places = room.places;
  T const open = h.open.has ? h.open.value : T{0};
  if (heads == 0) {
    h.open = maybe<T>{static_cast<T>(open + static_cast<T>(n))};
    return;
  }
  T const total = static_cast<T>(open + static_cast<T>(places[0]));
  if (h.begins) room.results[h.ended++] = result_of(p, total);
  else leave_first(h, part.begin + places[0], maybe<T>{total});
  fill(room.results + h.ended, heads - 1, [&](index_t k) { return result_of(p, static_cast<T>(places[k + 1] - places[k])); });
  h.ended += heads - 1;
  h.open = maybe<T>{static_cast<T>(n - places[heads - 1])};
}

/// The reduction of n > 0 values, of which `readable` may be read. Most segments are shorter than a group of packs, which takes as
/// many steps whatever they are: a loop that ends after one pack or after three is guessed wrong half the time.
template <class Op, class T>
LOOKBACK_INLINE T reduce_segment(Op const& op, T const* in, index_t n, index_t readable) {
  constexpr index_t lanes = pack<T>::lanes, packs = 64 / lanes < 4 ? 64 / lanes : 4, group = packs * lanes;
  pack<T> const identity = broadcast<T>(detail::lane_identity<Op, T>);
  pack<T> of[static_cast<std::size_t>(packs)];
  unrolled<packs>([&](auto k) __attribute__((always_inline)) { of[k] = identity; });
  for (; n > group; in += group, n -= group, readable -= group)
    unrolled<packs>([&](auto k) __attribute__((always_inline)) {
      ask_ahead<false>(in + k * lanes);
      of[k] = combine(op, of[k], load(in + k * lanes));
    });
  if (readable < group) {
    T const sum = reduce_packs<false>(op, in, n);
    of[0] = combine(op, of[0], select(1, identity, broadcast(sum)));
  } else {
    std::uint64_t const there = ~std::uint64_t{0} >> (64 - n);
    unrolled<packs>([&](auto k) __attribute__((always_inline)) {
      ask_ahead<false>(in + k * lanes);
      of[k] = combine(op, of[k], select(there >> (k * lanes) & all_lanes<T>, identity, load(in + k * lanes)));
    });
  }
  unrolled<packs - 1>([&](auto k) __attribute__((always_inline)) { of[0] = combine(op, of[0], of[k + 1]); });
  return first(broadcast_last(prefix<false>(op, of[0], identity)));
}
/// One segment after the other, where they are long enough for packs: `in` has the n > 0 values of the part, and then some,
/// `readable` in all.
template <class Parts, class Room, class Held, class T>
LOOKBACK_INLINE void fold_each_segment(Parts const& p, tile const& part, Room const& room, index_t heads, T const* in,
                                       index_t readable, Held& h) {
  index_t const n = part.end - part.begin;
  auto const sum = [&](index_t begin, index_t end) __attribute__((always_inline)) {
    return reduce_segment(p.op, in + begin, end - begin, readable - begin);
  };
  auto const add = [&](index_t begin, index_t end) __attribute__((noinline)) {  // once or twice a block
    if (begin == end) return;
    T const more = sum(begin, end);
    h.open = maybe<T>{h.open.has ? static_cast<T>(p.op(h.open.value, more)) : more};
  };
  if (heads == 0) return add(0, n);
  index_t begin = room.places[0];
  add(0, begin);
  if (h.begins) room.results[h.ended++] = result_of(p, h.open.value);
  else leave_first(h, part.begin + begin, h.open);
  auto* to = room.results + h.ended;
  for (index_t j = 1; j < heads; ++j) {
    index_t const end = room.places[j];
    T const more = sum(begin, end);
    *to++ = result_of(p, p.initial.has ? static_cast<T>(p.op(p.initial.value, more)) : more);
    begin = end;
  }
  h.ended += heads - 1, h.open = p.initial;
  add(begin, n);
}

/// A segmented scan of the part in the first-level cache; then the values left of the heads are what ends there.
template <class Parts, class Room, class Held, class T>
LOOKBACK_INLINE void scan_then_pick(Parts const& p, tile const& part, Room const& room, index_t heads, T const* in, Held& h) {
  std::uint64_t const* const words = room.words;
  constexpr bool picks = Parts::stores_results && cpu::detail::is_lane<T> && has_compress<T>;
  index_t const at = part.begin, n = part.end - part.begin;
  maybe<T> const left = h.open;
  scan_values<false>(p.op, in, room.values, n, h.open, false, false, words, p.initial, line_of(p, at + n));
  if (heads == 0) return;
  index_t first_word = -1;  // where a head is that is left
  if (!h.begins) {
    for (first_word = 0; words[first_word] == 0;) ++first_word;
    index_t const head = first_word * 64 + __builtin_ctzll(words[first_word]);
    leave_first(h, at + head, head > 0 ? maybe<T>{room.values[head - 1]} : left);
  }
  if constexpr (picks) room.values[-1] = left.has ? left.value : T{};
  auto const pick_ends = [&](std::uint64_t bits, index_t w) __attribute__((always_inline)) {
    if (w == first_word) bits &= bits - 1;
    if constexpr (picks) {
      h.ended += compress_items(room.results + h.ended, bits, room.values + w * 64 - 1);
    } else {
      for (; bits != 0; bits &= bits - 1) {
        index_t const k = w * 64 + __builtin_ctzll(bits);
        room.results[h.ended++] = result_of(p, k > 0 ? room.values[k - 1] : left.value);
      }
    }
  };
  each_word(words, n, pick_ends);
}

/// Every head but the first of all ends a segment: the results of those that end in `part`, behind those of the tile before it.
template <class Parts, class Room, class Held>
void fold_by_heads(Parts const& p, tile const& part, Room const& room, index_t heads, Held& h) {
  using T = typename Parts::value_type;
  if constexpr (Parts::sums_units)
    if (!p.initial.has) return count_by_heads(p, part, room, heads, h);
  index_t const n = part.end - part.begin;
  T const* const in = fetch(p, part.begin, n, room.values);
  if constexpr (is_vectorized<decltype(p.op), T>)
    if (are_few(heads, n) && heads * (pack<T>::lanes * 3 / 4) <= n) {  // their places are there, and they are 3/4 of a pack long
      index_t const readable = Parts::reads_values ? h.t.end - part.begin : n;
      return fold_each_segment(p, part, room, heads, in, readable, h);
    }
  scan_then_pick(p, part, room, heads, in, h);
}

}  // namespace lookback::cpu::inline LOOKBACK_UNIT::LOOKBACK_SIMD
#endif
