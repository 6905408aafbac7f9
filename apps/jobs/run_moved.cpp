#include "run_moved.hpp"

#include <algorithm>
#include <cstring>

#include "copy_in_parallel.hpp"
#include "io/write_parts.hpp"
#include "report/clock.hpp"

namespace lookback::app {

namespace {

constexpr std::size_t slots = 4;

// Pinned memory for the parts that are on their way.
class part_ring {
 public:
  part_ring(std::size_t memory, std::size_t largest) {
    std::size_t const most = std::max<std::size_t>(std::min((memory > 0 ? memory : std::size_t{64} << 20) / slots, largest), 1);
    bytes_ = (most + alignment - 1) / alignment * alignment;  // so that no element is cut
    for (std::size_t s = 0; s < slots; ++s)
      memory_.emplace_back(bytes_), locks_.emplace_back(memory_[s].data(), bytes_), at_[s] = s;
  }
  std::size_t bytes() const { return bytes_; }
  std::byte* data(std::size_t slot) const { return memory_[slot].data(); }
  std::span<std::size_t> slots_of_it() { return at_; }

 private:
  static constexpr std::size_t alignment = 4096;
  std::size_t bytes_ = 0;
  outputs memory_;
  std::vector<dispatch::pinned> locks_;  // destroyed before what they lock
  std::size_t at_[slots] = {};
};

// Part after part of several arrays: which array, and which bytes of it.
struct part {
  std::size_t array = 0, begin = 0, bytes = 0;
};
class parts_of {
 public:
  parts_of(std::vector<std::size_t> sizes, std::size_t most) : sizes_{std::move(sizes)}, most_{most} {}
  bool next(part& to) {
    while (array_ < sizes_.size() && begin_ == sizes_[array_]) ++array_, begin_ = 0;
    if (array_ == sizes_.size()) return false;
    to = {array_, begin_, std::min(most_, sizes_[array_] - begin_)};
    begin_ += to.bytes;
    return true;
  }

 private:
  std::vector<std::size_t> sizes_;
  std::size_t most_, array_ = 0, begin_ = 0;
};

std::size_t largest_of(std::vector<std::size_t> const& sizes) {
  return sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end());
}

stage_times bring(job const& of, runner const& on, part_ring& ring, std::vector<void*> const& to) {
  auto const inputs = of.inputs();
  std::vector<std::size_t> sizes;
  for (auto const& input : inputs) sizes.push_back(input.size());
  parts_of parts(sizes, ring.bytes());
  std::vector<part> at(slots);
  tbb::task_arena readers(std::clamp(on.threads, 1, 4));
  return run_stages(
      ring.slots_of_it(),
      [&](std::size_t s) {
        if (!parts.next(at[s])) return false;
        copy_in_parallel(readers, ring.data(s), inputs[at[s].array].subspan(at[s].begin, at[s].bytes));
        return true;
      },
      [&](std::size_t s) { on.queue->copy_in(static_cast<std::byte*>(to[at[s].array]) + at[s].begin, ring.data(s), at[s].bytes); },
      [](std::size_t) {});
}

stage_times take_back(runner const& on, part_ring& ring, std::vector<array_view> const& from, std::vector<output_file>& files) {
  std::vector<std::size_t> sizes;
  std::vector<array_parts> writers;
  for (std::size_t k = 0; k < files.size(); ++k) {
    sizes.push_back(static_cast<std::size_t>(from[k].count()) * dispatch::size_of(from[k].type));
    files[k].expect_room(sizes.back());
    writers.emplace_back(files[k], from[k].type, from[k].shape);
  }
  parts_of parts(sizes, ring.bytes());
  std::vector<part> at(slots);
  auto const times = run_stages(
      ring.slots_of_it(), [&](std::size_t s) { return parts.next(at[s]); },
      [&](std::size_t s) {
        on.queue->copy_out(ring.data(s), static_cast<std::byte const*>(from[at[s].array].data) + at[s].begin, at[s].bytes);
      },
      [&](std::size_t s) {
        auto const size = dispatch::size_of(from[at[s].array].type);
        writers[at[s].array].write(static_cast<index_t>(at[s].begin / size), {ring.data(s), at[s].bytes});
      });
  for (std::size_t k = 0; k < files.size(); ++k) writers[k].finish(from[k].shape);
  return times;
}

}  // namespace

bool can_be_moved(job const& of, std::vector<output_file> const& files) {
  return of.results_are_outputs() && of.items().n > 0 && !files.empty() && std::all_of(files.begin(), files.end(), takes_parts);
}

outputs run_moved(job const& of, runner const& on, job_function const& how, std::vector<output_file>& files, std::size_t memory,
                  phase_times& times) {
  auto const inputs = of.inputs();
  auto const rooms = of.room();
  std::vector<dispatch::gpu_memory> in, out;
  places at;
  std::vector<void*> to;
  std::size_t largest = largest_of(rooms);
  for (auto const bytes : rooms) at.out.push_back(out.emplace_back(bytes).data());
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    // In place the first output is the first input.
    to.push_back(k == 0 && of.in_place() ? at.out[0] : in.emplace_back(inputs[k].size()).data());
    at.in.push_back(to.back());
    largest = std::max(largest, inputs[k].size());
  }
  part_ring ring(memory, largest);
  outputs made;
  for (std::size_t k = 0; k < rooms.size(); ++k) {
    bool const counts = of.leaves_counts() && k + 1 == rooms.size();
    made.push_back(counts ? host_memory(rooms[k]) : host_memory::view(static_cast<std::byte const*>(at.out[k]), rooms[k]));
  }
  auto const& counts = made.back();
  if (of.leaves_counts()) on.queue->copy_in(at.out.back(), counts.data(), counts.bytes());

  times.bringing = bring(of, on, ring, to);
  stopwatch clock;
  how(on.place(), at);
  on.queue->wait();
  times.kernel += clock.lap();
  if (of.leaves_counts()) on.queue->copy_out(counts.data(), at.out.back(), counts.bytes());
  expect_counted(of, made);
  times.taking = take_back(on, ring, of.results(made), files);
  times.parts = true;
  return made;
}

}  // namespace lookback::app
