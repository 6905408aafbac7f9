// Is this a build for a sanitizer? Everything is many times slower then, to build and to run: the same tests, fewer types and
// cases.
#pragma once

namespace harness {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif
/// How many times slower a test runs under the tool, at most.
#if defined(__SANITIZE_THREAD__)
inline constexpr int slowdown = 12;
#elif defined(__SANITIZE_ADDRESS__)
inline constexpr int slowdown = 4;
#else
inline constexpr int slowdown = 1;
#endif

}  // namespace harness
