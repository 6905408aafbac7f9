// Packs of 64 bytes, AVX-512 F, BW, DQ, VL. Read by simd.hpp only, inside a region of that instruction set.
#ifdef LOOKBACK_SIMD
namespace lookback::cpu::inline LOOKBACK_UNIT::avx512 {

inline constexpr int pack_bytes = 64;

template <class T>
struct pack {
  static constexpr int lanes = pack_bytes / static_cast<int>(sizeof(T));
  typedef T native __attribute__((vector_size(pack_bytes)));
  native v;
};

template <class T>
LOOKBACK_INLINE __m512i raw(pack<T> a) {
  return reinterpret_cast<__m512i>(a.v);
}
template <class T>
LOOKBACK_INLINE pack<T> packed(__m512i a) {
  return {reinterpret_cast<typename pack<T>::native>(a)};
}

template <class T>
LOOKBACK_INLINE pack<T> load(T const* from) {
  return packed<T>(_mm512_loadu_si512(from));
}
template <class T>
LOOKBACK_INLINE void store(T* to, pack<T> a) {
  _mm512_storeu_si512(to, raw(a));
}
/// In four pieces, as slow as memory is: a loop that hands over whole lines at once runs into full queues, and then its loads wait
/// (docs/lab/cpu.md, 16).
template <class T>
LOOKBACK_INLINE void stream(T* to, pack<T> a) {
  __m128i* const pieces = reinterpret_cast<__m128i*>(to);
  _mm_stream_si128(pieces, __builtin_shufflevector(raw(a), raw(a), 0, 1));  // the cast of g++ 12 begins with an undefined register
  _mm_stream_si128(pieces + 1, _mm512_maskz_extracti32x4_epi32(static_cast<__mmask8>(-1), raw(a), 1));
  _mm_stream_si128(pieces + 2, _mm512_maskz_extracti32x4_epi32(static_cast<__mmask8>(-1), raw(a), 2));
  _mm_stream_si128(pieces + 3, _mm512_maskz_extracti32x4_epi32(static_cast<__mmask8>(-1), raw(a), 3));
}
template <class T>
LOOKBACK_INLINE pack<T> broadcast(T x) {
  if constexpr (std::is_same_v<T, float>) return packed<T>(_mm512_castps_si512(_mm512_set1_ps(x)));
  else if constexpr (std::is_same_v<T, double>) return packed<T>(_mm512_castpd_si512(_mm512_set1_pd(x)));
  else if constexpr (sizeof(T) == 1) return packed<T>(_mm512_set1_epi8(static_cast<char>(x)));
  else if constexpr (sizeof(T) == 2) return packed<T>(_mm512_set1_epi16(static_cast<short>(x)));
  else if constexpr (sizeof(T) == 4) return packed<T>(_mm512_set1_epi32(static_cast<int>(x)));
  else return packed<T>(_mm512_set1_epi64(static_cast<long long>(x)));
}

// maskz forms: the plain ones start from an undefined register, about which g++ 12 warns.
template <int Words>
LOOKBACK_INLINE __m512i align(__m512i high, __m512i low) {
  return _mm512_maskz_alignr_epi32(static_cast<__mmask16>(-1), high, low, Words);
}

/// Lane i becomes lane i - D; the first D come from the last lanes of `fill`.
template <int D, class T>
LOOKBACK_INLINE pack<T> shift_up(pack<T> a, pack<T> fill) {
  constexpr int bytes = D * static_cast<int>(sizeof(T));
  if constexpr (bytes % 4 == 0) return packed<T>(align<16 - bytes / 4>(raw(a), raw(fill)));
  else return packed<T>(_mm512_alignr_epi8(raw(a), align<12>(raw(a), raw(fill)), 16 - bytes));
}
/// Lane i becomes lane i + D; the last D come from the first lanes of `fill`.
template <int D, class T>
LOOKBACK_INLINE pack<T> shift_down(pack<T> a, pack<T> fill) {
  constexpr int bytes = D * static_cast<int>(sizeof(T));
  if constexpr (bytes % 4 == 0) return packed<T>(align<bytes / 4>(raw(fill), raw(a)));
  else return packed<T>(_mm512_alignr_epi8(align<4>(raw(fill), raw(a)), raw(a), bytes));
}

/// a + b of floats on the multipliers, as a * 1 + b: rounded once, so the same bits. Zen has two pipes that add and two that
/// multiply; sums that wait for nobody go there and leave the adders to the scan. No loss where one pipe does both.
template <class T>
LOOKBACK_INLINE pack<T> added_aside(pack<T> a, pack<T> b) {
  if constexpr (std::is_same_v<T, float>)
    return packed<T>(
        _mm512_castps_si512(_mm512_fmadd_ps(_mm512_castsi512_ps(raw(a)), _mm512_set1_ps(1), _mm512_castsi512_ps(raw(b)))));
  else
    return packed<T>(
        _mm512_castpd_si512(_mm512_fmadd_pd(_mm512_castsi512_pd(raw(a)), _mm512_set1_pd(1), _mm512_castsi512_pd(raw(b)))));
}

/// a < b ? a : b, of floats; a where it is a NaN. The instruction gives b where either is.
template <class T>
LOOKBACK_INLINE pack<T> smaller(pack<T> a, pack<T> b) {
  if constexpr (std::is_same_v<T, float>) {
    __m512 const x = _mm512_castsi512_ps(raw(a));
    return packed<T>(
        _mm512_castps_si512(_mm512_mask_min_ps(x, _mm512_cmp_ps_mask(x, x, _CMP_ORD_Q), x, _mm512_castsi512_ps(raw(b)))));
  } else {
    __m512d const x = _mm512_castsi512_pd(raw(a));
    return packed<T>(
        _mm512_castpd_si512(_mm512_mask_min_pd(x, _mm512_cmp_pd_mask(x, x, _CMP_ORD_Q), x, _mm512_castsi512_pd(raw(b)))));
  }
}
/// b < a ? a : b, of floats; a where it is a NaN.
template <class T>
LOOKBACK_INLINE pack<T> larger(pack<T> a, pack<T> b) {
  if constexpr (std::is_same_v<T, float>) {
    __m512 const x = _mm512_castsi512_ps(raw(a));
    return packed<T>(
        _mm512_castps_si512(_mm512_mask_max_ps(x, _mm512_cmp_ps_mask(x, x, _CMP_ORD_Q), x, _mm512_castsi512_ps(raw(b)))));
  } else {
    __m512d const x = _mm512_castsi512_pd(raw(a));
    return packed<T>(
        _mm512_castpd_si512(_mm512_mask_max_pd(x, _mm512_cmp_pd_mask(x, x, _CMP_ORD_Q), x, _mm512_castsi512_pd(raw(b)))));
  }
}

// The same lane everywhere; `lane` counts from the first.
template <class T>
LOOKBACK_INLINE pack<T> broadcast_lane(pack<T> a, int lane) {
  if constexpr (sizeof(T) == 2)
    return packed<T>(
        _mm512_maskz_permutexvar_epi16(static_cast<__mmask32>(-1), _mm512_set1_epi16(static_cast<short>(lane)), raw(a)));
  else if constexpr (sizeof(T) == 4)
    return packed<T>(_mm512_maskz_permutexvar_epi32(static_cast<__mmask16>(-1), _mm512_set1_epi32(lane), raw(a)));
  else return packed<T>(_mm512_maskz_permutexvar_epi64(static_cast<__mmask8>(-1), _mm512_set1_epi64(lane), raw(a)));
}
template <class T>
LOOKBACK_INLINE pack<T> broadcast_first(pack<T> a) {
  if constexpr (sizeof(T) == 1) {
    __m128i const low = _mm512_maskz_extracti32x4_epi32(static_cast<__mmask8>(-1), raw(a), 0);
    return packed<T>(_mm512_maskz_broadcastb_epi8(static_cast<__mmask64>(-1), low));
  } else return broadcast_lane(a, 0);
}
template <class T>
LOOKBACK_INLINE pack<T> broadcast_last(pack<T> a) {
  if constexpr (sizeof(T) == 1) return broadcast_first(packed<T>(_mm512_bsrli_epi128(align<12>(raw(a), raw(a)), 15)));
  else return broadcast_lane(a, pack<T>::lanes - 1);
}
/// Lanes before lane n - From of `a`, the others of `beyond`; of 4 or 8 bytes; whichever where n is not in [0, 256).
template <int From, class T>
LOOKBACK_INLINE pack<T> first_lanes(index_t n, pack<T> a, pack<T> beyond) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8);
  std::uint64_t const bits = _bzhi_u64(~std::uint64_t{0}, static_cast<std::uint64_t>(n)) >> From;
  if constexpr (sizeof(T) == 4) return packed<T>(_mm512_mask_mov_epi32(raw(beyond), static_cast<__mmask16>(bits), raw(a)));
  else return packed<T>(_mm512_mask_mov_epi64(raw(beyond), static_cast<__mmask8>(bits), raw(a)));
}
LOOKBACK_INLINE pack<std::uint64_t> load_widened(std::int32_t const* from) {
  return packed<std::uint64_t>(
      _mm512_maskz_cvtepi32_epi64(static_cast<__mmask8>(-1), _mm256_loadu_si256(reinterpret_cast<__m256i const*>(from))));
}
/// Lanes 0, 2, 4 ... of `a`, and then of `b`; of 4 or 8 bytes.
template <int First, class T>
LOOKBACK_INLINE pack<T> every_second(pack<T> a, pack<T> b) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8);
  if constexpr (sizeof(T) == 4) {
    __m512i const lane =
        _mm512_add_epi32(_mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30), _mm512_set1_epi32(First));
    return packed<T>(_mm512_maskz_permutex2var_epi32(static_cast<__mmask16>(-1), raw(a), lane, raw(b)));
  } else {
    __m512i const lane = _mm512_add_epi64(_mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14), _mm512_set1_epi64(First));
    return packed<T>(_mm512_maskz_permutex2var_epi64(static_cast<__mmask8>(-1), raw(a), lane, raw(b)));
  }
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

