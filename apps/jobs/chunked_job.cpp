#include "chunked_job.hpp"

#include <algorithm>
#include <numeric>

namespace lookback::app {

static std::size_t sum_of(std::vector<std::size_t> const& rooms) {
  return std::accumulate(rooms.begin(), rooms.end(), std::size_t{0});
}

index_t items_of_chunk(chunked_job const& chunks, index_t items, std::size_t bytes, bool brought) {
  index_t const multiple = chunks.multiple(), all = items / multiple + (items % multiple != 0);
  auto const fit = static_cast<index_t>(bytes / std::max<std::size_t>(sum_of(chunks.room(multiple)), 1));
  index_t most = std::min(std::max<index_t>(fit, 1), all);
  auto const inputs_of = [&](index_t many) { return sum_of(chunks.input_room(std::min(many * multiple, items))); };
  if (!brought || inputs_of(most) <= bytes) return most * multiple;
  // Inputs need not grow with the items, since those of runs and rows have all lengths: what their share asks for may not do.
  auto const limit = std::max(bytes, 2 * inputs_of(1));
  auto const share = static_cast<double>(limit) / static_cast<double>(inputs_of(most));
  most = std::clamp<index_t>(static_cast<index_t>(static_cast<double>(most) * share), 1, most);
  while (most > 1 && inputs_of(most) > limit) most = (most + 1) / 2;
  return most * multiple;
}

}  // namespace lookback::app
