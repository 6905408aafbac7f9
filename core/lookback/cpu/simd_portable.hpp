// Packs of 16 bytes in the compiler's own vector types: any machine. Read by simd.hpp only.
#ifdef LOOKBACK_SIMD
namespace lookback::cpu::portable {

inline constexpr int pack_bytes = 16;

template <class T>
struct pack {
  static constexpr int lanes = pack_bytes / static_cast<int>(sizeof(T));
  typedef T native __attribute__((vector_size(pack_bytes)));
  native v;
};

template <class T>
LOOKBACK_INLINE pack<T> load(T const* from) {
  pack<T> a;
  std::memcpy(&a, from, sizeof a);
  return a;
}
template <class T>
LOOKBACK_INLINE void store(T* to, pack<T> a) {
  std::memcpy(to, &a, sizeof a);
}
template <class T>
LOOKBACK_INLINE void stream(T* to, pack<T> a) {
#if defined(__x86_64__)
  _mm_stream_si128(reinterpret_cast<__m128i*>(to), (__m128i)a.v);
#else
  store(to, a);
#endif
}
template <class T>
LOOKBACK_INLINE pack<T> broadcast(T x) {
  pack<T> a;
  for (int i = 0; i < pack<T>::lanes; ++i) a.v[i] = x;
  return a;
}

// Lanes F, F + 1 ... of `low` and `high` side by side. Every index is written out: nvcc's front end expands no pack here.
template <int F, class T>
LOOKBACK_INLINE pack<T> window(pack<T> low, pack<T> high) {
  if constexpr (sizeof(T) == 8) return {__builtin_shufflevector(low.v, high.v, F, F + 1)};
  else if constexpr (sizeof(T) == 4) return {__builtin_shufflevector(low.v, high.v, F, F + 1, F + 2, F + 3)};
  else if constexpr (sizeof(T) == 2)
    return {__builtin_shufflevector(low.v, high.v, F, F + 1, F + 2, F + 3, F + 4, F + 5, F + 6, F + 7)};
  else
    return {__builtin_shufflevector(low.v, high.v, F, F + 1, F + 2, F + 3, F + 4, F + 5, F + 6, F + 7, F + 8, F + 9, F + 10, F + 11,
                                    F + 12, F + 13, F + 14, F + 15)};
}
/// Lane i becomes lane i - D; the first D come from the last lanes of `fill`.
template <int D, class T>
LOOKBACK_INLINE pack<T> shift_up(pack<T> a, pack<T> fill) {
  return window<pack<T>::lanes - D>(fill, a);
}
/// Lane i becomes lane i + D; the last D come from the first lanes of `fill`.
template <int D, class T>
LOOKBACK_INLINE pack<T> shift_down(pack<T> a, pack<T> fill) {
  return window<D>(a, fill);
}
/// a + b of floats.
template <class T>
LOOKBACK_INLINE pack<T> added_aside(pack<T> a, pack<T> b) {
  return {a.v + b.v};
}
/// a < b ? a : b, of floats; a where it is a NaN.
template <class T>
LOOKBACK_INLINE pack<T> smaller(pack<T> a, pack<T> b) {
  return {((a.v < b.v) | (a.v != a.v)) ? a.v : b.v};
}
/// b < a ? a : b, of floats; a where it is a NaN.
template <class T>
LOOKBACK_INLINE pack<T> larger(pack<T> a, pack<T> b) {
  return {((b.v < a.v) | (a.v != a.v)) ? a.v : b.v};
}
template <class T>
LOOKBACK_INLINE T first(pack<T> a) {
  return a.v[0];
}
template <class T>
LOOKBACK_INLINE pack<T> broadcast_first(pack<T> a) {
  return broadcast<T>(a.v[0]);
}
template <class T>
LOOKBACK_INLINE pack<T> broadcast_last(pack<T> a) {
  return broadcast<T>(a.v[pack<T>::lanes - 1]);
}

/// Lane i of `set` where bit i is set, else of `clear`.
template <class T>
LOOKBACK_INLINE pack<T> select(std::uint64_t bits, pack<T> clear, pack<T> set) {
  for (int i = 0; i < pack<T>::lanes; ++i) clear.v[i] = bits >> i & 1 ? set.v[i] : clear.v[i];
  return clear;
}
/// One bit a lane: is it not zero.
template <class T>
LOOKBACK_INLINE std::uint64_t nonzero_bits(pack<T> a) {
  std::uint64_t bits = 0;
  for (int i = 0; i < pack<T>::lanes; ++i) bits |= std::uint64_t{a.v[i] != 0} << i;
  return bits;
}
/// One bit a lane: do they differ (floats: not equal, so a NaN differs from everything).
template <class T>
LOOKBACK_INLINE std::uint64_t differ_bits(pack<T> a, pack<T> b) {
  std::uint64_t bits = 0;
  for (int i = 0; i < pack<T>::lanes; ++i) bits |= std::uint64_t{!(a.v[i] == b.v[i])} << i;
  return bits;
}

template <class T>
inline constexpr bool has_compress = false;
template <class T>
inline constexpr bool has_compress_word = false;

// ---- 16-byte pieces: a pack is one
template <class T>
LOOKBACK_INLINE pack<T> load_pieces(T const* p, index_t) {
  return load(p);
}
template <class T>
LOOKBACK_INLINE void store_pieces(T* p, index_t, pack<T> a) {
  store(p, a);
}
/// The lower (upper) units of a and b, of `Bytes` bytes, in turn.
template <int Bytes, class T>
LOOKBACK_INLINE pack<T> zip_low(pack<T> a, pack<T> b) {
  if constexpr (sizeof(T) == 8) return {__builtin_shufflevector(a.v, b.v, 0, 2)};
  else if constexpr (Bytes == 4) return {__builtin_shufflevector(a.v, b.v, 0, 4, 1, 5)};
  else return {__builtin_shufflevector(a.v, b.v, 0, 1, 4, 5)};
}
template <int Bytes, class T>
LOOKBACK_INLINE pack<T> zip_high(pack<T> a, pack<T> b) {
  if constexpr (sizeof(T) == 8) return {__builtin_shufflevector(a.v, b.v, 1, 3)};
  else if constexpr (Bytes == 4) return {__builtin_shufflevector(a.v, b.v, 2, 6, 3, 7)};
  else return {__builtin_shufflevector(a.v, b.v, 2, 3, 6, 7)};
}

}  // namespace lookback::cpu::portable
#endif
