// Items that are joined with what they find elsewhere, four side by side: numbers by one load, what they find one by one, and what
// is left at the end of a row without a loop. For rows that are summed one by one, most of which have eight items and more; and
// when to take one item a turn instead. Nothing is asked for ahead (docs/lab/cpu.md, 34). Read by simd/text.hpp only.
#ifdef LOOKBACK_SIMD
namespace lookback::cpu::inline LOOKBACK_UNIT::LOOKBACK_SIMD {

/// Those that can be: lanes, whose operands may be swapped, found in memory.
template <class Parts, class T>
inline constexpr bool joins_four = false;
template <class Parts, class T>
requires(sums_rows_aside<Parts, T>&& is_commutative<decltype(Parts::op)>) inline constexpr bool joins_four<Parts, T> = requires {
  &decltype(Parts::items)::found_at;
};

/// On how many pages do 64 items from `begin` on find what they read, about? By how far from the first it lies: sums depend on it,
/// and must not on addresses.
template <class Parts>
int pages_read(Parts const& p, index_t begin) {
  auto const place = [&](index_t i) { return reinterpret_cast<std::uintptr_t>(found_at(p.items, p.arrays, i)); };
  std::uint64_t pages = 0;
  for (index_t i = begin; i < begin + 64; ++i)
    pages |= std::uint64_t{1} << ((place(i) - place(begin)) / 4096 * 0x9E3779B97F4A7C15u >> 58);
  return std::popcount(pages);
}
/// Do items [begin, end) find what they read so far apart that most is missed: on more than so many pages of pages_read? A
/// processor has few places for misses: where those are all taken, none is left for what is read in order, unless little is begun
/// at a time. Few items are never asked.
template <class Parts>
bool read_far_apart(Parts const& p, index_t begin, index_t end, int more_than = 24) {
  return end - begin >= 16 << 10 && pages_read(p, begin) > more_than;
}
/// Of a tile whose rows may be summed side by side: of six values of 8 bytes and more on average they had better not, where items
/// find what they read on pages of their own. 64 of them set 40 of 64 bits, about (docs/lab/cpu.md, 36).
template <class Parts, class Held>
bool are_better_in_turn(Parts const& p, Held const& h) {
  constexpr bool wide = sizeof(typename Parts::value_type) >= 8;
  return wide && h.ended > 0 && h.tail - h.t.begin >= 6 * h.ended && read_far_apart(p, h.t.begin, h.tail, 34);
}

/// The reduction of items [begin, end), at least eight, in four chains.
template <class T, class Parts>
LOOKBACK_INLINE T reduce_joined(Parts const& p, index_t begin, index_t end) {
  using row = lane_row<T, 4>;
  static_assert(row::count == 4);
  using four = typename row::native;
  auto const op = [&](T const& a, T const& b) __attribute__((always_inline)) { return static_cast<T>(p.op(a, b)); };
  auto const found = [&](index_t i) __attribute__((always_inline)) { return look_up_at(p.items, p.arrays, i); };
  auto const made = [&](index_t i) __attribute__((always_inline)) { return static_cast<T>(value_at(p.items, p.arrays, i)); };
  auto const join = [&](index_t i) __attribute__((always_inline)) {
    four numbers;
    std::memcpy(&numbers, p.arrays.data + i, sizeof numbers);
    return combine_some<typename row::wrapping_native>(p.items.joining_operator(), numbers,
                                                       four{found(i), found(i + 1), found(i + 2), found(i + 3)});
  };
  four sum = join(begin);
  index_t i = begin + 4;
  for (; i + 4 <= end; i += 4) sum = combine_some<typename row::wrapping_native>(p.op, sum, join(i));
  T a = op(sum[0], sum[2]), b = op(sum[1], sum[3]);
  if ((end - i) & 2) a = op(a, made(i)), b = op(b, made(i + 1)), i += 2;
  if (i < end) a = op(a, made(i));
  return op(a, b);
}

/// The same in one chain, one item a turn.
template <class T, class Parts>
LOOKBACK_INLINE T reduce_in_turn(Parts const& p, index_t begin, index_t end) {
  T sum = static_cast<T>(value_at(p.items, p.arrays, begin));
#pragma GCC unroll 1
  for (index_t i = begin + 1; i < end; ++i) sum = static_cast<T>(p.op(sum, static_cast<T>(value_at(p.items, p.arrays, i))));
  return sum;
}

}  // namespace lookback::cpu::inline LOOKBACK_UNIT::LOOKBACK_SIMD
#endif
