#include "run_job.hpp"

#include <cstring>

#include "report/clock.hpp"

namespace lookback::app {

char const* text_of(stage limit) {
  switch (limit) {
    case stage::fill:
      return "reading";
    case stage::work:
      return "the kernel";
    case stage::fetch:
      return "the GPU and the transfers";
    default:
      return "writing";
  }
}

phase_times median_of(std::vector<phase_times> const& runs) {
  auto const of = [&](double phase_times::*part) {
    std::vector<double> seconds;
    for (auto const& run : runs) seconds.push_back(run.*part);
    return median(std::move(seconds));
  };
  using p = phase_times;
  return {of(&p::load), of(&p::parse), of(&p::transfer_in), of(&p::kernel), of(&p::transfer_out), of(&p::store)};
}

void expect_counted(job const& of, outputs const& made) {
  auto const used = of.used(made);
  for (std::size_t k = 0; k < used.size(); ++k)
    if (used[k] > made[k].bytes())
      throw device_error("internal error: a result is larger than its memory, so the device did not write its size");
}

job_memory::job_memory(runner const& on, job const& of, bool pinned) : on_{on} {
  for (auto const bytes : of.room()) results_.emplace_back(bytes);
  if (on.where != back_end::gpu) return;
  auto const inputs = of.inputs();
  // In place the first output is the first input.
  for (std::size_t k = 0; k < inputs.size(); ++k) in_.emplace_back(k == 0 && of.in_place() ? 0 : inputs[k].size());
  for (auto const bytes : of.room()) out_.emplace_back(bytes);
  if (!pinned) return;
  for (auto const& input : inputs) staged_.emplace_back(input.size());
  for (auto const* const all : {&results_, &staged_})
    for (auto const& memory : *all) locks_.emplace_back(memory.data(), memory.bytes());
}

void job_memory::run(job const& of, job_function const& how, phase_times& times) {
  // Who leaves no counts, as a copy does, has no results: neither those of the run before nor what lies in memory.
  if (of.leaves_counts()) std::memset(results_.back().data(), 0, results_.back().bytes());
  if (on_.where == back_end::gpu) return run_on_gpu(of, how, times);
  auto at = places_of(of);
  stopwatch clock;
  if (of.in_place()) {  // on a copy: a command never changes its input
    auto const from = of.inputs()[0];
    if (!from.empty()) std::memcpy(at.out[0], from.data(), from.size());
    times.transfer_in += clock.lap();
  }
  times.kernel += run_timed(how, at);
}

double job_memory::again(job const& of, job_function const& how) {
  if (!of.in_place()) return run_timed(how, places_of(of));
  phase_times times;
  run(of, how, times);
  return times.kernel;
}

places job_memory::places_of(job const& of) {
  places at;
  if (on_.where == back_end::gpu) {
    for (auto const& memory : in_) at.in.push_back(memory.data());
    for (auto const& memory : out_) at.out.push_back(memory.data());
  } else {
    for (auto const& input : of.inputs()) at.in.push_back(input.data());
    for (auto const& output : results_) at.out.push_back(output.data());
  }
  if (of.in_place()) at.in[0] = at.out[0];
  return at;
}

double job_memory::run_timed(job_function const& how, places const& at) {
  if (by_device_ && on_.queue) return on_.queue->seconds_of([&] { how(on_.place(), at); });
  stopwatch clock;
  how(on_.place(), at);
  if (on_.queue) on_.queue->wait();
  return clock.lap();
}

void job_memory::run_on_gpu(job const& of, job_function const& how, phase_times& times) {
  auto const& queue = *on_.queue;
  auto inputs = of.inputs();
  if (of.leaves_counts()) queue.copy_in(out_.back().data(), results_.back().data(), results_.back().bytes());
  stopwatch clock;
  for (std::size_t k = 0; k < staged_.size(); ++k) {
    if (!inputs[k].empty()) std::memcpy(staged_[k].data(), inputs[k].data(), inputs[k].size());
    inputs[k] = {staged_[k].data(), inputs[k].size()};
  }
  if (!staged_.empty()) times.load += clock.lap();
  auto const at = places_of(of);
  for (std::size_t k = 0; k < inputs.size(); ++k) queue.copy_in(const_cast<void*>(at.in[k]), inputs[k].data(), inputs[k].size());
  times.transfer_in += clock.lap();
  times.kernel += run_timed(how, at);
  clock.lap();
  bring_back(of, at);
  times.transfer_out += clock.lap();
}

// Counts first: they tell how much of the rest there is.
void job_memory::bring_back(job const& of, places const& at) {
  auto const& queue = *on_.queue;
  if (of.leaves_counts()) queue.copy_out(results_.back().data(), at.out.back(), results_.back().bytes());
  expect_counted(of, results_);
  auto const used = of.used(results_);
  for (std::size_t k = 0; k + (of.leaves_counts() ? 1 : 0) < used.size(); ++k)
    queue.copy_out(results_[k].data(), at.out[k], used[k]);
}

}  // namespace lookback::app
