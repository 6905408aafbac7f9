// Columns beside an output on the CPU: what is stored of the marked or kept items of a tile is gathered in a worker's own memory
// before the tile publishes, one column behind the other, and copied out when its place is known. So an output may lie on the
// input.
#pragma once
#include <algorithm>
#include <cstring>

#include "../../model/overlap.hpp"
#include "../../model/tile.hpp"
#include "../../sink.hpp"
#include "../simd/simd.hpp"
#include "../simd/unit.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

constexpr index_t whole_lines(index_t bytes) { return (bytes + 63) / 64 * 64; }

/// Bytes of the area of a column for `items` items: a pack more, since compression stores whole packs.
template <class Column>
index_t area_bytes(index_t items) {
  return whole_lines(items * static_cast<index_t>(sizeof(typename Column::value_type))) + 64;
}
inline index_t column_bytes(columns<> const&, index_t) { return 0; }
template <class Column, class... Rest>
index_t column_bytes(columns<Column, Rest...> const& all, index_t items) {
  return area_bytes<Column>(items) + column_bytes(all.rest, items);
}

/// Bytes of the widest element.
template <class Columns>
inline constexpr index_t widest_column = 0;
template <class Column, class... Rest>
inline constexpr index_t widest_column<columns<Column, Rest...>> = std::max<index_t>(sizeof(typename Column::value_type),
                                                                                     widest_column<columns<Rest...>>);

/// Gathers the items of tile t that room.words mark, or that the classes of `parts` keep, to areas for `items` items each, of which
/// `found` are taken.
template <class Simd, class Parts, class Room>
void gather_columns(Simd, Parts const&, columns<> const&, tile const&, Room const&, std::byte*, index_t, index_t = 0) {}
template <class Simd, class Parts, class Room, class Column, class... Rest>
void gather_columns(Simd simd, Parts const& parts, columns<Column, Rest...> const& all, tile const& t, Room const& room,
                    std::byte* to, index_t items, index_t found = 0) {
  simd.gather_column(parts, all.first.payload, t, room, reinterpret_cast<typename Column::value_type*>(to) + found);
  gather_columns(simd, parts, all.rest, t, room, to + area_bytes<Column>(items), items, found);
}

template <class T>
void copy_out(T* to, T const* from, index_t count, simd_level level, bool streaming) {
  if (count == 0) return;
  index_t const bytes = count * static_cast<index_t>(sizeof(T));
  if (streaming) at_level(level, [&](auto simd) { simd.stream_bytes(to, from, bytes); });
  else std::memcpy(static_cast<void*>(to), from, static_cast<std::size_t>(bytes));
}

/// Does storing an item of the first array leave its bytes as they are?
template <class Out, class Payload, class Arrays>
inline constexpr bool moves_items = false;
template <class T, class... Rest>
inline constexpr bool moves_items<T, the_item, arrays<T, Rest...>> = true;

/// Copies `count` elements of each area to out[before] and on. Items that would go to `there`, where they lie, are not stored: the
/// tile after them may be comparing its first item with their last.
template <class Arrays>
void put_columns(columns<> const&, std::byte const*, index_t, index_t, index_t, void const*, simd_level, bool) {}
template <class Arrays, class Column, class... Rest>
void put_columns(columns<Column, Rest...> const& all, std::byte const* from, index_t items, index_t before, index_t count,
                 void const* there, simd_level level, bool streaming) {
  using value = typename Column::value_type;
  value* const to = all.first.out + before;
  if (!moves_items<value, decltype(Column::payload), Arrays> || static_cast<void const*>(to) != there)
    copy_out(to, reinterpret_cast<value const*>(from), count, level, streaming);
  put_columns<Arrays>(all.rest, from + area_bytes<Column>(items), items, before, count, there, level, streaming);
}
/// Where a tile lies of which all `count` items are marked, in the first array; else null.
inline void const* place_of_all(arrays<> const&, tile const&, index_t) { return nullptr; }
template <class T, class... Rest>
void const* place_of_all(arrays<T, Rest...> const& from, tile const& t, index_t count) {
  return count == t.end - t.begin ? from.data + t.begin : nullptr;
}

/// Does a column share memory with an array of `in`?
template <class Arrays>
bool columns_touch(Arrays const&, columns<> const&, index_t) {
  return false;
}
template <class Arrays, class Column, class... Rest>
bool columns_touch(Arrays const& in, columns<Column, Rest...> const& all, index_t n) {
  return lookback::detail::touches(in, all.first.out, n) || columns_touch(in, all.rest, n);
}

/// Sends every column to its area.
inline void redirect_columns(columns<>&, std::byte*, index_t) {}
template <class Column, class... Rest>
void redirect_columns(columns<Column, Rest...>& all, std::byte* to, index_t items) {
  all.first.out = reinterpret_cast<typename Column::value_type*>(to);
  redirect_columns(all.rest, to + area_bytes<Column>(items), items);
}

/// Items of which words say which are gathered, and, if they are few, `count` places.
template <class Arrays>
struct marked_items {
  static constexpr bool marked = true;
  Arrays arrays;
  std::uint32_t const* places;  // from the begin of the tile; null if they are many
  index_t count;
  index_t block;  // items further on the next ones will be read
};

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
