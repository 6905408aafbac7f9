#include "table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace lookback::app {

namespace {
// Columns on the screen, not bytes: continuation bytes of UTF-8 take none.
std::size_t width_of(std::string const& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}
}  // namespace

std::string table::text() const {
  std::vector<std::size_t> widths;
  for (auto const& row : rows_)
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c == widths.size()) widths.push_back(0);
      widths[c] = std::max(widths[c], width_of(row[c]));
    }
  std::size_t total = 0;
  for (auto const width : widths) total += width + 2;
  std::string const rule = std::string(total > 2 ? total - 2 : 0, '-') + "\n";
  std::string text;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    auto const& row = rows_[r];
    if (row.size() == 1 && row[0] == "-") {
      text += rule;
      continue;
    }
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      std::string const space(widths[c] - width_of(row[c]), ' ');
      line += (c ? "  " : "") + (c < left_ ? row[c] + space : space + row[c]);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    if (r == 0) text += rule;
  }
  return text;
}

std::string fixed_text(double value, int digits) {
  char buffer[400];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, digits).ptr};
}

std::string short_text(double value) {
  char buffer[40];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, 6).ptr};
}

namespace {
std::string three_digits(double value) { return fixed_text(value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0); }
}  // namespace

std::string time_text(double seconds) {
  if (seconds < 1e-3) return three_digits(seconds * 1e6) + " us";
  return seconds < 1 ? three_digits(seconds * 1e3) + " ms" : three_digits(seconds) + " s";
}

std::string milliseconds_text(double seconds) {
  if (seconds == 0) return "-";
  double const value = seconds * 1e3;
  return fixed_text(value, value < 0.1 ? 5 : value < 1 ? 3 : value < 100 ? 2 : 1);
}

std::string ratio_text(double best, double mine) {
  return best > 0 && mine > 0 && std::isfinite(best) ? fixed_text(best / mine, 2) + "x" : "-";
}

std::string rate_text(double bytes, double seconds) { return seconds > 0 ? three_digits(bytes / seconds / 1e9) + " GB/s" : "-"; }

}  // namespace lookback::app
