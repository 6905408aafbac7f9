// A warp of the tree of ends: `sums` of a warp's values, each from the last end or the begin of its thread on, and what each thread
// has behind its last end. Read by simd/text.hpp only.
//
// Packs where the operator is built in: a lane is a thread, so that nothing is added in another order. Lanes that hold nothing, and
// threads that begin anew, have the value that changes no other.
#ifdef LOOKBACK_SIMD
namespace lookback::cpu::inline LOOKBACK_UNIT::LOOKBACK_SIMD {

template <class Op, class T, int Items>
inline constexpr bool packs_threads = is_vectorized<Op, T> &&
                                      (sizeof(T) == 4 || sizeof(T) == 8) && Items* static_cast<int>(sizeof(T)) >= 16;

/// Where the sum of an item of a tile stands.
template <bool Packs, int Items>
LOOKBACK_INLINE std::uint32_t place_of_sum(std::uint32_t item) {
  if constexpr (!Packs) return item;
  else {
    constexpr std::uint32_t bits = 20, share = (1U << bits) / Items + 1;  // item / Items, by a product of 32 bits
    std::uint32_t const thread = item * share >> bits;
    return thread / 32 * (32 * Items) + (item - thread * Items) * 32 + thread % 32;
  }
}

/// The ends in a warp.
template <bool Packs, int Items>
struct marked_warp {
  static constexpr int places = 32 * Items;
  std::uint8_t const* at;                                             // set where a segment ends; a pack more may be read
  std::uint64_t words[static_cast<std::size_t>((places + 63) / 64)];  // Packs: the same as bits
  std::uint32_t ending;                                               // threads with an end
  std::uint32_t having;                                               // threads with items behind their last end
  std::uint32_t holding;                                              // threads with items

