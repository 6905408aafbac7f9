// A tile of the tree of ends (reproducible_ends.hpp draws it), from items to results. Read by simd_text.hpp only.
//
//   ends -> places of the sums that are results, and a byte set at each        of the tile, long before anybody looks at them: who
//                                                                              reads what has just been stored byte by byte waits
//   items -> values -> `sums`, each item's from the last end or the begin of its thread on                      a warp at a time
//   sums -> results                                                                                                  of the tile
//
// Everything lies in the first-level cache. Packs where the operator is built in: a lane is a thread, so that nothing is added in
// another order. Lanes that hold nothing, and threads that begin anew, have the value that changes no other.
#ifdef LOOKBACK_SIMD
namespace lookback::cpu::LOOKBACK_SIMD {

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
  std::uint8_t const* at;                   // set where a segment ends; a pack more may be read
  std::uint64_t words[(places + 63) / 64];  // Packs: the same as bits
  std::uint32_t ending;                     // threads with an end
  std::uint32_t having;                     // threads with items behind their last end
  std::uint32_t holding;                    // threads with items

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
  pack<T> of[packs];
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

/// Not inlined: what values are made by is not contracted with what they are added by.
template <class Parts, class T>
[[gnu::noinline]] void evaluate_apart(Parts const& p, index_t at, index_t n, T* values) {
  if constexpr (joins_rows<Parts, T>) {
    constexpr int K = T::count;
    auto const items = p.items;
    auto const from = p.arrays;
    for (index_t k = 0; k < n; ++k) {
      if (k % 8 == 0) ask_for_items(from, at + k);
      auto const number = static_cast<typename T::value_type>(from.data[at + k]);
      store_row(values[k].lane, combine_rows(items.joining_operator().op, broadcast_row<K>(number),
                                             load_row<K>(found_at(items, from, at + k)->lane)));
    }
  } else {
    evaluate(p, at, n, values);
  }
}

/// What comes of the warps of a tile, one after the other: the same scan, of warps as lanes.
template <class T>
struct open_warps {
  T steps[6][32];
  int joined = 0;  // so many warps before the last one have a part in it
  bool has = false;

