// What the library of compiled configurations exports.
#include <cuda_runtime.h>

#include <lookback/version.hpp>

#include "dispatch/tuned_table.hpp"
#include "forms.cuh"

namespace lookback::dispatch {

namespace {

std::vector<tuned_forms> all_forms() {
  std::vector<tuned_forms> all;
  for (auto const& some : {scan_forms_u32(), scan_forms_f32(), scan_forms_f64(), select_forms(), encode_forms(), reduce_forms()})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

// The CUDA runtime of this library is its own: it, too, must know the device.
void use_device(int device) { gpu::check(cudaSetDevice(device)); }

}  // namespace

extern "C" __attribute__((visibility("default"))) tuned_table const* lookback_tunings() {
  static auto const all = all_forms();
  static tuned_table const table{{}, version, LOOKBACK_COMMIT, all.data(), all.size(), use_device};
  return &table;
}

}  // namespace lookback::dispatch
