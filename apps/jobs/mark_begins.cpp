#include "mark_begins.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>

namespace lookback::app {

namespace {

void set(std::span<std::uint8_t> bits, index_t i) {
  auto& byte = bits[static_cast<std::size_t>(i / 8)];
  byte = static_cast<std::uint8_t>(byte | 1 << i % 8);
}

template <class Key>
void mark_keys(segments const& by, index_t begin, index_t items, std::span<std::uint8_t> bits) {
  auto const* const key = static_cast<Key const*>(by.data) + begin;
  auto const begins = [&](index_t i) { return begin + i == 0 || !(key[i - 1] == key[i]); };
  tbb::parallel_for(tbb::blocked_range<index_t>(0, (items + 7) / 8, 1 << 13), [&](tbb::blocked_range<index_t> const& bytes) {
    for (index_t b = bytes.begin(); b < bytes.end(); ++b) {
      index_t const first = 8 * b, last = std::min(first + 8, items);
      unsigned byte = 0;
      for (index_t i = first; i < last; ++i) byte |= static_cast<unsigned>(begins(i)) << (i - first);
      bits[static_cast<std::size_t>(b)] = static_cast<std::uint8_t>(byte);
    }
  });
}

template <class Offset>
void mark_offsets(segments const& by, index_t begin, index_t items, std::span<std::uint8_t> bits) {
  std::ranges::fill(bits, std::uint8_t{0});
  std::span const offsets(static_cast<Offset const*>(by.data), static_cast<std::size_t>(by.count));
  auto const end = std::ranges::lower_bound(offsets, begin + items, {}, [](Offset o) { return static_cast<index_t>(o); });
  auto at = std::ranges::lower_bound(offsets, begin, {}, [](Offset o) { return static_cast<index_t>(o); });
  for (; at != end; ++at) set(bits, static_cast<index_t>(*at) - begin);
}

void mark_rows(segments const& by, index_t begin, index_t items, std::span<std::uint8_t> bits) {
  std::ranges::fill(bits, std::uint8_t{0});
  index_t const inside = begin % by.count;
  for (index_t i = inside == 0 ? 0 : by.count - inside; i < items; i += by.count) set(bits, i);
}

}  // namespace

void mark_begins(segments const& by, index_t begin, index_t items, std::span<std::uint8_t> bits) {
  expects(bits.size() == static_cast<std::size_t>((items + 7) / 8), "a bit for each item");
  switch (by.kind) {
    case segment_kind::keys8:
      return mark_keys<std::uint8_t>(by, begin, items, bits);
    case segment_kind::keys16:
      return mark_keys<std::uint16_t>(by, begin, items, bits);
    case segment_kind::keys32:
      return mark_keys<std::uint32_t>(by, begin, items, bits);
    case segment_kind::keys64:
      return mark_keys<std::uint64_t>(by, begin, items, bits);
    case segment_kind::keys_f32:
      return mark_keys<float>(by, begin, items, bits);
    case segment_kind::keys_f64:
      return mark_keys<double>(by, begin, items, bits);
    case segment_kind::offsets32:
      return mark_offsets<std::int32_t>(by, begin, items, bits);
    case segment_kind::offsets64:
      return mark_offsets<std::int64_t>(by, begin, items, bits);
    case segment_kind::rows:
      return mark_rows(by, begin, items, bits);
    case segment_kind::flags8:
    case segment_kind::flags32:
    case segment_kind::bits:
      expects(false, "flags and bits are brought as they are");
  }
}

}  // namespace lookback::app
