// A tile of the tree of ends (reproducible_ends.hpp draws it): a warp at a time, from items to results. Read by simd_text.hpp only.
//
//   items -> values of a warp -> `sums`, each item's from the last end or the begin of its thread on -> results
//
// Everything lies in the first-level cache. Packs where the operator is built in: a lane is a thread, so that nothing is added in
// another order. Lanes that hold nothing, and threads that begin anew, have the value that changes no other.
#ifdef LOOKBACK_SIMD
namespace lookback::cpu::LOOKBACK_SIMD {

/// A warp whose ends are marked: bit t of ends[j] says that a segment ends with item j of thread t.
template <int Items>
struct marked_warp {
  std::uint32_t ends[Items];
  std::uint32_t ending;   // threads with an end
  std::uint32_t having;   // threads with items behind their last end
  std::uint32_t holding;  // threads with items

  /// Of so many items, when all ends are marked.
  LOOKBACK_INLINE void finish(int count) {
    ending = 0;
    for (int j = 0; j < Items; ++j) ending |= ends[j];
    int const full = count / Items, rest = count % Items;
    std::uint32_t const whole = static_cast<std::uint32_t>((std::uint64_t{1} << full) - 1);
    holding = whole, having = whole & ~ends[Items - 1];
    if (rest > 0) {
      std::uint32_t const last = std::uint32_t{1} << full;
      holding |= last, having |= last & ~ends[rest - 1];
    }
  }
  /// Threads that go on with what the one before them has.
  LOOKBACK_INLINE std::uint32_t joining() const { return holding & ~ending & having << 1; }
};

template <class Op, class T, int Items>
inline constexpr bool packs_threads = is_vectorized<Op, T> &&
                                      (sizeof(T) == 4 || sizeof(T) == 8) && Items* static_cast<int>(sizeof(T)) >= 16;

/// Where the sum of item j of thread t stands.
template <bool Packs, int Items>
LOOKBACK_INLINE int place_of_sum(int thread, int j) {
  return Packs ? j * 32 + thread : thread * Items + j;
}

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

/// sums, and open[t + 1]: what lies behind the last end up to and with thread t, for the threads that have some.
template <int Items, class Op, class T>
LOOKBACK_INLINE void fold_warp(Op const& op, T const* values, int, marked_warp<Items> const& marked, T* sums,
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
          else sum = select(marked.ends[j - 1] >> (k * lanes) & all_lanes<T>, combine(op, sum, x.of[c]), x.of[c]);
          store(sums + j * 32 + k * lanes, sum);
        }
      });
    });
    of[k] = sum;
  }
  scan_open(op, of, marked.joining());
  for (int k = 0; k < packs; ++k) store(open + 1 + k * lanes, of[k]);
}
template <int Items, class Op, class T>
LOOKBACK_INLINE void fold_warp(Op const& op, T const* values, int count, marked_warp<Items> const& marked, T* sums,
                               T* open) requires(!packs_threads<Op, T, Items>) {
  for (int thread = 0; thread * Items < count; ++thread) {
    int const first = thread * Items, n = count - first < Items ? count - first : Items;
    T sum = values[first];
    sums[first] = sum;
    for (int j = 1; j < n; ++j) {
      bool const anew = (marked.ends[j - 1] >> thread & 1) != 0;
      if (anew) sum = values[first + j];
      else sum = static_cast<T>(op(sum, values[first + j]));
      sums[first + j] = sum;
    }
    open[thread + 1] = sum;
  }
  std::uint32_t joining = marked.joining();
  for (int d = 1; joining != 0 && d < 32; joining &= joining << d, d *= 2)
    for (int lane = 31; lane >= d; --lane)  // downwards: lane - d is still the old one
      if (joining >> lane & 1) open[lane + 1] = static_cast<T>(op(open[lane + 1 - d], open[lane + 1]));
}

