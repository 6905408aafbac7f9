// Packs of 32 bytes, AVX2. Read by simd.hpp only, inside a region of that instruction set.
#ifdef LOOKBACK_SIMD
namespace lookback::cpu::inline LOOKBACK_UNIT::avx2 {

inline constexpr int pack_bytes = 32;

template <class T>
struct pack {
  static constexpr int lanes = pack_bytes / static_cast<int>(sizeof(T));
  typedef T native __attribute__((vector_size(pack_bytes)));
  native v;
};

template <class T>
LOOKBACK_INLINE __m256i raw(pack<T> a) {
  return reinterpret_cast<__m256i>(a.v);
}
template <class T>
LOOKBACK_INLINE pack<T> packed(__m256i a) {
  return {reinterpret_cast<typename pack<T>::native>(a)};
}

template <class T>
LOOKBACK_INLINE pack<T> load(T const* from) {
  return packed<T>(_mm256_loadu_si256(reinterpret_cast<__m256i const*>(from)));
}
template <class T>
LOOKBACK_INLINE void store(T* to, pack<T> a) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), raw(a));
}
template <class T>
LOOKBACK_INLINE void stream(T* to, pack<T> a) {
  _mm256_stream_si256(reinterpret_cast<__m256i*>(to), raw(a));
}
template <class T>
LOOKBACK_INLINE pack<T> broadcast(T x) {
  if constexpr (std::is_same_v<T, float>) return packed<T>(_mm256_castps_si256(_mm256_set1_ps(x)));
  else if constexpr (std::is_same_v<T, double>) return packed<T>(_mm256_castpd_si256(_mm256_set1_pd(x)));
  else if constexpr (sizeof(T) == 1) return packed<T>(_mm256_set1_epi8(static_cast<char>(x)));
  else if constexpr (sizeof(T) == 2) return packed<T>(_mm256_set1_epi16(static_cast<short>(x)));
  else if constexpr (sizeof(T) == 4) return packed<T>(_mm256_set1_epi32(static_cast<int>(x)));
  else return packed<T>(_mm256_set1_epi64x(static_cast<long long>(x)));
}

/// Lane i becomes lane i - D; the first D come from the last lanes of `fill`.
template <int D, class T>
LOOKBACK_INLINE pack<T> shift_up(pack<T> a, pack<T> fill) {
  constexpr int bytes = D * static_cast<int>(sizeof(T));
  __m256i const half = _mm256_permute2x128_si256(raw(fill), raw(a), 0x21);  // the upper half of fill, the lower of a
  if constexpr (bytes == 16) return packed<T>(half);
  else return packed<T>(_mm256_alignr_epi8(raw(a), half, 16 - bytes));
}
/// Lane i becomes lane i + D; the last D come from the first lanes of `fill`.
template <int D, class T>
LOOKBACK_INLINE pack<T> shift_down(pack<T> a, pack<T> fill) {
  constexpr int bytes = D * static_cast<int>(sizeof(T));
  __m256i const half = _mm256_permute2x128_si256(raw(a), raw(fill), 0x21);
  if constexpr (bytes == 16) return packed<T>(half);
  else return packed<T>(_mm256_alignr_epi8(half, raw(a), bytes));
}

/// a + b of floats.
template <class T>
LOOKBACK_INLINE pack<T> added_aside(pack<T> a, pack<T> b) {
  return {a.v + b.v};
}

