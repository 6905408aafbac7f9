// Runs written out. Read by simd/text.hpp only.
#ifdef LOOKBACK_SIMD
namespace lookback::cpu::inline LOOKBACK_UNIT::LOOKBACK_SIMD {

// What packs of T are made of: T, or an integer of its size.
template <class T>
using lane_of =
    std::conditional_t<cpu::detail::is_lane<T>, T,
                       std::conditional_t<sizeof(T) == 1, std::uint8_t,
                                          std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                                             std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>>;
template <class T>
inline constexpr bool fits_lanes = sizeof(T) == sizeof(lane_of<T>);
template <class T>
inline constexpr index_t lanes_of = fits_lanes<T> ? pack<lane_of<T>>::lanes : 0;

/// One value many times, from any place on.
template <class T>
struct repeated {
  pack<lane_of<T>> many;
  LOOKBACK_INLINE explicit repeated(T const& value) : many{broadcast(std::bit_cast<lane_of<T>>(value))} {}

  LOOKBACK_INLINE void store_pack(T* to) const { store(reinterpret_cast<lane_of<T>*>(to), many); }
  /// Up to a pack more than n.
  LOOKBACK_INLINE void store_packs(T* to, index_t n) const {
    for (index_t k = 0; k < n; k += lanes_of<T>) store_pack(to + k);
  }
  LOOKBACK_INLINE void store_exactly(T* to, index_t n) const {
    index_t k = 0;
    for (; k + lanes_of<T> <= n; k += lanes_of<T>) store_pack(to + k);
    for (; k < n; ++k) std::memcpy(static_cast<void*>(to + k), &many, sizeof(T));
  }
  /// Whole lines, past the caches.
  LOOKBACK_INLINE void stream_packs(T* to, index_t n) const {
    for (index_t k = 0; k < n; k += lanes_of<T>) stream(reinterpret_cast<lane_of<T>*>(to + k), many);
  }
};
template <class T>
requires(!fits_lanes<T>) struct repeated<T> {
  T value;
  LOOKBACK_INLINE explicit repeated(T const& x) : value(x) {}
  LOOKBACK_INLINE void store_exactly(T* to, index_t n) const {
    for (index_t k = 0; k < n; ++k) std::memcpy(static_cast<void*>(to + k), &value, sizeof(T));
  }
};

template <class Parts>
LOOKBACK_INLINE auto value_of_run(Parts const& p, index_t run) {
  using result = typename Parts::result;
  return repeated<result>(static_cast<result>(value_at(p.items, p.arrays, run)));
}

/// Writes short runs from `run` on, `Span` bytes for each however long it is, so that nobody guesses its length: the next run
/// overwrites what is too much. Eight at a time, where all are short: then nothing is asked between them. Stops behind a long run,
/// or before one that ends beyond `last`, behind which is room for a span.
template <int Span, class Parts, class Drain>
LOOKBACK_INLINE void write_short_runs(Parts const& p, index_t& run, typename Parts::result*& to, typename Parts::result* last,
                                      Drain& drain) {
  using result = typename Parts::result;
  constexpr index_t span = Span / static_cast<index_t>(sizeof(result));
  auto const store_span = [&](index_t r, result* here) {
    auto const value = value_of_run(p, r);
    unrolled<Span / pack_bytes>([&](auto k) { value.store_pack(here + k * lanes_of<result>); });
    return value;
  };
  while (run + 8 <= p.runs && last - to >= 8 * span) {
    auto const* const lengths = p.lengths + run;
    index_t any = 0;
    unrolled<8>([&](auto k) { any |= static_cast<index_t>(lengths[k]); });
    if (any >= span) break;  // a power of two: some length is
    unrolled<8>([&](auto k) {
      store_span(run + k, to);
      to += static_cast<index_t>(lengths[k]);
    });
    run += 8;
    drain(to);
  }
  for (index_t length = 0; length <= span && to < last;) {
    length = static_cast<index_t>(p.lengths[run]);
    if (length > last - to) return;
    auto const value = store_span(run++, to);
    if (length > span) value.store_packs(to + span, length - span);
    to += length;
    drain(to);
  }
}

/// Items from at.item to `end`, to `to` and on, behind which is room for `spare` that nobody needs: none or a span.
/// Leaves `at` there.
template <int Span, class Parts, class Place, class Drain>
LOOKBACK_INLINE void write_runs(Parts const& p, Place& at, index_t end, typename Parts::result* to, index_t spare, Drain drain) {
  using result = typename Parts::result;
  auto const first = at.item;
  result* const begin = to;
  for (;;) {
    index_t const stop = at.end < end ? at.end : end, n = stop - at.item;
    auto const value = value_of_run(p, at.run);
    if constexpr (fits_lanes<result>) {
      if (end - stop + spare >= lanes_of<result>) value.store_packs(to, n);
      else value.store_exactly(to, n);
    } else value.store_exactly(to, n);
    to += n, at.item = stop;
    if (stop == end) return;
    ++at.run;
    if constexpr (fits_lanes<result>) {
      constexpr index_t span = Span / static_cast<index_t>(sizeof(result));
      write_short_runs<Span>(p, at.run, to, begin + (end - first) + spare - span, drain);
      at.item = first + (to - begin);
      if (at.item == end) return at.end = end, void(--at.run);
    }
    at.end = at.item + static_cast<index_t>(p.lengths[at.run]);
  }
}

/// The items from `at` on up to `end`: a tile. Past the caches: what lies in one run is streamed as it is, a block of several runs
/// is gathered in `staged`, and leaves it line by line while the next lines are gathered.
template <int Span, class Parts, class Place>
void distribute_by(Parts const p, Place at, index_t end, typename Parts::result* staged) {
  using result = typename Parts::result;
  constexpr index_t size = sizeof(result), block = Parts::block, some = 1024 / size, lag = 512 / size;
  if (!p.streaming) return write_runs<Span>(p, at, end, p.out + at.item, 0, [](result const*) {});
  index_t ahead = 0;
  while (ahead < 64 && reinterpret_cast<std::uintptr_t>(p.out + at.item + ahead) % 64 != 0) ++ahead;
  bool const lines = ahead < 64;  // else no item begins a line
  for (index_t n = lines && ahead > 0 ? ahead : block; at.item < end; n = block) {
    index_t const in_run = ((at.end < end ? at.end : end) - at.item) / block * block;
    n = n < end - at.item ? n : end - at.item;
    result *to = p.out + at.item, *from = staged;
    if constexpr (fits_lanes<result>) {
      if (n == block && lines && in_run > 0) {
        value_of_run(p, at.run).stream_packs(to, in_run);
        at.item += in_run;
        continue;
      }
    }
    auto const send = [&](index_t items) { stream_bytes(to, from, items * size), to += items, from += items; };
    write_runs<Span>(p, at, at.item + n, staged, Span / size, [&](result const* done) {
      if (lines && done - from >= some + lag) send(some);
    });
    send(staged + n - from);
  }
}

/// With a span that most runs of a tile fit into, of which one has `bytes` on average: three to four times that
/// (docs/lab/cpu.md, 20).
template <class Parts, class Place>
void distribute(Parts const& p, Place const& at, index_t end, index_t bytes, typename Parts::result* staged) {
  if (at.item == end) return;
  if (!fits_lanes<typename Parts::result> || bytes <= 10) return distribute_by<32>(p, at, end, staged);
  if constexpr (fits_lanes<typename Parts::result>) {
    if (bytes <= 20) distribute_by<64>(p, at, end, staged);
    else if (bytes <= 64) distribute_by<128>(p, at, end, staged);
    else distribute_by<256>(p, at, end, staged);
  }
}

}  // namespace lookback::cpu::inline LOOKBACK_UNIT::LOOKBACK_SIMD
#endif
