#include "cusparse.hpp"

#include <cuda_runtime_api.h>
#include <cusparse.h>
#include <dlfcn.h>

#include <complex>
#include <lookback/gpu/host/check.cuh>

#include "types.hpp"

namespace lookback::dispatch {

namespace {

// What is called of it, by the names of its header.
struct library {
  std::string why_none;
  decltype(&::cusparseGetErrorString) text;
  decltype(&::cusparseCreate) create;
  decltype(&::cusparseDestroy) destroy;
  decltype(&::cusparseSetStream) set_stream;
  decltype(&::cusparseCreateConstCsr) create_csr;
  decltype(&::cusparseCreateConstCoo) create_coo;
  decltype(&::cusparseDestroySpMat) destroy_matrix;
  decltype(&::cusparseCreateConstDnVec) create_input;
  decltype(&::cusparseCreateDnVec) create_output;
  decltype(&::cusparseDestroyDnVec) destroy_vector;
  decltype(&::cusparseSpMV_bufferSize) buffer_size;
  decltype(&::cusparseSpMV_preprocess) preprocess;
  decltype(&::cusparseSpMV) multiply;

  library() {
    // By its name where the loader knows it, else where the header came from. Never unloaded: contexts of the device know it.
    std::string const name = "libcusparse.so." + std::to_string(CUSPARSE_VER_MAJOR);
    void* loaded = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!loaded) loaded = dlopen((LOOKBACK_CUDA_LIBRARIES "/" + name).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!loaded) {
      why_none = name + " cannot be loaded: " + dlerror();
      return;
    }
    auto const find = [&](auto& function, char const* symbol) {
      void* const found = dlsym(loaded, symbol);
      if (!found && why_none.empty()) why_none = name + " has no " + symbol;
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(found);
    };
    find(text, "cusparseGetErrorString");
    find(create, "cusparseCreate");
    find(destroy, "cusparseDestroy");
    find(set_stream, "cusparseSetStream");
    find(create_csr, "cusparseCreateConstCsr");
    find(create_coo, "cusparseCreateConstCoo");
    find(destroy_matrix, "cusparseDestroySpMat");
    find(create_input, "cusparseCreateConstDnVec");
    find(create_output, "cusparseCreateDnVec");
    find(destroy_vector, "cusparseDestroyDnVec");
    find(buffer_size, "cusparseSpMV_bufferSize");
    find(preprocess, "cusparseSpMV_preprocess");
    find(multiply, "cusparseSpMV");
  }
};

library const& cusparse() {
  static library const loaded;
  return loaded;
}

void check(cusparseStatus_t code) {
  if (code == CUSPARSE_STATUS_SUCCESS) return;
  std::string const words = std::string("cuSPARSE: ") + cusparse().text(code);
  if (code == CUSPARSE_STATUS_ALLOC_FAILED || code == CUSPARSE_STATUS_INSUFFICIENT_RESOURCES) throw out_of_memory(words);
  throw device_error(words);
}

template <class T>
constexpr cudaDataType data_type = CUDA_R_32F;
template <>
constexpr cudaDataType data_type<double> = CUDA_R_64F;
template <>
constexpr cudaDataType data_type<std::complex<float>> = CUDA_C_32F;
template <>
constexpr cudaDataType data_type<std::complex<double>> = CUDA_C_64F;

constexpr cusparseSpMVAlg_t algorithm_of(cusparse_algorithm by) {
  constexpr cusparseSpMVAlg_t all[] = {CUSPARSE_SPMV_CSR_ALG1, CUSPARSE_SPMV_CSR_ALG2, CUSPARSE_SPMV_COO_ALG1,
                                       CUSPARSE_SPMV_COO_ALG2};
  return all[static_cast<int>(by)];
}

// Freed also where a constructor stops halfway.
template <class Handle>
class owned {
 public:
  explicit owned(cusparseStatus_t (*destroy)(Handle)) : destroy_{destroy} {}
  ~owned() {
    if (handle_) destroy_(handle_);
  }
  owned(owned const&) = delete;
  owned& operator=(owned const&) = delete;
  Handle* place() { return &handle_; }
  operator Handle() const { return handle_; }

