#include "contenders.hpp"

namespace lookback::app {

std::vector<contender> contenders_for(scan_job const& job, back_end where, strategy how) {
  std::vector<contender> list;
  for (strategy const one : {strategy::decoupled_look_back, strategy::reduce_then_scan, strategy::sequential})
    if ((how == strategy::best || how == one) && dispatch::offers(where, one, job.values.type, job.op))
      list.push_back({std::string("lookback ") + dispatch::name_of(one), where, contender_kind::ours, one, dispatch::scan});
  auto const request = job.request(nullptr, strategy::best, false);
  for (auto const& peer : dispatch::peers())
    if (peer.where == where && peer.takes(request))
      list.push_back(
          {peer.name, where, peer.is_ceiling ? contender_kind::ceiling : contender_kind::peer, strategy::best, peer.run});
  return list;
}

double kernel_seconds(contender const& who, runner const& on, scan_job const& job, int repeat, bool reproducible, std::byte* out) {
  scan_memory memory(on, job);
  std::vector<phase_times> runs(static_cast<std::size_t>(repeat) + 1);
  for (auto& times : runs) memory.run(job, who.run, who.how, reproducible, out, times);
  runs.erase(runs.begin());
  return median_of(runs).kernel;
}

}  // namespace lookback::app
