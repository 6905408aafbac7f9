// One case of a benchmark: what it moves, who competes, and which bar it must reach. All candidates of a case are timed in turn,
// round after round, so that every figure is a ratio of medians from one run on one device.
#pragma once
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace bench {

/// What must be shown, and where we are going; `metric` is one of the counters below.
struct bar {
  std::string metric;
  double least, aim;
};

/// Seconds of one call, and whether nothing disturbed it.
struct sample {
  double seconds;
  bool clean = true;
};
using sampler = std::function<sample()>;

inline double median(std::vector<double> samples) {
  if (samples.empty()) return std::numeric_limits<double>::quiet_NaN();
  auto const middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
  std::nth_element(samples.begin(), middle, samples.end());
  return *middle;
}

/// Candidates by name: "lookback" is ours, "copy" the anchor, "plain" what else of ours it is held against, every other a peer.
class contest {
 public:
  /// Ours moves `bytes`, the copy beside it `copied_bytes` (read and written).
  contest(double bytes, double copied_bytes) : bytes_(bytes), copied_bytes_(copied_bytes) {}

  void enter(std::string name, sampler take) { all_.push_back({std::move(name), std::move(take), {}, {}}); }
  void must(bar b) { bars_.push_back(std::move(b)); }

  /// Rounds as many as the state asks for. The time of an iteration is ours; the counters hold the medians and their ratios:
  ///   GB/s, share_of_copy, x_best (best peer's time over ours), x_NAME for every peer, of_plain, dropped (samples), bar:METRIC,
  ///   disturbed (candidates with fewer than three clean samples: theirs is the median of all)
  void run(benchmark::State& state) {
    for (auto _ : state) {
      double ours = 0;
      for (auto& c : all_) {
        sample const s = c.take();
        c.all.push_back(s.seconds);
        if (s.clean) c.clean.push_back(s.seconds);
        if (c.name == "lookback") ours = s.seconds;
      }
      state.SetIterationTime(ours);
    }
    report(state);
  }

 private:
  struct entry {
    std::string name;
    sampler take;
    std::vector<double> clean, all;
    bool disturbed() const { return clean.size() < 3 && clean.size() < all.size(); }
    double seconds() const { return median(disturbed() ? all : clean); }
  };

  void report(benchmark::State& state) const {
    double ours = std::numeric_limits<double>::quiet_NaN(), best = std::numeric_limits<double>::infinity();
    std::size_t dropped = 0, disturbed = 0;
    for (auto const& c : all_) {
      dropped += c.all.size() - c.clean.size();
      disturbed += c.disturbed();
      if (c.name == "lookback") ours = c.seconds();
    }
    auto& out = state.counters;
    for (auto const& c : all_) {
      double const seconds = c.seconds();
      out["us:" + c.name] = seconds * 1e6;
      if (c.name == "lookback") continue;
      if (c.name == "copy") {
        out["share_of_copy"] = (bytes_ / ours) / (copied_bytes_ / seconds);
        out["copy_GB/s"] = copied_bytes_ / seconds * 1e-9;
      } else if (c.name == "plain") {
        out["of_plain"] = seconds / ours;
      } else {
        out["x_" + c.name] = seconds / ours;
        best = std::min(best, seconds);
      }
    }
    if (std::isfinite(best)) out["x_best"] = best / ours;
    out["GB/s"] = bytes_ / ours * 1e-9;
    out["dropped"] = static_cast<double>(dropped);
    out["disturbed"] = static_cast<double>(disturbed);
    for (auto const& b : bars_) {
      out["bar:" + b.metric] = b.least;
      out["aim:" + b.metric] = b.aim;
    }
  }

  double bytes_, copied_bytes_;
  std::vector<entry> all_;
  std::vector<bar> bars_;
};

}  // namespace bench
