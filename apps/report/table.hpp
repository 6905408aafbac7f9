// Tables for people.
#pragma once
#include <string>
#include <vector>

namespace lookback::app {

/// Columns as wide as their widest cell: the first `left` ones flush left, the others flush right. A row of one cell "-" is a rule.
class table {
 public:
  table(std::vector<std::string> head, std::size_t left) : rows_{std::move(head)}, left_{left} {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  void rule() { rows_.push_back({"-"}); }
  /// With a rule under the head, each line ended.
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
  std::size_t left_;
};

/// "1.23 ms": three digits and a unit that suits them.
std::string time_text(double seconds);
/// "1.234": milliseconds alone, for columns; "-" for nothing at all.
std::string milliseconds_text(double seconds);
/// "12.3 GB/s"; "-" without a time.
std::string rate_text(double bytes, double seconds);
/// "1.25x": how many times as fast as `best` seconds `mine` are; "-" where one of them is not known.
std::string ratio_text(double best, double mine);
/// A figure of six digits: "0.0198712", "2.5e-07".
std::string short_text(double value);
/// A figure with `digits` behind the point.
std::string fixed_text(double value, int digits);

}  // namespace lookback::app
