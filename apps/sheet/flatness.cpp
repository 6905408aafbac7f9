#include <algorithm>
#include <stop_token>
#include <thread>

#include "generate/generators.hpp"
#include "jobs/demo_jobs.hpp"
#include "report/table.hpp"
#include "sheet.hpp"
#include "spread.hpp"

namespace lookback::app {

namespace {

/// Threads that never sleep, while it lives.
class busy_machine {
 public:
  explicit busy_machine(int threads) {
    for (int i = 0; i < threads; ++i)
      threads_.emplace_back([](std::stop_token const& end) {
        while (!end.stop_requested()) {
        }
      });
  }

 private:
  std::vector<std::jthread> threads_;
};

/// The same values, off the alignment of their memory by `items` items.
array shifted(array const& from, index_t items) {
  array made = make_array(from.type, from.n + items);
  auto const at = static_cast<std::size_t>(items) * dispatch::size_of(from.type);
  std::copy_n(from.data, from.bytes(), made.memory.data() + at);
  made.data += at, made.n = from.n, made.shape = {from.n};
  return made;
}

}  // namespace

sheet_section measure_flatness(measuring const& with) {
  index_t const n = with.most() / 4;
  auto const i32 = [&](std::uint64_t seed) { return uniform_values(element::i32, n, seed); };
  auto const is_default = [](contender const& who) { return is_default_or_other(who) && who.kind != contender_kind::ceiling; };
  auto const time = [&](job const& of) { return time_all(with, of, is_default); };
  std::vector<bar_row> rows;
  spread sizes, lengths, shares, skews, places, types, loads;
  for (index_t const items : with.sizes())
    if (items >= index_t{1} << 18) sizes.add(time(*plain_job(uniform_values(element::i32, items, 1), operation::plus)));
  for (double const mean : {1.0, 10.0, 100.0, 10'000.0, 1e6})
    lengths.add(
        time(*segmented_job(i32(2), operation::plus, "heads", random_segments("flags", element::u8, n, 3, {.mean = mean}))));
  for (int const percent : {0, 1, 10, 50, 90, 99, 100}) {
    auto const below = static_cast<std::int32_t>(-2147483648.0 + percent / 100.0 * 4294967295.0);
    shares.add(time(*make_select_job(i32(4), condition::below, {}, scalar_of(below))));
  }
  for (int const level : {0, 1, 2, 4}) skews.add(time(*sorted_job(entropy_values(element::u32, n, 5, level), false)));
  skews.add(
      time(*sorted_job(uniform_values(element::u32, n, 6, scalar_of(std::uint32_t{0}), scalar_of(std::uint32_t{10})), false)));
  if (with.on.where == back_end::cpu)  // what goes to a GPU is aligned there
    for (index_t const items : {0, 1, 3, 7}) places.add(time(*plain_job(shifted(i32(7), items), operation::plus)));
  for (element const type : {element::i32, element::i64, element::f32, element::f64})
    types.add(time(*plain_job(uniform_values(type, n * 4 / static_cast<index_t>(dispatch::size_of(type)), 8), operation::plus)));
  {
    auto const of = plain_job(i32(9), operation::plus);
    loads.add(time(*of));
    busy_machine const load(worker_threads(0));
    loads.add(time(*of));
  }
  for (auto const& [label, of] : {std::pair{"size of the input", &sizes},
                                  {"length of segments", &lengths},
                                  {"share that is kept", &shares},
                                  {"skew of keys that are sorted", &skews},
                                  {"alignment of the input", &places},
                                  {"type of the items", &types},
                                  {"load of the machine", &loads}})
    if (auto const ours = of->ours(); !ours.name.empty()) {
      rows.push_back({label, {{"lookback", ours.value}}});
      if (auto const peer = of->best_peer(); !peer.name.empty()) rows.back().parts.push_back({"its fastest peer", peer.value});
    }
  if (rows.empty()) return {};
  auto const worst = std::max_element(rows.begin(), rows.end(),
                                      [](bar_row const& a, bar_row const& b) { return a.parts[0].value < b.parts[0].value; });
  std::string title =
      "What matters most is the " + worst->label + ": " + fixed_text(worst->parts[0].value, 2) + " between best and worst";
  if (worst->parts.size() > 1) title += "; its fastest peer: " + fixed_text(worst->parts[1].value, 2);
  sheet_section made{
      "Flatness", "The worst cost of a byte over the best one, where something changes that should not matter. 1 is flat.", {}};
  made.pictures.push_back(
      {title, bar_data{"Worst over best cost of a byte", "worst over best", "", false, rows, reference_line{"flat", 1}},
       std::string("Sizes begin at 2^18 items where there are so many. The peer of each row is the one that is fastest on average "
                   "over its cases, of "
                   "those that take all of them. Under load as many threads as there are cores never sleep.") +
           (with.on.where == back_end::gpu ? " Inputs are copied to a GPU, where all lie aligned: their alignment is no row here."
                                           : "")});
  return made;
}

}  // namespace lookback::app
