#include "run_scan.hpp"

#include "clock.hpp"

namespace lookback::app {

phase_times median_of(std::vector<phase_times> const& runs) {
  auto const of = [&](double phase_times::*part) {
    std::vector<double> seconds;
    for (auto const& run : runs) seconds.push_back(run.*part);
    return median(std::move(seconds));
  };
  using p = phase_times;
  return {of(&p::load), of(&p::parse), of(&p::transfer_in), of(&p::kernel), of(&p::transfer_out), of(&p::store)};
}

scan_memory::scan_memory(runner const& on, scan_job const& job) : on_{on} {
  if (on.where != back_end::gpu) return;
  in_ = dispatch::gpu_memory(job.values.bytes());
  heads_ = dispatch::gpu_memory(job.description_bytes());
  out_ = dispatch::gpu_memory(job.values.bytes());
}

void scan_memory::run(scan_job const& job, scan_function const& scan, strategy how, bool reproducible, std::byte* out,
                      phase_times& times) {
  auto request = job.request(out, how, reproducible);
  stopwatch clock;
  if (on_.where == back_end::cpu) {
    scan(on_.place(), request);
    times.kernel += clock.lap();
    return;
  }
  auto const& queue = *on_.queue;
  queue.copy_in(in_.data(), job.values.data, job.values.bytes());
  segments heads{};
  if (job.heads) {
    heads = *job.heads;
    if (heads.data) {
      queue.copy_in(heads_.data(), heads.data, job.description_bytes());
      heads.data = heads_.data();
    }
    request.heads = &heads;
  }
  request.in = in_.data();
  request.out = out_.data();
  times.transfer_in += clock.lap();
  scan(on_.place(), request);
  queue.wait();
  times.kernel += clock.lap();
  queue.copy_out(out, out_.data(), job.values.bytes());
  times.transfer_out += clock.lap();
}

}  // namespace lookback::app
