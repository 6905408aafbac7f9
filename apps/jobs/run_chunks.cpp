#include "run_chunks.hpp"

#include <algorithm>
#include <cstdint>
#include <lookback/stages.hpp>
#include <numeric>

#include "io/write_parts.hpp"
#include "report/progress.hpp"

namespace lookback::app {

namespace {

// One chunk on its way.
struct chunk_slot {
  item_range items{};
  outputs room;
  std::vector<item_range> results;
};

constexpr std::size_t slots = 4;

index_t number_of(index_t items, index_t of) { return items / of + (items % of != 0); }

// So many that the results of all slots fit, and that floats have the bits of one call.
index_t items_of_chunk(job const& whole, chunked_job const& chunks, std::size_t memory) {
  index_t const n = chunks.items(whole), multiple = chunks.multiple();
  auto const rooms = chunks.room(multiple);
  auto const bytes = std::accumulate(rooms.begin(), rooms.end(), std::size_t{0});
  auto const fit = static_cast<index_t>(memory / (slots * std::max<std::size_t>(bytes, 1)));
  return std::min(std::max<index_t>(fit, 1), number_of(n, multiple)) * multiple;
}

}  // namespace

outputs run_chunks(job const& whole, chunked_job& chunks, runner const& on, std::vector<output_file>& files, std::size_t memory,
                   phase_times& times) {
  index_t const n = chunks.items(whole), most = items_of_chunk(whole, chunks, memory);
  auto const largest = chunks.largest();
  if (chunks.has_known_lengths())
    for (std::size_t k = 0; k < files.size(); ++k) {
      std::size_t bytes = 0;
      if (__builtin_mul_overflow(static_cast<std::size_t>(n), dispatch::size_of(largest[k].type), &bytes)) bytes = SIZE_MAX;
      files[k].expect_room(bytes);
    }
  std::vector<chunk_slot> ring(std::min<std::size_t>(slots, static_cast<std::size_t>(number_of(n, most))));
  for (auto& slot : ring)
    for (auto const bytes : chunks.room(std::min(most, n))) slot.room.emplace_back(bytes);
  std::vector<array_parts> parts;
  for (std::size_t k = 0; k < files.size(); ++k) parts.emplace_back(files[k], largest[k].type, largest[k].shape);
  progress line(whole.command, static_cast<double>(n));
  index_t filled = 0, drained = 0;
  auto const spent = run_stages(
      std::span(ring),
      [&](chunk_slot& slot) {
        if (filled == n) return false;
        // From the end the first chunk is the one that may be short, so that all cuts are the same.
        index_t const count = chunks.is_reversed() && filled == 0 && n % most != 0 ? n % most : std::min(most, n - filled);
        slot.items = {chunks.is_reversed() ? n - filled - count : filled, count};
        filled += count;
        chunks.load(slot.items);
        return true;
      },
      [&](chunk_slot& slot) {
        std::vector<void*> out;
        for (auto const& room : slot.room) out.push_back(room.data());
        slot.results = chunks.run(on.place(), slot.items, out);
      },
      [&](chunk_slot& slot) {
        for (std::size_t k = 0; k < parts.size(); ++k) {
          auto const bytes = static_cast<std::size_t>(slot.results[k].count) * dispatch::size_of(largest[k].type);
          parts[k].write(slot.results[k].begin, {slot.room[k].data(), bytes});
        }
        line.at(static_cast<double>(drained += slot.items.count));
      });
  auto const results = chunks.results();
  for (std::size_t k = 0; k < parts.size(); ++k) parts[k].finish(results[k].shape);
  times.overlapped = spent;
  times.chunks = number_of(n, most);
  return chunks.counts();
}

}  // namespace lookback::app
