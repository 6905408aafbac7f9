// Items that are one number by a row of K others, which lies elsewhere (spmm): a row is as few vectors as hold K lanes. Read by
// simd/text.hpp only.
#ifdef LOOKBACK_SIMD
namespace lookback::cpu::inline LOOKBACK_UNIT::LOOKBACK_SIMD {

/// Lanes of so many bytes; of one lane, the number itself. Every size is written out for the front end of nvcc.
template <class T, int Bytes, bool Alone = Bytes == sizeof(T)>
struct some_lanes {
  using type = T;
};
template <class T>
struct some_lanes<T, 8, false> {
  typedef T type __attribute__((vector_size(8)));
};
template <class T>
struct some_lanes<T, 16, false> {
  typedef T type __attribute__((vector_size(16)));
};
template <class T>
struct some_lanes<T, 32, false> {
  typedef T type __attribute__((vector_size(32)));
};
template <class T>
struct some_lanes<T, 64, false> {
  typedef T type __attribute__((vector_size(64)));
};

/// K lanes: as many as fit into a vector, and the rest.
template <class T, int K>
struct lane_row {
  static constexpr int size = static_cast<int>(sizeof(T)), most = pack_bytes / size;
  static constexpr int count = static_cast<int>(std::bit_floor(static_cast<unsigned>(K < most ? K : most)));
  using native = typename some_lanes<T, count * size>::type;
  using wrapping_native = typename some_lanes<typename wrapping<T>::lane, count * size>::type;
  native first;
  lane_row<T, K - count> rest;
};
template <class T>
struct lane_row<T, 0> {};

template <int K, class T>
LOOKBACK_INLINE lane_row<T, K> load_row(T const* from) {
  lane_row<T, K> row;
  if constexpr (K > 0) {
    std::memcpy(&row.first, from, sizeof row.first);
    row.rest = load_row<K - lane_row<T, K>::count>(from + lane_row<T, K>::count);
  }
  return row;
}
template <int K, class T>
LOOKBACK_INLINE void store_row(T* to, lane_row<T, K> const& row) {
  if constexpr (K > 0) {
    std::memcpy(to, &row.first, sizeof row.first);
    store_row(to + lane_row<T, K>::count, row.rest);
  }
}

template <class V, class T, int... K>
LOOKBACK_INLINE V every_lane(T x, std::integer_sequence<int, K...>) {
  return V{((void)K, x)...};
}
template <int K, class T>
LOOKBACK_INLINE lane_row<T, K> broadcast_row(T x) {
  lane_row<T, K> row;
  if constexpr (K > 0) {
    using V = typename lane_row<T, K>::native;
    row.first = every_lane<V>(x, std::make_integer_sequence<int, lane_row<T, K>::count>{});
    row.rest = broadcast_row<K - lane_row<T, K>::count>(x);
  }
  return row;
}

// The operators of is_vectorized on vectors of any size; W: integers unsigned.
template <class W, class T, class V>
LOOKBACK_INLINE V combine_some(plus<T> const&, V a, V b) {
  return reinterpret_cast<V>(reinterpret_cast<W>(a) + reinterpret_cast<W>(b));
}
template <class W, class T, class V>
LOOKBACK_INLINE V combine_some(multiplies<T> const&, V a, V b) {
  return reinterpret_cast<V>(reinterpret_cast<W>(a) * reinterpret_cast<W>(b));
}
template <class W, class T, class V>
LOOKBACK_INLINE V combine_some(minimum<T> const&, V a, V b) {
  if constexpr (std::is_integral_v<T>) return a < b ? a : b;
  else return ((a < b) | (a != a)) ? a : b;
}
template <class W, class T, class V>
LOOKBACK_INLINE V combine_some(maximum<T> const&, V a, V b) {
  if constexpr (std::is_integral_v<T>) return b < a ? a : b;
  else return ((b < a) | (a != a)) ? a : b;
}
template <class W, class T, class V>
LOOKBACK_INLINE V combine_some(bit_and<T> const&, V a, V b) {
  return a & b;
}
template <class W, class T, class V>
LOOKBACK_INLINE V combine_some(bit_or<T> const&, V a, V b) {
  return a | b;
}
template <class W, class T, class V>
LOOKBACK_INLINE V combine_some(bit_xor<T> const&, V a, V b) {
  return a ^ b;
}
template <class Op, class T, int K>
LOOKBACK_INLINE lane_row<T, K> combine_rows(Op const& op, lane_row<T, K> const& a, lane_row<T, K> const& b) {
  lane_row<T, K> row;
  if constexpr (K > 0) {
    if constexpr (lane_row<T, K>::count == 1) row.first = op(a.first, b.first);
    else row.first = combine_some<typename lane_row<T, K>::wrapping_native>(op, a.first, b.first);
    row.rest = combine_rows(op, a.rest, b.rest);
  }
  return row;
}

/// Items whose value is an operator's of a number of the first array, which may be of another type, and each lane of what is found
/// where they say.
template <class Parts, class Value>
inline constexpr bool joins_rows = false;
template <class Parts, class T, int K>
requires(joins_found<decltype(Parts::items)> && sizeof(T) >= 4) inline constexpr bool joins_rows<Parts, lanes<T, K>> = [] {
  using items = decltype(Parts::items);
  using number = std::remove_cvref_t<decltype(*Parts::arrays.data)>;
  using joining = std::remove_cvref_t<decltype(std::declval<items const&>().joining_operator())>;
  using adding = std::remove_const_t<decltype(Parts::op)>;
  if constexpr (!requires { &items::found_at; }) return false;
  else
    return std::is_same_v<typename items::looked_up, lanes<T, K>> && std::is_arithmetic_v<number> &&
           std::is_same_v<joining, one_by_lanes<lane_operator_t<joining>, T, K>> && is_vectorized<lane_operator_t<joining>, T> &&
           std::is_same_v<adding, lanes_of<lane_operator_t<adding>, K>> && is_vectorized<lane_operator_t<adding>, T>;
}();

/// The reduction of items [begin, end), some of them, of those before `last`: in several chains where operands may be swapped and
/// vectors are few, so that none waits for another. How many does not depend on the level. What is found elsewhere is asked for so
/// many items before it is needed, if AsksAhead: what two columns read lies closer together, and they have less to do meanwhile
/// (docs/lab/cpu.md, 31).
template <class Row, bool AsksAhead = (Row::count > 2), class Parts>
LOOKBACK_INLINE auto reduce_products(Parts const& p, index_t begin, index_t end, index_t last) {
  using T = typename Row::value_type;
  constexpr int K = Row::count;
  constexpr index_t distance = 64;
  auto const op = p.op.op;
  auto const items = p.items;
  auto const from = p.arrays;
  auto const made = [&](index_t i, [[maybe_unused]] index_t ahead) __attribute__((always_inline)) {
    if constexpr (AsksAhead) {
      auto const* const later = reinterpret_cast<char const*>(found_at(items, from, i + ahead));
      unrolled<(sizeof(Row) + 63) / 64>([&](auto line) __attribute__((always_inline)) { __builtin_prefetch(later + 64 * line); });
    }
    return combine_rows(items.joining_operator().op, broadcast_row<K>(static_cast<T>(from.data[i])),
                        load_row<K>(found_at(items, from, i)->lane));
  };
  index_t const ahead = end + distance <= last ? distance : 0;
  constexpr int chains = !is_commutative<std::remove_cv_t<decltype(op)>> || sizeof(Row) > 64 ? 1 : sizeof(Row) > 32 ? 2 : 4;
  ask_for_items(from, begin);
  auto sum = made(begin, ahead);
  index_t i = begin + 1;
  if (end - begin >= 8) {
    lane_row<T, K> chain[static_cast<std::size_t>(chains)];
    chain[0] = sum, i = begin;
    auto const add = [&](auto k, index_t further) __attribute__((always_inline)) {
      chain[k % chains] = combine_rows(op, chain[k % chains], made(i + k, further));
    };
    unrolled<chains - 1>([&](auto k) __attribute__((always_inline)) { chain[k + 1] = made(i + k + 1, ahead); });
    unrolled<8 - chains>([&](auto k) __attribute__((always_inline)) { add(std::integral_constant<int, k + chains>{}, ahead); });
    for (i += 8; i + 8 <= end; i += 8) {
      index_t const further = i + 8 + distance <= last ? distance : 0;
      ask_for_items(from, i);
      unrolled<8>([&](auto k) __attribute__((always_inline)) { add(k, further); });
    }
    ask_for_items(from, i);
    sum = chain[0];
    unrolled<chains - 1>([&](auto k) __attribute__((always_inline)) { sum = combine_rows(op, sum, chain[k + 1]); });
  }
  for (; i < end; ++i) sum = combine_rows(op, sum, made(i, ahead));
  return sum;
}

}  // namespace lookback::cpu::inline LOOKBACK_UNIT::LOOKBACK_SIMD
#endif
