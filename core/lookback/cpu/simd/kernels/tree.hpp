// The fixed tree of `reproducible`, in packs: a lane is one of the tree's 384 threads. Read by simd/text.hpp only.
// reproducible.hpp draws the tree. Items that do not exist are identities: for these operators that changes no bit.
#ifdef LOOKBACK_SIMD
namespace lookback::cpu::inline LOOKBACK_UNIT::LOOKBACK_SIMD {

// A pack of threads: their next C items each, C = 16 / sizeof(T), turned so that pack c holds item c of every thread, which has
// Run.
template <class T, index_t Run = tree<T>::items_per_thread>
struct turned {
  static constexpr int columns = 16 / static_cast<int>(sizeof(T));
  static constexpr index_t run = Run, step = columns * run;
  pack<T> of[static_cast<std::size_t>(columns)];

  LOOKBACK_INLINE static turned load(T const* from) {
    turned rows;
    unrolled<columns>([&](auto k) { rows.of[k] = load_pieces(from + k * run, step); });
    return rows.transposed();
  }
  LOOKBACK_INLINE void store(T* to) const {
    turned const rows = transposed();
    unrolled<columns>([&](auto k) { store_pieces(to + k * run, step, rows.of[k]); });
  }
  // Within every 16-byte piece; its own inverse.
  LOOKBACK_INLINE turned transposed() const {
    if constexpr (columns == 2) return {{zip_low<8>(of[0], of[1]), zip_high<8>(of[0], of[1])}};
    else {
      pack<T> const a = zip_low<4>(of[0], of[1]), b = zip_high<4>(of[0], of[1]);
      pack<T> const c = zip_low<4>(of[2], of[3]), d = zip_high<4>(of[2], of[3]);
      return {{zip_low<8>(a, c), zip_high<8>(a, c), zip_low<8>(b, d), zip_high<8>(b, d)}};
    }
  }
};

/// Steps D, 2 D ... of the scan of a warp, whose lanes fill all packs of `of` together.
template <bool Reversed, int D = 1, class Op, class T, std::size_t Packs>
LOOKBACK_INLINE void kogge_stone(Op const& op, pack<T> (&of)[Packs], pack<T> identity) {
  constexpr int packs = static_cast<int>(Packs), lanes = pack<T>::lanes;
  if constexpr (D < packs * lanes) {
    unrolled<packs>([&](auto step) {  // those first whose old value nobody needs any more
      constexpr int k = Reversed ? +step : packs - 1 - step, near = Reversed ? k + 1 : k - 1,
                    far = Reversed ? k + D / lanes : k - D / lanes;
      if constexpr (D < lanes) {
        pack<T> fill = identity;
        if constexpr (near >= 0 && near < packs) fill = of[near];
        of[k] = in_order<Reversed>(op, shift<D, Reversed>(of[k], fill), of[k]);
      } else if constexpr (far >= 0 && far < packs) of[k] = in_order<Reversed>(op, of[far], of[k]);
    });
    kogge_stone<Reversed, 2 * D>(op, of, identity);
  }
}

/// inclusive[m]: the Kogge-Stone scan, within its warp, of the serial folds of every thread's items.
template <bool Reversed, class Op, class T>
void tree_threads(Op const& op, T const* items, T* inclusive) {
  using columns = turned<T>;
  constexpr index_t run = tree<T>::items_per_thread, chunks = run / columns::columns, lanes = pack<T>::lanes;
  pack<T> const identity = broadcast<T>(detail::lane_identity<Op, T>);
  for (index_t thread = 0; thread < tree<T>::threads; thread += lanes) {
    pack<T> sum = identity;
    for (index_t k = 0; k < chunks; ++k) {
      auto const x = columns::load(items + thread * run + (Reversed ? chunks - 1 - k : k) * columns::columns);
      unrolled<columns::columns>(
          [&](auto c) { sum = in_order<Reversed>(op, sum, x.of[Reversed ? columns::columns - 1 - c : +c]); });
    }
    store(inclusive + thread, sum);
  }
  constexpr int packs = tree<T>::lanes / lanes;
  for (index_t warp = 0; warp < tree<T>::threads; warp += tree<T>::lanes) {
    pack<T> of[static_cast<std::size_t>(packs)];
    unrolled<packs>([&](auto k) { of[k] = load(inclusive + warp + k * lanes); });
    kogge_stone<Reversed>(op, of, identity);
    unrolled<packs>([&](auto k) { store(inclusive + warp + k * lanes, of[k]); });
  }
}

/// Every thread's items again, from what comes before the thread. Asks for the tile of the tree at `ahead`, which is read next.
template <bool Reversed, class Op, class T>
void tree_items(Op const& op, T const* items, T const* starts, T* out, bool exclusive, char const* ahead) {
  using columns = turned<T>;
  constexpr index_t run = tree<T>::items_per_thread, chunks = run / columns::columns, lanes = pack<T>::lanes;
  for (index_t thread = 0; thread < tree<T>::threads; thread += lanes) {
    constexpr index_t bytes = lanes * run * static_cast<index_t>(sizeof(T));
    for (index_t k = 0; k < bytes; k += 64) __builtin_prefetch(ahead + thread / lanes * bytes + k, 0, 2);
    pack<T> sum = load(starts + thread);
    for (index_t k = 0; k < chunks; ++k) {
      index_t const at = thread * run + (Reversed ? chunks - 1 - k : k) * columns::columns;
      auto x = columns::load(items + at);
      unrolled<columns::columns>([&](auto c) {
        pack<T>& item = x.of[Reversed ? columns::columns - 1 - c : +c];
        pack<T> const before = sum;
        sum = in_order<Reversed>(op, sum, item);
        item = exclusive ? before : sum;
      });
      x.store(out + at);
    }
  }
}

}  // namespace lookback::cpu::inline LOOKBACK_UNIT::LOOKBACK_SIMD
#endif
