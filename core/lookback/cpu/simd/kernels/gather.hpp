// A tile of a compacting scan: its items, class by class, in a private buffer. Read by simd/text.hpp only.
#ifdef LOOKBACK_SIMD
namespace lookback::cpu::inline LOOKBACK_UNIT::LOOKBACK_SIMD {

template <class Parts, class Room>
LOOKBACK_INLINE int class_of(Parts const& p, [[maybe_unused]] tile const& t, [[maybe_unused]] Room const& room, index_t i) {
  if constexpr (Parts::marked) {
    index_t const k = i - t.begin;
    return room.words[k / 64] >> k % 64 & 1 ? 0 : 1;
  } else {
    return static_cast<int>(value_at(p.items, p.arrays, i));
  }
}
template <class Result, class Parts, class Payload>
LOOKBACK_INLINE Result payload_of(Parts const& p, Payload const& payload, index_t i) {
  return static_cast<Result>(value_at(payload, p.arrays, i));
}

/// Is the item, the first array, an array of `result`: then it needs no conversion.
template <class result, class Arrays>
inline constexpr bool stages_items_of = false;
template <class result, class... Rest>
inline constexpr bool stages_items_of<result, arrays<result, Rest...>> = true;

/// The items of 64 whose bit is set, in order, at `to`; may write beyond them, but no further than 64. Returns their number.
template <class T>
LOOKBACK_INLINE int compress_items(T* to, std::uint64_t bits, T const* from) {
  auto const put = [&](int j, int k) __attribute__((always_inline)) { to[j] = from[k]; };
  if (int const count = __builtin_popcountll(bits); count <= few_bits) return each_of_few(bits, count, put);
  T* const begin = to;
  if constexpr (has_compress<T>)
    unrolled<64 / pack<T>::lanes>([&](auto pack_number) __attribute__((always_inline)) {
      constexpr int k = pack_number * pack<T>::lanes;
      to += compress(to, bits >> k & all_lanes<T>, load(from + k));
    });
  else
    unrolled<8 * static_cast<int>(sizeof(T))>([&](auto word) __attribute__((always_inline)) {
      constexpr int k = word * 8 / static_cast<int>(sizeof(T));
      to += compress_word(to, bits >> k, from + k);
    });
  return static_cast<int>(to - begin);
}

LOOKBACK_INLINE void ask_for_lines(arrays<> const&, index_t) {}
template <class T, class... Rest>
LOOKBACK_INLINE void ask_for_lines(arrays<T, Rest...> const& from, index_t at) {
  auto const* const line = reinterpret_cast<char const*>(from.data) + at * static_cast<index_t>(sizeof(T));
  constexpr index_t bytes = 64 * (sizeof(T) < 16 ? static_cast<index_t>(sizeof(T)) : 16);
  for (index_t k = 0; k < bytes; k += 64) __builtin_prefetch(line + k, 0, 2);
}

/// One class: 64 items at a time, first all their classes (a loop that vectorizes), then the kept ones side by side.
template <class Parts, class Payload, class Room, class result>
index_t gather_kept(Parts const& p, Payload const& payload, tile const& t, Room const& room, result* const staged) {
  if constexpr (requires { p.places; })
    if (p.places) {
      for (index_t k = 0; k < p.count; ++k) staged[k] = payload_of<result>(p, payload, t.begin + p.places[k]);
      return p.count;
    }
  result* to = staged;
  index_t i = t.begin;
  for (; i + 64 <= t.end; i += 64) {
    if constexpr (requires { p.block; }) ask_for_lines(p.arrays, i + p.block);
    else ask_for_lines(p.arrays, i + marks_block(cpu::detail::bytes_of(p.arrays)));
    std::uint64_t bits = 0;
    alignas(64) unsigned char keep[64];
    if constexpr (Parts::marked) bits = room.words[(i - t.begin) / 64];
    else
      for (int k = 0; k < 64; ++k) keep[k] = class_of(p, t, room, i + k) == 0;
    if constexpr (!std::is_same_v<Payload, the_item>) {  // a user's function is called for what is kept, and nothing else
      for (int k = 0; k < 64; ++k)
        if (Parts::marked ? bits >> k & 1 : keep[k]) *to++ = payload_of<result>(p, payload, i + k);
    } else if constexpr (cpu::detail::is_lane<result> && (has_compress<result> || has_compress_word<result>)) {
      if constexpr (!Parts::marked)
        unrolled<64 / pack_bytes>([&](auto k) __attribute__((always_inline)) {
          bits |= nonzero_bits(load(keep + k * pack_bytes)) << (k * pack_bytes);
        });
      if constexpr (stages_items_of<result, decltype(Parts::arrays)>) {
        to += compress_items(to, bits, p.arrays.data + i);
      } else {
        alignas(64) result values[64];
        for (int k = 0; k < 64; ++k) values[k] = payload_of<result>(p, payload, i + k);
        to += compress_items(to, bits, values);
      }
    } else {
      for (int k = 0; k < 64; ++k) *to = payload_of<result>(p, payload, i + k), to += Parts::marked ? bits >> k & 1 : keep[k];
    }
  }
  for (; i < t.end; ++i)
    if (class_of(p, t, room, i) == 0) *to++ = payload_of<result>(p, payload, i);
  return to - staged;
}

/// Which of 64 bytes are `wanted`.
LOOKBACK_INLINE std::uint64_t equal_bits(std::uint8_t const* bytes, std::uint8_t wanted) {
  alignas(64) unsigned char equal[64];
  for (int k = 0; k < 64; ++k) equal[k] = bytes[k] == wanted;
  std::uint64_t bits = 0;
  unrolled<64 / pack_bytes>([&](auto k) __attribute__((always_inline)) {
    bits |= nonzero_bits(load(equal + k * pack_bytes)) << (k * pack_bytes);
  });
  return bits;
}
/// Two or three classes of items that are moved as they are: 64 at a time, those of each class side by side in an area of its own.
template <class Parts, class Room>
void gather_few_classes(Parts const& p, tile const& t, Room const& room, index_t* counts) {
  using result = typename Parts::result;
  constexpr int classes = Parts::classes;
  index_t const n = t.end - t.begin;
  result* to[static_cast<std::size_t>(classes)];
  for (int c = 0; c < classes; ++c) to[c] = room.staged + c * n;
  index_t i = t.begin;
  for (; i + 64 <= t.end; i += 64) {
    ask_for_lines(p.arrays, i + marks_block(cpu::detail::bytes_of(p.arrays)));
    alignas(64) std::uint8_t of[64];
    for (int k = 0; k < 64; ++k) of[k] = static_cast<std::uint8_t>(class_of(p, t, room, i + k));
    unrolled<classes>([&](auto c) __attribute__((always_inline)) {
      to[c] += compress_items(to[c], equal_bits(of, static_cast<std::uint8_t>(c)), p.arrays.data + i);
    });
  }
  for (; i < t.end; ++i)
    if (auto const c = static_cast<std::size_t>(class_of(p, t, room, i)); c < classes) *to[c]++ = p.arrays.data[i];
  for (int c = 0; c < classes; ++c) counts[c] = to[c] - (room.staged + c * n);
}
template <class Parts, class Payload, class result>
constexpr bool compresses_classes() {
  constexpr bool moved_as_it_is = std::is_same_v<Payload, the_item> && stages_items_of<result, decltype(Parts::arrays)>;
  if constexpr (Parts::separate_areas && moved_as_it_is && cpu::detail::is_lane<result>)
    return has_compress<result> || has_compress_word<result>;
  else return false;
}

/// First and last items of runs of two or more, all found before any is stored.
template <class Parts, class Room>
void gather_ends_of_runs(Parts const& p, tile const& t, Room const& room, index_t* counts) {
  index_t const n = t.end - t.begin, words = (n + 63) / 64;
  head_words(p.marks, 0, t.begin, n, room.words);
  std::uint64_t behind = 1;  // does a run begin right of the tile
  if (t.end < p.marks.count) head_words(p.marks, 0, t.end, 1, &behind);
  auto const ends_of = [&](index_t w) {
    std::uint64_t const next = w + 1 < words ? room.words[w + 1] : behind;
    int const last = w + 1 < words ? 63 : static_cast<int>((n - 1) % 64);
    return room.words[w] >> 1 | (next & 1) << last;
  };
  static_assert(Parts::separate_areas);
  typename Parts::result* to[] = {room.staged, room.staged + n};
  for (index_t w = 0; w < words; ++w) {
    std::uint64_t const begins = room.words[w], ends = ends_of(w);
    auto const put = [&](int c, std::uint64_t bits) __attribute__((always_inline)) {
      for (; bits != 0; bits &= bits - 1)
        *to[c]++ = payload_of<typename Parts::result>(p, p.sink.payload, t.begin + w * 64 + __builtin_ctzll(bits));
    };
    put(0, begins & ~ends), put(1, ends & ~begins);
  }
  for (int c = 0; c < 2; ++c) counts[c] = to[c] - (room.staged + c * n);
}

/// Any number of classes. Where a loop over packs does not serve: their sizes first, then every item to the place of its class.
/// Leaves counts[0, classes).
template <class Parts, class Room>
void gather(Parts const& p, tile const& t, Room const& room, index_t* counts) {
  constexpr int classes = Parts::classes;
  if constexpr (Parts::marks_ends) return gather_ends_of_runs(p, t, room, counts);
  if constexpr (classes == 1) {
    if (!p.reversed) {
      counts[0] = 0;
      index_t const block = Parts::marked ? marks_block(cpu::detail::bytes_of(p.arrays)) : index_t{1} << 62;
      for (index_t at = t.begin; at < t.end; at += block) {
        tile const part{t.id, at, t.end - at < block ? t.end : at + block};
        Room here = room;
        if constexpr (Parts::marked) {
          here.words += (at - t.begin) / 64;
          head_words(p.marks, 0, at, part.end - at, here.words);
        }
        counts[0] += gather_kept(p, p.sink.payload, part, here, room.staged + counts[0]);
      }
      return;
    }
  }
  if constexpr (Parts::marked) head_words(p.marks, 0, t.begin, t.end - t.begin, room.words);
  if constexpr (compresses_classes<Parts, decltype(p.sink.payload), typename Parts::result>())
    if (!p.reversed) return gather_few_classes(p, t, room, counts);
  index_t const n = t.end - t.begin;
  index_t sizes[static_cast<std::size_t>(classes + 1)] = {}, places[static_cast<std::size_t>(classes + 1)];
  for (index_t k = 0; k < n; ++k) room.classes[k] = static_cast<typename Parts::class_type>(class_of(p, t, room, t.begin + k));
  for (index_t k = 0; k < n; ++k) ++sizes[room.classes[k]];
  index_t place = 0;
  for (int c = 0; c <= classes; ++c) places[c] = place, place += Parts::separate_areas ? n : sizes[c];
  for (int c = 0; c < classes; ++c) counts[c] = sizes[c];
  for (index_t k = 0; k < n; ++k) {
    index_t const at = p.reversed ? n - 1 - k : k;
    if (room.classes[at] < classes)
      room.staged[places[room.classes[at]]++] = payload_of<typename Parts::result>(p, p.sink.payload, t.begin + at);
  }
}

}  // namespace lookback::cpu::inline LOOKBACK_UNIT::LOOKBACK_SIMD
#endif
