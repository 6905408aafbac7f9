// How the sheet measures: contenders of a job from and to the same memory, and lines of what that takes.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "jobs/contenders.hpp"
#include "report/chart.hpp"

namespace lookback::app {

/// Where it runs, and how much there is time for.
struct measuring {
  runner on;
  bool quick = false;
  index_t items = 0;  // of four bytes, of the largest inputs; 0: most_items()

  index_t most() const { return items > 0 ? items : most_items(on.where, quick); }
  static index_t most_items(back_end where, bool quick) {
    return index_t{1} << (where == back_end::gpu ? (quick ? 26 : 28) : (quick ? 22 : 26));
  }
  /// Up to most(), four times as many each, not below 2^12.
  std::vector<index_t> sizes() const;
  /// On a CPU contenders take turns, so that what else the machine does falls upon all of them. A GPU has no such neighbours, and
  /// would have to hold what all of them prepared.
  int turns() const { return on.where == back_end::cpu ? 3 : 1; }
  /// One turn of a contender.
  void time(contender const& who, job const& of, job_memory& memory, std::vector<double>& runs) const {
    // Calls that are short are disturbed most: there are more of them.
    int const least = quick ? 3 : 5, most = on.where == back_end::cpu ? 60 : quick ? 9 : 21;
    time_kernel(who, of, memory, (least + turns() - 1) / turns(), most / turns(), (quick ? 0.1 : 0.5) / turns(), runs);
  }
};

/// What a contender took.
struct timed {
  std::string name;
  contender_kind kind;
  strategy how;
  double seconds;
  double bytes;  // that the job must read and write; of a ceiling, what it copies
  double rate() const { return bytes / seconds / 1e9; }
};

using takes_part = std::function<bool(contender const&)>;
/// The default strategy, the peers and the ceiling.
bool is_default_or_other(contender const& who);
/// The library's own, by any strategy.
bool is_ours(contender const& who);

/// All of a job's contenders that take part, the default first. Whoever fails is left out with a note; but the default throws.
std::vector<timed> time_all(measuring const& with, job const& of, takes_part const& takes = is_default_or_other);

/// The default strategy's.
timed const& ours_of(std::vector<timed> const& all);
/// The fastest peer; null where there is none.
timed const* best_peer_of(std::vector<timed> const& all);
/// The copy; null where there is none.
timed const* ceiling_of(std::vector<timed> const& all);

/// Lines that grow by a point for each name.
class growing_lines {
 public:
  void add(std::string const& name, double x, double y, bool is_ceiling = false);
  std::vector<series> take() { return std::move(lines_); }

 private:
  std::vector<series> lines_;
};

/// "2^20", or "1,000,000" where it is no power of two.
std::string items_text(index_t n);
/// "1.31 times as fast as CUB", "0.87 times as fast as CUB".
std::string speed_text(double times, std::string const& peer);

}  // namespace lookback::app
