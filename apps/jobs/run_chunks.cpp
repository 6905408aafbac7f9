#include "run_chunks.hpp"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <lookback/stages.hpp>
#include <numeric>

#include "io/write_parts.hpp"
#include "report/progress.hpp"

namespace lookback::app {

namespace {

// Reading, transfer, kernels, transfer back and writing: a chunk for each, and one more.
constexpr std::size_t gpu_slots = 6;

// One chunk on its way.
struct chunk_slot {
  std::size_t number = 0;
  item_range items{};
  outputs room;                           // of the CPU; a GPU has lanes
  alignas(16) std::byte counts[32] = {};  // the same
  std::vector<item_range> results;
};

index_t number_of(index_t items, index_t of) { return items / of + (items % of != 0); }

// So many that the results of all slots fit, and that floats have the bits of one call.
index_t items_of_chunk(job const& whole, chunked_job const& chunks, std::size_t slots, std::size_t memory) {
  index_t const n = chunks.items(whole), multiple = chunks.multiple();
  auto const rooms = chunks.room(multiple);
  auto const bytes = std::accumulate(rooms.begin(), rooms.end(), std::size_t{0});
  auto const fit = static_cast<index_t>(memory / (slots * std::max<std::size_t>(bytes, 1)));
  return std::min(std::max<index_t>(fit, 1), number_of(n, multiple)) * multiple;
}

// What is cut, what has been read of it, and where its results go: what both back ends have in common.
class cut_job {
 public:
  cut_job(job const& whole, chunked_job& chunks, std::vector<output_file>& files, std::size_t slots, std::size_t memory)
      : chunks_{chunks},
        n_{chunks.items(whole)},
        most_{items_of_chunk(whole, chunks, slots, memory)},
        largest_{chunks.largest()},
        line_(whole.command, static_cast<double>(n_)) {
    if (chunks.has_known_lengths())
      for (std::size_t k = 0; k < files.size(); ++k) {
        std::size_t bytes = 0;
        if (__builtin_mul_overflow(static_cast<std::size_t>(n_), dispatch::size_of(largest_[k].type), &bytes)) bytes = SIZE_MAX;
        files[k].expect_room(bytes);
      }
    for (std::size_t k = 0; k < files.size(); ++k) parts_.emplace_back(files[k], largest_[k].type, largest_[k].shape);
  }

  index_t most() const { return std::min(most_, n_); }
  std::size_t slots(std::size_t at_most) const { return std::min(at_most, static_cast<std::size_t>(number())); }
  index_t number() const { return number_of(n_, most_); }
  std::size_t size_of_output(std::size_t k) const { return dispatch::size_of(largest_[k].type); }

  // Loads the next chunk. False behind the last one.
  bool read(chunk_slot& slot) {
    if (filled_ == n_) return false;
    // From the end the first chunk is the one that may be short, so that all cuts are the same.
    index_t const count = chunks_.is_reversed() && filled_ == 0 && n_ % most_ != 0 ? n_ % most_ : std::min(most_, n_ - filled_);
    slot.items = {chunks_.is_reversed() ? n_ - filled_ - count : filled_, count};
    filled_ += count;
    chunks_.load(slot.items);
    return true;
  }
  template <class Results>
  void write(chunk_slot const& slot, Results const& results) {
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      auto const bytes = static_cast<std::size_t>(slot.results[k].count) * size_of_output(k);
      parts_[k].write(slot.results[k].begin, {static_cast<std::byte const*>(results(k)), bytes});
    }
    line_.at(static_cast<double>(drained_ += slot.items.count));
  }
  void finish() {
    auto const results = chunks_.results();
    for (std::size_t k = 0; k < parts_.size(); ++k) parts_[k].finish(results[k].shape);
  }

