#include "reduce_cpu_table.hpp"

namespace lookback::dispatch {

namespace {
template <class T>
void reduce(place const& on, reduce_request const& r) {
  switch (r.op) {
    case operation::plus:
      return reduce_cpu<T, plus<T>, true>(on, r);
    case operation::multiplies:
      return reduce_cpu<T, multiplies<T>>(on, r);
    case operation::min:
      return reduce_cpu<T, minimum<T>>(on, r);
    default:
      return reduce_cpu<T, maximum<T>, true>(on, r);
  }
}
}  // namespace

index_t chunk_multiple(reduce_request const& r) {
  if (!is_float(r.type)) return 4096;  // any cut would do, and these are not too many calls
  auto const size = static_cast<index_t>(size_of(r.type)), key_size = static_cast<index_t>(size_of(r.key_type));
  return tile_items(cpu::on(), is_one_pass(r) ? size + key_size : size);
}

void reduce_cpu_float(place const& on, reduce_request const& r) {
  if (r.type == element::f32) reduce<float>(on, r);
  else reduce<double>(on, r);
}

}  // namespace lookback::dispatch
