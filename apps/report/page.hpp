// A page of figures: one HTML file that needs nothing else, neither a script nor the network, for screens of every width, light and
// dark, and for paper.
#pragma once
#include <string>
#include <vector>

#include "chart.hpp"

namespace lookback::app {

/// Where numbers are from. A page has one, and a figure that was measured otherwise has its own.
struct origin {
  std::string machine;  // "NVIDIA H200, driver 550.54, CUDA 12.4"
  std::string commit;
  std::string command;  // the command line that measured it
  std::string date = {};
  bool empty() const { return machine.empty() && commit.empty() && command.empty() && date.empty(); }
};

struct figure {
  std::string title;  // what is to be seen: "Above 2^22 elements, the scan is as fast as a copy"
  std::string drawing;
  figure_table numbers;
  std::string note = {};
  origin from = {};
};

/// The figure of what is drawn. `title` is what is to be seen in it.
figure figure_of(line_data const& data, std::string note = {});
figure figure_of(bar_data const& data, std::string note = {});
figure figure_of(heat_data const& data, std::string note = {});

class page {
 public:
  page(std::string title, origin from, std::string lead = {});
  /// What follows belongs to a section of this name.
  page& section(std::string name, std::string lead = {});
  /// Throws invalid_argument for a figure without a title, a drawing, or numbers in as many columns as its head has.
  page& add(figure const& one);
  /// The whole file. Throws invalid_argument where no figure was added.
  std::string text() const;

 private:
  std::string title_, lead_, body_;
  origin from_;
  bool in_section_ = false;
  int figures_ = 0;
};

/// The style of the page and of the pictures on it.
std::string_view page_style();

}  // namespace lookback::app
