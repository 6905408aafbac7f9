// Where scratch comes from: two functions, so that a caller may own it and a test may refuse it.
#pragma once
#include <cstddef>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "../../error.hpp"
#include "../../fn.hpp"
#include "../simd/unit.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

/// allocate gives 64-byte aligned memory or null; it may throw nothing.
struct memory {
  void* (*allocate)(std::size_t bytes, void* context);
  void (*release)(void* data, std::size_t bytes, void* context);
  void* context = nullptr;
};

inline constexpr memory heap{[](std::size_t bytes, void*) { return ::operator new (bytes, std::align_val_t{64}, std::nothrow); },
                             [](void* data, std::size_t, void*) { ::operator delete (data, std::align_val_t{64}); }};

/// `count` elements of uninitialized storage, given back on destruction. Throws out_of_memory.
template <class T>
class scratch {
 public:
  scratch() = default;
  scratch(memory const& from, index_t count) : from_{from}, bytes_{static_cast<std::size_t>(count) * sizeof(T)} {
    if (count <= 0) return;
    data_ = from.allocate(bytes_, from.context);
    if (!data_) throw out_of_memory("lookback: cannot allocate " + std::to_string(bytes_) + " bytes of scratch memory");
  }
  scratch(scratch&& other) noexcept : from_{other.from_}, bytes_{other.bytes_}, data_{std::exchange(other.data_, nullptr)} {}
  scratch& operator=(scratch&&) = delete;
  ~scratch() {
    if (data_) from_.release(data_, bytes_, from_.context);
  }
  T* data() const { return static_cast<T*>(data_); }

 private:
  memory from_{heap};
  std::size_t bytes_ = 0;
  void* data_ = nullptr;
};

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
