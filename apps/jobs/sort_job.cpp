#include "sort_job.hpp"

#include "check_sort.hpp"
#include "dispatch/peers.hpp"
#include "io/numbers.hpp"
#include "offsets.hpp"

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

std::vector<std::span<std::byte const>> sort_job::inputs() const {
  std::vector<std::span<std::byte const>> all{{keys.data, keys.bytes()}};
  if (has_values) all.emplace_back(values.data, values.bytes());
  if (by) all.emplace_back(offsets.data, offsets.bytes());
  return all;
}

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
  made.n = keys.n;
  made.type = keys.type;
  made.descending = descending, made.nan_first = nan_first;
  made.begin_bit = begin_bit, made.end_bit = end_bit;
  made.offsets = by;
  if (has_values) made.value_bytes = dispatch::size_of(values.type);
  if (at.in.empty()) {  // asked what it is, not to run: which arrays there are
    static index_t anywhere;
    if (keys_at() >= 0) made.keys_out = &anywhere;
    if (has_values) made.values = &anywhere;
    if (needs_order()) made.indices = &anywhere;
    return made;
  }
  auto const output = [&](int place) { return place < 0 ? nullptr : at.out[static_cast<std::size_t>(place)]; };
  made.keys = at.in[0];
  made.keys_out = output(keys_at());
  if (has_values) made.values = at.in[1];
  if (by) made.offsets->data = at.in.back();
  made.values_out = output(values_at());
  made.indices = static_cast<index_t*>(output(indices_at()));
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
  auto const data = [&](int place) { return out[static_cast<std::size_t>(place)].data(); };
  if (stores_keys) all.push_back({keys.type, keys.shape, data(keys_at()), keys.column});
  if (has_values) all.push_back({values.type, values.shape, data(values_at()), values.column});
  if (finds_order) all.push_back({element::i64, keys.shape, data(indices_at()), keys.column.empty() ? "" : "index"});
  return all;
}

double sort_job::moved_bytes(outputs const& out) const {
  std::size_t bytes = 0;
  for (auto const& input : inputs()) bytes += input.size();
  for (auto const output : used(out)) bytes += output;
  return static_cast<double>(bytes);
}

std::string sort_job::first_difference(outputs const& out) const { return difference_of_sort(*this, out); }

std::unique_ptr<sort_job> make_sort_job(array keys, sort_options const& options, array values, array offsets) {
  auto made = std::make_unique<sort_job>();
  made->keys = std::move(keys);
  made->has_values = !options.values.empty();
  if (made->has_values) {
    expect_count(values, values.n, made->keys.n, "values");
    made->values = std::move(values);
  }
  made->stores_keys = stores_keys(options);
  made->finds_order = !options.indices_out.empty();
  made->descending = options.descending;
  made->nan_first = options.nan_first;
  if (!options.bits.empty()) take_bits(*made, options.bits);
  if (!options.offsets.empty()) {
    made->by = offsets_of(offsets, made->keys.n);
    made->offsets = std::move(offsets);
  }
  made->title = title_of(*made);
  return made;
}

std::unique_ptr<job> read_sort_job(sort_options const& options, read_times* times) {
  auto const format = format_of(options.type, options.column, options.header, "--dtype");
  auto const values_format = format_of(options.values_type, options.values_column, options.header, "--values-dtype");
  auto keys = read_input(options.in, format, input_role::values, times);
  auto const offsets_format = format_of(options.segments_type, options.segments_column, options.header, "--segments-dtype");
  array values, offsets;
  if (!options.values.empty()) values = read_input(options.values, values_format, input_role::values, times);
  if (!options.offsets.empty()) offsets = read_input(options.offsets, offsets_format, input_role::values, times);
  return make_sort_job(std::move(keys), options, std::move(values), std::move(offsets));
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
