#include "quicksort_job.hpp"

#include "check_quicksort.hpp"
#include "dispatch/peers.hpp"
#include "io/numbers.hpp"

namespace lookback::app {

namespace {

std::string title_of(quicksort_job const& job) {
  constexpr char const* orders[] = {"ascending", "descending", "by magnitude"};
  std::string text = "keys";
  if (job.has_values) text += std::string(" with values of ") + dispatch::name_of(job.values.type);
  text += std::string(", ") + orders[static_cast<int>(job.order)];
  if (job.unstable) text += ", unstable";
  if (job.by) text += ", by offsets";
  return text;
}

}  // namespace

quicksort_job::quicksort_job(sort_inputs inputs, quicksort_options const& options) {
  command = "quicksort";
  take(std::move(inputs), options);
  if (options.descending) order = dispatch::key_order::descending;
  if (options.by_magnitude) order = dispatch::key_order::by_magnitude;
  unstable = options.unstable;
  title = title_of(*this);
}

std::vector<std::size_t> quicksort_job::room() const {
  std::vector<std::size_t> all{keys.bytes()};
  if (has_values) all.push_back(values.bytes());
  if (needs_order()) all.push_back(static_cast<std::size_t>(keys.n) * sizeof(index_t));
  return all;
}

// The order stays where it is.
std::vector<std::size_t> quicksort_job::used(outputs const&) const {
  auto all = room();
  if (needs_order()) all.back() = 0;
  return all;
}

dispatch::quicksort_request quicksort_job::request(places const& at) const {
  dispatch::quicksort_request made;
  describe(made, at, 0, has_values ? 1 : -1, needs_order() ? 2 : -1);
  made.order = order;
  made.unstable = unstable;
  return made;
}

void quicksort_job::run(dispatch::place const& on, strategy how, bool, places const& at) const {
  auto asked = request(at);
  asked.how = how;
  rounds.clear();
  asked.rounds = &rounds;
  dispatch::quicksort(on, asked);
}

std::vector<peer_call> quicksort_job::peers(back_end where) const {
  return calls_of(dispatch::quicksort_peers(), where, [this](places const& at) { return request(at); });
}

std::string quicksort_job::about_peers(back_end where) const {
  bool const has_peers = where == back_end::cpu && !by && dispatch::size_of(keys.type) >= 4;
  if (!has_peers || unstable || request({}).has_one_result()) return {};
  return "Peers that may let equal keys change places, std::sort and tbb::parallel_sort, take part with --unstable.\n";
}

std::vector<array_view> quicksort_job::results(outputs const& out) const {
  std::vector<array_view> all{view_of(keys, out, 0)};
  if (has_values) all.push_back(view_of(values, out, 1));
  return all;
}

std::string quicksort_job::first_difference(outputs const& out) const { return difference_of_quicksort(*this, out); }

std::string quicksort_job::finding(outputs const&) const {
  std::string text;
  for (std::size_t k = 0; k < rounds.size(); ++k)
    text += (k > 0 ? "\n  " : "") + std::string("round ") + text_of(k + 1) + ": active segments " + grouped(rounds[k].segments) +
            ", items left to move " + grouped(rounds[k].items);
  return text;
}

std::vector<std::pair<std::string, double>> quicksort_job::facts(outputs const&) const {
  if (rounds.empty()) return {};
  return {{"rounds", static_cast<double>(rounds.size())}};
}

std::unique_ptr<job> read_quicksort_job(quicksort_options const& options, input_reading* times) {
  return std::make_unique<quicksort_job>(read_sort_inputs(options, times), options);
}

std::vector<std::string> outputs_of(quicksort_options const& options) {
  std::vector<std::string> paths{options.out};
  if (!options.values.empty()) paths.push_back(options.values_out);
  return paths;
}

}  // namespace lookback::app
