// Tunings that `lookback tune` found on this machine and keeps in a file of this user, for calls of the library:
//
//   auto const known = lookback::tunings::of_this_user();  // none where there is no file
//   auto const on = known.applied(lookback::cpu::on(), {.command = "scan", .manner = "inclusive plus", .type = "i32", .items = n});
//
// On a CPU a tuning is sizes that a policy takes at run time. On a GPU sizes are types (gpu::tuning): gpu_type() says which one
// stands in the file. The tuner is one of the program's commands.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "cpu/run/machine.hpp"
#include "error.hpp"
#include "version.hpp"

namespace lookback {

/// What is tuned: a command of the program with its manner, as `lookback info` shows them, the type of the items and their number;
/// and the threads that the caller asks for, 0 for none in particular.
struct tuned_call {
  std::string command, manner, type;
  std::int64_t items = 0;
  std::int64_t threads = 0;
};

/// One entry of the file. Zero and empty are the library's own choice.
struct known_tuning {
  std::string back_end;  // cpu, gpu
  std::string device;    // where it was measured: a tuning is for the same device and version alone
  std::string version;
  tuned_call call;
  std::string strategy;
  std::int64_t threads = 0;  // workers; on a GPU of a block
  // On a CPU, as cpu::tuning has them.
  std::int64_t tile_bytes = 0, stream_above_bytes = 0;
  std::string simd;  // portable, avx2, avx512
  // On a GPU, as gpu::tuning has them.
  std::int64_t bytes_per_thread = 0, slots = 0, blocks = 0;
  std::string network, loads, strides;
  // What was measured, in seconds.
  double default_seconds = 0, tuned_seconds = 0;
  std::int64_t configurations = 0;
  // Lines of parts that this version does not know: the entry is for nobody, and is written as it was.
  std::vector<std::string> unknown{};

  /// Says it that the library's own sizes are the fastest?
  bool is_default() const {
    return strategy.empty() && threads == 0 && tile_bytes == 0 && stream_above_bytes == 0 && simd.empty() && bytes_per_thread == 0;
  }
};

namespace detail {

/// The names and places of what an entry has, in the order of the file.
template <class Tuning, class F>
void each_entry_of(Tuning& t, F f) {
  f("device", t.device), f("version", t.version);
  f("command", t.call.command), f("manner", t.call.manner), f("type", t.call.type), f("items", t.call.items),
      f("asked_threads", t.call.threads);
  f("strategy", t.strategy), f("threads", t.threads);
  f("tile_bytes", t.tile_bytes), f("stream_above_bytes", t.stream_above_bytes), f("simd", t.simd);
  f("bytes_per_thread", t.bytes_per_thread), f("slots", t.slots), f("blocks", t.blocks);
  f("network", t.network), f("loads", t.loads), f("strides", t.strides);
  f("default_seconds", t.default_seconds), f("tuned_seconds", t.tuned_seconds), f("configurations", t.configurations);
}

inline std::string without_blanks(std::string const& text) {
  auto const first = text.find_first_not_of(" \t\r"), last = text.find_last_not_of(" \t\r");
  return first == std::string::npos ? std::string() : text.substr(first, last - first + 1);
}
inline bool read_value(std::string const& text, std::string& value) {
  value = text;
  return true;
}
template <class Number>
bool read_value(std::string const& text, Number& value) {
  std::istringstream from(text);
  from.imbue(std::locale::classic());
  return (from >> value) && from.peek() == std::istringstream::traits_type::eof() && value >= 0;
}
inline bool is_default(std::string const& value) { return value.empty(); }
template <class Number>
bool is_default(Number value) {
  return value == 0;
}

}  // namespace detail

/// The name of this machine's processors, or where the system has none the numbers of their maker and kind.
inline std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  std::string numbers;
  for (std::string line; std::getline(file, line);) {
    auto const colon = line.find(": ");
    if (colon == std::string::npos) continue;
    if (line.rfind("model name", 0) == 0) return line.substr(colon + 2);
    if (line.rfind("CPU implementer", 0) == 0 && numbers.empty()) numbers = "CPU of implementer " + line.substr(colon + 2);
    if (line.rfind("CPU part", 0) == 0) return numbers + ", part " + line.substr(colon + 2);
  }
  return "unknown CPU";
}
/// What a tuning of the CPU is for: the processors and how many of their cores this process may use.
inline std::string this_processor() { return processor_name() + ", " + std::to_string(cpu::usable_cores()) + " cores"; }

