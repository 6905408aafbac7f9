#include "scan_forms.cuh"

std::vector<lookback::dispatch::tuned_forms> lookback::dispatch::scan_forms_f32() { return {scan_forms_of<float>(element::f32)}; }
