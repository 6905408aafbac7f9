#include "spmv.hpp"

#include <string>

#include "arena.hpp"
#include "spmv_tables.hpp"

namespace lookback::dispatch {

// Products, and what stands between them, have tables of the CPU alone.
namespace {
void expect_cpu(place const& on) {
  if (on.where == back_end::gpu) throw unavailable("the gpu has no products of a sparse matrix in this build, expected the cpu");
}
}  // namespace

bool offers_spmv(back_end where, strategy how, element type, element column_type) {
  // More than 2^31 columns, with 8 GB of x or more, have only what people compute with.
  if (column_type == element::i64 && !is_float(type)) return false;
  return where == back_end::cpu && (how != strategy::reduce_then_scan || (is_float(type) && column_type == element::i32));
}

void multiply(place const& on, spmv_request const& request) {
  if (!offers_spmv(on.where, request.how, request.type, request.column_type))
    throw unavailable(std::string("no ") + name_of(request.how) + " for products of a sparse matrix of " + name_of(request.type) +
                      " with column indices of " + name_of(request.column_type) + " on the " + name_of(on.where) +
                      " in this build");
  if (request.type == element::f32) return multiply_cpu_f32(on, request);
  if (request.type == element::f64) return multiply_cpu_f64(on, request);
  if (is_complex(request.type)) return multiply_cpu_complex(on, request);
  multiply_cpu_integer(on, request);
}

step_sums sum_step(place const& on, step_request const& request) {
  expect_cpu(on);
  return sum_step_cpu(on, request);
}

index_t additions_of_step(index_t n) { return additions_of_step_cpu(n); }

void copy(place const& on, void* to, void const* from, std::size_t bytes) {
  expect_cpu(on);
  if (bytes > 0) copy_in_arena(on, to, from, bytes);
}

}  // namespace lookback::dispatch
