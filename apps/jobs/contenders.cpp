#include "contenders.hpp"

#include "dispatch/peers.hpp"
#include "io/numbers.hpp"
#include "report/clock.hpp"
#include "strategy_names.hpp"

namespace lookback::app {

contender ours(job const& of, back_end where, strategy how, bool reproducible) {
  auto const run = [&of, how, reproducible](dispatch::place const& on, places const& at) { of.run(on, how, reproducible, at); };
  return {std::string("lookback ") + dispatch::name_of(how), where, contender_kind::ours, how, run};
}

namespace {

// Where results are to have the same bits on every back end, thread count and run.
bool keeps_bits(job const& of, back_end where, strategy how) {
  auto const type = of.items().type;
  if (dispatch::is_complex(type)) return where == back_end::cpu && how == strategy::decoupled_look_back;  // what multiply() has
  return how == strategy::decoupled_look_back || !dispatch::is_float(type);
}

// The textbook's form takes part where it does not take minutes, where it is asked for, and where nothing else is there.
constexpr index_t most_for_textbook = index_t{1} << 20;
bool takes_textbook(job const& of, strategy how, bool is_alone) {
  if (!of.has_textbook_form()) return false;
  return how == strategy::textbook || (how == strategy::best && (is_alone || of.items().n <= most_for_textbook));
}

}  // namespace

std::vector<contender> contenders_for(job const& of, back_end where, strategy how, bool reproducible) {
  std::vector<contender> list;
  if (how == strategy::best && !of.offers(where, strategy::decoupled_look_back) && of.offers(where, how))
    list.push_back(ours(of, where, how, reproducible));  // it has another way than the strategies of scans
  for (strategy const one : dispatch::scan_strategies)
    if ((how == strategy::best || how == one) && of.offers(where, one) && (!reproducible || keeps_bits(of, where, one)))
      list.push_back(ours(of, where, one, reproducible && one == strategy::decoupled_look_back));
  if (takes_textbook(of, how, list.empty())) list.push_back(ours(of, where, strategy::textbook, false));
  else if (how == strategy::best && list.empty() && of.offers(where, how)) list.push_back(ours(of, where, how, reproducible));
  if (!reproducible && (how == strategy::best || how == strategy::decoupled_look_back))
    for (auto& form : of.prepared_forms(where))
      list.push_back({form.name, where, contender_kind::ours, strategy::decoupled_look_back, std::move(form.run)});
  for (auto& peer : of.peers(where))
    list.push_back(
        {peer.name, where, peer.is_ceiling ? contender_kind::ceiling : contender_kind::peer, strategy::best, std::move(peer.run)});
  return list;
}

std::string left_out_of(job const& of, back_end where, bool reproducible) {
  bool const scans = of.offers(where, strategy::decoupled_look_back);  // else nobody expects the strategies of scans
  auto const is_absent = [&](strategy one) {
    return scans && dispatch::has_form(where, one, true, of.stored_values()) && !of.offers(where, one);
  };
  auto const is_unable = [&](strategy one) { return reproducible && of.offers(where, one) && !keeps_bits(of, where, one); };
  auto const absent = strategy_names(is_absent, "lookback "), unable = strategy_names(is_unable, "lookback ");
  std::string text;
  if (!absent.empty())
    text += std::string("Not in this build for ") + type_name(of) + " on the " + std::string(dispatch::name_of(where)) + ": " +
            absent + ".\n";
  if (of.has_textbook_form() && of.items().n > most_for_textbook)
    text += "lookback textbook takes part with up to " + grouped(most_for_textbook) + " items, and where there is nothing else.\n";
  if (!unable.empty()) text += "Not reproducible on the " + std::string(dispatch::name_of(where)) + ": " + unable + ".\n";
  return text;
}

double kernel_seconds(contender const& who, job const& of, job_memory& memory, int least, int most) {
  std::vector<double> runs;
  time_kernel(who, of, memory, least, most, 0.5, runs);
  return median(std::move(runs));
}

void time_kernel(contender const& who, job const& of, job_memory& memory, int least, int most, double enough,
                 std::vector<double>& runs) {
  phase_times first;
  memory.run(of, who.run, first);
  memory.time_by_device();
  double spent = 0;
  for (int k = 0; k < least || (k < most && spent < enough); ++k) {
    runs.push_back(memory.again(of, who.run));
    spent += runs.back();
  }
  dispatch::end_peer_threads();
}

}  // namespace lookback::app
