// Where workers keep what they hold of a tile: had for all of them before the first tile is claimed.
#pragma once
#include <cstddef>

#include "../../run/memory.hpp"
#include "../../simd/unit.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT::detail {

template <class Work>
class rooms {
 public:
  rooms(memory const& from, Work const& work, int count) : work_{work}, bytes_{from, work.room_bytes() * count} {}
  auto of(int number) const { return work_.room_at(bytes_.data() + work_.room_bytes() * number); }

 private:
  Work const& work_;
  scratch<std::byte> bytes_;
};

}  // namespace lookback::cpu::inline LOOKBACK_UNIT::detail