/// Lane i of `set` where bit i is set, else of `clear`.
template <class T>
LOOKBACK_INLINE pack<T> select(std::uint64_t bits, pack<T> clear, pack<T> set) {
  if constexpr (sizeof(T) == 1) return packed<T>(_mm512_mask_blend_epi8(bits, raw(clear), raw(set)));
  else if constexpr (sizeof(T) == 2) return packed<T>(_mm512_mask_blend_epi16(static_cast<__mmask32>(bits), raw(clear), raw(set)));
  else if constexpr (sizeof(T) == 4) return packed<T>(_mm512_mask_blend_epi32(static_cast<__mmask16>(bits), raw(clear), raw(set)));
  else return packed<T>(_mm512_mask_blend_epi64(static_cast<__mmask8>(bits), raw(clear), raw(set)));
}

/// One bit a lane: is it not zero.
template <class T>
LOOKBACK_INLINE std::uint64_t nonzero_bits(pack<T> a) {
  if constexpr (sizeof(T) == 1) return _mm512_test_epi8_mask(raw(a), raw(a));
  else if constexpr (sizeof(T) == 2) return _mm512_test_epi16_mask(raw(a), raw(a));
  else if constexpr (sizeof(T) == 4) return _mm512_test_epi32_mask(raw(a), raw(a));
  else return _mm512_test_epi64_mask(raw(a), raw(a));
}
/// One bit a lane: do they differ (floats: not equal, so a NaN differs from everything).
template <class T>
LOOKBACK_INLINE std::uint64_t differ_bits(pack<T> a, pack<T> b) {
  if constexpr (std::is_same_v<T, float>)
    return _mm512_cmp_ps_mask(_mm512_castsi512_ps(raw(a)), _mm512_castsi512_ps(raw(b)), _CMP_NEQ_UQ);
  else if constexpr (std::is_same_v<T, double>)
    return _mm512_cmp_pd_mask(_mm512_castsi512_pd(raw(a)), _mm512_castsi512_pd(raw(b)), _CMP_NEQ_UQ);
  else if constexpr (sizeof(T) == 1) return _mm512_cmpneq_epi8_mask(raw(a), raw(b));
  else if constexpr (sizeof(T) == 2) return _mm512_cmpneq_epi16_mask(raw(a), raw(b));
  else if constexpr (sizeof(T) == 4) return _mm512_cmpneq_epi32_mask(raw(a), raw(b));
  else return _mm512_cmpneq_epi64_mask(raw(a), raw(b));
}

