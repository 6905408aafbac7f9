// What the units of sparse products supply to spmv.cpp; nobody else includes this.
#pragma once
#include "spmv.hpp"

namespace lookback::dispatch {

// By kind, so that they compile side by side.
void multiply_cpu_f32(place const& on, spmv_request const& request);
void multiply_cpu_f64(place const& on, spmv_request const& request);
void multiply_cpu_integer(place const& on, spmv_request const& request);
void multiply_cpu_complex(place const& on, spmv_request const& request);
step_sums sum_step_cpu(place const& on, step_request const& request);
index_t additions_of_step_cpu(index_t n);

void multiply_gpu(place const& on, spmv_request const& request);
bool offers_plan_on_gpu(spmv_request const& request);
std::unique_ptr<planned_matrix const> plan_gpu(place const& on, spmv_request const& request);
step_sums sum_step_gpu(place const& on, step_request const& request);
void copy_gpu(place const& on, void* to, void const* from, std::size_t bytes);

/// Are alpha and beta those of a plain product?
template <class T>
bool is_plain(spmv_request const& r) {
  return (!r.alpha || *static_cast<T const*>(r.alpha) == T{1}) && (!r.beta || *static_cast<T const*>(r.beta) == T{});
}

}  // namespace lookback::dispatch
