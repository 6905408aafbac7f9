// The worst cost of a byte over the best one, of each contender over several jobs.
#pragma once
#include <string>
#include <vector>

#include "measuring.hpp"

namespace lookback::app {

class spread {
 public:
  void add(std::vector<timed> const& all);

  struct ratio {
    std::string name;
    double value;
  };
  /// Of ours, and of the peer that is fastest on average, of those that take all jobs; no name where there is none.
  ratio ours() const;
  ratio best_peer() const;

 private:
  struct entry {
    std::string name;
    contender_kind kind;
    std::vector<double> costs;
  };
  ratio best_of(contender_kind kind) const;

  std::vector<entry> of_;
  std::size_t jobs_ = 0;
};

}  // namespace lookback::app
