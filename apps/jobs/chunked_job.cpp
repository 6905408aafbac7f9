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
  // Inputs need not grow with the items: those of runs and rows have all lengths.
  auto const inputs_of = [&](index_t many) { return sum_of(chunks.input_room(std::min(many * multiple, items))); };
  if (brought)
    for (auto const least = std::max(bytes, 2 * inputs_of(1)); most > 1 && inputs_of(most) > least;) most = (most + 1) / 2;
  return most * multiple;
}

}  // namespace lookback::app
