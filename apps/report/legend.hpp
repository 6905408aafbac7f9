// What colours and shapes stand for, where there is no room for names beside what is drawn.
#pragma once
#include <string>
#include <vector>

#include "drawing.hpp"

namespace lookback::app {

struct legend_entry {
  std::string name;
  std::string classes;     // of its colour
  bool line = false;       // a line, else a box
  bool dashed = false;     // the line of a ceiling, without a mark
  std::size_t marker = 0;  // the shape on the line
};

/// Draws the entries in columns of one width from the height `top`; returns the height where the legend ends.
double draw_legend(drawing& on, std::vector<legend_entry> const& entries, double top);

}  // namespace lookback::app
