// Time, in seconds.
#pragma once
#include <algorithm>
#include <chrono>
#include <ctime>
#include <string>
#include <vector>

namespace lookback::app {

/// Seconds since it was made or last asked.
class stopwatch {
 public:
  double lap() {
    auto const now = std::chrono::steady_clock::now();
    double const seconds = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    return seconds;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// The current time in UTC: "2026-11-30T14:29:10+00:00".
inline std::string utc_text() {
  char text[32] = "";
  auto const now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S+00:00", &utc);
  return text;
}

/// What a part of them is below, from 0 to 1; 0 of nothing.
inline double quantile(std::vector<double> seconds, double part) {
  if (seconds.empty()) return 0;
  std::sort(seconds.begin(), seconds.end());
  return seconds[static_cast<std::size_t>(part * static_cast<double>(seconds.size() - 1) + 0.5)];
}

/// 0 of nothing.
inline double median(std::vector<double> seconds) {
  if (seconds.empty()) return 0;
  std::sort(seconds.begin(), seconds.end());
  auto const n = seconds.size();
  return (seconds[(n - 1) / 2] + seconds[n / 2]) / 2;
}

}  // namespace lookback::app
