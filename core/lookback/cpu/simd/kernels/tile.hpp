// One tile of a scan with an `each` sink, block by block. Read by simd/text.hpp only.
//
//   source -> [values] -> scan -> [values] -> [results] -> out     a block in brackets lies in the first-level cache, and is left
//                                                                  out where the array itself serves
#ifdef LOOKBACK_SIMD
namespace lookback::cpu::inline LOOKBACK_UNIT::LOOKBACK_SIMD {

/// to[k] = value(k) for k in [0, n). By 64 of them in an array that nothing aliases: so the loop is vectorized at -O2 as well.
template <class T, class Value>
LOOKBACK_INLINE void fill(T* to, index_t n, Value value) {
  index_t whole = 0;
  if constexpr (std::is_trivially_default_constructible_v<T>)
    for (; whole + 64 <= n; whole += 64) {
      alignas(64) T some[64];
      for (index_t k = 0; k < 64; ++k) some[k] = value(whole + k);
      std::memcpy(static_cast<void*>(to + whole), some, sizeof some);
    }
  index_t const rest = n - whole;
  for (index_t k = 0; k < rest; ++k) to[whole + k] = value(whole + k);
}

/// Asks for what will be read so many items on, if that is there: what is made of it reads elsewhere too, and finds it in the
/// cache.
template <class... Ts>
LOOKBACK_INLINE void ask_for_items(arrays<> const&, index_t) {}
template <class T, class... Rest>
LOOKBACK_INLINE void ask_for_items(arrays<T, Rest...> const& from, index_t at) {
  auto const here = reinterpret_cast<std::uintptr_t>(from.data), further = static_cast<std::uintptr_t>(at + 512) * sizeof(T);
  __builtin_prefetch(reinterpret_cast<char const*>(here + further));
  ask_for_items(from.rest, at);
}

/// f(0), f(1) ... side by side.
template <class T, class F, int... K>
LOOKBACK_INLINE pack<T> pack_of(F f, std::integer_sequence<int, K...>) {
  return {typename pack<T>::native{f(K)...}};
}

/// Items whose value is an operator's of an element of the first array and of what is found elsewhere, both lanes.
template <class Parts, class T>
inline constexpr bool joins_lanes = false;
template <class Parts, class T>
requires joins_found<decltype(Parts::items)>
inline constexpr bool joins_lanes<Parts, T> =
    std::is_same_v<typename decltype(Parts::items)::looked_up, T> && std::is_same_v<decltype(Parts::arrays.data), T const*> &&
    is_vectorized<std::remove_cvref_t<decltype(std::declval<decltype(Parts::items) const&>().joining_operator())>, T>;

/// Elements are loaded one by one: the instruction that loads those of a pack takes longer (docs/lab/cpu.md, 30).
template <class Parts, class T>
LOOKBACK_INLINE void evaluate_joined(Parts const& p, index_t at, index_t n, T* values) {
  auto const items = p.items;  // copies: what is stored to `values` is none of them
  auto const from = p.arrays;
  constexpr index_t lanes = pack<T>::lanes, step = lanes < 8 ? 8 : lanes;
  index_t k = 0;
  for (; k + step <= n; k += step) {
    ask_for_items(from, at + k);
    unrolled<step / lanes>([&](auto j) __attribute__((always_inline)) {
      index_t const first = k + j * lanes;
      auto const found = pack_of<T>(
          [&](int lane) __attribute__((always_inline)) { return look_up_at(items, from, at + first + lane); },
          std::make_integer_sequence<int, pack<T>::lanes>{});
      store(values + first, combine(items.joining_operator(), load(from.data + at + first), found));
    });
  }
  for (; k < n; ++k) values[k] = static_cast<T>(value_at(items, from, at + k));
}

template <class Parts, class T>
LOOKBACK_INLINE void evaluate(Parts const& p, index_t at, index_t n, T* values) {
  if constexpr (joins_lanes<Parts, T>) evaluate_joined(p, at, n, values);
  else fill(values, n, [&](index_t k) { return static_cast<T>(value_at(p.items, p.arrays, at + k)); });
}

/// The values of items [at, at + n): where they lie, or evaluated into `values`.
template <class Parts, class T>
LOOKBACK_INLINE T const* fetch(Parts const& p, index_t at, index_t n, T* values) {
  if constexpr (Parts::reads_values) return p.values() + at;
  else return evaluate(p, at, n, values), values;
}

/// Copies past the caches; the ends, which share a cache line with others, through them.
inline void stream_bytes(void* to, void const* from, index_t bytes) {
  using byte = unsigned char;
  auto* out = static_cast<byte*>(to);
  auto const* in = static_cast<byte const*>(from);
  index_t const ahead = static_cast<index_t>(-reinterpret_cast<std::uintptr_t>(out) % 64);
  index_t const edge = ahead < bytes ? ahead : bytes;
  std::memcpy(out, in, static_cast<std::size_t>(edge));
  index_t i = edge;
  for (; i + 64 <= bytes; i += 64)
    for (index_t k = 0; k < 64; k += pack_bytes) stream(out + i + k, load(in + i + k));
  std::memcpy(out + i, in + i, static_cast<std::size_t>(bytes - i));
}

/// room.values, through the sink's function, to their places from `at` on.
template <class Parts, class Room>
LOOKBACK_INLINE void put_values(Parts const& p, Room const& room, index_t at, index_t n) {
  using result = typename Parts::result;
  auto* const out = p.sink.out + at;
  auto const bytes = n * static_cast<index_t>(sizeof(result));
  if constexpr (Parts::stores_values) {
    if (p.streaming) stream_bytes(out, room.values, bytes);
    else std::memcpy(static_cast<void*>(out), room.values, static_cast<std::size_t>(bytes));
  } else {
    auto* const results = p.streaming ? room.results : out;
    fill(results, n, [&](index_t k) { return static_cast<result>(lookback::detail::stored(p.sink.f, at + k, room.values[k])); });
    if (p.streaming) stream_bytes(out, results, bytes);
  }
}

/// scan(values, to, streaming) for the block [at, at + n), straight to the output where that is possible.
template <class Parts, class Room, class Scan>
LOOKBACK_INLINE void scan_block(Parts const& p, index_t at, index_t n, Room const& room, Scan scan) {
  auto const* const in = fetch(p, at, n, room.values);
  if constexpr (Parts::stores_values) {
    auto* const out = p.sink.out + at;
    bool const whole_packs = Parts::packs && reinterpret_cast<std::uintptr_t>(out) % pack_bytes == 0;
    if (!p.streaming || whole_packs) return scan(in, out, p.streaming);
  }
  scan(in, room.values, false);
  put_values(p, room, at, n);
}

/// Reduces items [begin, end) block by block, from where the scan would begin; what is left to do lies between the two.
template <bool Reversed, class Parts, class Room, class T>
LOOKBACK_INLINE void reduce_block(Parts const& p, index_t& begin, index_t& end, Room const& room, maybe<T>& total) {
  index_t const n = end - begin < Parts::block ? end - begin : Parts::block;
  index_t const at = Reversed ? end - n : begin;
  reduce_values<Reversed>(p.op, fetch(p, at, n, room.values), n, total);
  if constexpr (Reversed) end -= n;
  else begin += n;
}

// Where item `at` lies, or what it is made of in the first array that is read; some place that is there, where none is.
template <class Parts>
char const* line_of(Parts const& p, index_t at) {
  if constexpr (Parts::reads_values) return reinterpret_cast<char const*>(p.values() + at);
  else if constexpr (std::is_same_v<decltype(Parts::arrays), arrays<>>) return reinterpret_cast<char const*>(&p);
  else return reinterpret_cast<char const*>(p.arrays.data + at);
}

/// Scans `t` after `before`, which becomes what comes before the next tile, and reduces [begin, end) into `total` on the way: that
/// reads memory while this one works in the cache. The two may be the same items.
template <bool Reversed, class Parts, class Room, class T>
void scan_tile(Parts const& p, tile const& t, Room const& room, std::uint64_t const* starts, maybe<T>& before, index_t begin,
               index_t end, maybe<T>& total) {
  constexpr index_t block = Parts::block;
  bool const exclusive = p.sink.exclusive;
  index_t const blocks = tiles_of(t.end - t.begin, block);
  for (index_t k = 0; k < blocks; ++k) {
    index_t const place = (Reversed ? blocks - 1 - k : k) * block, at = t.begin + place;
    index_t const n = t.end - at < block ? t.end - at : block;
    if constexpr (Parts::is_segmented) {
      if (begin < end) reduce_block<Reversed>(p, begin, end, room, total);
      char const* const ahead = line_of(p, begin >= end ? at : Reversed ? end - 2 * block : begin + block);
      scan_block(p, at, n, room, [&](T const* in, T* out, bool streaming) {
        scan_values<Reversed>(p.op, in, out, n, before, exclusive, streaming, starts + place / 64, p.initial, ahead);
      });
    } else {
      if constexpr (Parts::packs && Parts::reads_values)
        if (n == block && end - begin >= block) {
          T const* const ahead = p.values() + (Reversed ? end - block : begin);
          scan_block(p, at, n, room, [&](T const* in, T* out, bool streaming) {
            T const sum = scan_and_reduce_packs<Reversed>(p.op, in, out, n, before, exclusive, streaming, ahead);
            total = maybe<T>{total.has ? applied<Reversed>(p.op, total.value, sum) : sum};
          });
          (Reversed ? end : begin) += Reversed ? -block : block;
          continue;
        }
      if (begin < end) reduce_block<Reversed>(p, begin, end, room, total);
      scan_block(p, at, n, room, [&](T const* in, T* out, bool streaming) {
        scan_values<Reversed>(p.op, in, out, n, before, exclusive, streaming);
      });
    }
  }
  while (begin < end) reduce_block<Reversed>(p, begin, end, room, total);
}

}  // namespace lookback::cpu::inline LOOKBACK_UNIT::LOOKBACK_SIMD
#endif