/// a < b ? a : b, of floats; a where it is a NaN. The instruction gives b where either is.
template <class T>
LOOKBACK_INLINE pack<T> smaller(pack<T> a, pack<T> b) {
  if constexpr (std::is_same_v<T, float>) {
    __m256 const x = _mm256_castsi256_ps(raw(a)), y = _mm256_castsi256_ps(raw(b));
    return packed<T>(_mm256_castps_si256(_mm256_blendv_ps(_mm256_min_ps(x, y), x, _mm256_cmp_ps(x, x, _CMP_UNORD_Q))));
  } else {
    __m256d const x = _mm256_castsi256_pd(raw(a)), y = _mm256_castsi256_pd(raw(b));
    return packed<T>(_mm256_castpd_si256(_mm256_blendv_pd(_mm256_min_pd(x, y), x, _mm256_cmp_pd(x, x, _CMP_UNORD_Q))));
  }
}
/// b < a ? a : b, of floats; a where it is a NaN.
template <class T>
LOOKBACK_INLINE pack<T> larger(pack<T> a, pack<T> b) {
  if constexpr (std::is_same_v<T, float>) {
    __m256 const x = _mm256_castsi256_ps(raw(a)), y = _mm256_castsi256_ps(raw(b));
    return packed<T>(_mm256_castps_si256(_mm256_blendv_ps(_mm256_max_ps(x, y), x, _mm256_cmp_ps(x, x, _CMP_UNORD_Q))));
  } else {
    __m256d const x = _mm256_castsi256_pd(raw(a)), y = _mm256_castsi256_pd(raw(b));
    return packed<T>(_mm256_castpd_si256(_mm256_blendv_pd(_mm256_max_pd(x, y), x, _mm256_cmp_pd(x, x, _CMP_UNORD_Q))));
  }
}

LOOKBACK_INLINE __m256i broadcast_low(__m128i low, std::integral_constant<int, 1>) { return _mm256_broadcastb_epi8(low); }
LOOKBACK_INLINE __m256i broadcast_low(__m128i low, std::integral_constant<int, 2>) { return _mm256_broadcastw_epi16(low); }
LOOKBACK_INLINE __m256i broadcast_low(__m128i low, std::integral_constant<int, 4>) { return _mm256_broadcastd_epi32(low); }
LOOKBACK_INLINE __m256i broadcast_low(__m128i low, std::integral_constant<int, 8>) { return _mm256_broadcastq_epi64(low); }

template <class T>
LOOKBACK_INLINE pack<T> broadcast_first(pack<T> a) {
  return packed<T>(broadcast_low(_mm256_castsi256_si128(raw(a)), std::integral_constant<int, sizeof(T)>{}));
}
template <class T>
LOOKBACK_INLINE pack<T> broadcast_last(pack<T> a) {
  if constexpr (sizeof(T) == 4) return packed<T>(_mm256_permutevar8x32_epi32(raw(a), _mm256_set1_epi32(7)));
  else if constexpr (sizeof(T) == 8) return packed<T>(_mm256_permute4x64_epi64(raw(a), 0xff));
  else {
    __m128i const high = _mm_srli_si128(_mm256_extracti128_si256(raw(a), 1), 16 - static_cast<int>(sizeof(T)));
    return packed<T>(broadcast_low(high, std::integral_constant<int, sizeof(T)>{}));
  }
}
/// Lanes before lane n - From of `a`, the others of `beyond`; of 4 or 8 bytes.
template <int From, class T>
LOOKBACK_INLINE pack<T> first_lanes(index_t n, pack<T> a, pack<T> beyond) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8);
  __m256i const there =
      sizeof(T) == 4 ? _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(n) - From), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))
                     : _mm256_cmpgt_epi64(_mm256_set1_epi64x(n - From), _mm256_setr_epi64x(0, 1, 2, 3));
  return packed<T>(_mm256_blendv_epi8(raw(beyond), raw(a), there));
}
LOOKBACK_INLINE pack<std::uint64_t> load_widened(std::int32_t const* from) {
  return packed<std::uint64_t>(_mm256_cvtepi32_epi64(_mm_loadu_si128(reinterpret_cast<__m128i const*>(from))));
}
/// Lanes 0, 2, 4 ... of `a`, and then of `b`; of 4 or 8 bytes.
template <int First, class T>
LOOKBACK_INLINE pack<T> every_second(pack<T> a, pack<T> b) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8);
  __m256i halves;  // of each 16 bytes, of both in turn
  if constexpr (sizeof(T) == 4)
    halves =
        _mm256_castps_si256(_mm256_shuffle_ps(_mm256_castsi256_ps(raw(a)), _mm256_castsi256_ps(raw(b)), First == 0 ? 0x88 : 0xdd));
  else halves = First == 0 ? _mm256_unpacklo_epi64(raw(a), raw(b)) : _mm256_unpackhi_epi64(raw(a), raw(b));
  return packed<T>(_mm256_permute4x64_epi64(halves, 0xd8));
}
template <class T>
LOOKBACK_INLINE pack<T> even_lanes(pack<T> a, pack<T> b) {
  return every_second<0>(a, b);
}
template <class T>
LOOKBACK_INLINE pack<T> odd_lanes(pack<T> a, pack<T> b) {
  return every_second<1>(a, b);
}
template <class T>
LOOKBACK_INLINE T first(pack<T> a) {
  return a.v[0];
}

