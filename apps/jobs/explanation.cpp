#include "explanation.hpp"

#include <algorithm>
#include <atomic>
#include <lookback/cpu.hpp>

#include "attempt.hpp"
#include "dispatch/peers.hpp"
#include "io/numbers.hpp"
#include "report/clock.hpp"
#include "report/machine.hpp"
#include "report/table.hpp"

namespace lookback::app {

namespace {

constexpr int copies = 9;

/// A copy, as `compare` has it for the ceiling.
void run_copy(runner const& on, void const* in, void* out, std::size_t bytes) {
  dispatch::scan_request request{.in = in, .out = out, .n = static_cast<index_t>(bytes), .type = element::u8};
  for (auto const& peer : dispatch::peers())
    if (peer.where == on.where && peer.is_ceiling) return peer.run(on.place(), request);
  throw dispatch::unavailable(std::string("this build has no copy on the ") + dispatch::name_of(on.where));
}

/// Of seconds that `measure` returns.
template <class Measure>
double median_of_copies(Measure const& measure) {
  measure();
  std::vector<double> seconds;
  for (int i = 0; i < copies; ++i) seconds.push_back(measure());
  return median(std::move(seconds));
}
template <class Run>
double median_seconds(Run const& run) {
  return median_of_copies([&] {
    stopwatch clock;
    run();
    return clock.lap();
  });
}

/// Workers that meet: what each pass over tiles costs beside them. Who waits gives up after a while, since a core may be taken
/// away.
double start_of_workers(int threads) {
  auto const policy = cpu::on(threads);
  int const workers = policy.executor.workers(policy.threads);
  if (workers <= 1) return 0;
  struct meeting {
    int expected;
    std::atomic<int> here{0};
  };
  return median_seconds([&] {
    meeting all{workers};
    policy.executor.run(
        workers,
        [](void* context) {
          auto& m = *static_cast<meeting*>(context);
          m.here.fetch_add(1, std::memory_order_relaxed);
          stopwatch clock;
          for (double waited = 0; m.here.load(std::memory_order_relaxed) < m.expected && waited < 1e-3; waited += clock.lap()) {
          }
        },
        &all);
  });
}

/// The library's own copy by all workers, a tile at a time, past the caches where it would bypass them.
void copy_by_tiles(int threads, std::byte const* in, std::byte* out, std::size_t bytes) {
  auto const policy = cpu::on(threads);
  auto const n = static_cast<index_t>(bytes);
  index_t const tile = cpu::default_tile_items(policy.tuning, 1);
  bool const streams = n > cpu::stream_above(policy.tuning);
  cpu::tickets tiles;
  int const workers = static_cast<int>(std::clamp<index_t>((n + tile - 1) / tile, 1, policy.executor.workers(policy.threads)));
  cpu::run_workers(policy.executor, workers, [&](int, std::atomic<bool> const&) {
    for (index_t begin; (begin = tiles.claim() * tile) < n;)
      cpu::copy_out(out + begin, in + begin, std::min(tile, n - begin), cpu::usable(policy.tuning.simd), streams);
    cpu::streaming_fence();
  });
}

/// One kernel more, behind others.
double start_of_kernel(runner const& on, void const* in, void* out) {
  auto const some = [&](int count) {
    return median_seconds([&] {
      for (int i = 0; i < count; ++i) run_copy(on, in, out, 16);
      on.queue->wait();
    });
  };
  constexpr int many = 33;
  return std::max(0.0, (some(many) - some(1)) / (many - 1));
}

/// What the only way of a call reads and writes again.
double repeated_bytes(job const& of, explanation const& made) {
  if (made.seen.ways.size() != 1 || !made.seen.is_complete) return -1;
  auto const& way = made.seen.ways[0];
  if (way.reads == 0 || way.writes == 0) return -1;
  // Of segments, only what lies before a head is written again; and in place, two passes go by way of scratch memory.
  bool const again = way.reads != 1 || way.writes != 1;
  if (again && (of.in_place() || (way.writes != 1 && of.stored_values() > dispatch::values_of::scan))) return -1;
  return (way.reads - 1) * made.least.read + (way.writes - 1) * made.least.written;
}

std::string count_text(index_t count, std::string const& what) {
  bool const takes_es = what.ends_with('s') || what.ends_with("ch");
  return grouped(count) + " " + what + (count == 1 ? "" : takes_es ? "es" : "s");
}

std::string pass_text(observed_pass const& pass, back_end where) {
  std::string text = pass.name + " (";
  if (where == back_end::gpu) {
    text += count_text(pass.parts, "block") + " of " + text_of(pass.threads) + " threads";
    if (pass.shared_bytes > 0) text += ", " + bytes_text(static_cast<double>(pass.shared_bytes)) + " of shared memory";
  } else text += count_text(pass.parts, "tile") + ", " + count_text(pass.threads, "worker");
  return text + ")" + (pass.times > 1 ? " " + grouped(pass.times) + " times" : "");
}

std::string way_text(observed_way const& way) {
  std::string said = way.what;
  if (way.tiles > 0) said += ", " + count_text(way.tiles, "tile");
  if (way.tile_items > 0) said += " of " + count_text(way.tile_items, "item");
  return said + ": " + way.why;
}

std::string joined(std::vector<std::string> const& all) {
  std::string text;
  for (auto const& one : all) text += (text.empty() ? "" : "; ") + one;
  return text;
}

/// Each of them once, with its number: an algorithm of many calls has many that are equal. The rest is counted.
std::vector<std::string> counted(std::vector<std::string> const& all) {
  constexpr std::size_t most = 12;
  std::vector<std::pair<std::string, index_t>> found;
  for (auto const& one : all) {
    auto const known = std::find_if(found.begin(), found.end(), [&](auto const& other) { return other.first == one; });
    if (known != found.end()) ++known->second;
    else found.emplace_back(one, 1);
  }
  std::vector<std::string> lines;
  for (auto const& [what, times] : found) {
    if (lines.size() == most) {
      lines.push_back("and " + grouped(std::ssize(found) - static_cast<index_t>(most)) + " more");
      break;
    }
    lines.push_back(what + (times > 1 ? ", in " + grouped(times) + " calls" : ""));
  }
  return lines;
}

struct gap_part {
  double seconds;
  std::string what;
};
/// Passes that wake other workers, or kernels.
index_t starts_of(explanation const& of) {
  index_t count = 0;
  for (auto const& pass : of.seen.passes) count += of.where == back_end::gpu || pass.threads > 1 ? pass.times : 0;
  return count;
}
/// What is known of the gap between a copy and the run: parts that may overlap.
std::vector<gap_part> known_parts(explanation const& of) {
  std::vector<gap_part> parts;
  if (of.repeated > 0 && of.copy.bytes_per_second > 0)
    parts.push_back({of.repeated / of.copy.bytes_per_second, "to read and write again what it reads and writes more than once"});
  // A copy is a kernel too, and one call of the workers.
  if (auto const more = starts_of(of) - 1; more > 0 && of.copy.start > 0)
    parts.push_back({static_cast<double>(more) * of.copy.start,
                     "to start " + count_text(more, of.where == back_end::gpu ? "kernel" : "pass") + " more than a copy has"});
  return parts;
}

std::string gap_text(explanation const& of) {
  double const gap = of.seconds - of.copy.seconds;
  if (gap <= 0) return "none: it is as fast as that copy, or faster";
  std::string text = time_text(gap);
  double known = 0;
  for (auto const& part : known_parts(of)) {
    text += (known > 0 ? ", " : ": ") + time_text(part.seconds) + " " + part.what;
    known += part.seconds;
  }
  std::string const others =
      "computing, waiting for other tiles, first use of fresh memory, an order of reads that a copy does not have";
  if (known == 0) return text + ": " + others;
  return known < gap ? text + ", " + time_text(gap - known) + " for the rest: " + others : text + "; parts of it overlap";
}

}  // namespace

copy_speed measure_copy(runner const& on, double bytes, std::size_t most) {
  copy_speed found;
  if (bytes <= 0) return found;
  bool const on_gpu = on.where == back_end::gpu;
  auto const wanted = static_cast<std::size_t>(bytes / 2);
  if (most == 0) most = std::size_t{on_gpu ? 1024u : 256u} << 20;
  std::size_t const each = std::clamp<std::size_t>(wanted, 16, most);
  found.why_none = attempt([&] {
    if (on_gpu) {
      dispatch::gpu_memory const in(each), out(each);
      found.seconds = median_of_copies([&] { return on.queue->seconds_of([&] { run_copy(on, in.data(), out.data(), each); }); });
      found.start = start_of_kernel(on, in.data(), out.data());
    } else {
      host_memory in(each), out(each);
      std::fill_n(in.data(), each, std::byte{1});
      double const by_memcpy = median_seconds([&] { run_copy(on, in.data(), out.data(), each); });
      dispatch::end_peer_threads();
      found.seconds = std::min(by_memcpy, median_seconds([&] { copy_by_tiles(on.threads, in.data(), out.data(), each); }));
      found.start = start_of_workers(on.threads);
    }
  });
  if (found.seconds == 0) return found;
  found.bytes_per_second = 2 * static_cast<double>(each) / found.seconds;
  if (wanted > each) found.seconds *= static_cast<double>(wanted) / static_cast<double>(each);
  return found;
}

observation look_at(job const& of, job_function const& how, job_memory& memory) {
  observation seen;
  phase_times once;
  observing const now(seen);
  memory.run(of, how, once);
  return seen;
}

explanation explanation_of(job const& of, back_end where, observation seen, byte_counts const& least, double seconds,
                           copy_speed const& copy) {
  explanation made{where, least, std::move(seen), true, seconds, copy, -1};
  made.repeated = repeated_bytes(of, made);
  return made;
}
explanation explanation_of_peer(back_end where, byte_counts const& least, double seconds, copy_speed const& copy) {
  return {where, least, {}, false, seconds, copy, -1};
}

std::string summary_of(explanation const& of) {
  std::vector<std::string> ways;
  for (auto const& way : of.seen.ways) ways.push_back(way.what);
  return count_text(of.seen.pass_count(), of.where == back_end::gpu ? "kernel" : "pass") + ", " +
         bytes_text(static_cast<double>(of.seen.scratch_bytes)) + " of scratch" +
         (ways.empty() ? "" : ", " + joined(counted(ways)));
}

std::string text_of(explanation const& of, std::string const& head) {
  std::string text = head;
  auto const line = [&](std::string what, std::string const& said) {
    what.resize(10, ' ');
    text += "\n  " + what + said;
  };
  std::string moved = "at least " + bytes_text(of.least.read) + " read and " + bytes_text(of.least.written) + " written";
  if (of.repeated > 0) {
    auto const& way = of.seen.ways[0];
    moved += "; " + bytes_text(of.least.all() + of.repeated) + " by this way, which reads " + fixed_text(way.reads, 1) +
             " times and writes " + fixed_text(way.writes, 1) + " times";
  }
  line("bytes", moved);
  if (of.copy.seconds > 0)
    line("copy", "as many bytes, one half read and one half written, take " + time_text(of.copy.seconds) + " (" +
                     fixed_text(of.copy.bytes_per_second / 1e9, 1) + " GB/s, the median of " + text_of(copies) + ")");
  else if (!of.copy.why_none.empty()) line("copy", "not measured: " + of.copy.why_none);
  line("time", time_text(of.seconds) +
                   (of.copy.seconds > 0 ? ", " + fixed_text(100 * of.share_of_copy(), 0) + " % of the speed of that copy" : ""));
  if (of.copy.seconds > 0) line("gap", gap_text(of));
  line("scratch", bytes_text(static_cast<double>(of.seen.scratch_bytes)) + " asked for in all");
  std::vector<std::string> ways, passes;
  for (auto const& way : of.seen.ways) ways.push_back(way_text(way));
  for (auto const& pass : of.seen.passes) passes.push_back(pass_text(pass, of.where));
  for (auto const& [what, said] : {std::pair{"way", &ways}, {of.where == back_end::gpu ? "kernels" : "passes", &passes}}) {
    char const* name = what;
    for (auto const& one : counted(*said)) line(std::exchange(name, ""), one);
  }
  return text;
}

void add_to(json_object& measured, explanation const& of) {
  measured.add("bytes_read", of.least.read).add("bytes_written", of.least.written);
  measured.add("explained_seconds", of.seconds).add("floor_seconds", of.copy.seconds).add("share_of_copy", of.share_of_copy());
  if (!of.is_ours) return;
  if (of.repeated >= 0) measured.add("bytes_moved", of.least.all() + of.repeated);
  measured.add("scratch_bytes", of.seen.scratch_bytes).add("launches", of.seen.pass_count());
  std::vector<std::string> names, reasons, passes, gap;
  for (auto const& way : of.seen.ways) names.push_back(way.what), reasons.push_back(way.why);
  for (auto const& pass : of.seen.passes) passes.push_back(pass_text(pass, of.where));
  for (auto const& part : known_parts(of)) gap.push_back(time_text(part.seconds) + " " + part.what);
  measured.add("way", joined(counted(names))).add("why", joined(counted(reasons))).add("passes", joined(counted(passes)));
  measured.add("gap", joined(gap));
}

}  // namespace lookback::app