 private:
  chunked_job& chunks_;
  index_t n_, most_;
  std::vector<array_view> largest_;
  std::vector<array_parts> parts_;
  progress line_;
  index_t filled_ = 0, drained_ = 0;
};

std::vector<chunk_slot> ring_of(std::size_t slots) {
  std::vector<chunk_slot> ring(slots);
  for (std::size_t s = 0; s < slots; ++s) ring[s].number = s;
  return ring;
}

stage_times run_on_cpu(cut_job& cut, chunked_job& chunks, runner const& on) {
  auto ring = ring_of(cut.slots(4));
  for (auto& slot : ring)
    for (auto const bytes : chunks.room(cut.most())) slot.room.emplace_back(bytes);
  return run_stages(
      std::span(ring), [&](chunk_slot& slot) { return cut.read(slot); },
      [&](chunk_slot& slot) {
        chunk_places at;
        for (auto const& input : chunks.inputs(slot.items)) at.in.push_back(input.data());
        for (auto const& room : slot.room) at.out.push_back(room.data());
        auto const out = at.out;
        if (chunks.count_bytes() > 0) at.out.push_back(slot.counts);
        chunks.run(on.place(), slot.items, at);
        slot.results = chunks.finish(slot.items, slot.counts, out);
      },
      [&](chunk_slot& slot) { cut.write(slot, [&](std::size_t k) { return slot.room[k].data(); }); });
}

// One thread copies half as fast as a GPU takes.
void copy_by_some(tbb::task_arena& workers, void* to, std::span<std::byte const> from) {
  constexpr std::size_t block = std::size_t{1} << 20;
  workers.execute([&] {
    tbb::parallel_for(std::size_t{0}, (from.size() + block - 1) / block, [&](std::size_t b) {
      auto const part = from.subspan(b * block, std::min(block, from.size() - b * block));
      std::memcpy(static_cast<std::byte*>(to) + b * block, part.data(), part.size());
    });
  });
}

// What goes from chunk to chunk stays on the GPU, in two places that take turns.
stage_times run_on_gpu(cut_job& cut, chunked_job& chunks, runner const& on) {
  auto ring = ring_of(cut.slots(gpu_slots));
  std::size_t const state_bytes = chunks.state_bytes();
  dispatch::gpu_memory const states(2 * state_bytes);  // outlives the lanes, which wait for what still reads it
  dispatch::gpu_lanes const lanes(*on.queue, ring.size(), chunks.input_room(cut.most()), chunks.room(cut.most()),
                                  std::max<std::size_t>(chunks.count_bytes(), 1));

  std::vector<std::byte> const none(2 * state_bytes);
  if (state_bytes > 0) on.queue->copy_in(states.data(), none.data(), none.size());
  tbb::task_arena readers(std::clamp(on.threads, 1, 4));
  index_t sent = 0;
  auto const state = [&](index_t chunk) {
    return state_bytes > 0 ? static_cast<std::byte*>(states.data()) + static_cast<std::size_t>(chunk % 2) * state_bytes : nullptr;
  };
  return run_stages(
      std::span(ring),
      [&](chunk_slot& slot) {
        if (!cut.read(slot)) return false;
        auto const inputs = chunks.inputs(slot.items);
        for (std::size_t k = 0; k < inputs.size(); ++k) copy_by_some(readers, lanes.host_in(slot.number, k), inputs[k]);
        return true;
      },
      [&](chunk_slot& slot) {
        chunk_places at;
        auto const inputs = chunks.inputs(slot.items);
        for (std::size_t k = 0; k < inputs.size(); ++k) {
          lanes.send(slot.number, k, inputs[k].size());
          at.in.push_back(lanes.device_in(slot.number, k));
        }
        lanes.sent(slot.number);
        for (std::size_t k = 0; k < chunks.room(0).size(); ++k) at.out.push_back(lanes.device_out(slot.number, k));
        if (chunks.count_bytes() > 0) at.out.push_back(lanes.counts(slot.number));
        at.state_in = state(sent), at.state_out = state(sent + 1), ++sent;
        chunks.run(on.place(), slot.items, at);
        lanes.done(slot.number);
      },
      [&](chunk_slot& slot) {
        lanes.wait(slot.number);
        auto const made = chunks.made(slot.items, lanes.counts(slot.number));
        std::vector<void*> out;
        for (std::size_t k = 0; k < made.size(); ++k) {
          lanes.fetch(slot.number, k, static_cast<std::size_t>(made[k]) * cut.size_of_output(k));
          out.push_back(lanes.host_out(slot.number, k));
        }
        lanes.fetched(slot.number);
        slot.results = chunks.finish(slot.items, lanes.counts(slot.number), out);
      },
      [&](chunk_slot& slot) { cut.write(slot, [&](std::size_t k) { return lanes.host_out(slot.number, k); }); });
}

}  // namespace

outputs run_chunks(job const& whole, chunked_job& chunks, runner const& on, std::vector<output_file>& files, std::size_t memory,
                   phase_times& times) {
  bool const on_gpu = on.where == back_end::gpu;
  if (memory == 0) memory = std::size_t{on_gpu ? 96u : 8u} << 20;
  cut_job cut(whole, chunks, files, on_gpu ? gpu_slots : 4, memory);
  times.overlapped = on_gpu ? run_on_gpu(cut, chunks, on) : run_on_cpu(cut, chunks, on);
  cut.finish();
  times.chunks = cut.number();
  return chunks.counts();
}

}  // namespace lookback::app
