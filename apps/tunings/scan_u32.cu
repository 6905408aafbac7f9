#include "scan_forms.cuh"

std::vector<lookback::dispatch::tuned_forms> lookback::dispatch::scan_forms_u32() {
  return {scan_forms_of<std::uint32_t>(element::i32), scan_forms_of<std::uint32_t>(element::u32)};
}
