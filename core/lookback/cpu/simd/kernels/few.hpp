// How many of a few items come before each of them. Read by simd/text.hpp only.
#ifdef LOOKBACK_SIMD
namespace lookback::cpu::inline LOOKBACK_UNIT::LOOKBACK_SIMD {

/// places[i], for i < m, by a function that the compiler can do for many items at a time: each two are compared twice. x holds Most
/// items, those from m on any that may be compared.
template <int Most, class T, class Order, class Place>
[[gnu::noinline]] void count_before(T const* x, int m, Order const& order, Place* places) {
  constexpr auto room = static_cast<unsigned>(Most);
  T items[room];
  Place before[room] = {};
  for (int i = 0; i < Most; ++i) items[i] = x[i];
  for (int k = 0; k < m; ++k) {
    T const key = items[k];
#pragma GCC unroll 1  // a loop of 16 would be undone before the compiler makes vectors of it
    for (int i = 0; i < Most; ++i) {
      bool const earlier = order(items[i], key), later = order(key, items[i]);
      before[i] = static_cast<Place>(before[i] + static_cast<Place>(i > k ? !earlier : later));
    }
  }
  for (int i = 0; i < m; ++i) places[i] = before[i];
}

}  // namespace lookback::cpu::inline LOOKBACK_UNIT::LOOKBACK_SIMD
#endif
