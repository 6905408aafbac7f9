// Is this a build for a sanitizer? Everything is many times slower then, to build and to run: the same tests, fewer types and
// cases.
#pragma once

namespace harness {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace harness
