// A sparse matrix times a vector, by run-time values: what `spmv` and `pagerank` of the program call.
#pragma once
#include <memory>

#include "scan.hpp"

namespace lookback::dispatch {

/// y = alpha A x + beta y, A in compressed sparse rows. All memory but alpha and beta is readable where the call runs.
///   offsets         rows + 1 of offset_type, i32 or i64
///   column_indices  as many as nonzeros, of column_type, i32 or i64, each in [0, columns)
///   values, x, y    of `type`: i32, i64 (which wrap), f32, f64, c64, c128
///   alpha, beta     one element of `type` in host memory; null for 1 and 0, with which y is not read
struct spmv_request {
  index_t rows = 0, columns = 0, nonzeros = 0;
  void const* offsets = nullptr;
  element offset_type = element::i32;
  void const* column_indices = nullptr;
  element column_type = element::i32;
  void const* values = nullptr;
  element type = element::f64;
  void const* x = nullptr;
  void* y = nullptr;
  void const* alpha = nullptr;
  void const* beta = nullptr;
  strategy how = strategy::best;
  bool reproducible = false;  // floats: the same bits on every back end. Complex numbers: on the CPU, always; refused elsewhere
};

/// Was it compiled for this back end?
bool offers_spmv(back_end where, strategy how, element type, element column_type);

/// Runs it; on the GPU only enqueues it. Throws unavailable if there is no such table; what the library throws.
void multiply(place const& on, spmv_request const& request);

/// A matrix made ready for many products on a GPU: lookback::spmv_plan. Its places must stay, and the queue that it was made on
/// must be there when it is destroyed, its products ended.
class planned_matrix {
 public:
  virtual ~planned_matrix() = default;
  /// As dispatch::multiply of a request that differs in x, y, alpha and beta at most from the one that it was made for.
  virtual void multiply(place const& on, spmv_request const& request) const = 0;
  /// Columns whose x every block keeps, and the share of the nonzeros that are in them; 0 where that would not pay.
  virtual index_t cached_columns() const = 0;
  virtual double cached_share() const = 0;
};
/// Has this build a plan for it? On the CPU there is nothing to plan.
bool offers_plan(back_end where, spmv_request const& request);
/// Waits for it. Throws what the library throws.
std::unique_ptr<planned_matrix const> plan(place const& on, spmv_request const& request);

/// What a step of an iteration changed, and what it left at marked places.
struct step_sums {
  double change;  // sum of |after - before|
  double marked;  // sum of after where marks are not 0
};
struct step_request {
  double const* before = nullptr;
  double const* after = nullptr;
  std::uint8_t const* marks = nullptr;
  index_t n = 0;
  index_t const* ends = nullptr;  // 0 and n, readable where the call runs
  step_sums* scratch = nullptr;   // one, readable where the call runs
  strategy how = strategy::best;
  bool reproducible = false;  // on the CPU; on the GPU always
};
bool offers_step(back_end where, strategy how);
/// Waits for them.
step_sums sum_step(place const& on, step_request const& request);
/// Through how many additions an item of either sum of n passes at most, there: each rounds once.
index_t additions_of_step(back_end where, bool reproducible, index_t n);

/// Bytes from place to place in memory where the call runs, or from host memory, which may be used again at once. On the GPU only
/// enqueued.
void copy(place const& on, void* to, void const* from, std::size_t bytes);

}  // namespace lookback::dispatch
