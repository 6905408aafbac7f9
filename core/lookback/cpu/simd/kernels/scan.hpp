// Reduce and scan a run of values: in packs where the operator is built in, one by one where it is the user's.
// Read by simd/text.hpp only.
#ifdef LOOKBACK_SIMD
namespace lookback::cpu::inline LOOKBACK_UNIT::LOOKBACK_SIMD {

/// What came before a block, and what a scan of it in packs starts from.
///
/// Sums of floats are scanned from nothing and `base`, what came before the block, is added to each result: a chain of all packs of
/// a tile, begun at a large prefix, would round once a pack at the size of the prefix (30 eps at 2^20 positive floats instead of
/// 5).
template <bool Reversed, class Op, class T>
struct block_start {
  static constexpr bool from_nothing = std::is_same_v<Op, plus<T>> && std::is_floating_point_v<T>;
  Op const& op;
  pack<T> identity, base, carry;

  LOOKBACK_INLINE block_start(Op const& o, maybe<T> const& before)
      : op{o},
        identity{broadcast<T>(detail::lane_identity<Op, T>)},
        base{before.has ? broadcast<T>(before.value) : identity},
        carry{from_nothing ? identity : base} {}

  LOOKBACK_INLINE pack<T> on_base(pack<T> x) const {
    if constexpr (from_nothing && Reversed) return combine_aside(op, x, base);
    else if constexpr (from_nothing) return combine_aside(op, base, x);
    else return x;
  }
};

/// A plain scan in packs: a lane is the same lane of the pack before and the window of values between. So the loop depends on
/// `carry` alone, by one operation a pack, and nothing is broadcast.
template <bool Reversed, class Op, class T>
struct running : block_start<Reversed, Op, T> {
  using start = block_start<Reversed, Op, T>;
  using start::carry, start::op;
  sliding_windows<Reversed, Op, T> windows;
  pack<T> inclusive;  // of the pack before
  bool exclusive;

  LOOKBACK_INLINE running(Op const& o, maybe<T> const& before, bool e)
      : start{o, before}, windows{o, start::identity}, inclusive{start::on_base(carry)}, exclusive{e} {}

  /// What comes before the next pack.
  LOOKBACK_INLINE T before() const { return first(broadcast_newest<Reversed>(inclusive)); }

  /// `shifted`: x and the value before it, if memory has it so.
  template <class... Shifted>
  LOOKBACK_INLINE pack<T> next(pack<T> x, Shifted... shifted) {
    carry = in_order<Reversed>(op, carry, windows.next(x, shifted...));
    pack<T> const result = start::on_base(carry), earlier = inclusive;
    inclusive = result;
    return exclusive ? shift<1, Reversed>(result, earlier) : result;
  }
};

/// A segmented scan in packs: `carry` is the open segment, in every lane.
template <bool Reversed, class Op, class T>
struct running_segments : block_start<Reversed, Op, T> {
  using start = block_start<Reversed, Op, T>;
  using start::base, start::carry, start::identity, start::on_base, start::op;
  pack<T> initial;
  bool exclusive;

  LOOKBACK_INLINE running_segments(Op const& o, maybe<T> const& first, maybe<T> const& before, bool e)
      : start{o, before}, initial{first.has ? broadcast<T>(first.value) : identity}, exclusive{e} {}

  /// What comes before the next pack.
  LOOKBACK_INLINE pack<T> before() const { return on_base(carry); }

  LOOKBACK_INLINE pack<T> next(pack<T> x) {
    pack<T> const local = prefix<Reversed>(op, x, identity);
    pack<T> const inclusive = on_base(in_order<Reversed>(op, carry, local));
    pack<T> const result = exclusive ? shift<1, Reversed>(inclusive, before()) : inclusive;
    carry = in_order<Reversed>(op, carry, broadcast_newest<Reversed>(local));
    return result;
  }
  LOOKBACK_INLINE pack<T> next(pack<T> x, std::uint64_t starts) {
    x = select(starts, x, in_order<Reversed>(op, initial, x));
    pack<T> const local = segmented_prefix<Reversed>(op, x, starts, identity);
    pack<T> const inclusive = select(before_first_start<Reversed, T>(starts), local, on_base(in_order<Reversed>(op, carry, local)));
    pack<T> const result = exclusive ? select(starts, shift<1, Reversed>(inclusive, before()), initial) : inclusive;
    pack<T> const newest = broadcast_newest<Reversed>(local);
    std::uint64_t const anew = starts ? all_lanes<T> : 0;
    carry = select(anew, in_order<Reversed>(op, carry, newest), newest);
    if constexpr (start::from_nothing) base = select(anew, base, identity);
    return result;
  }
};

template <class T>
LOOKBACK_INLINE void put(T* to, pack<T> a, bool streaming) {
  if (streaming) stream(to, a);
  else store(to, a);
}

/// A reduction by a commutative operator in four accumulators, so that it waits for loads only. The order of accumulation is a
/// matter of positions alone: the same sum comes out here and fused into a scan.
template <bool Reversed, class Op, class T>
struct sums {
  static constexpr index_t lanes = pack<T>::lanes, group = 4 * lanes;
  Op const& op;
  pack<T> identity, of[4];

