// From the element's width to its unit.
#include "scan_gpu_table.cuh"

namespace lookback::dispatch {

void scan_on_gpu(place const& on, scan_request const& request) {
  switch (request.type) {
    case element::i8:
    case element::u8:
      return scan_gpu_8(on, request);
    case element::i16:
    case element::u16:
      return scan_gpu_16(on, request);
    case element::i32:
    case element::u32:
      return scan_gpu_32(on, request);
    case element::i64:
    case element::u64:
      return scan_gpu_64(on, request);
    case element::f32:
      return scan_gpu_f32(on, request);
    case element::f64:
      return scan_gpu_f64(on, request);
    case element::c64:
    case element::c128:
      break;  // defined for no operator, so that nobody asks
  }
}

}  // namespace lookback::dispatch
