// The SIMD layer: one text of kernels (simd/text.hpp) compiled for AVX-512, AVX2 and any machine, chosen at run time.
//
//   targets/avx512.hpp, avx2.hpp, portable.hpp   the operations of a pack of lanes, each in a namespace of its own
//   simd/text.hpp                                    read once for each of them, inside a region of its instruction set
//
// A region, not an attribute on each function: so user functions inline into it and are vectorized for it, with no -march.
#pragma once
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "../../lanes.hpp"
#include "../../model/tile.hpp"
#include "../../operators.hpp"
#include "../../segments.hpp"
#include "../../sink.hpp"
#include "../../source.hpp"
#include "../run/tuning.hpp"
#include "../sinks/items.hpp"
#include "../sinks/reproducible_tree.hpp"
#include "unit.hpp"
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define LOOKBACK_INLINE [[gnu::always_inline]] inline

namespace lookback::cpu::inline LOOKBACK_UNIT {

/// What the compiler may take for granted (-march): programs for such machines alone have no kernels below it, and are compiled in
/// a fraction of the time.
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
inline constexpr simd_level least_level = simd_level::avx512;
#elif defined(__AVX2__) && defined(__BMI2__)
inline constexpr simd_level least_level = simd_level::avx2;
#else
inline constexpr simd_level least_level = simd_level::portable;
#endif

/// The best level of this machine that `most` allows.
inline simd_level usable(simd_level most) {
#if defined(__x86_64__)
  static simd_level const best = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                                         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")
                                     ? simd_level::avx512
                                 : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") ? simd_level::avx2
                                                                                                    : simd_level::portable;
#else
  static constexpr simd_level best = simd_level::portable;
#endif
  return most == simd_level::automatic || most > best ? best : most;
}

/// What a spinning thread says to its core.
inline void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

/// Orders streaming stores before every later store of this thread.
inline void streaming_fence() {
#if defined(__x86_64__)
  _mm_sfence();
#endif
}

/// Stores a line of 64 bytes past the caches; `to` begins one.
inline void stream_line(void* to, void const* from) {
#if defined(__x86_64__)
  auto* const pieces = static_cast<__m128i*>(to);
  auto const* const read = static_cast<__m128i const*>(from);
  for (int k = 0; k < 4; ++k) _mm_stream_si128(pieces + k, _mm_load_si128(read + k));
#else
  std::memcpy(to, from, 64);
#endif
}

namespace detail {

template <class T, class... Ts>
inline constexpr bool is_one_of = (std::is_same_v<T, Ts> || ...);
template <class T>
inline constexpr bool is_lane = is_one_of<T, char, signed char, unsigned char, short, unsigned short, int, unsigned, long,
                                          unsigned long, long long, unsigned long long, float, double>;

// The value that changes no other: for float sums -0, so that the sign of a zero survives.
template <class Op, class T>
inline constexpr T lane_identity = Op::identity();
template <class T>
requires std::is_floating_point_v<T>
inline constexpr T lane_identity<plus<T>, T> = T(-0.0);

}  // namespace detail

/// Operators that the packs know how to apply to all lanes at once.
template <class Op, class T>
inline constexpr bool is_vectorized =
    detail::is_lane<T>&& detail::is_one_of<Op, plus<T>, multiplies<T>, minimum<T>, maximum<T>, struct no_such_operator>;
template <std::integral T>
inline constexpr bool is_vectorized<bit_and<T>, T> = detail::is_lane<T>;
template <std::integral T>
inline constexpr bool is_vectorized<bit_or<T>, T> = detail::is_lane<T>;
template <std::integral T>
inline constexpr bool is_vectorized<bit_xor<T>, T> = detail::is_lane<T>;

}  // namespace lookback::cpu::inline LOOKBACK_UNIT

#if defined(__x86_64__)

#define LOOKBACK_SIMD avx512
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,bmi,bmi2,lzcnt,popcnt"))), \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,bmi,bmi2,lzcnt,popcnt")
#endif
#include "targets/avx512.hpp"
#include "text.hpp"
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#undef LOOKBACK_SIMD

#define LOOKBACK_SIMD avx2
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2,lzcnt,popcnt")
#endif
#include "targets/avx2.hpp"
#include "text.hpp"
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#undef LOOKBACK_SIMD

#endif

#define LOOKBACK_SIMD portable
#include "targets/portable.hpp"
#include "text.hpp"
#undef LOOKBACK_SIMD

namespace lookback::cpu::inline LOOKBACK_UNIT {

/// f(entry) of the chosen level: its static functions are the kernels compiled for that instruction set.
template <class F>
decltype(auto) at_level(simd_level level, F f) {
#if defined(__x86_64__)
  if constexpr (least_level == simd_level::avx512) return f(avx512::entry{});
  else if (level == simd_level::avx512) return f(avx512::entry{});
  else if constexpr (least_level == simd_level::avx2) return f(avx2::entry{});
  else if (level == simd_level::avx2) return f(avx2::entry{});
  else return f(portable::entry{});
#else
  return f(portable::entry{});
#endif
}

/// The same for kernels that are no faster in wide packs, AVX2 at most.
template <class F>
decltype(auto) at_narrow_level(simd_level level, F f) {
#if defined(__x86_64__)
  if constexpr (least_level >= simd_level::avx2) return f(avx2::entry{});
  else if (level >= simd_level::avx2) return f(avx2::entry{});
  else return f(portable::entry{});
#else
  return f(portable::entry{});
#endif
}

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
