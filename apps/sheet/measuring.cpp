#include "measuring.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "io/numbers.hpp"
#include "jobs/attempt.hpp"
#include "report/clock.hpp"
#include "report/table.hpp"

namespace lookback::app {

std::vector<index_t> measuring::sizes() const {
  std::vector<index_t> list;
  for (index_t n = most(); n >= index_t{1} << 12 || list.empty(); n /= 4) list.insert(list.begin(), n);
  return list;
}

bool is_ours(contender const& who) { return who.kind == contender_kind::ours; }
bool is_default_or_other(contender const& who) { return !is_ours(who) || dispatch::is_default(who.how); }

std::vector<timed> time_all(measuring const& with, job const& of, takes_part const& takes) {
  struct entrant {
    contender who;  // frees what it prepared when it leaves
    std::vector<double> runs{};
    double bytes = 0;
  };
  std::vector<entrant> entrants;
  for (auto& who : contenders_for(of, with.on.where, strategy::best, false))
    if (takes(who)) entrants.push_back({std::move(who)});
  std::vector<timed> all;
  job_memory memory(with.on, of);
  for (int turn = 1; turn <= with.turns(); ++turn) {
    for (bool first = true; auto& one : entrants) {
      bool const is_needed = std::exchange(first, false) && is_ours(one.who);  // without the default there is nothing to show
      if (!one.who.run) continue;
      auto const measure = [&] { with.time(one.who, of, memory, one.runs); };
      if (is_needed) measure();
      else if (auto const reason = attempt(measure); !reason.empty()) {
        note("report: " + one.who.name + " is left out of " + of.command + ", " + of.title + ": " + reason);
        one.runs.clear(), one.who.run = nullptr;
        continue;
      }
      one.bytes = one.who.kind == contender_kind::ceiling ? 2.0 * static_cast<double>(of.items().bytes())
                                                          : of.moved_bytes(memory.results());
      if (turn == with.turns()) one.who.run = nullptr;
    }
  }
  for (auto& one : entrants)
    if (!one.runs.empty()) all.push_back({one.who.name, one.who.kind, one.who.how, median(std::move(one.runs)), one.bytes});
  return all;
}

timed const& ours_of(std::vector<timed> const& all) {
  for (auto const& one : all)
    if (one.kind == contender_kind::ours) return one;
  throw dispatch::unavailable("this build has no implementation to measure");
}

timed const* best_peer_of(std::vector<timed> const& all) {
  timed const* best = nullptr;
  for (auto const& one : all)
    if (one.kind == contender_kind::peer && (!best || one.seconds < best->seconds)) best = &one;
  return best;
}

timed const* ceiling_of(std::vector<timed> const& all) {
  for (auto const& one : all)
    if (one.kind == contender_kind::ceiling) return &one;
  return nullptr;
}

void growing_lines::add(std::string const& name, double x, double y, bool is_ceiling) {
  auto const known = std::find_if(lines_.begin(), lines_.end(), [&](series const& one) { return one.name == name; });
  auto& line = known != lines_.end() ? *known : lines_.emplace_back(series{name, {}, is_ceiling});
  line.points.push_back({x, y});
}

std::string items_text(index_t n) {
  if (std::has_single_bit(static_cast<std::uint64_t>(n))) return "2^" + text_of(std::countr_zero(static_cast<std::uint64_t>(n)));
  return grouped(n);
}

std::string speed_text(double times, std::string const& peer) { return fixed_text(times, 2) + " times as fast as " + peer; }

}  // namespace lookback::app
