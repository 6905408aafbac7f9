// From the element's width to its unit.
#include <numeric>

#include "on_workers.hpp"
#include "scan_tables.hpp"

namespace lookback::dispatch {

void scan_on_cpu(place const& on, scan_request const& request) {
  switch (request.type) {
    case element::i8:
    case element::u8:
      return scan_cpu_8(on, request);
    case element::i16:
    case element::u16:
      return scan_cpu_16(on, request);
    case element::i32:
    case element::u32:
      return scan_cpu_32(on, request);
    case element::i64:
    case element::u64:
      return scan_cpu_64(on, request);
    case element::f32:
      return scan_cpu_f32(on, request);
    case element::f64:
      return scan_cpu_f64(on, request);
    case element::c64:
    case element::c128:
      break;  // defined for no operator, so that nobody asks
  }
}

index_t chunk_multiple(element type, bool reproducible) {
  auto const size = static_cast<index_t>(size_of(type));
  if (!is_float(type)) return 4096;  // any cut would do: whole words of head bits, and not too many calls
  if (!reproducible) return tile_items(cpu::on(), size);
  return std::lcm(tile_items(cpu::on().with(lookback::reproducible), size), reproducible_tile_bytes_on_gpu / size);
}

}  // namespace lookback::dispatch
