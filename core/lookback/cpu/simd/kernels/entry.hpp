// What an instruction set does for the engine. Read by simd/text.hpp only.
#ifdef LOOKBACK_SIMD
namespace lookback::cpu::inline LOOKBACK_UNIT::LOOKBACK_SIMD {

/// Passed on as a value, so that one switch chooses (at_level).
struct entry {
  template <class Segments>
  static void head_words(Segments const& s, index_t base, index_t at, index_t n, std::uint64_t* words) {
    LOOKBACK_SIMD::head_words(s, base, at, n, words);
  }
  static index_t count_bits(std::uint64_t const* words, index_t n) { return LOOKBACK_SIMD::count_bits(words, n); }
  template <class Parts, class Room, class T>
  static void scan(Parts const& p, tile const& t, Room const& room, std::uint64_t const* starts, maybe<T>& before, index_t begin,
                   index_t end, maybe<T>& total) {
    if (p.reversed) scan_tile<true>(p, t, room, starts, before, begin, end, total);
    else scan_tile<false>(p, t, room, starts, before, begin, end, total);
  }
  template <class Parts, class Room, class T>
  static void fold(Parts const& p, Room const& room, index_t begin, index_t end, maybe<T>& total) {
    if constexpr (Parts::sums_units)
      total = maybe<T>{static_cast<T>((total.has ? total.value : T{}) + static_cast<T>(end - begin))};
    else if constexpr (joins_rows<Parts, T> || joins_four<Parts, T>) {
      if (begin == end) return;
      T const more = reduce_apart<T>(p, begin, end);
      total = maybe<T>{total.has ? static_cast<T>(p.op(total.value, more)) : more};
    } else
      while (begin < end) reduce_block<false>(p, begin, end, room, total);
  }
  template <class Parts, class Room>
  static void note_places(Parts const& p, tile const& part, Room const& room, index_t next) {
    LOOKBACK_SIMD::note_places(p, part, room, next);
  }
  template <class Parts, class Room, class Held>
  static void fold_by_heads(Parts const& p, tile const& part, Room const& room, index_t heads, Held& h) {
    LOOKBACK_SIMD::fold_by_heads(p, part, room, heads, h);
  }
  template <class Parts, class Held, class Room, class Ends, class T>
  static void fold_by_ends(Parts const& p, Held const& h, Room const& room, Ends const& ends, maybe<T> const& open) {
    LOOKBACK_SIMD::fold_by_ends(p, h, room, ends, open);
  }
  template <class Parts, class Room>
  static void gather(Parts const& p, tile const& t, Room const& room, index_t* counts) {
    LOOKBACK_SIMD::gather(p, t, room, counts);
  }
  template <class Parts, class Payload, class Room, class T>
  static void gather_column(Parts const& p, Payload const& payload, tile const& t, Room const& room, T* to) {
    LOOKBACK_SIMD::gather_kept(p, payload, t, room, to);
  }
  template <class Parts, class Place, class T>
  static void distribute(Parts const& p, Place const& from, index_t end, index_t bytes, T* staged) {
    LOOKBACK_SIMD::distribute(p, from, end, bytes, staged);
  }
  template <class Parts, class T>
  static void evaluate(Parts const& p, index_t at, index_t n, T* values) {
    LOOKBACK_SIMD::evaluate(p, at, n, values);
  }
  template <class Parts>
  static char const* line_of(Parts const& p, index_t at) {
    return LOOKBACK_SIMD::line_of(p, at);
  }
  template <class Parts, class Room>
  static void put_values(Parts const& p, Room const& room, index_t at, index_t n) {
    LOOKBACK_SIMD::put_values(p, room, at, n);
  }
  template <class Op, class T>
  static void tree_threads(Op const& op, T const* items, T* inclusive, bool reversed) {
    if (reversed) LOOKBACK_SIMD::tree_threads<true>(op, items, inclusive);
    else LOOKBACK_SIMD::tree_threads<false>(op, items, inclusive);
  }
  template <class Op, class T>
  static void tree_items(Op const& op, T const* items, T const* starts, T* out, bool exclusive, char const* ahead, bool reversed) {
    if (reversed) LOOKBACK_SIMD::tree_items<true>(op, items, starts, out, exclusive, ahead);
    else LOOKBACK_SIMD::tree_items<false>(op, items, starts, out, exclusive, ahead);
  }
  template <class Tile, class Parts, class Room, class Offset, class T>
  static maybe<T> fold_path_tile(Parts const& p, Room const& room, tile const& t, Offset const* offsets, int ends, index_t first,
                                 T const& before, int warp, bool stores, bool wanted) {
    return LOOKBACK_SIMD::fold_path_tile<Tile>(p, room, t, offsets, ends, first, before, warp, stores, wanted);
  }
  template <int Most, class T, class Order, class Place>
  static void count_before(T const* x, int m, Order const& order, Place* places) {
    LOOKBACK_SIMD::count_before<Most>(x, m, order, places);
  }
  static void stream_bytes(void* to, void const* from, index_t bytes) { LOOKBACK_SIMD::stream_bytes(to, from, bytes); }
};

}  // namespace lookback::cpu::inline LOOKBACK_UNIT::LOOKBACK_SIMD
#endif
