// The fixed tree of `reproducible`, in packs: a lane is one of the tree's 384 threads. Read by simd_text.hpp only.
// reproducible.hpp draws the tree. Items that do not exist are identities: for these operators that changes no bit.
#ifdef LOOKBACK_SIMD
namespace lookback::cpu::LOOKBACK_SIMD {

// A pack of threads: their next C items each, C = 16 / sizeof(T), turned so that pack c holds item c of every thread.
template <class T>
struct turned {
  static constexpr int columns = 16 / static_cast<int>(sizeof(T));
  static constexpr index_t run = tree<T>::items_per_thread, step = columns * run;
  pack<T> of[columns];

  LOOKBACK_INLINE static turned load(T const* from) {
    turned rows;
    for (int k = 0; k < columns; ++k) rows.of[k] = load_pieces(from + k * run, step);
    return rows.transposed();
  }
  LOOKBACK_INLINE void store(T* to) const {
    turned const rows = transposed();
    for (int k = 0; k < columns; ++k) store_pieces(to + k * run, step, rows.of[k]);
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
      for (int c = 0; c < columns::columns; ++c) sum = in_order<Reversed>(op, sum, x.of[Reversed ? columns::columns - 1 - c : c]);
    }
    store(inclusive + thread, sum);
  }
  for (index_t warp = 0; warp < tree<T>::threads; warp += 32) {
    T* const lane = inclusive + warp;
    for (int d = 1; d < 32; d *= 2) {
      T old[32];
      for (int l = 0; l < 32; ++l) old[l] = lane[l];
      if constexpr (Reversed)
        for (int l = 0; l < 32 - d; ++l) lane[l] = op(old[l], old[l + d]);
      else
        for (int l = d; l < 32; ++l) lane[l] = op(old[l - d], old[l]);
    }
  }
}

/// Every thread's items again, from what comes before the thread.
template <bool Reversed, class Op, class T>
void tree_items(Op const& op, T const* items, T const* starts, T* out, bool exclusive) {
  using columns = turned<T>;
  constexpr index_t run = tree<T>::items_per_thread, chunks = run / columns::columns, lanes = pack<T>::lanes;
  for (index_t thread = 0; thread < tree<T>::threads; thread += lanes) {
    pack<T> sum = load(starts + thread);
    for (index_t k = 0; k < chunks; ++k) {
      index_t const at = thread * run + (Reversed ? chunks - 1 - k : k) * columns::columns;
      auto x = columns::load(items + at);
      for (int c = 0; c < columns::columns; ++c) {
        pack<T>& item = x.of[Reversed ? columns::columns - 1 - c : c];
        pack<T> const before = sum;
        sum = in_order<Reversed>(op, sum, item);
        item = exclusive ? before : sum;
      }
      x.store(out + at);
    }
  }
}

}  // namespace lookback::cpu::LOOKBACK_SIMD
#endif
