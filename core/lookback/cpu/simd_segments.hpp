// One result per segment, where heads say which item begins one. Read by simd_text.hpp only.
#ifdef LOOKBACK_SIMD
namespace lookback::cpu::LOOKBACK_SIMD {

/// Results of segments on their way to their places: some thousand at a time, so that few lines are stored in parts.
template <class Parts, class T>
struct pending_results {
  Parts const& p;
  T* const held;  // 2 blocks of them, and a pack
  T* to;
  index_t count = 0;

  LOOKBACK_INLINE T* room() const { return held + count; }
  LOOKBACK_INLINE void add(index_t more) {
    count += more;
    if (count >= Parts::block) flush();
  }
  void flush() {
    auto const bytes = count * static_cast<index_t>(sizeof(T));
    if (p.streaming) stream_bytes(to, held, bytes);
    else std::memcpy(static_cast<void*>(to), held, static_cast<std::size_t>(bytes));
    to += count, count = 0;
  }
};

/// f(bits, w) for every word of heads that has any.
template <class F>
LOOKBACK_INLINE void each_word(std::uint64_t const* words, index_t n, F f) {
  for (index_t w = 0; w * 64 < n; ++w)
    if (words[w] != 0) f(words[w], w);
}

/// Of segments whose items are counted, `open` so far of the first: a segment is as long as its head is away from the next one.
template <class Parts, class Room, class T>
void count_by_heads(Parts const& p, tile const& t, Room const& room, std::uint64_t const* starts, maybe<T>& open, index_t segment) {
  using result = typename Parts::result;
  index_t begin = t.begin - (open.has ? static_cast<index_t>(open.value) : 0);
  auto const length = [&](index_t items) { return static_cast<result>(p.sink.f(static_cast<T>(items))); };
  if constexpr (has_compress<std::uint32_t>) {
    static constexpr auto counting = [] {
      std::array<std::uint32_t, 64> some{};
      for (std::uint32_t k = 0; k < 64; ++k) some[k] = k;
      return some;
    }();
    constexpr int lanes = pack<std::uint32_t>::lanes;
    pending_results<Parts, result> lengths{p, reinterpret_cast<result*>(room.results), p.sink.out + segment};
    auto* const places = reinterpret_cast<std::uint32_t*>(room.results + 2 * Parts::block * static_cast<index_t>(sizeof(result)));
    for (index_t at = t.begin; at < t.end; at += Parts::block) {
      index_t const n = t.end - at < Parts::block ? t.end - at : Parts::block;
      index_t heads = 0;
      auto const note_places = [&](std::uint64_t bits, index_t w) __attribute__((always_inline)) {
        auto const from = static_cast<std::uint32_t>(w * 64);
        if (int const count = __builtin_popcountll(bits); count <= few_bits) {
          auto const note = [&](int j, int k) __attribute__((always_inline)) {
            places[heads + j] = from + static_cast<std::uint32_t>(k);
          };
          heads += each_of_few(bits, count, note);
          return;
        }
        for (int k = 0; k < 64; k += lanes)
          heads += compress(places + heads, bits >> k & all_lanes<std::uint32_t>,
                            pack<std::uint32_t>{load(counting.data() + k).v + from});
      };
      each_word(starts + (at - t.begin) / 64, n, note_places);
      if (heads == 0) continue;
      if (at + places[0] > 0) *lengths.room() = length(at + places[0] - begin), ++lengths.count;  // the first of all ends none
      fill(lengths.room(), heads - 1, [&](index_t k) { return length(places[k + 1] - places[k]); });
      lengths.add(heads - 1);
      begin = at + places[heads - 1];
    }
    lengths.flush();
  } else {
    auto* to = p.sink.out + segment;
    each_word(starts, t.end - t.begin, [&](std::uint64_t bits, index_t w) {
      for (; bits != 0; bits &= bits - 1) {
        index_t const head = t.begin + w * 64 + __builtin_ctzll(bits);
        if (head > 0) *to++ = length(head - begin);
        begin = head;
      }
    });
  }
  open = maybe<T>{static_cast<T>(t.end - begin)};
}

/// Every head but that of item 0 ends a segment: number `segment` the first in this tile, of which `open` is what came before.
/// A segmented scan of a block in the first-level cache; then the values left of the heads are what the sink gets.
template <class Parts, class Room, class T>
void fold_by_heads(Parts const& p, tile const& t, Room const& room, std::uint64_t const* starts, maybe<T>& open, index_t segment) {
  if constexpr (Parts::counts)
    if (!p.initial.has) return count_by_heads(p, t, room, starts, open, segment);
  constexpr bool picks = Parts::stores_results && cpu::detail::is_lane<T> && has_compress<T>;
  using result = typename Parts::result;
  pending_results<Parts, result> results{p, reinterpret_cast<result*>(room.results), p.sink.out + segment};
  for (index_t at = t.begin; at < t.end; at += Parts::block) {
    index_t const n = t.end - at < Parts::block ? t.end - at : Parts::block;
    std::uint64_t const* const words = starts + (at - t.begin) / 64;
    maybe<T> const left = open;
    scan_values<false>(p.op, fetch(p, at, n, room.values), room.values, n, open, false, false, words, p.initial,
                       line_of(p.items, p.arrays, at + n));
    if constexpr (picks) {
      if (left.has) room.values[-1] = left.value;
      index_t ended = 0;
      auto const pick_ends = [&](std::uint64_t bits, index_t w) __attribute__((always_inline)) {
        if (at + w == 0) bits &= ~std::uint64_t{1};  // the first of all ends none
        ended += compress_items(results.room() + ended, bits, room.values + w * 64 - 1);
      };
      each_word(words, n, pick_ends);
      results.add(ended);
    } else {
      auto const store = [&](T const& total) { p.sink.out[segment++] = static_cast<result>(p.sink.f(total)); };
      each_word(words, n, [&](std::uint64_t bits, index_t w) {
        for (; bits != 0; bits &= bits - 1) {
          index_t const k = w * 64 + __builtin_ctzll(bits);
          if (k > 0) store(room.values[k - 1]);
          else if (at > 0) store(left.value);
        }
      });
    }
  }
  if constexpr (picks) results.flush();
}

/// The segments that end in a tile of the merge path, from `first_segment` on; `open` is the sum of the first so far.
template <class Parts, class Held, class Room, class Ends, class T>
void fold_by_ends(Parts const& p, Held const& h, Room const& room, Ends const& ends, maybe<T> open) {
  index_t i = h.t.begin;
  for (index_t s = h.first_segment; s < h.first_segment + h.ended; ++s) {
    index_t end = ends(s);
    end = end < i ? i : end < h.t.end ? end : h.t.end;
    maybe<T> total = open.has || i == end ? open : p.initial;
    open = maybe<T>{};
    if constexpr (Parts::reads_values) {
      if (end - i < 32) {  // too short for packs
        if (!total.has && i < end) total = maybe<T>{p.arrays.data[i++]};
        for (; i < end; ++i) total = maybe<T>{static_cast<T>(p.op(total.value, p.arrays.data[i]))};
      }
    }
    while (i < end) reduce_block<false>(p, i, end, room, total);
    if (!total.has) total = p.empty;
    if (total.has) p.sink.out[s] = static_cast<typename Parts::result>(p.sink.f(total.value));
  }
}

}  // namespace lookback::cpu::LOOKBACK_SIMD
#endif
