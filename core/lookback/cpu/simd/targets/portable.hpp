// Packs of 16 bytes in the compiler's own vector types: any machine. Read by simd.hpp only.
#ifdef LOOKBACK_SIMD
namespace lookback::cpu::inline LOOKBACK_UNIT::portable {

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
  _mm_stream_si128(reinterpret_cast<__m128i*>(to), reinterpret_cast<__m128i>(a.v));
#else
  store(to, a);
#endif
}

// Lanes as unsigned integers. Loops over lanes would be scalar code: many times as much of it, and many times as slow.
template <class T>
using bits_of_lane = std::conditional_t<
    sizeof(T) == 1, std::uint8_t,
    std::conditional_t<sizeof(T) == 2, std::uint16_t, std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;
template <class T>
using lane_bits = typename pack<bits_of_lane<T>>::native;

template <class T>
LOOKBACK_INLINE pack<T> broadcast(T x) {
  return {reinterpret_cast<typename pack<T>::native>(lane_bits<T>{} +
                                                     std::bit_cast<bits_of_lane<T>>(x))};  // a scalar is added to every lane
}

// Lanes F, F + 1 ... of `low` and `high` side by side. Every index is written out: nvcc's front end expands no pack here.
template <int F, class T>
LOOKBACK_INLINE pack<T> window(pack<T> low, pack<T> high) {
  if constexpr (sizeof(T) == 8) return {__builtin_shufflevector(low.v, high.v, F, F + 1)};
  else if constexpr (sizeof(T) == 4) return {__builtin_shufflevector(low.v, high.v, F, F + 1, F + 2, F + 3)};
#if defined(__x86_64__)
  else {  // no instruction before SSSE3 shuffles bytes, but two shift them
    constexpr int bytes = F * static_cast<int>(sizeof(T));
    return {reinterpret_cast<typename pack<T>::native>(_mm_or_si128(
        _mm_srli_si128(reinterpret_cast<__m128i>(low.v), bytes), _mm_slli_si128(reinterpret_cast<__m128i>(high.v), 16 - bytes)))};
  }
#else
  else if constexpr (sizeof(T) == 2)
    return {__builtin_shufflevector(low.v, high.v, F, F + 1, F + 2, F + 3, F + 4, F + 5, F + 6, F + 7)};
  else
    return {__builtin_shufflevector(low.v, high.v, F, F + 1, F + 2, F + 3, F + 4, F + 5, F + 6, F + 7, F + 8, F + 9, F + 10, F + 11,
                                    F + 12, F + 13, F + 14, F + 15)};
#endif
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
/// Lanes before lane n - From of `a`, the others of `beyond`; of 4 bytes.
template <int From, class T>
LOOKBACK_INLINE pack<T> first_lanes(index_t n, pack<T> a, pack<T> beyond) {
  static_assert(sizeof(T) == 4);
  typedef std::int32_t lane __attribute__((vector_size(pack_bytes)));
  lane const there = lane{0, 1, 2, 3} < static_cast<std::int32_t>(n) - From;
  return {reinterpret_cast<typename pack<T>::native>((reinterpret_cast<lane>(a.v) & there) |
                                                     (reinterpret_cast<lane>(beyond.v) & ~there))};
}
// Not defined: of 8 bytes there are two lanes, and rows do not lie side by side.
pack<std::uint64_t> load_widened(std::int32_t const* from);
/// Lanes 0, 2 ... of `a`, and then of `b`; of 4 or 8 bytes.
template <class T>
LOOKBACK_INLINE pack<T> even_lanes(pack<T> a, pack<T> b) {
  if constexpr (sizeof(T) == 4) return {__builtin_shufflevector(a.v, b.v, 0, 2, 4, 6)};
  else return {__builtin_shufflevector(a.v, b.v, 0, 2)};
}
template <class T>
LOOKBACK_INLINE pack<T> odd_lanes(pack<T> a, pack<T> b) {
  if constexpr (sizeof(T) == 4) return {__builtin_shufflevector(a.v, b.v, 1, 3, 5, 7)};
  else return {__builtin_shufflevector(a.v, b.v, 1, 3)};
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

/// One bit a lane, spread to all bits of the lane.
template <class T>
LOOKBACK_INLINE lane_bits<T> lane_mask(std::uint64_t bits) {
  typedef std::uint64_t halves __attribute__((vector_size(pack_bytes)));
  using lane = bits_of_lane<T>;
  lane_bits<T> of_lane;
  if constexpr (sizeof(T) == 1) {
    constexpr std::uint64_t everywhere = 0x0101010101010101, each = 0x8040201008040201;
    of_lane =
        reinterpret_cast<lane_bits<T>>(halves{(bits & 0xff) * everywhere, (bits >> 8 & 0xff) * everywhere} & halves{each, each});
  } else if constexpr (sizeof(T) == 2) of_lane = broadcast(static_cast<lane>(bits)).v & lane_bits<T>{1, 2, 4, 8, 16, 32, 64, 128};
  else if constexpr (sizeof(T) == 4) of_lane = broadcast(static_cast<lane>(bits)).v & lane_bits<T>{1, 2, 4, 8};
  else return lane_bits<T>{-(bits & 1), -(bits >> 1 & 1)};  // 8 bytes are not compared as one before SSE4.1
  return reinterpret_cast<lane_bits<T>>(of_lane != lane_bits<T>{});
}
/// The inverse.
template <class T>
LOOKBACK_INLINE std::uint64_t mask_bits(lane_bits<T> mask) {
  if constexpr (sizeof(T) == 8) return (mask[0] & 1) | (mask[1] & 2);
  else if constexpr (sizeof(T) == 4) {
    lane_bits<T> const some = mask & lane_bits<T>{1, 2, 4, 8};
    return some[0] | some[1] | some[2] | some[3];
  } else {  // a product adds up the lanes of a half, of which each has another bit
    constexpr bool bytes = sizeof(T) == 1;
    constexpr std::uint64_t each = bytes ? 0x8040201008040201 : 0x0008000400020001;
    constexpr std::uint64_t everywhere = bytes ? 0x0101010101010101 : 0x0001000100010001;
    constexpr int top = bytes ? 56 : 48, half = pack<T>::lanes / 2;
    auto const halves = reinterpret_cast<typename pack<std::uint64_t>::native>(mask);
    return (halves[0] & each) * everywhere >> top | (halves[1] & each) * everywhere >> top << half;
  }
}

/// Lane i of `set` where bit i is set, else of `clear`.
template <class T>
LOOKBACK_INLINE pack<T> select(std::uint64_t bits, pack<T> clear, pack<T> set) {
  lane_bits<T> const mask = lane_mask<T>(bits);
  return {reinterpret_cast<typename pack<T>::native>((reinterpret_cast<lane_bits<T>>(set.v) & mask) |
                                                     (reinterpret_cast<lane_bits<T>>(clear.v) & ~mask))};
}
/// One bit a lane: is it not zero.
template <class T>
LOOKBACK_INLINE std::uint64_t nonzero_bits(pack<T> a) {
  return mask_bits<T>(reinterpret_cast<lane_bits<T>>(a.v != typename pack<T>::native{}));
}
/// One bit a lane: do they differ (floats: not equal, so a NaN differs from everything).
template <class T>
LOOKBACK_INLINE std::uint64_t differ_bits(pack<T> a, pack<T> b) {
  return mask_bits<T>(reinterpret_cast<lane_bits<T>>(a.v != b.v));
}

// Not defined: nvcc's front end looks for it where it is discarded, too.
template <class T>
int compress(T* to, std::uint64_t bits, pack<T> a);
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

}  // namespace lookback::cpu::inline LOOKBACK_UNIT::portable
#endif