// One bit a lane, spread to all bits of the lane.
template <class T>
LOOKBACK_INLINE __m256i lane_mask(std::uint64_t bits) {
  if constexpr (sizeof(T) == 1) {
    __m256i const bytes = _mm256_shuffle_epi8(_mm256_set1_epi32(static_cast<int>(bits)),
                                              _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303));
    __m256i const bit = _mm256_set1_epi64x(static_cast<long long>(0x8040201008040201));
    return _mm256_cmpeq_epi8(_mm256_and_si256(bytes, bit), bit);
  } else if constexpr (sizeof(T) == 2) {
    __m256i const bit = _mm256_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, -32768);
    return _mm256_cmpeq_epi16(_mm256_and_si256(_mm256_set1_epi16(static_cast<short>(bits)), bit), bit);
  } else if constexpr (sizeof(T) == 4) {
    __m256i const bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    return _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(static_cast<int>(bits)), bit), bit);
  } else {
    __m256i const bit = _mm256_setr_epi64x(1, 2, 4, 8);
    return _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x(static_cast<long long>(bits)), bit), bit);
  }
}

/// Lane i of `set` where bit i is set, else of `clear`.
template <class T>
LOOKBACK_INLINE pack<T> select(std::uint64_t bits, pack<T> clear, pack<T> set) {
  return packed<T>(_mm256_blendv_epi8(raw(clear), raw(set), lane_mask<T>(bits)));
}

template <class T>
LOOKBACK_INLINE std::uint64_t sign_bits(__m256i mask) {
  if constexpr (sizeof(T) == 1) return static_cast<std::uint32_t>(_mm256_movemask_epi8(mask));
  else if constexpr (sizeof(T) == 2) return _pext_u32(static_cast<std::uint32_t>(_mm256_movemask_epi8(mask)), 0xaaaaaaaa);
  else if constexpr (sizeof(T) == 4) return static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(mask)));
  else return static_cast<std::uint32_t>(_mm256_movemask_pd(_mm256_castsi256_pd(mask)));
}
template <class T>
LOOKBACK_INLINE std::uint64_t equal_bits(__m256i a, __m256i b) {
  if constexpr (sizeof(T) == 1) return sign_bits<T>(_mm256_cmpeq_epi8(a, b));
  else if constexpr (sizeof(T) == 2) return sign_bits<T>(_mm256_cmpeq_epi16(a, b));
  else if constexpr (sizeof(T) == 4) return sign_bits<T>(_mm256_cmpeq_epi32(a, b));
  else return sign_bits<T>(_mm256_cmpeq_epi64(a, b));
}
/// One bit a lane: do they differ (floats: not equal, so a NaN differs from everything).
template <class T>
LOOKBACK_INLINE std::uint64_t differ_bits(pack<T> a, pack<T> b) {
  if constexpr (std::is_same_v<T, float>)
    return sign_bits<T>(_mm256_castps_si256(_mm256_cmp_ps(_mm256_castsi256_ps(raw(a)), _mm256_castsi256_ps(raw(b)), _CMP_NEQ_UQ)));
  else if constexpr (std::is_same_v<T, double>)
    return sign_bits<T>(_mm256_castpd_si256(_mm256_cmp_pd(_mm256_castsi256_pd(raw(a)), _mm256_castsi256_pd(raw(b)), _CMP_NEQ_UQ)));
  else return equal_bits<T>(raw(a), raw(b)) ^ ((std::uint64_t{1} << pack<T>::lanes) - 1);
}
/// One bit a lane: is it not zero.
template <class T>
LOOKBACK_INLINE std::uint64_t nonzero_bits(pack<T> a) {
  return equal_bits<T>(raw(a), _mm256_setzero_si256()) ^ ((std::uint64_t{1} << pack<T>::lanes) - 1);
}