class tunings {
 public:
  /// Entries in the order of the file.
  std::vector<known_tuning> entries;

  /// $LOOKBACK_TUNINGS; else lookback/tunings.ini in $XDG_CONFIG_HOME or ~/.config. Empty where none of these is set.
  static std::string path_of_this_user() {
    auto const variable = [](char const* name) {
      char const* const value = std::getenv(name);
      return std::string(value ? value : "");
    };
    if (auto const file = variable("LOOKBACK_TUNINGS"); !file.empty()) return file;
    if (auto const folder = variable("XDG_CONFIG_HOME"); !folder.empty()) return folder + "/lookback/tunings.ini";
    if (auto const home = variable("HOME"); !home.empty()) return home + "/.config/lookback/tunings.ini";
    return {};
  }

  /// Reads them; none where there is no such file. Throws what read() throws: a file that somebody has changed by hand may be
  /// wrong.
  static tunings of_this_user() {
    auto const path = path_of_this_user();
    std::ifstream file(path);
    return path.empty() || !file ? tunings() : read(file, path);
  }

  /// Entries "[cpu]" or "[gpu]", and below each of them lines "name = value". Empty lines and those that begin with # say nothing.
  /// A name that this version does not know spoils its entry alone. Throws invalid_argument that names the file, the line, what was
  /// found and what was expected.
  static tunings read(std::istream& from, std::string const& name) {
    tunings made;
    std::int64_t number = 0;
    auto const refuse = [&](std::string const& found, std::string const& expected) {
      throw invalid_argument(name + ": line " + std::to_string(number) + ": found '" + found + "', expected " + expected);
    };
    for (std::string raw; std::getline(from, raw);) {
      ++number;
      auto const line = detail::without_blanks(raw);
      if (line.empty() || line[0] == '#') continue;
      if (line[0] == '[') {
        if (line != "[cpu]" && line != "[gpu]") refuse(line, "[cpu] or [gpu]");
        made.entries.emplace_back().back_end = line.substr(1, 3);
        continue;
      }
      auto const sign = line.find('=');
      if (sign == std::string::npos) refuse(line, "name = value");
      if (made.entries.empty()) refuse(line, "[cpu] or [gpu] before it");
      auto const key = detail::without_blanks(line.substr(0, sign)), value = detail::without_blanks(line.substr(sign + 1));
      bool known = false;
      detail::each_entry_of(made.entries.back(), [&](std::string const& one, auto& place) {
        if (one != key) return;
        known = true;
        if (!detail::read_value(value, place)) refuse(line, "a number behind " + key + " =");
      });
      if (!known) made.entries.back().unknown.push_back(line);
      if (key == "simd" && simd_level(value) == 0) refuse(line, "portable, avx2 or avx512");
    }
    if (from.bad()) throw io_error(name + ": cannot be read, expected a file of tunings");
    return made;
  }

  /// The file that read() reads.
  std::string text() const {
    std::ostringstream to;
    to.imbue(std::locale::classic());
    to << "# Written by lookback tune, which keeps no other comments. An entry holds for its device and version, and for half to "
          "twice as many items.\n";
    for (auto const& one : entries) {
      to << "\n[" << one.back_end << "]\n";
      detail::each_entry_of(one, [&](char const* name, auto const& value) {
        if (!detail::is_default(value)) to << name << " = " << value << "\n";
      });
      for (auto const& line : one.unknown) to << line << "\n";
    }
    return to.str();
  }

