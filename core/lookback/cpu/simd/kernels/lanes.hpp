// Operators on packs, and the prefix within one pack. Read by simd/text.hpp only.
#ifdef LOOKBACK_SIMD
namespace lookback::cpu::inline LOOKBACK_UNIT::LOOKBACK_SIMD {

// Lambdas of the inner loops are always inlined: at -O2 g++ calls what stands in two places, or is large, and then all that it
// captures lies in memory, packs included.

/// f(0), f(1) ... f(N - 1), each with a constant: a loop that is unrolled at every optimization level, so that what it indexes
/// stays in registers.
template <class F, int... K>
LOOKBACK_INLINE void unrolled([[maybe_unused]] F f, std::integer_sequence<int, K...>) {
  (f(std::integral_constant<int, K>{}), ...);
}
template <int N, class F>
LOOKBACK_INLINE void unrolled(F f) {
  unrolled(f, std::make_integer_sequence<int, N>{});
}

// Integers are added and multiplied unsigned: they wrap.
template <class T>
struct wrapping {
  using lane = typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>, std::type_identity<T>>::type;
  typedef lane native __attribute__((vector_size(pack_bytes)));
};
template <class T>
using wrapping_native = typename wrapping<T>::native;

template <class T>
LOOKBACK_INLINE pack<T> combine(plus<T> const&, pack<T> a, pack<T> b) {
  return {reinterpret_cast<typename pack<T>::native>(reinterpret_cast<wrapping_native<T>>(a.v) +
                                                     reinterpret_cast<wrapping_native<T>>(b.v))};
}
template <class T>
LOOKBACK_INLINE pack<T> combine(multiplies<T> const&, pack<T> a, pack<T> b) {
  return {reinterpret_cast<typename pack<T>::native>(reinterpret_cast<wrapping_native<T>>(a.v) *
                                                     reinterpret_cast<wrapping_native<T>>(b.v))};
}
template <class T>
LOOKBACK_INLINE pack<T> combine(minimum<T> const&, pack<T> a, pack<T> b) {
  if constexpr (std::is_integral_v<T>) return {a.v < b.v ? a.v : b.v};
  else return smaller(a, b);
}
template <class T>
LOOKBACK_INLINE pack<T> combine(maximum<T> const&, pack<T> a, pack<T> b) {
  if constexpr (std::is_integral_v<T>) return {b.v < a.v ? a.v : b.v};
  else return larger(a, b);
}
template <class T>
LOOKBACK_INLINE pack<T> combine(bit_and<T> const&, pack<T> a, pack<T> b) {
  return {a.v & b.v};
}
template <class T>
LOOKBACK_INLINE pack<T> combine(bit_or<T> const&, pack<T> a, pack<T> b) {
  return {a.v | b.v};
}
template <class T>
LOOKBACK_INLINE pack<T> combine(bit_xor<T> const&, pack<T> a, pack<T> b) {
  return {a.v ^ b.v};
}

/// The same, where nothing waits for the result: away from the units that the scan keeps busy, if there are others.
template <class Op, class T>
LOOKBACK_INLINE pack<T> combine_aside(Op const& op, pack<T> a, pack<T> b) {
  if constexpr (std::is_same_v<Op, plus<T>> && std::is_floating_point_v<T>) return added_aside(a, b);
  else return combine(op, a, b);
}

// `earlier` and `later` in the order of the scan; operands stay in the order of memory.
template <bool Reversed, class Op, class T>
LOOKBACK_INLINE pack<T> in_order(Op const& op, pack<T> earlier, pack<T> later) {
  if constexpr (Reversed) return combine(op, later, earlier);
  else return combine(op, earlier, later);
}
template <int D, bool Reversed, class T>
LOOKBACK_INLINE pack<T> shift(pack<T> a, pack<T> fill) {
  if constexpr (Reversed) return shift_down<D>(a, fill);
  else return shift_up<D>(a, fill);
}
template <bool Reversed, class T>
LOOKBACK_INLINE pack<T> broadcast_newest(pack<T> a) {
  if constexpr (Reversed) return broadcast_first(a);
  else return broadcast_last(a);
}

/// The inclusive scan of the lanes of one pack, in log2(lanes) steps (Hillis & Steele 1986).
template <bool Reversed, int D = 1, class Op, class T>
LOOKBACK_INLINE pack<T> prefix(Op const& op, pack<T> a, pack<T> identity) {
  if constexpr (D >= pack<T>::lanes) return a;
  else return prefix<Reversed, D * 2>(op, in_order<Reversed>(op, shift<D, Reversed>(a, identity), a), identity);
}

/// Windows that slide over a run of packs: each lane becomes the combination of the pack's worth of values that ends with it, in
/// log2(lanes) steps. What a step shifts in is what it shifted out of the pack before.
template <bool Reversed, class Op, class T>
struct sliding_windows {
  Op const& op;
  static constexpr int steps = std::bit_width(static_cast<unsigned>(pack<T>::lanes)) - 1;
  pack<T> last[static_cast<std::size_t>(steps)];

