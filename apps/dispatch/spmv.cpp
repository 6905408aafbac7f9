#include "spmv.hpp"

#include <algorithm>
#include <string>

#include "arena.hpp"
#include "gpu.hpp"
#include "spmv_tables.hpp"

namespace lookback::dispatch {

bool offers_spmv(back_end where, strategy how, element type, element column_type) {
  // More than 2^31 columns, with 8 GB of x or more, have only what people compute with.
  if (column_type == element::i64 && !is_float(type)) return false;
  return has_code(where) && has_form(where, how, is_float(type) && column_type == element::i32, values_of::products);
}
// Its sums on the GPU are reproducible, which is the default strategy's alone.
bool offers_step(back_end where, strategy how) { return has_code(where) && has_form(where, how, where == back_end::cpu); }

void multiply(place const& on, spmv_request const& request) {
  if (!offers_spmv(on.where, request.how, request.type, request.column_type))
    throw unavailable(std::string("no ") + name_of(request.how) + " implementation for products of a sparse matrix of " +
                      name_of(request.type) + " with column indices of " + name_of(request.column_type) + " on the " +
                      name_of(on.where) + " in this build");
  if (on.where == back_end::gpu && request.reproducible && is_complex(request.type))
    throw unavailable(std::string("the gpu has no reproducible sums of ") + name_of(request.type) + " in this build");
  if (on.where == back_end::gpu) return multiply_gpu(on, request);
  if (request.type == element::f32) return multiply_cpu_f32(on, request);
  if (request.type == element::f64) return multiply_cpu_f64(on, request);
  if (is_complex(request.type)) return multiply_cpu_complex(on, request);
  multiply_cpu_integer(on, request);
}

bool offers_plan(back_end where, spmv_request const& request) { return where == back_end::gpu && offers_plan_on_gpu(request); }
std::unique_ptr<planned_matrix const> plan(place const& on, spmv_request const& request) {
  if (!offers_plan(on.where, request))
    throw unavailable(std::string("no plan for products of a sparse matrix of ") + name_of(request.type) + " on the " +
                      name_of(on.where) + " in this build");
  return plan_gpu(on, request);
}

step_sums sum_step(place const& on, step_request const& request) {
  return on.where == back_end::gpu ? sum_step_gpu(on, request) : sum_step_cpu(on, request);
}

index_t additions_of_step(back_end where, bool reproducible, index_t n) {
  // Of the tree a tile has 1024 items or more, all of which are added within it, and what comes before a tile is added to it.
  if (reproducible || where == back_end::gpu) return std::min<index_t>(n, 1024 + n / 1024);
  return additions_of_step_cpu(n);
}

void copy(place const& on, void* to, void const* from, std::size_t bytes) {
  if (bytes == 0) return;
  if (on.where == back_end::gpu) copy_gpu(on, to, from, bytes);
  else copy_in_arena(on, to, from, bytes);
}

}  // namespace lookback::dispatch
