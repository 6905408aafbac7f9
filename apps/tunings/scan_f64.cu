#include "scan_forms.cuh"

std::vector<lookback::dispatch::tuned_forms> lookback::dispatch::scan_forms_f64() { return {scan_forms_of<double>(element::f64)}; }
