// What peers sort that compare: a line with its number.
#pragma once
#include "lines_order.hpp"

namespace lookback::dispatch {

struct numbered_line {
  text_line line;
  std::uint32_t number;
};
struct numbered_line_at {
  lines_request request;
  LOOKBACK_FN numbered_line operator()(index_t i) const {
    return {line_of(request.characters, request.begins[i], request.begins[i + 1] - 1), static_cast<std::uint32_t>(i)};
  }
};
struct numbered_before {
  lines_before lines;
  LOOKBACK_FN bool operator()(numbered_line const& a, numbered_line const& b) const { return lines(a.line, b.line); }
};
struct number_of_line {
  LOOKBACK_FN std::uint32_t operator()(numbered_line const& x) const { return x.number; }
};

}  // namespace lookback::dispatch
