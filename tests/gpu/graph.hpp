// A captured graph of the stream of all tests.
#pragma once
#include <cuda_runtime_api.h>

#include "harness.hpp"

namespace harness {

struct graph {
  cudaGraph_t made = nullptr;
  cudaGraphExec_t ready = nullptr;
  template <class Enqueue>
  explicit graph(Enqueue enqueue) {
    check(cudaStreamBeginCapture(stream(), cudaStreamCaptureModeRelaxed));
    try {
      enqueue();
    } catch (...) {
      cudaStreamEndCapture(stream(), &made);
      throw;
    }
    check(cudaStreamEndCapture(stream(), &made));
    check(cudaGraphInstantiate(&ready, made, 0));
  }
  graph(graph const&) = delete;
  ~graph() {
    if (ready) cudaGraphExecDestroy(ready);
    if (made) cudaGraphDestroy(made);
  }
  void launch() const { check(cudaGraphLaunch(ready, stream())); }
};

}  // namespace harness
