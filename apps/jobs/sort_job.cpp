#include "sort_job.hpp"

#include "check_sort.hpp"
#include "dispatch/peers.hpp"
#include "io/numbers.hpp"

namespace lookback::app {

namespace {

// Are keys stored? With --indices-out alone only the order is asked for.
bool stores_keys(sort_options const& options) { return !options.out.empty() || options.indices_out.empty(); }

void take_bits(sort_job& to, std::string const& text) {
  int const width = 8 * static_cast<int>(dispatch::size_of(to.keys.type));
  auto const comma = text.find(',');
  auto const good = comma != std::string::npos &&
                    parse_number(std::string_view(text).substr(0, comma), to.begin_bit) == parsed::ok &&
                    parse_number(std::string_view(text).substr(comma + 1), to.end_bit) == parsed::ok;
  if (!good || to.begin_bit < 0 || to.begin_bit > to.end_bit || to.end_bit > width)
    throw usage_error("--bits: found '" + text + "', expected B,E with 0 <= B <= E <= " + text_of(width) + " for keys of " +
                      dispatch::name_of(to.keys.type));
}

std::string title_of(sort_job const& job) {
  std::string text = job.stores_keys || job.has_values ? "keys" : "order of keys";
  if (job.has_values) text += std::string(" with values of ") + dispatch::name_of(job.values.type);
  if (job.finds_order && job.stores_keys) text += " and their places";
  text += job.descending ? ", descending" : ", ascending";
  if (job.nan_first) text += ", NaNs first";
  if (job.by_bits()) text += ", by bits " + text_of(job.begin_bit) + " to below " + text_of(job.end_bit);
  if (job.by) text += ", by offsets";
  return text;
}

}  // namespace

std::vector<std::size_t> sort_job::room() const {
  std::vector<std::size_t> all;
  if (keys_at() >= 0) all.push_back(keys.bytes());
  if (has_values) all.push_back(values.bytes());
  if (needs_order()) all.push_back(static_cast<std::size_t>(keys.n) * sizeof(index_t));
  return all;
}

// An order that nobody asked for stays where it is.
std::vector<std::size_t> sort_job::used(outputs const&) const {
  auto all = room();
  if (needs_order() && !finds_order) all.back() = 0;
  return all;
}

dispatch::sort_request sort_job::request(places const& at) const {
  dispatch::sort_request made;
  describe(made, at, keys_at(), values_at(), indices_at());
  made.descending = descending, made.nan_first = nan_first;
  made.begin_bit = begin_bit, made.end_bit = end_bit;
  return made;
}

void sort_job::run(dispatch::place const& on, strategy how, bool, places const& at) const {
  auto asked = request(at);
  asked.how = how;
  dispatch::sort(on, asked);
}

std::vector<peer_call> sort_job::peers(back_end where) const {
  return calls_of(dispatch::sort_peers(), where, [this](places const& at) { return request(at); });
}

std::string sort_job::about_peers(back_end) const {
  if (!dispatch::is_float(keys.type)) return {};
  return "Peers may order zeros of both signs, and NaNs, in another way than lookback: then their check fails.\n";
}

std::vector<array_view> sort_job::results(outputs const& out) const {
  std::vector<array_view> all;
  if (stores_keys) all.push_back(view_of(keys, out, keys_at()));
  if (has_values) all.push_back(view_of(values, out, values_at()));
  if (finds_order) {
    auto const* const order = out[static_cast<std::size_t>(indices_at())].data();
    all.push_back({element::i64, keys.shape, order, keys.column.empty() ? "" : "index"});
  }
  return all;
}

std::string sort_job::first_difference(outputs const& out) const { return difference_of_sort(*this, out); }

sort_job::sort_job(sort_inputs inputs, sort_options const& options) {
  command = "sort";
  take(std::move(inputs), options);
  stores_keys = app::stores_keys(options);
  finds_order = !options.indices_out.empty();
  descending = options.descending;
  nan_first = options.nan_first;
  if (!options.bits.empty()) take_bits(*this, options.bits);
  title = title_of(*this);
}

std::unique_ptr<job> read_sort_job(sort_options const& options, input_reading* times) {
  return std::make_unique<sort_job>(read_sort_inputs(options, times), options);
}

std::vector<std::string> outputs_of(sort_options const& options, bool compared) {
  if (!compared && options.out.empty() && options.indices_out.empty())
    throw usage_error("found no output, expected -o OUT for the sorted keys, --indices-out I for their order, or both");
  std::vector<std::string> paths;
  if (stores_keys(options)) paths.push_back(options.out);
  if (!options.values.empty()) paths.push_back(options.values_out);
  if (!options.indices_out.empty()) paths.push_back(options.indices_out);
  return paths;
}

}  // namespace lookback::app
