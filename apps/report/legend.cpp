#include "legend.hpp"

#include <algorithm>
#include <cmath>

namespace lookback::app {

double draw_legend(drawing& on, std::vector<legend_entry> const& entries, double top) {
  auto const& how = on.how();
  double const sample = std::any_of(entries.begin(), entries.end(), [](auto const& one) { return one.line; }) ? 24 : 12;
  double const gap = 6, between = 18;
  double widest = 0;
  for (auto const& one : entries) widest = std::max(widest, text_width(one.name, how.font));
  widest = std::min(widest, how.width - sample - gap);
  double const step = sample + gap + widest + between;
  auto const count = static_cast<double>(entries.size());
  double columns = std::clamp(std::floor((how.width + between) / step), 1.0, count);
  columns = std::ceil(count / std::ceil(count / columns));  // rows of nearly one length
  for (std::size_t i = 0; i < entries.size(); ++i) {
    auto const& one = entries[i];
    double const row = std::floor(static_cast<double>(i) / columns);
    double const x = (static_cast<double>(i) - row * columns) * step, y = top + (row + 0.5) * how.line;
    on.open(one.classes);
    if (one.line) {
      on.line(x, y, x + sample, y, one.dashed ? "ceiling" : "line");
      if (!one.dashed) on.marker(one.marker, x + sample / 2, y, "");
    } else on.box(x, y - 5.5, sample, 11, "bar");
    on.close();
    on.text(x + sample + gap, y, anchor::start, {shortened(one.name, how.font, widest)});
  }
  return top + std::ceil(count / columns) * how.line;
}

}  // namespace lookback::app