  LOOKBACK_INLINE explicit sums(Op const& o)
      : op{o}, identity{broadcast<T>(detail::lane_identity<Op, T>)}, of{identity, identity, identity, identity} {}
  /// The k-th pack, in memory order, of a group of four.
  LOOKBACK_INLINE void add(int k, T const* from) { of[k] = combine_aside(op, of[k], load(from)); }
  LOOKBACK_INLINE void add_group(T const* from) {
    unrolled<4>([&](auto k) { add(k, from + k * lanes); });
  }
  LOOKBACK_INLINE T total() const {
    pack<T> const all = combine(op, combine(op, of[0], of[1]), combine(op, of[2], of[3]));
    return first(broadcast_last(prefix<false>(op, all, identity)));
  }
};

/// The reduction of n > 0 values.
template <bool Reversed, class Op, class T>
T reduce_packs(Op const& op, T const* in, index_t n) {
  using running_sums = sums<Reversed, Op, T>;
  constexpr index_t lanes = running_sums::lanes, group = running_sums::group;
  running_sums sum{op};
  index_t const groups = n / group;
  for (index_t g = 0; g < groups; ++g) sum.add_group(in + (Reversed ? groups - 1 - g : g) * group);
  index_t i = groups * group;
  for (; i + lanes <= n; i += lanes) sum.add(0, in + i);
  if (i < n) sum.of[1] = combine(op, sum.of[1], load_some(in + i, n - i, sum.identity));
  return sum.total();
}

/// Asks for the cache line that this loop will read 6 KB on. Into the second level, where more requests may wait than in the
/// first; and no multiple of 4 KB, which the addresses of the two streams then share (docs/tuning_cpu.md).
template <bool Reversed, class T>
LOOKBACK_INLINE void ask_ahead(T const* at) {
  constexpr std::ptrdiff_t bytes = 6144;
  __builtin_prefetch(reinterpret_cast<char const*>(at) + (Reversed ? -bytes : bytes), 0, 2);
}

/// scan_packs of whole groups, and in the same loop the reduction of as many values at `ahead`: these come from memory, at an
/// even pace, while the scan works in the cache. `ahead` may be `in`.
template <bool Reversed, class Op, class T>
T scan_and_reduce_packs(Op const& op, T const* in, T* out, index_t n, maybe<T>& before, bool exclusive, bool streaming,
                        T const* ahead) {
  using running_sums = sums<Reversed, Op, T>;
  constexpr index_t lanes = running_sums::lanes, group = running_sums::group;
  running<Reversed, Op, T> run{op, before, exclusive};
  running_sums sum{op};
  index_t const groups = n / group, last = Reversed ? 0 : n - lanes;
  constexpr index_t forward = Reversed ? -1 : 1;
  // A load one value back saves a shuffle. It comes before the store that, in place, overwrites that value.
  pack<T> shifted = shift<1, Reversed>(load(in + (n - lanes - last)), run.identity);
  for (index_t g = 0; g < groups; ++g) {
    index_t const at = (Reversed ? groups - 1 - g : g) * group;
    unrolled<4>([&](auto k) {
      constexpr int place = Reversed ? 3 - k : +k;
      index_t const i = at + place * lanes;
      ask_ahead<Reversed>(ahead + i);
      sum.add(place, ahead + i);
      pack<T> const result = run.next(load(in + i), shifted);
      if (k < 3 || i != last) shifted = load(in + i + forward * (lanes - 1));
      put(out + i, result, streaming);
    });
  }
  before = maybe<T>{run.before()};
  return sum.total();
}

/// out[i] = before op in[0] op ... in[i], or without in[i]; `before` becomes what comes before in[n]. Streams only to whole
/// packs: `out` is then aligned to one. In place is fine.
template <bool Reversed, class Op, class T>
void scan_packs(Op const& op, T const* in, T* out, index_t n, maybe<T>& before, bool exclusive, bool streaming) {
  constexpr index_t lanes = pack<T>::lanes;
  running<Reversed, Op, T> run{op, before, exclusive};
  index_t const whole = n / lanes * lanes;
  auto const part = [&]() __attribute__((always_inline)) {
    if (whole < n) store_some(out + whole, n - whole, run.next(load_some(in + whole, n - whole, run.identity)));
  };
  auto const pack_at = [&](index_t i) __attribute__((always_inline)) { put(out + i, run.next(load(in + i)), streaming); };
  if constexpr (Reversed) {
    part();
    for (index_t i = whole - lanes; i >= 0; i -= lanes) pack_at(i);
  } else {
    for (index_t i = 0; i < whole; i += lanes) pack_at(i);
    part();
  }
  before = maybe<T>{run.before()};
}

/// The same with segments: bit i of `starts` begins one, in the order of the scan, before which `initial` is scanned. Asks for the
/// cache lines from `ahead` on, one a pack: what will be read next, wherever it lies.
template <bool Reversed, class Op, class T>
void scan_packs(Op const& op, T const* in, T* out, index_t n, maybe<T>& before, bool exclusive, bool streaming,
                std::uint64_t const* starts, maybe<T> const& initial, char const* ahead) {
  constexpr index_t lanes = pack<T>::lanes;
  running_segments<Reversed, Op, T> run{op, initial, before, exclusive};
  index_t const words = n / 64;
  auto const part = [&]() __attribute__((always_inline)) {  // fewer than 64 items: pack by pack
    index_t const packs = (n - words * 64 + lanes - 1) / lanes;
    for (index_t k = 0; k < packs; ++k) {
      index_t const at = (Reversed ? packs - 1 - k : k) * lanes, i = words * 64 + at;
      std::uint64_t const bits = starts[words] >> at & all_lanes<T>;
      index_t const some = n - i < lanes ? n - i : lanes;
      store_some(out + i, some, run.next(load_some(in + i, some, run.identity), bits));
    }
  };
  auto const packs_of_word = [&](index_t w, auto const& next) __attribute__((always_inline)) {
    for (index_t k = 0; k < 64; k += lanes) {
      index_t const at = Reversed ? 64 - lanes - k : k, i = w * 64 + at;
      __builtin_prefetch(ahead + i * static_cast<index_t>(sizeof(T)));
      put(out + i, next(load(in + i), at), streaming);
    }
  };
  // A word without a start, as most are in long segments, is a plain scan: in a loop of its own, which -O2 does not make of one.
  auto const word = [&](index_t w) __attribute__((always_inline)) {
    std::uint64_t const bits = starts[w];
    if (bits == 0) packs_of_word(w, [&](pack<T> x, index_t) { return run.next(x); });
    else packs_of_word(w, [&](pack<T> x, index_t at) { return run.next(x, bits >> at & all_lanes<T>); });
  };
  if constexpr (Reversed) {
    part();
    for (index_t w = words - 1; w >= 0; --w) word(w);
  } else {
    for (index_t w = 0; w < words; ++w) word(w);
    part();
  }
  before = maybe<T>{first(run.before())};
}

// ---- any operator: only on items and on results of adjacent ones, operands in the order of memory

template <bool Reversed, class Op, class T>
LOOKBACK_INLINE T applied(Op const& op, T const& earlier, T const& later) {
  if constexpr (Reversed) return static_cast<T>(op(later, earlier));
  else return static_cast<T>(op(earlier, later));
}

template <bool Reversed, bool Exclusive, class Op, class T>
void scan_one_by_one(Op const& op, T const* in, T* out, index_t n, maybe<T>& before) {
  index_t k = 0;
  if (!before.has && n > 0) {
    index_t const i = Reversed ? n - 1 : 0;
    T const x = in[i];
    out[i] = x, before = maybe<T>{x}, k = 1;
  }
  T run = before.value;
  for (; k < n; ++k) {
    index_t const i = Reversed ? n - 1 - k : k;
    T const inclusive = applied<Reversed>(op, run, in[i]);
    out[i] = Exclusive ? run : inclusive;
    run = inclusive;
  }
  before = maybe<T>{run};
}

template <bool Reversed, class Op, class T>
void scan_one_by_one(Op const& op, T const* in, T* out, index_t n, maybe<T>& before, bool exclusive, std::uint64_t const* starts,
                     maybe<T> const& initial) {
  maybe<T> run = before;  // not where `out` may lie: it would be stored and loaded for every item
  maybe<T> const anew = initial;
  for (index_t k = 0; k < n; ++k) {
    index_t const i = Reversed ? n - 1 - k : k;
    T const x = in[i];
    if (starts[i / 64] >> (i % 64) & 1) run = anew;
    T const inclusive = run.has ? applied<Reversed>(op, run.value, x) : x;
    out[i] = exclusive && run.has ? run.value : inclusive;
    run = maybe<T>{inclusive};
  }
  before = run;
}

// Arithmetic values under a user's operator: it is likely cheap, so that one chain of it waits for its latency. Eight runs of
// the block advance together; what comes before each is found from their reductions, as tiles do.
template <class T>
inline constexpr bool takes_runs = std::is_arithmetic_v<T>;
inline constexpr index_t runs = 8, least_for_runs = 256;

/// totals[r] of run r, in memory order; the block is `runs` runs of `length` items.
template <bool Reversed, class Op, class T>
LOOKBACK_INLINE void reduce_runs(Op const& op, T const* in, index_t length, T (&totals)[runs]) {
  unrolled<runs>([&](auto r) { totals[r] = in[r * length + (Reversed ? length - 1 : 0)]; });
  for (index_t k = 1; k < length; ++k) {
    index_t const i = Reversed ? length - 1 - k : k;
    unrolled<runs>([&](auto r) { totals[r] = applied<Reversed>(op, totals[r], in[r * length + i]); });
  }
}
/// Scans the first runs * length items; in place is fine.
template <bool Reversed, class Op, class T>
LOOKBACK_INLINE void scan_runs(Op const& op, T const* in, T* out, index_t length, maybe<T>& before, bool exclusive) {
  T run[runs], totals[runs];
  reduce_runs<Reversed>(op, in, length, totals);
  T sum = before.value;
  unrolled<runs>([&](auto k) {
    constexpr int r = Reversed ? runs - 1 - k : +k;
    run[r] = sum;
    sum = applied<Reversed>(op, sum, totals[r]);
  });
  for (index_t k = 0; k < length; ++k) {
    index_t const i = Reversed ? length - 1 - k : k;
    unrolled<runs>([&](auto r) {
      T const inclusive = applied<Reversed>(op, run[r], in[r * length + i]);
      out[r * length + i] = exclusive ? run[r] : inclusive;
      run[r] = inclusive;
    });
  }
  before = maybe<T>{sum};
}

/// The scan of n > 0 values.
template <bool Reversed, class Op, class T>
LOOKBACK_INLINE void scan_values(Op const& op, T const* in, T* out, index_t n, maybe<T>& before, bool exclusive, bool streaming) {
  if constexpr (is_vectorized<Op, T>) scan_packs<Reversed>(op, in, out, n, before, exclusive, streaming);
  else {
    auto const one_by_one = [&](index_t at, index_t items) {
      if (exclusive) scan_one_by_one<Reversed, true>(op, in + at, out + at, items, before);
      else scan_one_by_one<Reversed, false>(op, in + at, out + at, items, before);
    };
    if constexpr (takes_runs<T>)
      if (n >= least_for_runs && before.has) {
        index_t const length = n / runs, rest = n - length * runs;
        index_t const at = Reversed ? rest : 0;  // the rest is scanned last
        scan_runs<Reversed>(op, in + at, out + at, length, before, exclusive);
        if (rest > 0) one_by_one(Reversed ? 0 : n - rest, rest);
        return;
      }
    one_by_one(0, n);
  }
}
template <bool Reversed, class Op, class T>
LOOKBACK_INLINE void scan_values(Op const& op, T const* in, T* out, index_t n, maybe<T>& before, bool exclusive, bool streaming,
                                 std::uint64_t const* starts, maybe<T> const& initial, char const* ahead) {
  if constexpr (is_vectorized<Op, T>) scan_packs<Reversed>(op, in, out, n, before, exclusive, streaming, starts, initial, ahead);
  else scan_one_by_one<Reversed>(op, in, out, n, before, exclusive, starts, initial);
}

/// `total` becomes total op in[0] op ... op in[n-1], or the mirror image of it.
template <bool Reversed, class Op, class T>
LOOKBACK_INLINE void reduce_values(Op const& op, T const* in, index_t n, maybe<T>& total) {
  if (n <= 0) return;
  if constexpr (is_vectorized<Op, T>) {
    T const sum = reduce_packs<Reversed>(op, in, n);
    total = maybe<T>{total.has ? applied<Reversed>(op, total.value, sum) : sum};
  } else {
    index_t k = 0;
    if constexpr (takes_runs<T>)
      if (n >= least_for_runs) {
        T totals[runs];
        index_t const length = n / runs;
        reduce_runs<Reversed>(op, in + (Reversed ? n - length * runs : 0), length, totals);
        unrolled<runs>([&](auto r) {
          T const run = totals[Reversed ? runs - 1 - r : +r];
          total = maybe<T>{total.has ? applied<Reversed>(op, total.value, run) : run};
        });
        k = length * runs;
      }
    if (!total.has) total = maybe<T>{in[Reversed ? n - 1 : 0]}, k = 1;
    T sum = total.value;
    for (; k < n; ++k) sum = applied<Reversed>(op, sum, in[Reversed ? n - 1 - k : k]);
    total = maybe<T>{sum};
  }
}

}  // namespace lookback::cpu::inline LOOKBACK_UNIT::LOOKBACK_SIMD
#endif
