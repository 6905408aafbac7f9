// Memory that is had before a call writes anything, for what asks for some in its midst.
#pragma once
#include <cstddef>

#include "../run/memory.hpp"
#include "../simd/unit.hpp"
#include "../sinks/columns.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

/// Gives out `size` bytes from `data` on, which begins a line: piece by piece, and anew when all pieces have come back. One thread
/// asks.
class reserved_memory {
 public:
  reserved_memory(std::byte* data, index_t size) : data_{data}, size_{size} {}
  reserved_memory(reserved_memory const&) = delete;
  memory pieces() {
    return {[](std::size_t bytes, void* context) { return static_cast<reserved_memory*>(context)->take(bytes); },
            [](void*, std::size_t, void* context) { static_cast<reserved_memory*>(context)->give_back(); }, this, true};
  }

 private:
  void* take(std::size_t bytes) {
    index_t const here = used_, wanted = whole_lines(static_cast<index_t>(bytes));
    if (wanted > size_ - here) return nullptr;
    used_ += wanted, ++lent_;
    return data_ + here;
  }
  void give_back() {
    if (--lent_ == 0) used_ = 0;
  }

  std::byte* data_;
  index_t size_, used_ = 0, lent_ = 0;
};

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