/// Lanes whose bit is set, in order, at `to`; may write up to a pack beyond them. Returns their number.
template <class T>
LOOKBACK_INLINE int compress(T* to, std::uint64_t bits, pack<T> a) {
  if constexpr (sizeof(T) == 4) store(to, packed<T>(_mm512_maskz_compress_epi32(static_cast<__mmask16>(bits), raw(a))));
  else store(to, packed<T>(_mm512_maskz_compress_epi64(static_cast<__mmask8>(bits), raw(a))));
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

// ---- 16-byte quarters: piece q lies at p + q * step. Masked, all of it, where the plain form makes g++ warn of its own header.
template <class T>
LOOKBACK_INLINE pack<T> load_pieces(T const* p, index_t step) {
  auto const piece = [=](index_t q) { return _mm_loadu_si128(reinterpret_cast<__m128i const*>(p + q * step)); };
  constexpr __mmask16 all = 0xffff;
  __m512i const half = _mm512_maskz_inserti32x4(all, _mm512_castsi128_si512(piece(0)), piece(1), 1);
  return packed<T>(_mm512_maskz_inserti32x4(all, _mm512_maskz_inserti32x4(all, half, piece(2), 2), piece(3), 3));
}
/// Within every piece: the lower (upper) units of a and b, of `Bytes` bytes, in turn.
template <int Bytes, class T>
LOOKBACK_INLINE pack<T> zip_low(pack<T> a, pack<T> b) {
  if constexpr (Bytes == 4) return packed<T>(_mm512_maskz_unpacklo_epi32(0xffff, raw(a), raw(b)));
  else return packed<T>(_mm512_maskz_unpacklo_epi64(0xff, raw(a), raw(b)));
}
template <int Bytes, class T>
LOOKBACK_INLINE pack<T> zip_high(pack<T> a, pack<T> b) {
  if constexpr (Bytes == 4) return packed<T>(_mm512_maskz_unpackhi_epi32(0xffff, raw(a), raw(b)));
  else return packed<T>(_mm512_maskz_unpackhi_epi64(0xff, raw(a), raw(b)));
}

}  // namespace lookback::cpu::inline LOOKBACK_UNIT::avx512
#endif
