#include "comparison.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

#include "chunked_job.hpp"
#include "dispatch/peers.hpp"
#include "io/scratch_file.hpp"
#include "outside.hpp"
#include "perform.hpp"
#include "report/clock.hpp"
#include "report/progress.hpp"
#include "run_chunks.hpp"
#include "tuning/job_space.hpp"
#include "tuning/known.hpp"

namespace lookback::app {

namespace {

// What lives from one run of a contender to the next; making it is what makes the first run cold.
struct kept_memory {
  kept_memory(runner made, std::vector<std::size_t> sizes_of_all) : on{std::move(made)}, sizes{std::move(sizes_of_all)} {}
  runner on;
  std::optional<job_memory> memory;
  std::vector<std::size_t> sizes;  // of the inputs and outputs that it was made for
};

std::vector<std::size_t> sizes_of(job const& of) {
  std::vector<std::size_t> sizes = of.room();
  for (auto const& input : of.inputs()) sizes.push_back(input.size());
  return sizes;
}

// One run from file to file.
void run_once(contender const& who, comparison_request const& a, std::vector<std::string> const& paths, kept_memory& kept,
              phase_times& times) {
  input_reading read{.threads = a.common.threads};
  auto files = open_outputs(paths);
  auto const made = a.words.read(&read);
  stopwatch clock;
  made->load();
  times.load += read.load + clock.lap(), times.parse += read.parse;
  if (sizes_of(*made) != kept.sizes)
    throw bad_data(made->items().from + ": the input changed during the comparison, expected the same sizes in every run");
  if (!kept.memory) {
    if (who.where == back_end::gpu) kept.on = make_runner(back_end::gpu, a.common);
    kept.memory.emplace(kept.on, *made, a.pinned);
    // Contexts, device memory and page locks are there for the transfer's sake.
    if (who.where == back_end::gpu) times.transfer_in += clock.lap();
  }
  kept.memory->run(*made, who.run, times);
  clock.lap();
  write_results(files, *made, kept.memory->results(), a.common.threads);
  for (auto& file : files) file.commit();
  times.store += clock.lap();
}

// How fast each back end copies as many bytes as the command moves, measured once for all contenders.
using copy_speeds = std::map<back_end, copy_speed>;

// Takes what it runs: what that prepared leaves the device before its queue does.
compared measure(contender& listed, comparison_request const& a, std::vector<std::string> const& paths, job const& reference,
                 copy_speeds& copies) {
  compared made{listed.name, listed.where, listed.kind, {}, {}, 0, {}, true, {}, {}};
  kept_memory kept(make_runner(back_end::cpu, a.common), sizes_of(reference));
  contender const who{listed.name, listed.where, listed.kind, listed.how, std::exchange(listed.run, nullptr)};
  run_once(who, a, paths, kept, made.cold);
  kept.memory->time_by_device();
  std::vector<phase_times> warm(static_cast<std::size_t>(a.common.repeat));
  for (auto& times : warm) run_once(who, a, paths, kept, times);
  observation seen;
  if (who.kind == contender_kind::ours) {  // behind runs that were timed, so that it runs as they did
    phase_times untimed;
    observing const now(seen);
    run_once(who, a, paths, kept, untimed);
  }
  dispatch::end_peer_threads();
  made.warm = median_of(warm);
  auto const& results = kept.memory->results();
  bool const is_ceiling = who.kind == contender_kind::ceiling;
  auto const least = reference.moved(results);
  if (!is_ceiling) {
    if (!copies.contains(who.where)) copies[who.where] = measure_copy(kept.on, least.all());
    auto const& copy = copies.at(who.where);
    bool const has_told = who.kind == contender_kind::ours && !seen.ways.empty();  // lookback_tunings tells nobody
    made.explained = has_told ? explanation_of(reference, who.where, std::move(seen), least, made.warm.kernel, copy)
                              : explanation_of_peer(who.where, least, made.warm.kernel, copy);
  }
  made.moved = is_ceiling ? 2.0 * static_cast<double>(reference.items().bytes()) : reference.moved_bytes(results);
  // A float sum that is off by more is no wrong algorithm in a peer, only a longer chain of roundings.
  std::string const differs = reference.tolerance() == "exact" ? "differs" : "> " + reference.tolerance();
  if (is_ceiling) made.check = "-";
  else made.check = !a.common.validate ? "" : reference.first_difference(results).empty() ? "ok" : differs;
  if (made.check == differs && who.kind == contender_kind::ours) expect_valid(reference, results, who.name);
  return made;
}

// The same files are there, byte for byte?
bool same_bytes(std::string const& one, std::string const& other) {
  input_file const a(one), b(other);
  return a.text() == b.text();
}

// The command as it runs by itself, where it reads, runs and writes at the same time, or with the kernels of a peer in it; `ours`
// is what the library wrote before.
std::optional<compared> measure_overlapped(job const& reference, back_end where, bool by_peer, comparison_request const& a,
                                           std::vector<std::string> const& paths, std::vector<std::string> const& ours) {
  auto const cut = [&](job const& of, std::vector<output_file> const& files) {
    return by_peer ? chunks_by_peer(of, files, where) : chunks_of(of, files, where, a.common.reproducible);
  };
  compared made{{}, where, contender_kind::ours, {}, {}, 0, {}, false, {}, {}};
  if (auto const chunks = cut(reference, open_outputs(paths))) made.name = chunks->kernels_of() + " overlapped";
  else return {};
  auto const on = make_runner(where, a.common);
  std::string const near = reference.tolerance(), differs = near == "exact" ? "differs" : "> " + near;
  auto const run = [&](phase_times& times) {
    input_reading read{.threads = a.common.threads};
    auto files = open_outputs(paths);
    auto const once = a.words.read(&read);
    auto const chunks = cut(*once, files);
    if (!chunks || sizes_of(*once) != sizes_of(reference))
      throw bad_data(once->items().from + ": the input changed during the comparison, expected the same sizes in every run");
    times.load = read.load, times.parse = read.parse;
    made.moved = once->moved_bytes(run_chunks(*once, *chunks, on, files, 0, times));
    if (a.common.validate && &times == &made.cold) try {
        expect_valid_files(*once, *chunks, files);
        made.check = "ok";
      } catch (mismatch const&) {
        if (!by_peer) throw;
        made.check = differs;
      }
    stopwatch clock;
    for (auto& file : files) file.commit();
    times.store = clock.lap();
  };
  run(made.cold);
  std::vector<phase_times> warm(static_cast<std::size_t>(a.common.repeat));
  for (auto& times : warm) run(times);
  auto const middle = warm.begin() + std::ssize(warm) / 2;
  std::nth_element(warm.begin(), middle, warm.end(), [](auto const& p, auto const& q) { return p.total() < q.total(); });
  made.warm = *middle;
  made.about = made.name +
               (by_peer ? " is that command with kernels of the peer in the place of ours, limited by "
                        : " is the command as it runs by itself: it reads, runs and writes at the same time, limited by ") +
               text_of(made.warm.overlapped.limit()) + ".\n";
  // Floats that a GPU associates in another way are near, and other bits.
  if (!a.common.validate || by_peer || (where == back_end::gpu && near != "exact")) return made;
  for (std::size_t k = 0; k < paths.size(); ++k) {
    if (!std::filesystem::is_regular_file(ours[k])) continue;  // what went to a pipe cannot be read again
    if (!same_bytes(paths[k], ours[k])) throw mismatch(made.name + ": its output is not that of a run in one piece");
  }
  return made;
}

// Another program from file to file; `ours` is what the library wrote.
compared measure_outside(outside_program const& what, comparison_request const& a, std::string const& theirs,
                         std::string const& ours) {
  compared made{what.name, back_end::cpu, contender_kind::peer, {}, {}, 0, {}, false, {}, {}};
  if (!is_installed(what.program)) {
    made.skipped = what.name + " is SKIPPED: there is no program " + what.program + ".\n";
    return made;
  }
  made.cold.load = run_outside(what);
  std::vector<phase_times> warm(static_cast<std::size_t>(a.common.repeat));
  for (auto& times : warm) times.load = run_outside(what);
  made.warm = median_of(warm);
  made.about = what.name + " is a program of its own: its total is that of the process.\n";
  bool const is_there = std::filesystem::is_regular_file(ours);  // what went to a pipe cannot be read again
  made.check = !a.common.validate || !is_there ? "" : same_bytes(theirs, ours) ? "ok" : "differs";
  return made;
}

}  // namespace

bool comparison_result::has(back_end where) const {
  return std::any_of(results.begin(), results.end(), [&](compared const& one) { return one.where == where; });
}

comparison_result compare(comparison_request const& a) {
  auto const& common = a.common;
  auto const how = strategy_named(common.strategy, a.words.has_textbook_form());
  expect_one_meaning(common, how);
  auto const survey = survey_for(common);
  auto const asked = a.words.outputs();
  std::vector<scratch_file> scratch;
  std::vector<std::string> ours_to = asked, others_to;
  for (std::size_t k = 0; k < asked.size(); ++k) {
    others_to.push_back(scratch.emplace_back(asked[k]).path);
    if (asked[k].empty()) ours_to[k] = scratch.emplace_back(asked[k]).path;
  }
  for (auto const& file : open_outputs(ours_to))
    for (auto const& input : a.words.inputs())
      if (file.is_same_file(input))
        throw usage_error(input + ": every run reads this input again, so it cannot be an output as well");
  auto reference = a.words.read(nullptr);
  job const& of = *reference;
  std::vector<contender> list;
  // Behind the default, by what the user's file of tunings knows of it.
  std::map<back_end, std::string> tuned_words;
  auto const add_all = [&](back_end where) {
    auto all = contenders_for(of, where, how, common.reproducible);
    runner on;
    on.where = where;
    if (where == back_end::gpu) {
      on.device_number = common.device.value_or(0);
      on.device = survey.devices[static_cast<std::size_t>(on.device_number)].name;
    }
    if (auto const tuned = all.empty() ? std::nullopt : known_for(of, on, common)) {
      all.insert(all.begin() + 1, tuned_contender(of, where, tuned->by));
      tuned_words[where] = words_of(tuned->entry);
    }
    for (auto& one : all) list.push_back(std::move(one));
  };
  if (common.on != "gpu") add_all(back_end::cpu);
  auto const what = of.title + " of " + type_name(of);
  if (common.on == "gpu")
    decide_back_end(
        common, how, survey, [&](back_end where, strategy one) { return of.offers(where, one); }, what);
  if (common.on != "cpu" && !survey.devices.empty()) add_all(back_end::gpu);
  if (list.empty() || list[0].kind != contender_kind::ours)
    throw dispatch::unavailable("this build has no implementation" +
                                (common.strategy.empty() ? std::string() : " by --strategy " + common.strategy) +
                                (common.reproducible ? " that is reproducible" : "") + " for " + what);

  // Whoever comes first would pay for what the system keeps of the files: all are there before anybody is timed. What is not asked
  // to be kept, that is: an output of the user's is replaced by a result, or not at all.
  for (auto const& paths : {ours_to, others_to}) {
    auto files = open_outputs(paths);
    auto const& like = of.items();
    for (std::size_t k = 0; k < files.size(); ++k) {
      write_array(files[k], {like.type, like.shape, like.data, like.column});
      if (paths[k] != asked[k]) files[k].commit();
    }
  }
  progress line("comparing", static_cast<double>(list.size()));
  std::vector<compared> results;
  copy_speeds copies;
  for (auto& who : list) {
    line.at(static_cast<double>(results.size()));
    results.push_back(measure(who, a, who.kind == contender_kind::ours ? ours_to : others_to, of, copies));
    if (who.name == tuned_name) results.back().about = who.name + " has " + tuned_words[who.where] + " (lookback tune).\n";
    bool const is_first = results.size() == 1 || results[results.size() - 2].where != who.where;
    if (!is_first || who.kind != contender_kind::ours || how != strategy::best) continue;
    for (bool const by_peer : {false, true})
      if (auto overlapped = measure_overlapped(of, who.where, by_peer, a, others_to, ours_to))
        results.push_back(std::move(*overlapped));
  }
  if (auto const outside = of.outside(worker_threads(common.threads), others_to[0]); outside && common.on != "gpu") {
    auto const first_on_gpu =
        std::find_if(results.begin(), results.end(), [](compared const& one) { return one.where == back_end::gpu; });
    results.insert(first_on_gpu, measure_outside(*outside, a, others_to[0], ours_to[0]));
  }
  return {std::move(reference), how, std::move(results), survey};
}

}  // namespace lookback::app
