// cuSPARSE's products of a sparse matrix and a vector, to be compared with. The library is loaded at the first call, so that
// programs start without it.
#pragma once
#include <lookback/policy.hpp>
#include <memory>
#include <string>

namespace lookback::dispatch {

/// Rows compressed (CSR) or one by one (COO); what its manual calls 1 is the default of each, 2 gives the same bits on every run.
enum class cusparse_algorithm { csr_1, csr_2, coo_1, coo_2 };
constexpr bool is_coo(cusparse_algorithm by) { return by >= cusparse_algorithm::coo_1; }
/// "CSR_ALG1" ...
char const* name_of(cusparse_algorithm by);

/// A matrix in device memory, indices of 4 bytes.
struct cusparse_matrix {
  index_t rows, columns, nonzeros;
  /// COO: the row of every nonzero, in order. CSR: rows + 1 offsets.
  std::int32_t const* rows_or_offsets;
  std::int32_t const* column_indices;
  void const* values;
};

/// Empty where cuSPARSE can be called, else why it cannot.
std::string why_no_cusparse();

/// y = alpha A x + beta y by one algorithm, as often as wanted. T: float, double, std::complex of either, for A, x, y, alpha and
/// beta. Everything but the product itself is done beforehand: descriptors, its buffer, and what `preprocess` finds out of the
/// matrix.
template <class T>
class cusparse_product {
 public:
  /// All memory stays the caller's, and outlives this; x has `columns` elements, y `rows`.
  /// Throws: unavailable if the library cannot be loaded; out_of_memory; device_error with its words.
  cusparse_product(cusparse_matrix const& a, T const* x, T* y, cusparse_algorithm by, T alpha = T(1), T beta = T(0));
  ~cusparse_product();
  cusparse_product(cusparse_product&&) noexcept;
  cusparse_product& operator=(cusparse_product&&) noexcept;

  /// cusparseSpMV_preprocess: what the products after it may then leave out. `stream` is a cudaStream_t.
  void preprocess(void* stream);
  /// Only enqueues.
  void enqueue(void* stream);

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace lookback::dispatch
