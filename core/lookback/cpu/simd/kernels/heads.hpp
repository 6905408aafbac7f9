// Every description of segments becomes one bit an item. Read by simd/text.hpp only.
#ifdef LOOKBACK_SIMD
namespace lookback::cpu::inline LOOKBACK_UNIT::LOOKBACK_SIMD {

/// For few of 64 bits: put(j, k) of the j-th one that is set, k; and, instead of a branch for each, of up to three that are none,
/// with some k in [0, 64). Returns how many are set, at most `few_bits`.
inline constexpr int few_bits = 8;
template <class Put>
LOOKBACK_INLINE int each_of_few(std::uint64_t bits, int count, Put put) {
  auto const four = [&](int j) __attribute__((always_inline)) {
    unrolled<4>([&](auto d) __attribute__((always_inline)) {
      put(j + d, __builtin_ctzll(bits | std::uint64_t{1} << 63));
      bits &= bits - 1;
    });
  };
  four(0);
  if (count > 4) four(4);
  return count;
}

/// How many of the bits [0, n) are set; those behind are not.
inline index_t count_bits(std::uint64_t const* words, index_t n) {
  index_t count = 0;
  for (index_t w = 0; w * 64 < n; ++w) count += __builtin_popcountll(words[w]);
  return count;
}

/// Bits [0, n) of `words`: bits_of_pack(i) gives those of the items [i, i + Lanes), bit_of(i) that of one.
template <index_t Lanes, class Pack, class One>
LOOKBACK_INLINE void fill_words(index_t n, std::uint64_t* words, Pack bits_of_pack, One bit_of) {
  for (index_t w = 0; w < n / 64; ++w) {
    std::uint64_t word = 0;
    unrolled<64 / static_cast<int>(Lanes)>([&](auto k) __attribute__((always_inline)) {
      word |= bits_of_pack(w * 64 + k * Lanes) << (k * Lanes);
    });
    words[w] = word;
  }
  if (n % 64 == 0) return;
  std::uint64_t word = 0;
  for (index_t i = n / 64 * 64; i < n; ++i) word |= std::uint64_t{bit_of(i)} << (i % 64);
  words[n / 64] = word;
}

template <class Flag>
void flag_words(void const* data, index_t at, index_t n, std::uint64_t* words) {
  auto const* const flags = static_cast<Flag const*>(data) + at;
  fill_words<pack<Flag>::lanes>(
      n, words, [=](index_t i) __attribute__((always_inline)) { return nonzero_bits(load(flags + i)); },
      [=](index_t i) { return flags[i] != 0; });
}

/// Does a key differ from its left neighbour; item 0 of all has none and counts as a head.
template <class Key>
void key_words(void const* data, index_t at, index_t n, std::uint64_t* words) {
  auto const* const keys = static_cast<Key const*>(data) + at;
  fill_words<pack<Key>::lanes>(
      n, words,
      [=](index_t i) __attribute__((always_inline)) {
        pack<Key> const right = load(keys + i);
        std::uint64_t const first = at + i > 0 ? 0 : 1;
        return differ_bits(right, first ? shift_up<1>(right, right) : load(keys + i - 1)) | first;
      },
      [=](index_t i) { return at + i == 0 || !(keys[i] == keys[i - 1]); });
}

/// Packed bits from bit `at` on; never reads beyond the byte of bit at + n - 1.
inline void copy_bits(void const* data, index_t at, index_t n, std::uint64_t* words) {
  auto const* const bytes = static_cast<unsigned char const*>(data) + at / 8;
  index_t const shift = at % 8, readable = (shift + n + 7) / 8;
  for (index_t w = 0; w * 64 < n; ++w) {
    std::uint64_t low = 0, high = 0;
    index_t const here = readable - w * 8;
    std::memcpy(&low, bytes + w * 8, here < 8 ? static_cast<std::size_t>(here) : 8);
    if (shift != 0 && here > 8) high = std::uint64_t{bytes[w * 8 + 8]} << (64 - shift);
    words[w] = low >> shift | high;
  }
  if (n % 64 != 0) words[n / 64] &= ~std::uint64_t{0} >> (64 - n % 64);
}

template <class Offset>
void offset_words(segments const& s, index_t position, index_t n, std::uint64_t* words) {
  std::memset(words, 0, static_cast<std::size_t>((n + 63) / 64) * 8);
  auto const* const offsets = static_cast<Offset const*>(s.data);
  for (index_t k = first_offset_at_or_after(s, position, 0, s.count); k < s.count; ++k) {
    index_t const i = static_cast<index_t>(offsets[k]) - position;
    if (i >= n) return;
    if (i >= 0) words[i / 64] |= std::uint64_t{1} << (i % 64);  // offsets that decrease end nowhere else
  }
}

inline void row_words(index_t length, index_t position, index_t n, std::uint64_t* words) {
  std::memset(words, 0, static_cast<std::size_t>((n + 63) / 64) * 8);
  for (index_t i = (length - position % length) % length; i < n; i += length) words[i / 64] |= std::uint64_t{1} << (i % 64);
}

/// Bit k of `words`, for k in [0, n): does a segment begin at item at + k, whose position in the whole is base + at + k.
inline void head_words(segments const& s, index_t base, index_t at, index_t n, std::uint64_t* words) {
  switch (s.kind) {
    case segment_kind::flags8:
      return flag_words<std::uint8_t>(s.data, at, n, words);
    case segment_kind::flags32:
      return flag_words<std::uint32_t>(s.data, at, n, words);
    case segment_kind::bits:
      return copy_bits(s.data, at, n, words);
    case segment_kind::offsets32:
      return offset_words<std::int32_t>(s, base + at, n, words);
    case segment_kind::offsets64:
      return offset_words<std::int64_t>(s, base + at, n, words);
    case segment_kind::rows:
      return row_words(s.count, base + at, n, words);
    case segment_kind::keys8:
      return key_words<std::uint8_t>(s.data, at, n, words);
    case segment_kind::keys16:
      return key_words<std::uint16_t>(s.data, at, n, words);
    case segment_kind::keys32:
      return key_words<std::uint32_t>(s.data, at, n, words);
    case segment_kind::keys64:
      return key_words<std::uint64_t>(s.data, at, n, words);
    case segment_kind::keys_f32:
      return key_words<float>(s.data, at, n, words);
    case segment_kind::keys_f64:
      return key_words<double>(s.data, at, n, words);
  }
}

template <class Key, class Equal>
void head_words(key_segments<Key, Equal> const& s, index_t, index_t at, index_t n, std::uint64_t* words) {
  auto const bit = [&](index_t i) { return at + i == 0 || head_at(s, at + i); };
  fill_words<64>(
      n, words,
      [&](index_t i) {
        std::uint64_t word = 0;
        for (index_t k = 0; k < 64; ++k) word |= std::uint64_t{bit(i + k)} << k;
        return word;
      },
      bit);
}

template <class Marks>
void head_words(chunk_marks<Marks> const& s, index_t base, index_t at, index_t n, std::uint64_t* words) {
  head_words(static_cast<Marks const&>(s), base, at, n, words);
  if (at == 0) words[0] = s.starts ? words[0] | 1 : words[0] & ~std::uint64_t{1};
}

}  // namespace lookback::cpu::inline LOOKBACK_UNIT::LOOKBACK_SIMD
#endif
