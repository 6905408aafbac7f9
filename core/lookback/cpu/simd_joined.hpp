// Items that are joined with what they find elsewhere, some side by side: numbers by one load, what they find one by one, and what
// is left at the end of a row without a loop. For rows of eight items and more. Nothing is asked for ahead: the processor does it
// as far as the memory goes (docs/tuning_cpu.md, 34). Read by simd_text.hpp only.
#ifdef LOOKBACK_SIMD
namespace lookback::cpu::LOOKBACK_SIMD {

/// f(First), f(First + 1) ... in the lanes of a row.
template <class T, int K, int First = 0, class F>
LOOKBACK_INLINE lane_row<T, K> row_of(F f) {
  lane_row<T, K> row;
  if constexpr (K > 0) {
    constexpr int count = lane_row<T, K>::count;
    row.first = [&]<int... J>(std::integer_sequence<int, J...>) __attribute__((always_inline)) {
      return typename lane_row<T, K>::native{f(First + J)...};
    }
    (std::make_integer_sequence<int, count>{});
    row.rest = row_of<T, K - count, First + count>(f);
  }
  return row;
}
template <int J, class T, int K>
LOOKBACK_INLINE T nth_lane(lane_row<T, K> const& row) {
  constexpr int count = lane_row<T, K>::count;
  if constexpr (J < count) return row.first[J];
  else return nth_lane<J - count>(row.rest);
}

/// On how many pages do 64 items from `begin` on find what they read? By how far from the first it lies: sums depend on it, and
/// must not on addresses.
template <class Parts>
int pages_read(Parts const& p, index_t begin) {
  auto const place = [&](index_t i) { return reinterpret_cast<std::uintptr_t>(found_at(p.items, p.arrays, i)); };
  std::uint64_t pages = 0;
  for (index_t i = begin; i < begin + 64; ++i)
    pages |= std::uint64_t{1} << ((place(i) - place(begin)) / 4096 * 0x9E3779B97F4A7C15u >> 58);
  return std::popcount(pages);
}
/// Do items [begin, end) find what they read on more pages than there are places for misses? Those are all taken then, and none
/// is left for what is read in order, unless little is begun at a time. Nobody asks where few are.
template <class Parts>
bool read_far_apart(Parts const& p, index_t begin, index_t end) {
  return end - begin >= 16 << 10 && pages_read(p, begin) > 24;
}

/// The reduction of items [begin, end), at least eight, in four chains; operands may be swapped. How many does not depend on the
/// level.
template <class T, class Parts>
LOOKBACK_INLINE T reduce_joined(Parts const& p, index_t begin, index_t end) {
  using row = lane_row<T, 4>;
  auto const made = [&](index_t i) __attribute__((always_inline)) { return static_cast<T>(value_at(p.items, p.arrays, i)); };
  auto const op = [&](T const& a, T const& b) __attribute__((always_inline)) { return static_cast<T>(p.op(a, b)); };
  auto const four = [&](index_t i) __attribute__((always_inline)) {
    row const found = row_of<T, 4>([&](int k) __attribute__((always_inline)) { return look_up_at(p.items, p.arrays, i + k); });
    return combine_rows(p.items.joining_operator(), load_row<4>(p.arrays.data + i), found);
  };
  row sum = four(begin);
  index_t i = begin + 4;
  for (; i + 8 <= end; i += 8) {
    sum = combine_rows(p.op, sum, four(i));
    sum = combine_rows(p.op, sum, four(i + 4));
  }
  if (i + 4 <= end) sum = combine_rows(p.op, sum, four(i)), i += 4;
  T a = op(nth_lane<0>(sum), nth_lane<2>(sum)), b = op(nth_lane<1>(sum), nth_lane<3>(sum));
  if ((end - i) & 2) a = op(a, made(i)), b = op(b, made(i + 1)), i += 2;
  if (i < end) a = op(a, made(i));
  return op(a, b);
}

}  // namespace lookback::cpu::LOOKBACK_SIMD
#endif