  /// The entry for a call on a device, for the number of items that is nearest to its own; null where there is none within half to
  /// twice as many.
  known_tuning const* find(std::string const& back_end, std::string const& device, tuned_call const& call) const {
    known_tuning const* best = nullptr;
    for (auto const& one : entries) {
      if (one.back_end != back_end || one.device != device || one.version != lookback::version || !is_for(one, call)) continue;
      if (!best || factor(one, call) < factor(*best, call)) best = &one;
    }
    return best;
  }

  /// Is it for such a call, of half to twice as many items, on whichever device?
  static bool is_for(known_tuning const& one, tuned_call const& call) {
    return one.unknown.empty() && one.call.command == call.command && one.call.manner == call.manner &&
           one.call.type == call.type && one.call.threads == call.threads && factor(one, call) <= 2;
  }

  /// Takes the place of an entry for the same call of as many items, on the same device; of another version, too.
  void keep(known_tuning const& made) {
    auto const is_replaced = [&](known_tuning const& one) {
      return one.back_end == made.back_end && one.device == made.device && is_for(one, made.call) &&
             one.call.items == made.call.items;
    };
    entries.erase(std::remove_if(entries.begin(), entries.end(), is_replaced), entries.end());
    entries.push_back(made);
  }

  /// A policy of the CPU with what the file knows for a call; as it is where the file knows nothing, or sizes that were measured
  /// with another strategy: that is a type, so that find() and on.with(...) are the caller's. Threads and sizes that the policy
  /// names stay. Sums of floats may round differently by another tile or SIMD level; under `reproducible` the sizes change nothing.
  template <class Policy>
  Policy applied(Policy on, tuned_call call) const {
    call.threads = on.threads;
    if (auto const* const one = find("cpu", this_processor(), call); one && one->strategy.empty()) {
      if (on.threads == 0) on.threads = static_cast<int>(std::min<std::int64_t>(one->threads, cpu::usable_cores()));
      if (on.tuning.tile_bytes == 0 && on.tuning.tile_items == 0) on.tuning.tile_bytes = one->tile_bytes;
      if (on.tuning.stream_above_bytes == 0) on.tuning.stream_above_bytes = one->stream_above_bytes;
      using level = decltype(on.tuning.simd);
      if (on.tuning.simd == level{}) on.tuning.simd = static_cast<level>(simd_level(one->simd));
    }
    return on;
  }

  /// The names of cpu::simd_level in their order; the first is automatic.
  static constexpr char const* simd_names[] = {"", "portable", "avx2", "avx512"};
  /// Its number; 0 for a name that none has.
  static int simd_level(std::string const& name) {
    for (int level = 0; level < 4; ++level)
      if (name == simd_names[level]) return level;
    return 0;
  }

 private:
  static double factor(known_tuning const& one, tuned_call const& call) {
    double const p = static_cast<double>(one.call.items), q = static_cast<double>(call.items);
    return std::max(p, q) / std::max(std::min(p, q), 1.0);
  }
};

/// "gpu::tuning<320, 112, 3, 2>": what a GPU's policy takes in code.
inline std::string gpu_type(known_tuning const& of) {
  std::string text = "gpu::tuning<" + std::to_string(of.threads) + ", " + std::to_string(of.bytes_per_thread) + ", " +
                     std::to_string(of.slots) + ", " + std::to_string(of.blocks);
  bool const strides = of.strides != "" && of.strides != "odd_strides", loads = of.loads != "" && of.loads != "by_copy_engine",
             network = of.network != "" && of.network != "kogge_stone";
  if (network || loads || strides) text += ", gpu::" + (network ? of.network : std::string("kogge_stone"));
  if (loads || strides) text += ", gpu::" + (loads ? of.loads : std::string("by_copy_engine"));
  if (strides) text += ", gpu::" + of.strides;
  return text + ">";
}

}  // namespace lookback
