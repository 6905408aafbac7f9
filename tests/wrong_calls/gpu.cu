// Calls that must not compile, as in cpu.cpp, of the GPU back end.
#include <array>
#include <lookback/gpu.cuh>
#include <lookback/reduce_by_key.hpp>
#include <lookback/scan.hpp>
#include <lookback/select_if.hpp>
#include <lookback/spmv.hpp>
#include <lookback/spmv_plan.hpp>
#include <lookback/unique.hpp>
#include <span>
#include <string>
#include <vector>

#ifndef WRONG_CALL
#define WRONG_CALL 0
#endif
#if !WRONG_CALL || WRONG_CALL == 8 || WRONG_CALL == 9  // reading Thrust takes longer than the rest
#include <thrust/device_vector.h>
#endif

namespace lb = lookback;

struct is_odd {
  __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};

int main() {
  std::vector<int> host(10, 1);
  int numbers[10] = {};
  [[maybe_unused]] std::array<int, 10> array{};
  [[maybe_unused]] std::string text(10, ' ');
  std::span<int> const in(numbers), out(host);  // as if the GPU reached them
  auto const on = lb::gpu::on(nullptr);
#if !WRONG_CALL  // what is right
  thrust::device_vector<int> on_device(10);
  lb::inclusive_scan(on, std::span(thrust::raw_pointer_cast(on_device.data()), on_device.size()), out);
  lb::inclusive_scan(on, lb::mapped(in, [] __host__ __device__(int x) { return x; }), out);
  // A lambda of the device alone is an operator, a predicate and what is stored.
  lb::inclusive_scan(on, in, out, [] __device__(int a, int b) { return a < b ? a : b; });
  lb::segmented_reduce(
      on, in, lb::offsets(in), out, [] __device__(int a, int b) { return a < b ? a : b; }, 0);
  lb::select_if(on, in, out, [] __device__(int x) { return x > 0; });
  lb::inclusive_scan(on, in, lb::into(out, [] __device__(int x) { return x + 1; }));
#endif
#if WRONG_CALL == 1  // gpu::on does not reach std::vector
  lb::inclusive_scan(on, host, out);
#elif WRONG_CALL == 2   // gpu::on does not reach std::vector
  lb::inclusive_scan(on, in, host);
#elif WRONG_CALL == 3   // gpu::on does not reach std::vector
  lb::inclusive_scan(on, lb::mapped(array, is_odd{}), out);
#elif WRONG_CALL == 4   // gpu::on does not reach std::vector
  lb::select_if(on, text, is_odd{});
#elif WRONG_CALL == 5   // gpu::on does not reach std::vector
  lb::inclusive_scan_by_key(on, numbers, in, out);
#elif WRONG_CALL == 6   // gpu::on does not reach std::vector
  lb::spmv(on, lb::csr_view{1, 10, in, in, in}, host, out);
#elif WRONG_CALL == 7   // mapped(in, f) asks the host
  lb::inclusive_scan(on, lb::mapped(in, [] __device__(int x) { return x; }), out);
#elif WRONG_CALL == 8   // std::span(thrust::raw_pointer_cast(v.data()), v.size())
  thrust::device_vector<int> on_device(10);
  lb::inclusive_scan(on, on_device, out);
#elif WRONG_CALL == 9   // std::span(thrust::raw_pointer_cast(v.data()), v.size())
  thrust::device_vector<int> on_device(10);
  lb::spmv(on, lb::csr_view{1, 10, in, in, in}, in, on_device);
#elif WRONG_CALL == 10  // gpu::on does not reach std::vector
  lb::inclusive_segmented_scan(on, in, lb::head_flags(host), out);
#elif WRONG_CALL == 11  // gpu::on does not reach std::vector
  lb::spmv(on, lb::csr_view{1, 10, host, in, in}, in, out);
#elif WRONG_CALL == 12  // this strategy has no GPU form
  lb::inclusive_scan(on.with(lb::sequential{}), in, out);
#elif WRONG_CALL == 13  // scan_then_propagate has no carry
  lb::inclusive_scan(on.with(lb::scan_then_propagate{}).with(lb::carry<int>{}), in, out);
#elif WRONG_CALL == 14  // this strategy has no GPU form
  lb::inclusive_segmented_scan(on.with(lb::lifted<lb::sequential>{}), in, lb::rows_of(5), out);
#elif WRONG_CALL == 15  // a plan on a GPU needs lookback/spmv_plan.cuh
  lb::spmv_plan const plan(on, lb::csr_view{1, 10, in, in, in});
#elif WRONG_CALL == 16  // the key in the carry has the type of the keys
  lb::unique(on.with(lb::carry<lb::index_t, short>{}), in, out);
#elif WRONG_CALL == 17  // a compaction takes carry<index_t, Key>
  lb::select_if(on.with(lb::carry<short>{}), in, out, [] __device__(int x) { return x > 0; });
#elif WRONG_CALL == 18  // the value in the carry has the type of what is accumulated
  lb::inclusive_scan(on.with(lb::carry<short>{}), in, out);
#endif
}