/// Not inlined: what values are made by is not contracted with what they are added by.
template <class Parts, class T>
[[gnu::noinline]] void evaluate_apart(Parts const& p, index_t at, index_t n, T* values) {
  evaluate(p, at, n, values);
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

/// Tile t of the tree. room.ends[k] of its ends, at most Tile::steps, are where segment `first + k` ends, in [0, items]; they are
/// overwritten. `before` is what the first began with. Where nothing is stored the last end is enough, and warps before `warp` are
/// not looked at. Returns what lies behind the last end; absent, too, where it is not `wanted`.
template <class Tile, class Parts, class Room, class T>
maybe<T> fold_path_tile(Parts const& p, Room const& room, tile const& t, int ends, index_t first, T const& before,
                        bool first_is_empty, int warp, bool stores, bool wanted) {
  using op_type = std::remove_const_t<decltype(p.op)>;
  constexpr int N = Tile::items, W = Tile::warp_items;
  constexpr bool packed = packs_threads<op_type, T, N>;
  op_type const op = p.op;
  int const items = static_cast<int>(t.end - t.begin);
  std::int32_t* const places = room.ends;
  T *const sums = room.sums, *const open = room.open;
  auto* const out = p.sink.out;
  auto const put = [&](index_t s, T const& value) __attribute__((always_inline)) {
    out[s] = static_cast<typename Parts::result>(lookback::detail::stored(p.sink.f, s, value));
  };
  int k = 0;
  if (stores) {
    sums[W] = p.empty.value;  // there is one, by offsets
    for (; k < ends && places[k] <= 0; ++k) {
      if (k == 0 && !first_is_empty) put(first, before);
      else put(first + k, sums[W]);
    }
  } else {
    while (k < ends && places[k] <= 0) ++k;
  }
  open_warps<T> warps;
  int upto = warp * W;  // ends have been met up to here
  for (; warp * W < items; ++warp) {
    if (!wanted && k == ends) return {};
    int const at = warp * W, count = items - at < W ? items - at : W, met = k;
    T const* values = room.values;
    if constexpr (Parts::reads_values) {
      if (count == W || !packed) values = p.values() + t.begin + at;
      else
        for (int i = 0; i < count; ++i) room.values[i] = p.values()[t.begin + at + i];
    } else {
      evaluate_apart(p, t.begin + at, count, room.values);
    }
    if constexpr (packed)
      for (int i = count; i < W; ++i) room.values[i] = detail::lane_identity<op_type, T>;

    marked_warp<N> marked{};
    std::int32_t firsts[33];  // of each thread the first end, and room for one that is none
    int threads = 0, last_thread = -1;
    for (; k < ends && places[k] <= at + count; ++k) {
      int const end = places[k] > upto ? places[k] : upto, last = end - 1 - at;
      bool const some = end > upto;
      upto = end;
      int const thread = static_cast<int>(static_cast<unsigned>(last) / N), j = last - thread * N;
      marked.ends[j] |= std::uint32_t{some} << thread;
      int const place = place_of_sum<packed, N>(thread, j);
      places[k] = some ? place : W;
      firsts[threads] = place;
      threads += some && thread != last_thread;
      last_thread = some ? thread : last_thread;
    }
    marked.finish(count);
    fold_warp<N>(op, values, count, marked, sums, open);
    for (int f = 0; f < threads; ++f) {
      int const place = firsts[f], thread = packed ? place % 32 : place / N;
      if (marked.having << 1 >> thread & 1) sums[place] = static_cast<T>(op(open[thread], sums[place]));
    }
    if (threads > 0 && warps.has) sums[firsts[0]] = static_cast<T>(op(warps.before(warp), sums[firsts[0]]));
    int const last = (count - 1) / N;
    warps.add(op, warp, open[last + 1], marked.ending != 0, (marked.having >> last & 1) != 0);

    if (!stores) continue;
    int e = met;
    if (e == 0 && k > 0) {
      put(first, places[0] == W ? sums[W] : rounded(static_cast<T>(op(before, sums[places[0]]))));
      e = 1;
    }
    if (p.initial.has) {
      for (; e < k; ++e) put(first + e, places[e] == W ? sums[W] : rounded(static_cast<T>(op(p.initial.value, sums[places[e]]))));
    } else if constexpr (Parts::stores_results) {
      for (; e < k; ++e) out[first + e] = sums[places[e]];
    } else {
      for (; e < k; ++e) put(first + e, sums[places[e]]);
    }
  }
  if (stores)
    for (; k < ends; ++k) put(first + k, sums[W]);  // of offsets that decrease, and promise nothing
  return warps.has ? maybe<T>{warps.before(warp)} : maybe<T>{};
}

}  // namespace lookback::cpu::LOOKBACK_SIMD
#endif