/// Lanes whose bit is set, in order, at `to`; may write up to a pack beyond them. Returns their number.
template <class T>
LOOKBACK_INLINE int compress(T* to, std::uint64_t bits, pack<T> a) {
  // Eight nibbles, one a word: which word goes there. pdep spreads a word's bits to nibbles, pext gathers the set ones.
  std::uint64_t const words = sizeof(T) == 4 ? bits : _pdep_u64(bits, 0x55) * 3;
  std::uint64_t const nibbles = _pext_u64(0x76543210, _pdep_u64(words, 0x11111111) * 15);
  __m256i const order = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(static_cast<long long>(_pdep_u64(nibbles, 0x0f0f0f0f0f0f0f0f))));
  store(to, packed<T>(_mm256_permutevar8x32_epi32(raw(a), order)));
  return __builtin_popcountll(bits);
}
template <class T>
inline constexpr bool has_compress = sizeof(T) == 4 || sizeof(T) == 8;

/// Items of 1 or 2 bytes, a word of 8 bytes at a time: those whose bit is set, in order, at `to`; writes a word. Returns their
/// number.
template <class T>
LOOKBACK_INLINE int compress_word(T* to, std::uint64_t bits, T const* from) {
  std::uint64_t const some = bits & (sizeof(T) == 1 ? 0xff : 0xf);
  std::uint64_t const bytes =
      sizeof(T) == 1 ? _pdep_u64(some, 0x0101010101010101) * 0xff : _pdep_u64(some, 0x0001000100010001) * 0xffff;
  std::uint64_t word;
  std::memcpy(&word, from, sizeof word);
  word = _pext_u64(word, bytes);
  std::memcpy(static_cast<void*>(to), &word, sizeof word);
  return __builtin_popcountll(some);
}
template <class T>
inline constexpr bool has_compress_word = sizeof(T) <= 2;

// ---- 16-byte halves: piece q lies at p + q * step
template <class T>
LOOKBACK_INLINE pack<T> load_pieces(T const* p, index_t step) {
  auto const piece = [=](index_t q) { return _mm_loadu_si128(reinterpret_cast<__m128i const*>(p + q * step)); };
  return packed<T>(_mm256_inserti128_si256(_mm256_castsi128_si256(piece(0)), piece(1), 1));
}
template <class T>
LOOKBACK_INLINE void store_pieces(T* p, index_t step, pack<T> a) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm256_castsi256_si128(raw(a)));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(p + step), _mm256_extracti128_si256(raw(a), 1));
}
/// Within every piece: the lower (upper) units of a and b, of `Bytes` bytes, in turn.
template <int Bytes, class T>
LOOKBACK_INLINE pack<T> zip_low(pack<T> a, pack<T> b) {
  return packed<T>(Bytes == 4 ? _mm256_unpacklo_epi32(raw(a), raw(b)) : _mm256_unpacklo_epi64(raw(a), raw(b)));
}
template <int Bytes, class T>
LOOKBACK_INLINE pack<T> zip_high(pack<T> a, pack<T> b) {
  return packed<T>(Bytes == 4 ? _mm256_unpackhi_epi32(raw(a), raw(b)) : _mm256_unpackhi_epi64(raw(a), raw(b)));
}

}  // namespace lookback::cpu::inline LOOKBACK_UNIT::avx2
#endif