  LOOKBACK_INLINE T const& before(int warp) const { return steps[5][warp - 1]; }
  template <class Op>
  LOOKBACK_INLINE void add(Op const& op, int warp, T const& sum, bool ending, bool having) {
    joined = has && !ending ? joined + 1 : 0;
    steps[0][warp] = sum;
    for (int k = 0; k < 5; ++k) {
      int const distance = 1 << k;
      if (joined >= distance) steps[k + 1][warp] = static_cast<T>(op(steps[k][warp - distance], steps[k][warp]));
      else steps[k + 1][warp] = steps[k][warp];
    }
    has = having;
  }
};

/// The ends of tile t: places[k] is where the sum stands of the segment with end number k, or Tile::steps for one without items in
/// the tile. Returns where the last one lies.
template <class Tile, bool Packs, class Offset>
LOOKBACK_INLINE int place_ends(tile const& t, Offset const* ends, int count, std::uint16_t* places) {
  if (count == 0) return 0;
  constexpr index_t most = std::numeric_limits<Offset>::max();
  auto const begin = static_cast<Offset>(t.begin < most ? t.begin : most), end = static_cast<Offset>(t.end < most ? t.end : most);
  auto const within = [=](Offset at) __attribute__((always_inline)) {
    return static_cast<std::int32_t>((at < begin ? begin : at < end ? at : end) - begin);
  };
  auto const place = [](std::int32_t at, bool any) __attribute__((always_inline)) {  // found whether or not, for packs
    std::uint32_t const wanted = -std::uint32_t{any}, found = place_of_sum<Packs, Tile::items>(static_cast<std::uint32_t>(at - 1));
    return static_cast<std::uint16_t>((found & wanted) | (std::uint32_t{Tile::steps} & ~wanted));
  };
  std::int32_t const first = within(ends[0]);
  places[0] = place(first, first > 0);
  fill(
      places + 1, count - 1, [&](index_t k) __attribute__((always_inline)) {
        std::int32_t const at = within(ends[k + 1]);
        return place(at, at > within(ends[k]));
      });
  return within(ends[count - 1]);
}

/// Tile t of the tree; ends[k] is where segment `first + k` ends. `before` is what the first began with. Where nothing is stored
/// the last end is enough, and warps before `warp` are not looked at. Returns what lies behind the last end; something else where
/// it is not `wanted`.
template <class Tile, class Parts, class Room, class Offset, class T>
maybe<T> fold_path_tile(Parts const& p, Room const& room, tile const& t, Offset const* offsets, int ends, index_t first,
                        T const& before, int warp, bool stores, bool wanted) {
  using op_type = std::remove_const_t<decltype(p.op)>;
  constexpr int N = Tile::items, W = Tile::warp_items, none = Tile::steps;
  static_assert(none < 1 << 15, "places are of 16 bits, and found by a product of 32");
  constexpr bool packed = packs_threads<op_type, T, N>;
  op_type const op = p.op;
  std::uint16_t* const places = room.places;
  T* const sums = room.sums;
  std::memset(room.marks, 0, none + 1);
  int const last_end = place_ends<Tile, packed>(t, offsets, ends, places);
  for (int k = 0; k < ends; ++k) room.marks[places[k]] = 1;

  int const items = static_cast<int>(wanted ? t.end - t.begin : last_end);  // in whole warps, whoever asks
  open_warps<T> warps;
  for (; warp * W < items; ++warp) {
    int const at = warp * W;
    index_t const left = t.end - t.begin - at;
    int const count = left < W ? static_cast<int>(left) : W;
    T const* values = room.values;
    if constexpr (Parts::reads_values) {
      // Threads lie so far apart that nobody sees them read on: what the loop reads 6 KB on is asked for.
      auto const later = reinterpret_cast<std::uintptr_t>(p.values() + t.begin + at) + 6144;  // there need be none
      for (unsigned k = 0; k < W * sizeof(T); k += 64) __builtin_prefetch(reinterpret_cast<char const*>(later + k), 0, 2);
      if (count == W || !packed) values = p.values() + t.begin + at;
      else
        for (int i = 0; i < count; ++i) room.values[i] = p.values()[t.begin + at + i];
    } else {
      evaluate_apart(p, t.begin + at, count, room.values);
    }
    if constexpr (packed)
      for (int i = count; i < W; ++i) room.values[i] = detail::lane_identity<op_type, T>;
    marked_warp<packed, N> const marked(room.marks + at, count);
    fold_warp<N>(op, values, count, marked, sums + at, room.open);
    if (warps.has && marked.ending != 0) {
      T& sum = sums[at + marked.first_end()];
      sum = static_cast<T>(op(warps.before(warp), sum));
    }
    int const last = (count - 1) / N;
    warps.add(op, warp, room.open[last + 1], marked.ending != 0, (marked.having >> last & 1) != 0);
  }
  if (stores && ends > 0) {
    auto* const out = p.sink.out;
    auto const put = [&](index_t s, T const& value) __attribute__((always_inline)) {
      out[s] = static_cast<typename Parts::result>(lookback::detail::stored(p.sink.f, s, value));
    };
    sums[none] = p.empty.value;  // there is one, by offsets
    if (places[0] != none) put(first, rounded(static_cast<T>(op(before, sums[places[0]]))));
    else put(first, offsets[-1] == offsets[0] ? sums[none] : rounded(before));
    if (p.initial.has) {
      for (int k = 1; k < ends; ++k)
        put(first + k, places[k] == none ? sums[none] : rounded(static_cast<T>(op(p.initial.value, sums[places[k]]))));
    } else if constexpr (Parts::stores_results) {
      for (int k = 1; k < ends; ++k) out[first + k] = sums[places[k]];
    } else {
      for (int k = 1; k < ends; ++k) put(first + k, sums[places[k]]);
    }
  }
  return warps.has ? maybe<T>{warps.before(warp)} : maybe<T>{};
}

}  // namespace lookback::cpu::LOOKBACK_SIMD
#endif