 private:
  Handle handle_ = nullptr;
  cusparseStatus_t (*destroy_)(Handle);
};

library const& expect_cusparse() {
  if (!cusparse().why_none.empty()) throw unavailable(cusparse().why_none);
  return cusparse();
}

}  // namespace

char const* name_of(cusparse_algorithm by) {
  constexpr char const* names[] = {"CSR_ALG1", "CSR_ALG2", "COO_ALG1", "COO_ALG2"};
  return names[static_cast<int>(by)];
}

std::string why_no_cusparse() { return cusparse().why_none; }

template <class T>
struct cusparse_product<T>::state {
  library const& from = expect_cusparse();
  cusparseSpMVAlg_t algorithm;
  T alpha, beta;
  owned<cusparseHandle_t> handle{from.destroy};
  owned<cusparseConstSpMatDescr_t> matrix{from.destroy_matrix};
  owned<cusparseConstDnVecDescr_t> input{from.destroy_vector};
  cusparseDnVecDescr_t output = nullptr;  // destroyed as what it converts to
  void* buffer = nullptr;

  state(cusparse_algorithm by, T a, T b) : algorithm{algorithm_of(by)}, alpha{a}, beta{b} { check(from.create(handle.place())); }
  ~state() {
    if (output) from.destroy_vector(output);
    cudaFree(buffer);
  }
  state(state const&) = delete;
  state& operator=(state const&) = delete;

  // All calls about the product begin with the same words.
  template <class Call, class... More>
  void call(Call function, More... more) const {
    check(
        function(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, matrix, input, &beta, output, data_type<T>, algorithm, more...));
  }
};

template <class T>
cusparse_product<T>::cusparse_product(cusparse_matrix const& a, T const* x, T* y, cusparse_algorithm by, T alpha, T beta)
    : state_{std::make_unique<state>(by, alpha, beta)} {
  auto& s = *state_;
  constexpr auto index = CUSPARSE_INDEX_32I;
  constexpr auto base = CUSPARSE_INDEX_BASE_ZERO;
  check(is_coo(by) ? s.from.create_coo(s.matrix.place(), a.rows, a.columns, a.nonzeros, a.rows_or_offsets, a.column_indices,
                                       a.values, index, base, data_type<T>)
                   : s.from.create_csr(s.matrix.place(), a.rows, a.columns, a.nonzeros, a.rows_or_offsets, a.column_indices,
                                       a.values, index, index, base, data_type<T>));
  check(s.from.create_input(s.input.place(), a.columns, x, data_type<T>));
  check(s.from.create_output(&s.output, a.rows, y, data_type<T>));
  std::size_t bytes = 0;
  s.call(s.from.buffer_size, &bytes);
  if (bytes > 0) gpu::check(cudaMalloc(&s.buffer, bytes));
}

template <class T>
cusparse_product<T>::~cusparse_product() = default;
template <class T>
cusparse_product<T>::cusparse_product(cusparse_product&&) noexcept = default;
template <class T>
cusparse_product<T>& cusparse_product<T>::operator=(cusparse_product&&) noexcept = default;

template <class T>
void cusparse_product<T>::preprocess(void* stream) {
  check(state_->from.set_stream(state_->handle, static_cast<cudaStream_t>(stream)));
  state_->call(state_->from.preprocess, state_->buffer);
}
template <class T>
void cusparse_product<T>::enqueue(void* stream) {
  check(state_->from.set_stream(state_->handle, static_cast<cudaStream_t>(stream)));
  state_->call(state_->from.multiply, state_->buffer);
}

template class cusparse_product<float>;
template class cusparse_product<double>;
template class cusparse_product<std::complex<float>>;
template class cusparse_product<std::complex<double>>;

}  // namespace lookback::dispatch