  LOOKBACK_INLINE sliding_windows(Op const& o, pack<T> identity) : op{o} {
    unrolled<steps>([&](auto k) { last[k] = identity; });  // not a loop, which would leave them in memory
  }
  /// `shifted` is `a` with the value before it in front: the first step, which memory may have done.
  LOOKBACK_INLINE pack<T> next(pack<T> a, pack<T> shifted) { return step<1>(in_order<Reversed>(op, shifted, a)); }
  LOOKBACK_INLINE pack<T> next(pack<T> a) { return step<0>(a); }

 private:
  template <int Step>
  LOOKBACK_INLINE pack<T> step(pack<T> a) {
    if constexpr (Step == steps) return a;
    else {
      pack<T> const wider = in_order<Reversed>(op, shift<1 << Step, Reversed>(a, last[Step]), a);
      last[Step] = a;
      return step<Step + 1>(wider);
    }
  }
};

template <class T>
inline constexpr std::uint64_t all_lanes = ~std::uint64_t{0} >> (64 - pack<T>::lanes);

/// The same, begun anew at every lane whose bit is set in `starts`.
template <bool Reversed, int D = 1, class Op, class T>
LOOKBACK_INLINE pack<T> segmented_prefix(Op const& op, pack<T> a, std::uint64_t starts, pack<T> identity) {
  if constexpr (D >= pack<T>::lanes) return a;
  else {
    pack<T> const sum = in_order<Reversed>(op, shift<D, Reversed>(a, identity), a);
    return segmented_prefix<Reversed, D * 2>(op, select(starts & all_lanes<T>, sum, a),
                                             Reversed ? starts | starts >> D : starts | starts << D, identity);
  }
}

/// The lanes scanned before the first that starts a segment; all where none does.
template <bool Reversed, class T>
LOOKBACK_INLINE std::uint64_t before_first_start(std::uint64_t starts) {
  if (starts == 0) return all_lanes<T>;
  if constexpr (Reversed) return all_lanes<T> & ~(~std::uint64_t{0} >> __builtin_clzll(starts));
  else return (starts - 1) & ~starts;
}

template <class T>
LOOKBACK_INLINE pack<T> load_some(T const* from, index_t n, pack<T> others) {
  alignas(pack_bytes) T lanes[pack<T>::lanes];
  store(lanes, others);
  std::memcpy(lanes, from, static_cast<std::size_t>(n) * sizeof(T));
  return load(lanes);
}
template <class T>
LOOKBACK_INLINE void store_some(T* to, index_t n, pack<T> a) {
  alignas(pack_bytes) T lanes[pack<T>::lanes];
  store(lanes, a);
  std::memcpy(to, lanes, static_cast<std::size_t>(n) * sizeof(T));
}

}  // namespace lookback::cpu::inline LOOKBACK_UNIT::LOOKBACK_SIMD
#endif
