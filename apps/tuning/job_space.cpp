#include "job_space.hpp"

#include <algorithm>
#include <cmath>
#include <lookback/cpu.hpp>

#include "forms.hpp"
#include "io/numbers.hpp"
#include "jobs/attempt.hpp"
#include "report/clock.hpp"
#include "report/table.hpp"

namespace lookback::app {

namespace {

std::string kilobytes_text(index_t bytes) {
  return bytes >= index_t{1} << 20 && bytes % (index_t{1} << 20) == 0 ? text_of(bytes >> 20) + " MiB"
                                                                      : text_of(bytes >> 10) + " KiB";
}

/// Strategies of a job there, the default first.
std::vector<strategy> strategies_of(job const& of, back_end where) {
  std::vector<strategy> list;
  for (strategy const how : dispatch::scan_strategies)
    if (of.offers(where, how)) list.push_back(how);
  if (list.empty() || list[0] != strategy::decoupled_look_back) list.insert(list.begin(), strategy::best);
  return list;
}
tuning_axis strategy_axis(std::vector<strategy> const& list) {
  tuning_axis axis{"strategy", {}, false};
  for (strategy const how : list) axis.values.emplace_back(dispatch::name_of(how));
  return axis;
}

template <class T>
std::size_t place_of(std::vector<T> const& list, T const& value) {
  return static_cast<std::size_t>(std::find(list.begin(), list.end(), value) - list.begin());
}

struct cpu_values {
  std::vector<int> threads;
  std::vector<index_t> tiles;    // the library's own at `own_tile`
  std::vector<index_t> streams;  // bytes of output above which stores pass the caches by
  std::vector<cpu::simd_level> levels;
  std::vector<strategy> strategies;
  std::size_t own_tile = 0;
};

cpu_values values_for(job const& of, int threads) {
  cpu_values made;
  int const cores = threads > 0 ? threads : worker_threads(0);
  if (threads == 0) {
    for (int count = 1; count < cores; count *= 2) made.threads.push_back(count);
    made.threads.push_back(cores / 2);
  }
  made.threads.push_back(cores);
  std::erase(made.threads, 0);
  std::sort(made.threads.begin(), made.threads.end());
  made.threads.erase(std::unique(made.threads.begin(), made.threads.end()), made.threads.end());
  made.levels = {cpu::simd_level::automatic};
  for (auto const level : {cpu::simd_level::avx2, cpu::simd_level::portable})
    if (level < cpu::usable(cpu::simd_level::automatic)) made.levels.push_back(level);
  index_t const own = cpu::default_tile_items({}, 1);
  for (index_t bytes = 16 << 10; bytes <= index_t{1} << 20; bytes *= 2) made.tiles.push_back(bytes);
  if (std::find(made.tiles.begin(), made.tiles.end(), own) == made.tiles.end()) made.tiles.push_back(own);
  std::sort(made.tiles.begin(), made.tiles.end());
  made.own_tile = place_of(made.tiles, own);
  made.streams = {0, 1, index_t{1} << 62};
  made.strategies = strategies_of(of, back_end::cpu);
  return made;
}

}  // namespace

job_space cpu_space(job const& of, int threads) {
  auto const values = values_for(of, threads);
  job_space made;
  tuning_axis workers{"threads", {}, true}, tiles{"tile", {}, true}, streams{"streaming stores", {}, false},
      simd{"SIMD", {}, false};
  for (int const count : values.threads) workers.values.push_back(text_of(count));
  for (index_t const bytes : values.tiles) tiles.values.push_back(kilobytes_text(bytes));
  auto const levels = values.levels;
  for (auto const level : levels)
    simd.values.emplace_back(level == cpu::simd_level::automatic ? "best" : level == cpu::simd_level::avx2 ? "AVX2" : "portable");
  for (index_t const above : values.streams)
    streams.values.emplace_back(above == 0 ? "above half the last-level cache" : above == 1 ? "always" : "never");
  made.axes = {workers, tiles, streams, simd, strategy_axis(values.strategies)};
  made.start = {values.threads.size() - 1, values.own_tile, 0, 0, 0};
  made.has = [](tuning_point const&) { return true; };
  made.threads = 0, made.sizes = 1;
  made.choice = [values, start = made.start](tuning_point const& at) {
    tuned_choice by;
    by.threads = values.threads[at[0]];
    if (at[1] != start[1]) by.sizes.tile_bytes = values.tiles[at[1]];
    by.sizes.stream_above_bytes = values.streams[at[2]];
    by.sizes.simd = static_cast<int>(values.levels[at[3]]);
    by.how = at[4] == 0 ? strategy::best : values.strategies[at[4]];
    return by;
  };
  return made;
}

namespace {

using dispatch::gpu_sizes, dispatch::tuned_form;

/// Every value that forms have on an axis, and the library's own, in order.
template <class T, class Part>
std::vector<T> values_of_forms(dispatch::tuned_forms const* forms, T const& own, Part const& part) {
  std::vector<T> list{own};
  for (std::size_t k = 0; forms && k < forms->count; ++k) list.push_back(part(forms->forms[k].sizes));
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

struct gpu_values {
  std::vector<int> threads, bytes, slots, blocks;  // blocks: 0 for as many as fit
  std::vector<std::string> networks, loads;
  std::vector<strategy> strategies;

  tuning_point point(gpu_sizes const& of) const {
    return {place_of(threads, of.threads),
            place_of(bytes, of.bytes_per_thread),
            place_of(slots, of.slots),
            place_of(blocks, of.fits ? 0 : of.blocks),
            place_of<std::string>(networks, of.network),
            place_of<std::string>(loads, of.loads),
            0};
  }
};

std::string with_blanks(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

}  // namespace

job_space gpu_space(job const& of, int device, std::string const& why_no_forms) {
  auto const compiled =
      why_no_forms.empty() ? forms_of(of.command, of.items().type, device) : compiled_forms{nullptr, why_no_forms};
  auto const* const forms = compiled.of;
  gpu_sizes const own = forms ? forms->library : gpu_sizes{384, 80, 3, 2};
  gpu_values values;
  values.threads = values_of_forms(forms, own.threads, [](gpu_sizes const& s) { return s.threads; });
  values.bytes = values_of_forms(forms, own.bytes_per_thread, [](gpu_sizes const& s) { return s.bytes_per_thread; });
  values.slots = values_of_forms(forms, own.slots, [](gpu_sizes const& s) { return s.slots; });
  values.blocks = values_of_forms(forms, 0, [](gpu_sizes const& s) { return s.fits ? 0 : s.blocks; });
  values.networks = values_of_forms(forms, std::string(own.network), [](gpu_sizes const& s) { return std::string(s.network); });
  values.loads = values_of_forms(forms, std::string(own.loads), [](gpu_sizes const& s) { return std::string(s.loads); });
  values.strategies = strategies_of(of, back_end::gpu);

  job_space made;
  tuning_axis threads{"threads", {}, true}, items{"items a thread", {}, true}, slots{"slots", {}, true},
      blocks{"blocks", {}, false}, network{"network", {}, false}, loads{"loads", {}, false};
  for (int const one : values.threads) threads.values.push_back(text_of(one));
  for (int const one : values.bytes) items.values.push_back(text_of(one / (forms ? forms->item_bytes : 4)));
  for (int const one : values.slots) slots.values.push_back(text_of(one));
  for (int const one : values.blocks) blocks.values.push_back(one == 0 ? "as many as fit" : text_of(one));
  for (auto const& one : values.networks) network.values.push_back(with_blanks(one));
  for (auto const& one : values.loads) loads.values.push_back(with_blanks(one));
  made.axes = {threads, items, slots, blocks, network, loads, strategy_axis(values.strategies)};
  made.start = values.point(own);
  made.threads = 0, made.sizes = 1;
  std::map<tuning_point, tuned_form const*> known;
  for (std::size_t k = 0; forms && k < forms->count; ++k) known[values.point(forms->forms[k].sizes)] = &forms->forms[k];
  known[made.start] = nullptr;  // what the library does by itself, which knows more than sizes
  auto const without_strategy = [](tuning_point at) {
    at.back() = 0;
    return at;
  };
  made.has = [known, without_strategy, start = made.start](tuning_point const& at) {
    auto const sizes = without_strategy(at);
    return known.contains(sizes) && (sizes == at || sizes == start);
  };
  made.choice = [known, without_strategy, strategies = values.strategies](tuning_point const& at) {
    tuned_choice by;
    by.form = known.at(without_strategy(at));
    by.how = at.back() == 0 ? strategy::best : strategies[at.back()];
    return by;
  };
  if (!forms) made.why_few = compiled.why_none + ": strategies alone are tried";
  return made;
}

job_space space_of(job const& of, runner const& on, int threads) {
  return on.where == back_end::gpu ? gpu_space(of, on.device_number) : cpu_space(of, threads);
}

contender tuned_contender(job const& of, back_end where, tuned_choice const& by) {
  auto made = ours(of, where, by.how, false);
  made.name = tuned_name;
  made.run = [run = made.run, by](dispatch::place const& on, places const& at) { run(by.applied(on), at); };
  return made;
}

double sample_of(job const& of, runner const&, contender const& who, job_memory& memory, int calls) {
  double seconds = 0;
  for (int call = 0; call < calls; ++call) seconds += memory.again(of, who.run);
  return seconds / calls;
}

int calls_of_sample(runner const& on, double seconds) {
  constexpr double least = 50e-6;
  if (on.queue || seconds >= least) return 1;  // a device times each call behind cold caches
  return static_cast<int>(std::clamp(least / std::max(seconds, 1e-9), 1.0, 1000.0));
}

timed_choice time_of(job const& of, runner const& on, tuned_choice const& by, job_memory& memory, double best, bool results) {
  constexpr std::size_t least = 5, most = 101;
  constexpr double enough = 0.02, clearly = 1.15;
  auto const who = tuned_contender(of, on.where, by);
  std::vector<double> seconds;
  auto const failed = attempt([&] {
    memory.time_by_device();
    phase_times first;
    if (results) memory.run(of, who.run, first);
    else first.kernel = memory.again(of, who.run);
    int const calls = calls_of_sample(on, first.kernel);
    double spent = 0;
    while (seconds.size() < least || (seconds.size() < most && spent < enough)) {
      seconds.push_back(sample_of(of, on, who, memory, calls));
      spent += seconds.back() * calls;
      if (seconds.size() == 2 && std::min(seconds[0], seconds[1]) > clearly * best) break;
    }
  });
  if (!failed.empty()) return {INFINITY, failed};
  return {median(std::move(seconds))};
}

}  // namespace lookback::app
