#include <algorithm>

#include "generate/generators.hpp"
#include "jobs/demo_jobs.hpp"
#include "sheet.hpp"
#include "tuning/tuner.hpp"

namespace lookback::app {

sheet_section measure_tunings(measuring const& with) {
  std::vector<std::unique_ptr<job>> held;
  std::vector<job const*> jobs;
  for (index_t const n : with.sizes()) {
    if (n < std::min(index_t{1} << 14, with.most())) continue;
    held.push_back(plain_job(uniform_values(element::i32, n, 1), operation::plus));
    jobs.push_back(held.back().get());
  }
  auto const& largest = *jobs.back();
  // Threads that the user asked for are no axis.
  auto const space = space_of(largest, with.on, with.on.threads == worker_threads(0) ? 0 : with.on.threads);
  bool const on_gpu = with.on.where == back_end::gpu;
  if (space.axes[space.sizes].values.size() < 2) {
    note("report: no maps of sizes on the " + std::string(dispatch::name_of(with.on.where)) + ": " + space.why_few);
    return {};
  }
  sheet_section made{"Sizes of tiles",
                     std::string("A prefix sum of i32 by other sizes than the library's own, which are ") +
                         words_of(space.axes, space.start, space.start) + ". lookback tune searches among them." +
                         (on_gpu ? " Of 16 and 32 items a thread, neighbouring threads meet in the banks of shared memory." : ""),
                     {}};
  std::string const few =
      on_gpu ? "Up to 2^20 items the default is another kernel, made for few items, which the other sizes have not." : "";
  auto const add = [&](heat_data map, std::string note) {
    std::string const title = map.title;
    made.pictures.push_back({title, std::move(map), std::move(note)});
  };
  auto of_largest = map_of(largest, with.on, space, space.start, space.threads, space.sizes, {});
  of_largest.title += ", at " + items_text(largest.items().n) + " items";
  add(std::move(of_largest), "");
  add(map_of_sizes(jobs, with.on, space, space.start, space.threads, {}), few);
  add(map_of_sizes(jobs, with.on, space, space.start, space.sizes, {}), few);
  return made;
}

}  // namespace lookback::app
