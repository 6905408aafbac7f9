// Pictures of measurements as a page, with the machine, the commit and the command line.
#pragma once
#include "report/page.hpp"
#include "sheet.hpp"

namespace lookback::app {

/// This machine, this build and this command line.
origin origin_here(dispatch::gpu_survey const& survey, common_options const& common);

figure figure_of(picture const& of);

/// A comparison of one command: what each part takes, and the kernels alone.
std::string page_of(comparison_result const& of, common_options const& common);

/// The page of `report`.
class sheet_page {
 public:
  sheet_page(dispatch::gpu_survey const& survey, common_options const& common, bool quick);
  /// `where` is the device of the section; empty if it is about all of them.
  void add(sheet_section const& section, std::string const& where);
  std::string text() const { return page_.text(); }

 private:
  page page_;
};

}  // namespace lookback::app
