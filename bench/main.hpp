// What every benchmark program does: options, context (device, commit, command) and the run.
#pragma once
#include <benchmark/benchmark.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <harness.hpp>
#include <span>
#include <string>
#include <vector>

namespace bench {

/// The commit of the tree: LOOKBACK_COMMIT where the program was built elsewhere, else what git says here.
inline std::string commit() {
  if (char const* given = std::getenv("LOOKBACK_COMMIT")) return given;
  std::string said;
  if (std::FILE* git = popen("git describe --always --dirty 2>/dev/null", "r")) {
    std::array<char, 128> line{};
    if (std::fgets(line.data(), static_cast<int>(line.size()), git)) said = line.data();
    pclose(git);
  }
  while (!said.empty() && said.back() == '\n') said.pop_back();
  return said.empty() ? "unknown" : said;
}

/// Has a case failed? Then the program does.
inline bool& any_failed() {
  static bool failed = false;
  return failed;
}

inline void add_case(std::string const& name, int rounds, std::function<void(benchmark::State&)> body) {
  benchmark::RegisterBenchmark(name.c_str(),
                               [body](benchmark::State& state) {
                                 try {
                                   body(state);
                                 } catch (std::exception const& failed) {
                                   any_failed() = true;
                                   state.SkipWithError(failed.what());
                                 }
                               })
      ->UseManualTime()
      ->Unit(benchmark::kMicrosecond)
      ->Iterations(rounds);
}

inline int run_cases(int argc, char** argv, void (*add_cases)()) {
  std::string command;
  std::vector<char*> rest;
  for (int i = 0; i < argc; ++i) {
    std::string const argument = argv[i];
    command += (i ? " " : "") + argument;
    if (!read_option(argument)) rest.push_back(argv[i]);
  }
#if !defined(__OPTIMIZE__)
  std::fprintf(stderr, "compiled without optimization, which is no contest: build with -DCMAKE_BUILD_TYPE=Release\n");
  return 1;
#endif
  prepare_device();
  benchmark::AddCustomContext("device", device_name());
  benchmark::AddCustomContext("commit", commit());
  benchmark::AddCustomContext("command", command);
  add_cases();
  int count = static_cast<int>(rest.size());
  benchmark::Initialize(&count, rest.data());
  if (benchmark::ReportUnrecognizedArguments(count, rest.data())) return 64;
  benchmark::RunSpecifiedBenchmarks();
  return any_failed() ? 1 : 0;
}

}  // namespace bench
