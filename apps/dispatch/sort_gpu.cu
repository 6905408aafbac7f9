// Sorts on the GPU: which unit takes a request.
#include <algorithm>
#include <lookback/gpu/host/check.cuh>

#include "on_queue.cuh"
#include "sort_table.hpp"

namespace lookback::dispatch {

namespace {

constexpr int gather_threads = 256;

template <class Word>
__global__ void gather_kernel(Word const* in, Word* out, index_t const* places, index_t n) {
  index_t const step = index_t{gridDim.x} * gather_threads;
  for (index_t i = index_t{blockIdx.x} * gather_threads + threadIdx.x; i < n; i += step) out[i] = in[places[i]];
}

}  // namespace

bool offers_sort_on_gpu(strategy how) { return how != strategy::sequential && is_sort_strategy(how); }

void sort_on_gpu(place const& on, sort_request const& r) {
  with_unit(r, on, sort_gpu_8, sort_gpu_16, sort_gpu_32, sort_gpu_64, sort_gpu_f32, sort_gpu_f64);
}

void number_on_gpu(place const& on, index_t* numbers, index_t n) { number(on_queue(on), numbers, n); }

void gather_on_gpu(place const& on, gather_request const& r) {
  if (r.n == 0) return;
  auto const blocks = static_cast<unsigned>(std::min<index_t>((r.n + gather_threads - 1) / gather_threads, 1 << 16));
  with_width_of(r.bytes_each, [&]<class Word>(Word) {
    gather_kernel<<<blocks, gather_threads, 0, static_cast<cudaStream_t>(on.stream)>>>(static_cast<Word const*>(r.in),
                                                                                       static_cast<Word*>(r.out), r.places, r.n);
  });
  gpu::check(cudaGetLastError());
}

}  // namespace lookback::dispatch
