// Sparse products on the GPU.
#include <lookback/spmv_plan.cuh>

#include "by_strategy.hpp"
#include "call_spmv.hpp"
#include "gpu.hpp"
#include "on_queue.cuh"

namespace lookback::dispatch {

namespace {

template <class T, class Column, bool OnlyScaled>
void multiply_in(place const& on, spmv_request const& r) {
  auto const queue = on_queue(on);
  if constexpr (std::is_floating_point_v<T> && !OnlyScaled)
    if (is_compared(r.how))
      return by_strategy<true, stored::products>(queue, r.how, [&](auto const& by) { multiply_on<T, Column, true>(by, r); });
  multiply_on<T, Column, OnlyScaled>(r.reproducible ? queue.with(reproducible) : queue, r);
}

template <class T, class Offset>
class gpu_planned_matrix final : public planned_matrix {
 public:
  gpu_planned_matrix(place const& on, spmv_request const& r) : plan_{on_queue(on), matrix_of<T, std::int32_t, Offset>(r)} {}
  void multiply(place const& on, spmv_request const& r) const override { multiply_by<T, false>(on_queue(on), plan_, r); }
  index_t cached_columns() const override { return plan_.cached_columns(); }
  double cached_share() const override { return plan_.cached_share(); }

 private:
  decltype(spmv_plan(on_queue(std::declval<place>()), std::declval<csr_view<T, std::int32_t, Offset>>())) plan_;
};
template <class T>
std::unique_ptr<planned_matrix const> plan_for(place const& on, spmv_request const& r) {
  if (r.offset_type == element::i32) return std::make_unique<gpu_planned_matrix<T, std::int32_t>>(on, r);
  return std::make_unique<gpu_planned_matrix<T, std::int64_t>>(on, r);
}

}  // namespace

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

// For the types that most matrices have. Another strategy and reproducible sums have no use for a plan.
bool offers_plan_on_gpu(spmv_request const& r) {
  return is_float(r.type) && r.column_type == element::i32 && !r.reproducible && is_default(r.how);
}
std::unique_ptr<planned_matrix const> plan_gpu(place const& on, spmv_request const& r) {
  return r.type == element::f32 ? plan_for<float>(on, r) : plan_for<double>(on, r);
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
