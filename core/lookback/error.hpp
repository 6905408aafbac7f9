// What a call throws. The library never prints and never exits.
#pragma once
#include <cstddef>
#include <stdexcept>
#include <string>

namespace lookback {

/// Base of everything that the library throws on its own account; exceptions of an operator pass through unchanged.
struct error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A precondition does not hold. Thrown before any work is queued: every argument is untouched.
struct invalid_argument : error {
  using error::error;
};

/// Scratch or device memory could not be had. Every argument is untouched.
struct out_of_memory : error {
  using error::error;
};

/// The device refused or failed; after an asynchronous failure thrown by the next call that waits.
struct device_error : error {
  using error::error;
};

/// A file could not be read or written. Thrown by the program's readers and writers only.
struct io_error : error {
  using error::error;
};

/// Throws invalid_argument unless `holds`. `what` is the precondition, said as a sentence.
inline void expects(bool holds, char const* what) {
  if (!holds) throw invalid_argument(std::string("lookback: expected: ") + what);
}

/// The same of a size that is to be at least `least`, in elements: throws invalid_argument that says both numbers.
inline void expects_size(std::ptrdiff_t found, std::ptrdiff_t least, char const* what) {
  if (found >= least) return;
  std::string const numbers = ": at least " + std::to_string(least) + ", found " + std::to_string(found);
  expects(false, (what + numbers).c_str());
}
/// The same of a size that is to be `count`, neither more nor fewer elements.
inline void expects_count(std::ptrdiff_t found, std::ptrdiff_t count, char const* what) {
  if (found == count) return;
  std::string const numbers = ": " + std::to_string(count) + ", found " + std::to_string(found);
  expects(false, (what + numbers).c_str());
}

}  // namespace lookback
