// An array where the scan runs, with sentinels on both sides and a start that need not be aligned.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <harness.hpp>
#include <type_traits>
#include <vector>

namespace harness {

/// n elements of T in memory of the back end, beginning `misaligned` elements past a multiple of 256 bytes. Contiguous and sized,
/// so that it is passed to the library as it is; only the back end may touch the elements.
template <class T>
class array {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit array(std::size_t n, std::size_t misaligned = 0)
      : n_(n), front_(guard + misaligned * sizeof(T)), memory_(front_ + n * sizeof(T) + guard) {
    std::vector<std::byte> const sentinels(front_ + n * sizeof(T) + guard, sentinel);
    memory_.write(0, sentinels.data(), sentinels.size());
  }
  array(std::vector<T> const& values, std::size_t misaligned = 0) : array(values.size(), misaligned) {
    memory_.write(front_, values.data(), values.size() * sizeof(T));
  }

  array(array&&) = default;

  T const* begin() const { return reinterpret_cast<T const*>(memory_.data() + front_); }
  T const* end() const { return begin() + n_; }
  T* begin() { return reinterpret_cast<T*>(memory_.data() + front_); }
  T* end() { return begin() + n_; }
  T* data() { return begin(); }
  T const* data() const { return begin(); }
  std::size_t size() const { return n_; }

  /// A copy of the elements that the test may read.
  std::vector<T> host() const {
    std::vector<unsigned char> bytes(n_ * sizeof(T));
    memory_.read(front_, bytes.data(), bytes.size());
    std::vector<T> values;
    values.resize(n_);
    if (n_ != 0) std::memcpy(static_cast<void*>(values.data()), bytes.data(), bytes.size());
    return values;
  }

  /// True while nobody has written outside the elements.
  bool intact() const {
    std::vector<std::byte> before(front_), behind(guard);
    memory_.read(0, before.data(), before.size());
    memory_.read(front_ + n_ * sizeof(T), behind.data(), behind.size());
    auto const is_sentinel = [](std::byte b) { return b == sentinel; };
    return std::all_of(before.begin(), before.end(), is_sentinel) && std::all_of(behind.begin(), behind.end(), is_sentinel);
  }

 private:
  static constexpr std::size_t guard = 256;
  static constexpr std::byte sentinel{0xA5};
  std::size_t n_, front_;
  memory memory_;
};

/// A flag is its byte: std::vector<bool> has no bytes.
using flag = std::uint8_t;

}  // namespace harness
