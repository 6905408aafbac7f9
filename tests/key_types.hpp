// Every type of keys that the compiler and the toolkit have, those of 16 bits among them.
#pragma once
#include <gtest/gtest.h>

#include <cstdint>

#include "sort_oracle.hpp"
#if defined(__CUDACC__)
#include <cuda_bf16.h>
#include <cuda_fp16.h>
template <>
inline constexpr int oracle::exponent_of<__half> = 5;
template <>
inline constexpr int oracle::exponent_of<__nv_bfloat16> = 8;
#elif defined(__FLT16_MAX__)
namespace harness {
__extension__ using half_precision = _Float16;
}
template <>
inline constexpr int oracle::exponent_of<harness::half_precision> = 5;
#endif

namespace harness {

/// A type of keys by a name that has a std::type_info: the compiler's _Float16 has none.
template <class Key>
struct of {
  using key = Key;
};
template <class... More>
using key_types_and =
    ::testing::Types<of<bool>, of<std::uint8_t>, of<std::uint16_t>, of<std::uint32_t>, of<std::uint64_t>, of<std::int8_t>,
                     of<std::int16_t>, of<std::int32_t>, of<std::int64_t>, of<float>, of<double>, of<More>...>;
#if defined(__CUDACC__)
using all_key_types = key_types_and<__half, __nv_bfloat16>;
#elif defined(__FLT16_MAX__)
using all_key_types = key_types_and<half_precision>;
#else
using all_key_types = key_types_and<>;
#endif

}  // namespace harness