  /// Packs: threads that end with their item j.
  LOOKBACK_INLINE std::uint32_t ends(int j) const { return static_cast<std::uint32_t>(words[j / 2] >> (j % 2 * 32)); }
  /// Of so many items.
  LOOKBACK_INLINE marked_warp(std::uint8_t const* marks, int count) : at{marks} {
    int const full = count / Items, rest = count % Items;
    std::uint32_t const whole = static_cast<std::uint32_t>((std::uint64_t{1} << full) - 1);
    holding = rest > 0 ? whole | std::uint32_t{1} << full : whole;
    ending = having = 0;
    if constexpr (Packs) {
      for (int k = 0; k < places; k += pack_bytes) {
        std::uint64_t const bits = nonzero_bits(load(at + k));
        words[k / 64] = k % 64 == 0 ? bits : words[k / 64] | bits << k % 64;
      }
      for (int j = 0; j < Items; ++j) ending |= ends(j);
      having = whole & ~ends(Items - 1);
      if (rest > 0) having |= (holding ^ whole) & ~ends(rest - 1);
    } else {
      for (int thread = 0; thread * Items < count; ++thread) {
        int const n = thread < full ? Items : rest;
        unsigned any = 0;
        for (int j = 0; j < n; ++j) any |= at[thread * Items + j];
        ending |= std::uint32_t{any != 0} << thread;
        having |= std::uint32_t{at[thread * Items + n - 1] == 0} << thread;
      }
    }
  }
  /// Where the first sum that ends stands.
  LOOKBACK_INLINE int first_end() const {
    int const thread = __builtin_ctz(ending);
    int place = Packs ? thread : thread * Items;
    while (at[place] == 0) place += Packs ? 32 : 1;
    return place;
  }
  /// Threads that go on with what the one before them has.
  LOOKBACK_INLINE std::uint32_t joining() const { return holding & ~ending & having << 1; }
};

/// Steps D, 2 D ... of the scan of a warp: lane l takes part at distance d where `joining` goes back so far.
template <int D = 1, class Op, class T, std::size_t Packs>
LOOKBACK_INLINE void scan_open(Op const& op, pack<T> (&of)[Packs], std::uint32_t joining) {
  constexpr int packs = static_cast<int>(Packs), lanes = pack<T>::lanes;
  if constexpr (D < 32) {
    if (joining == 0) return;
    unrolled<packs>([&](auto step) __attribute__((always_inline)) {  // those first whose old value nobody needs any more
      constexpr int k = packs - 1 - step;
      std::uint64_t const some = joining >> (k * lanes) & all_lanes<T>;
      if constexpr (D < lanes) {
        constexpr int near = k > 0 ? k - 1 : k;
        of[k] = select(some, of[k], combine(op, shift<D, false>(of[k], of[near]), of[k]));
      } else if constexpr (k >= D / lanes) of[k] = select(some, of[k], combine(op, of[k - D / lanes], of[k]));
    });
    scan_open<2 * D>(op, of, joining & joining << D);
  }
}

/// How a value is held while others are added: a row of lanes as vectors, where the operator is built in.
template <class Op, class T>
struct held_value {
  LOOKBACK_INLINE static T load(T const& x) { return x; }
  LOOKBACK_INLINE static void store(T& to, T const& x) { to = x; }
  LOOKBACK_INLINE static T combine(Op const& op, T const& a, T const& b) { return static_cast<T>(op(a, b)); }
};
template <class Op, class T, int K>
requires(is_vectorized<Op, T> && sizeof(T) >= 4) struct held_value<lookback::lanes_of<Op, K>, lanes<T, K>> {
  using row = lane_row<T, K>;
  LOOKBACK_INLINE static row load(lanes<T, K> const& x) { return load_row<K>(x.lane); }
  LOOKBACK_INLINE static void store(lanes<T, K>& to, row const& x) { store_row(to.lane, x); }
  LOOKBACK_INLINE static row combine(lookback::lanes_of<Op, K> const& op, row const& a, row const& b) {
    return combine_rows(op.op, a, b);
  }
};

/// sums, and open[t + 1]: what lies behind the last end up to and with thread t, for the threads that have some. The first sum that
/// ends in a thread has what comes before it, as far as that lies in the warp.
template <int Items, class Op, class T>
LOOKBACK_INLINE void fold_warp(Op const& op, T const* values, int, marked_warp<true, Items> const& marked, T* sums,
                               T* open) requires(packs_threads<Op, T, Items>) {
  using columns = turned<T, Items>;
  constexpr int lanes = pack<T>::lanes, packs = 32 / lanes, chunks = (Items + columns::columns - 1) / columns::columns;
  pack<T> of[static_cast<std::size_t>(packs)];
  for (int k = 0; k < packs; ++k) {
    T const* const from = values + k * lanes * Items;
    pack<T> sum = broadcast<T>(detail::lane_identity<Op, T>);
    unrolled<chunks>([&](auto chunk) __attribute__((always_inline)) {
      constexpr int last = Items - columns::columns, first = chunk * columns::columns < last ? chunk * columns::columns : last;
      auto const x = columns::load(from + first);
      unrolled<columns::columns>([&](auto c) __attribute__((always_inline)) {
        constexpr int j = first + c;
        if constexpr (j >= chunk * columns::columns) {
          if constexpr (j == 0) sum = x.of[c];
          else sum = select(marked.ends(j - 1) >> (k * lanes) & all_lanes<T>, combine(op, sum, x.of[c]), x.of[c]);
          store(sums + j * 32 + k * lanes, sum);
        }
      });
    });
    of[k] = sum;
  }
  scan_open(op, of, marked.joining());
  for (int k = 0; k < packs; ++k) store(open + 1 + k * lanes, of[k]);
  if (marked.ending == 0) return;
  pack<T> const nothing = broadcast<T>(detail::lane_identity<Op, T>);
  unrolled<packs>([&](auto k) __attribute__((always_inline)) {
    of[k] = select(marked.having >> (k * lanes) & all_lanes<T>, nothing, of[k]);
  });
  unrolled<packs>([&](auto step) __attribute__((always_inline)) {
    constexpr int k = packs - 1 - step;
    if constexpr (k > 0) of[k] = shift<1, false>(of[k], of[k - 1]);
    else of[k] = shift<1, false>(of[k], nothing);
  });
  std::uint32_t ended = 0;
  for (int j = 0; j < Items; ++j) {
    std::uint32_t const first = marked.ends(j) & ~ended;
    if (first == 0) continue;
    ended |= first;
    unrolled<packs>([&](auto k) __attribute__((always_inline)) {
      pack<T> const sum = load(sums + j * 32 + k * lanes);
      store(sums + j * 32 + k * lanes, select(first >> (k * lanes) & all_lanes<T>, sum, combine(op, of[k], sum)));
    });
  }
}
template <int Items, class Op, class T>
LOOKBACK_INLINE void fold_warp(Op const& op, T const* values, int count, marked_warp<false, Items> const& marked, T* sums,
                               T* open) requires(!packs_threads<Op, T, Items>) {
  using held = held_value<Op, T>;
  for (int thread = 0; thread * Items < count; ++thread) {
    int const first = thread * Items, n = count - first < Items ? count - first : Items;
    auto sum = held::load(values[first]);
    held::store(sums[first], sum);
    for (int j = 1; j < n; ++j) {
      auto const x = held::load(values[first + j]);
      if (marked.at[first + j - 1] != 0) sum = x;
      else sum = held::combine(op, sum, x);
      held::store(sums[first + j], sum);
    }
    held::store(open[thread + 1], sum);
  }
  std::uint32_t joining = marked.joining();
  for (int d = 1; joining != 0; joining &= joining << d, d *= 2)
    for (std::uint32_t some = joining; some != 0;) {  // downwards: lane - d, which there is, is still the old one
      int const lane = 31 - __builtin_clz(some);
      some ^= std::uint32_t{1} << lane;
      T& mine = open[lane + 1];
      held::store(mine, held::combine(op, held::load(open[lane + 1 - d]), held::load(mine)));
    }
  for (std::uint32_t some = marked.ending & marked.having << 1; some != 0; some &= some - 1) {
    int const thread = __builtin_ctz(some);
    int first = thread * Items;
    while (marked.at[first] == 0) ++first;
    sums[first] = static_cast<T>(op(open[thread], sums[first]));
  }
}

}  // namespace lookback::cpu::inline LOOKBACK_UNIT::LOOKBACK_SIMD
#endif
