#include "array_sort.hpp"

#include "offsets.hpp"

namespace lookback::app {

std::vector<std::string> inputs_of(array_sort_options const& options) { return {options.in, options.values, options.offsets}; }

sort_inputs read_sort_inputs(array_sort_options const& options, input_reading* times) {
  auto format = format_of(options.type, options.column, options.header, "--dtype");
  auto values_format = format_of(options.values_type, options.values_column, options.header, "--values-dtype");
  format.only_mapped = values_format.only_mapped = true;  // job::load() loads them, or their parts are when they go to a GPU
  sort_inputs made;
  made.keys = read_input(options.in, format, input_role::values, times);
  auto const offsets_format = format_of(options.segments_type, options.segments_column, options.header, "--segments-dtype");
  if (!options.values.empty()) made.values = read_input(options.values, values_format, input_role::values, times);
  if (!options.offsets.empty()) made.offsets = read_input(options.offsets, offsets_format, input_role::values, times);
  return made;
}

void array_sort::take(sort_inputs inputs, array_sort_options const& options) {
  keys = std::move(inputs.keys);
  has_values = !options.values.empty();
  if (has_values) {
    expect_count(inputs.values, inputs.values.n, keys.n, "values");
    values = std::move(inputs.values);
  }
  if (!options.offsets.empty()) {
    by = offsets_of(inputs.offsets, keys.n);
    offsets = std::move(inputs.offsets);
  }
}

std::vector<std::span<std::byte const>> array_sort::inputs() const {
  std::vector<std::span<std::byte const>> all{{keys.data, keys.bytes()}};
  if (has_values) all.emplace_back(values.data, values.bytes());
  if (by) all.emplace_back(offsets.data, offsets.bytes());
  return all;
}

void array_sort::describe(dispatch::sort_arrays& request, places const& at, int keys_at, int values_at, int indices_at) const {
  request.n = keys.n;
  request.type = keys.type;
  request.offsets = by;
  if (has_values) request.value_bytes = dispatch::size_of(values.type);
  if (at.in.empty()) {
    static index_t anywhere;
    if (keys_at >= 0) request.keys_out = &anywhere;
    if (has_values) request.values = &anywhere;
    if (indices_at >= 0) request.indices = &anywhere;
    return;
  }
  auto const output = [&](int place) { return place < 0 ? nullptr : at.out[static_cast<std::size_t>(place)]; };
  request.keys = at.in[0];
  request.keys_out = output(keys_at);
  if (has_values) request.values = at.in[1];
  if (by) request.offsets->data = at.in.back();
  request.values_out = output(values_at);
  request.indices = static_cast<index_t*>(output(indices_at));
}

byte_counts array_sort::moved(outputs const& out) const {
  std::size_t read = 0, written = 0;
  for (auto const& input : inputs()) read += input.size();
  for (auto const output : used(out)) written += output;
  return bytes_of(read, written);
}

}  // namespace lookback::app
