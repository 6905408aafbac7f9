// A tile of the tree of ends (reproducible_ends.hpp draws it), from items to results. Read by simd/text.hpp only.
//
//   ends -> places of the sums that are results, and a byte set at each        of the tile, long before anybody looks at them: who
//                                                                              reads what has just been stored byte by byte waits
//   items -> values -> `sums`, each item's from the last end or the begin of its thread on                      a warp at a time
//   sums -> results                                                                                                  of the tile
//
// Everything lies in the first-level cache. A warp: simd_path_warp.hpp.
#ifdef LOOKBACK_SIMD
namespace lookback::cpu::inline LOOKBACK_UNIT::LOOKBACK_SIMD {

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
  static_assert(none < 1 << 15, "positions must fit into 16 bits, because a 32-bit product finds them");
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

}  // namespace lookback::cpu::inline LOOKBACK_UNIT::LOOKBACK_SIMD
#endif
