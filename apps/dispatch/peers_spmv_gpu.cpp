// The GPU's peers of sparse products: cuSPARSE by each of its algorithms, as it is and prepared for one matrix.
#if defined(LOOKBACK_HAS_GPU)
#include <cuda_runtime_api.h>

#include <complex>
#include <lookback/gpu/host/check.cuh>

#include "cusparse.hpp"
#include "gpu.hpp"
#include "peer_tables.hpp"

namespace lookback::dispatch {

namespace {

spmv_function start_copy() {
  return [to = gpu_memory(), room = std::size_t{0}](place const& on, spmv_request const& r) mutable {
    std::size_t const bytes = static_cast<std::size_t>(r.nonzeros) * size_of(r.type);
    if (bytes > room) to = gpu_memory(bytes), room = bytes;
    gpu::check(cudaMemcpyAsync(to.data(), r.values, bytes, cudaMemcpyDeviceToDevice, static_cast<cudaStream_t>(on.stream)));
  };
}

#if defined(LOOKBACK_HAS_CUSPARSE)

// What it has a form for. Empty matrices are no contest, and refused by some versions.
bool takes(spmv_request const& r) {
  return (is_float(r.type) || is_complex(r.type)) && r.offset_type == element::i32 && r.column_type == element::i32 &&
         r.nonzeros > 0 && why_no_cusparse().empty();
}

// The row of every nonzero, from where rows begin.
gpu_memory row_indices(spmv_request const& r) {
  std::vector<std::int32_t> offsets(static_cast<std::size_t>(r.rows) + 1), rows(static_cast<std::size_t>(r.nonzeros));
  gpu::check(cudaMemcpy(offsets.data(), r.offsets, offsets.size() * sizeof(std::int32_t), cudaMemcpyDeviceToHost));
  for (std::size_t row = 0; row + 1 < offsets.size(); ++row)
    std::fill(rows.begin() + offsets[row], rows.begin() + offsets[row + 1], static_cast<std::int32_t>(row));
  gpu_memory made(rows.size() * sizeof(std::int32_t));
  gpu::check(cudaMemcpy(made.data(), rows.data(), rows.size() * sizeof(std::int32_t), cudaMemcpyHostToDevice));
  return made;
}

// What is made once for a matrix and its places: rows of nonzeros, descriptors, buffers, and what preprocessing finds out.
struct prepared {
  gpu_memory rows;
  void const* values = nullptr;
  void const* y = nullptr;
  spmv_function enqueue;
};

template <class T>
spmv_function product_of(place const& on, spmv_request const& r, gpu_memory const& rows, cusparse_algorithm by, bool preprocessed) {
  auto const* const where =
      is_coo(by) ? static_cast<std::int32_t const*>(rows.data()) : static_cast<std::int32_t const*>(r.offsets);
  cusparse_matrix const a{r.rows, r.columns, r.nonzeros, where, static_cast<std::int32_t const*>(r.column_indices), r.values};
  T const alpha = r.alpha ? *static_cast<T const*>(r.alpha) : T(1), beta = r.beta ? *static_cast<T const*>(r.beta) : T(0);
  auto const made = std::make_shared<cusparse_product<T>>(a, static_cast<T const*>(r.x), static_cast<T*>(r.y), by, alpha, beta);
  if (preprocessed) made->preprocess(on.stream);
  return [made](place const& at, spmv_request const&) { made->enqueue(at.stream); };
}

prepared prepare(place const& on, spmv_request const& r, cusparse_algorithm by, bool preprocessed) {
  prepared made;
  made.values = r.values, made.y = r.y;
  if (is_coo(by)) made.rows = row_indices(r);
  made.enqueue = r.type == element::f32   ? product_of<float>(on, r, made.rows, by, preprocessed)
                 : r.type == element::f64 ? product_of<double>(on, r, made.rows, by, preprocessed)
                 : r.type == element::c64 ? product_of<std::complex<float>>(on, r, made.rows, by, preprocessed)
                                          : product_of<std::complex<double>>(on, r, made.rows, by, preprocessed);
  return made;
}

template <cusparse_algorithm By, bool Preprocessed>
spmv_function start() {
  return [of = std::make_shared<prepared>()](place const& on, spmv_request const& r) {
    if (of->values != r.values || of->y != r.y) *of = prepare(on, r, By, Preprocessed);
    of->enqueue(on, r);
  };
}

template <cusparse_algorithm By>
void add(std::vector<spmv_peer>& list, char const* name, char const* prepared_name) {
  list.push_back({name, back_end::gpu, false, takes, start<By, false>});
  list.push_back({prepared_name, back_end::gpu, false, takes, start<By, true>});
}

void add_cusparse(std::vector<spmv_peer>& list) {
  using enum cusparse_algorithm;
  add<csr_1>(list, "cuSPARSE CSR_ALG1", "cuSPARSE CSR_ALG1 preprocessed");
  add<csr_2>(list, "cuSPARSE CSR_ALG2", "cuSPARSE CSR_ALG2 preprocessed");
  add<coo_1>(list, "cuSPARSE COO_ALG1", "cuSPARSE COO_ALG1 preprocessed");
  add<coo_2>(list, "cuSPARSE COO_ALG2", "cuSPARSE COO_ALG2 preprocessed");
}
#else
void add_cusparse(std::vector<spmv_peer>&) {}
#endif

}  // namespace

std::string why_no_spmv_peers() {
#if defined(LOOKBACK_HAS_CUSPARSE)
  return why_no_cusparse();
#else
  return "no cuSPARSE in this build (it was configured without cusparse.h)";
#endif
}

std::vector<spmv_peer> spmv_peers_on_gpu() {
  std::vector<spmv_peer> list;
  add_cusparse(list);
  list.push_back({"cudaMemcpy", back_end::gpu, true, [](spmv_request const&) { return true; }, start_copy});
  return list;
}

}  // namespace lookback::dispatch
#endif
