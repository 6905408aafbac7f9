// Sparse products on the GPU.
#include "call_spmv.hpp"
#include "gpu.hpp"
#include "on_queue.cuh"

namespace lookback::dispatch {

namespace {

template <class T, class Column, bool OnlyScaled>
void multiply_in(place const& on, spmv_request const& r) {
  auto const queue = on_queue(on);
  if constexpr (std::is_same_v<T, float> && !OnlyScaled)
    if (r.how == strategy::reduce_then_scan) return multiply_on<T, Column, true>(queue.with(reduce_then_scan{}), r);
  multiply_on<T, Column, OnlyScaled>(r.reproducible ? queue.with(reproducible) : queue, r);
}

}  // namespace

bool offers_spmv_on_gpu(strategy how, element type, element column_type) {
  if (how == strategy::reduce_then_scan) return type == element::f32 && column_type == element::i32;
  return how != strategy::sequential;
}
bool offers_step_on_gpu(strategy how) { return how != strategy::sequential; }

void multiply_gpu(place const& on, spmv_request const& r) {
  bool const wide = r.column_type == element::i64;
  switch (r.type) {
    case element::i32:
      return multiply_in<std::int32_t, std::int32_t, true>(on, r);
    case element::i64:
      return multiply_in<std::int64_t, std::int32_t, true>(on, r);
    case element::f32:
      return wide ? multiply_in<float, std::int64_t, true>(on, r) : multiply_in<float, std::int32_t, false>(on, r);
    case element::f64:
      return wide ? multiply_in<double, std::int64_t, true>(on, r) : multiply_in<double, std::int32_t, false>(on, r);
    case element::c64:
      return multiply_in<std::complex<float>, std::int32_t, false>(on, r);
    default:
      return multiply_in<std::complex<double>, std::int32_t, false>(on, r);
  }
}

step_sums sum_step_gpu(place const& on, step_request const& r) {
  auto const stream = static_cast<cudaStream_t>(on.stream);
  step_sums sums{};
  sum_step_on(on_queue(on).with(reproducible), r, r.scratch);
  gpu::check(cudaMemcpyAsync(&sums, r.scratch, sizeof sums, cudaMemcpyDeviceToHost, stream));
  gpu::check(cudaStreamSynchronize(stream));
  return sums;
}

void copy_gpu(place const& on, void* to, void const* from, std::size_t bytes) {
  gpu::check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, static_cast<cudaStream_t>(on.stream)));
}

}  // namespace lookback::dispatch
