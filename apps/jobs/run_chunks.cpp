#include "run_chunks.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <lookback/stages.hpp>

#include "copy_in_parallel.hpp"
#include "io/write_parts.hpp"
#include "report/clock.hpp"
#include "report/progress.hpp"

namespace lookback::app {

namespace {

// Reading, transfer, kernels, transfer back and writing: a chunk for each, and one more.
constexpr std::size_t gpu_slots = 6, cpu_slots = 4;

// One chunk on its way.
struct chunk_slot {
  std::size_t number = 0;
  item_range items{};
  outputs room;                           // of the CPU; a GPU has lanes
  alignas(16) std::byte counts[32] = {};  // the same
  std::vector<std::size_t> in_bytes;
  std::vector<void*> out;  // in host memory, what is to be written
  std::vector<item_range> results;
};

index_t number_of(index_t items, index_t of) { return items / of + (items % of != 0); }

// What is cut, what has been read of it, and where its results go: what both back ends have in common.
class cut_job {
 public:
  cut_job(job const& whole, chunked_job& chunks, std::vector<output_file>& files, std::size_t bytes, bool brought)
      : chunks_{chunks},
        n_{chunks.items(whole)},
        most_{items_of_chunk(chunks, n_, bytes, brought)},
        largest_{chunks.largest()},
        line_(whole.command, static_cast<double>(n_)) {
    if (chunks.has_known_lengths())
      for (std::size_t k = 0; k < files.size(); ++k) {
        std::size_t whole_bytes = 0;
        if (__builtin_mul_overflow(static_cast<std::size_t>(n_), dispatch::size_of(largest_[k].type), &whole_bytes))
          whole_bytes = SIZE_MAX;
        files[k].expect_room(whole_bytes);
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
  void write(chunk_slot const& slot) {
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      auto const bytes = static_cast<std::size_t>(slot.results[k].count) * size_of_output(k);
      parts_[k].write(slot.results[k].begin, {static_cast<std::byte const*>(slot.out[k]), bytes});
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
  auto ring = ring_of(cut.slots(cpu_slots));
  for (auto& slot : ring)
    for (auto const bytes : chunks.room(cut.most())) slot.room.emplace_back(bytes);
  return run_stages(
      std::span(ring), [&](chunk_slot& slot) { return cut.read(slot); },
      [&](chunk_slot& slot) {
        chunk_places at;
        for (auto const& input : chunks.inputs(slot.items)) at.in.push_back(input.data()), at.in_bytes.push_back(input.size());
        for (auto& room : slot.room) at.out.push_back(room.data());
        slot.out = at.out;
        if (chunks.count_bytes() > 0) at.out.push_back(slot.counts);
        chunks.run(on.place(), slot.items, at);
        slot.results = chunks.finish(slot.items, slot.counts, slot.out);
      },
      [&](chunk_slot& slot) { cut.write(slot); });
}

// What goes from chunk to chunk stays on the GPU, in two places that take turns.
stage_times run_on_gpu(cut_job& cut, chunked_job& chunks, runner const& on, double& to_begin) {
  stopwatch clock;
  auto ring = ring_of(cut.slots(gpu_slots));
  std::size_t const state_bytes = chunks.state_bytes();
  // These outlive the lanes, which wait for what still reads them.
  dispatch::gpu_memory const states(2 * state_bytes);
  std::vector<dispatch::gpu_memory> constants;
  for (auto const& one : chunks.constants()) {
    constants.emplace_back(one.size());
    on.queue->copy_in(constants.back().data(), one.data(), one.size());
  }
  dispatch::gpu_lanes const lanes(*on.queue, ring.size(), chunks.input_room(cut.most()), chunks.room(cut.most()),
                                  std::max<std::size_t>(chunks.count_bytes(), 1));

  std::vector<std::byte> const none(2 * state_bytes);
  if (state_bytes > 0) on.queue->copy_in(states.data(), none.data(), none.size());
  tbb::task_arena readers(std::clamp(on.threads, 1, 4));
  auto const rooms = chunks.room(cut.most());
  index_t sent = 0;
  auto const state = [&](index_t chunk) {
    return state_bytes > 0 ? static_cast<std::byte*>(states.data()) + static_cast<std::size_t>(chunk % 2) * state_bytes : nullptr;
  };
  to_begin += clock.lap();
  return run_stages(
      std::span(ring),
      [&](chunk_slot& slot) {
        if (!readers.execute([&] { return cut.read(slot); })) return false;
        auto const inputs = chunks.inputs(slot.items);
        slot.in_bytes.clear();
        for (std::size_t k = 0; k < inputs.size(); ++k) {
          copy_in_parallel(readers, lanes.host_in(slot.number, k), inputs[k]);
          slot.in_bytes.push_back(inputs[k].size());
        }
        return true;
      },
      [&](chunk_slot& slot) {
        chunk_places at;
        at.in_bytes = slot.in_bytes;
        for (auto const& one : constants) at.constants.push_back(one.data());
        for (std::size_t k = 0; k < at.in_bytes.size(); ++k) {
          lanes.send(slot.number, k, at.in_bytes[k]);
          at.in.push_back(lanes.device_in(slot.number, k));
        }
        lanes.sent(slot.number);
        for (std::size_t k = 0; k < chunks.room(0).size(); ++k) at.out.push_back(lanes.device_out(slot.number, k));
        if (chunks.count_bytes() > 0) at.out.push_back(lanes.counts(slot.number));
        at.state_in = state(sent), at.state_out = state(sent + 1), ++sent;
        std::memset(lanes.counts(slot.number), 0xff, chunks.count_bytes());  // what nobody counts is negative
        chunks.run(on.place(), slot.items, at);
        lanes.done(slot.number);
      },
      [&](chunk_slot& slot) {
        lanes.wait(slot.number);
        auto const made = chunks.made(slot.items, lanes.counts(slot.number));
        slot.out.clear();
        for (std::size_t k = 0; k < made.size(); ++k) {
          auto const bytes = static_cast<std::size_t>(made[k]) * cut.size_of_output(k);
          if (made[k] < 0 || bytes > rooms[k])
            throw device_error(
                "internal error: the results of a chunk are larger than its memory, so the device did not count them");
          lanes.fetch(slot.number, k, bytes);
          slot.out.push_back(lanes.host_out(slot.number, k));
        }
        lanes.fetched(slot.number);
        slot.results = chunks.finish(slot.items, lanes.counts(slot.number), slot.out);
      },
      [&](chunk_slot& slot) { cut.write(slot); });
}

}  // namespace

outputs run_chunks(job const& whole, chunked_job& chunks, runner const& on, std::vector<output_file>& files, std::size_t memory,
                   phase_times& times) {
  bool const on_gpu = on.where == back_end::gpu;
  if (memory == 0) memory = std::size_t{on_gpu ? 96u : 8u} << 20;
  stopwatch clock;
  cut_job cut(whole, chunks, files, memory / (on_gpu ? gpu_slots : cpu_slots), on_gpu);
  (on_gpu ? times.transfer_in : times.load) += clock.lap();
  times.overlapped = on_gpu ? run_on_gpu(cut, chunks, on, times.transfer_in) : run_on_cpu(cut, chunks, on);
  cut.finish();
  times.chunks = cut.number();
  return chunks.counts();
}

}  // namespace lookback::app
