// Sorting lines, on any back end: a sort of strings, then runs of equal ones.
#pragma once
#include <lookback/run_length_encode.hpp>
#include <lookback/sort_strings.hpp>
#include <span>

#include "lines_order.hpp"
#include "sort_tables.hpp"

namespace lookback::dispatch {

/// Are two lines equal, given their numbers?
struct numbered_lines_equal {
  char const* characters;
  index_t const* begins;
  LOOKBACK_FN bool operator()(std::uint32_t a, std::uint32_t b) const {
    index_t const length = begins[a + 1] - begins[a];
    return begins[b + 1] - begins[b] == length && begin_equally(characters + begins[a], characters + begins[b], length - 1);
  }
};

template <class On>
void sort_lines_of(On const& on, lines_request const& r) {
  auto const order = room_at<std::uint32_t>(r.order, r.lines);
  std::span<char const> const characters(r.characters, static_cast<std::size_t>(r.size));
  std::span<index_t const> const begins(r.begins, static_cast<std::size_t>(r.lines + 1));
  sort_strings(on, characters, offsets(begins), order, terminated);
  if (r.counts_equal)
    run_length_encode_async(on, order, room_at<std::uint32_t>(r.firsts, r.lines), room_at<index_t>(r.lengths, r.lines), r.counts,
                            numbered_lines_equal{r.characters, r.begins});
}

}  // namespace lookback::dispatch
