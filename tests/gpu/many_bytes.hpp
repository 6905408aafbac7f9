// More bytes than a 32-bit place can name, made, sorted and looked at on the device.
#pragma once
#include <algorithm>
#include <lookback/select_if.hpp>
#include <span>
#include <vector>

#include "harness.hpp"

namespace harness {

/// Byte i of the input: the same for 1024 neighbours.
struct block_byte {
  LOOKBACK_FN std::uint8_t operator()(index_t i) const { return static_cast<std::uint8_t>((i >> 10) * 37); }
};
struct byte_always {
  LOOKBACK_FN bool operator()(std::uint8_t) const { return true; }
};
struct place_again {
  LOOKBACK_FN index_t operator()(index_t i) const { return i; }
};
struct descends {
  std::uint8_t const* keys;
  LOOKBACK_FN bool operator()(index_t i) const { return i > 0 && keys[i - 1] > keys[i]; }
};
struct low_byte {
  LOOKBACK_FN std::uint8_t operator()(index_t i) const { return static_cast<std::uint8_t>(i); }
};

/// Sorts n bytes by sort(on, keys): none descends, and each begins where all smaller ones end.
template <class Sort>
void check_many_bytes(index_t n, Sort const& sort) {
  auto const on = lookback::gpu::on(stream()).with(shared_workspace());
  std::vector<index_t> number(256);
  for (index_t begin = 0; begin < n; begin += 1024) number[block_byte{}(begin)] += std::min<index_t>(1024, n - begin);
  auto const items = static_cast<std::size_t>(n);
  memory const key_memory(items), found_memory(items);
  std::span const keys(reinterpret_cast<std::uint8_t*>(key_memory.data()), items),
      found(reinterpret_cast<std::uint8_t*>(found_memory.data()), items);
  ASSERT_EQ(lookback::select_if(on, lookback::generate(n, block_byte{}), keys, byte_always{}), n);
  sort(on, keys);
  auto const every = lookback::generate(n, place_again{});
  EXPECT_EQ(lookback::select_if(on, every, lookback::into(found, low_byte{}), descends{keys.data()}), 0);
  std::size_t begin = 0;
  for (std::size_t value = 0; value < 256; ++value) {
    std::uint8_t first = 0, last = 0;
    key_memory.read(begin, &first, 1);
    begin += static_cast<std::size_t>(number[value]);
    key_memory.read(begin - 1, &last, 1);
    EXPECT_TRUE(first == value && last == value) << value;
  }
}

}  // namespace harness
