// What each back end's units supply to quicksort.cpp: one for each width of keys.
#pragma once
#include "quicksort.hpp"

namespace lookback::dispatch {

void quicksort_cpu_8(place const& on, quicksort_request const& request);
void quicksort_cpu_16(place const& on, quicksort_request const& request);
void quicksort_cpu_32(place const& on, quicksort_request const& request);
void quicksort_cpu_64(place const& on, quicksort_request const& request);
void quicksort_gpu_8(place const& on, quicksort_request const& request);
void quicksort_gpu_16(place const& on, quicksort_request const& request);
void quicksort_gpu_32(place const& on, quicksort_request const& request);
void quicksort_gpu_64(place const& on, quicksort_request const& request);

}  // namespace lookback::dispatch
