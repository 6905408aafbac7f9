// Calls that must not compile, as in cpu.cpp, of any back end that does not reach the host's memory: told by what describes
// segments and matrices. The policy stands for such a one; gpu.cu has calls of the GPU itself.
#include <array>
#include <lookback/cpu.hpp>
#include <lookback/radix_sort.hpp>
#include <lookback/reduce_by_key.hpp>
#include <lookback/segmented_scan.hpp>
#include <lookback/select_if.hpp>
#include <lookback/spmm.hpp>
#include <lookback/spmv.hpp>
#include <lookback/spmv_plan.hpp>
#include <span>
#include <string>
#include <vector>

#ifndef WRONG_CALL
#define WRONG_CALL 0
#endif

namespace lb = lookback;

struct elsewhere : decltype(lb::cpu::on()) {
  using back_end = elsewhere;
  static bool reaches(void const*) { return true; }
};

int main() {
  std::vector<int> host(10, 1);
  int numbers[10] = {};
  std::array<int, 10> array{};
  std::string text(10, ' ');
  std::span<int> const in(numbers), out(host);  // as if they were reached
  elsewhere const on{lb::cpu::on()};
#if !WRONG_CALL  // what is right
  lb::inclusive_segmented_scan(on, in, lb::head_flags(in), out);
  auto description = lb::head_flags(host);
  description = lb::rows_of(5);
  lb::inclusive_segmented_scan(lb::cpu::on(), in, description, out);
  lb::csr_view matrix(1, 10, host, in, array);
  matrix = lb::csr_view{1, 10, in, in, in};
  lb::spmv(lb::cpu::on(), lb::spmv_plan(lb::cpu::on(), matrix), in, out);
  lb::inclusive_segmented_scan(lb::cpu::on(), in, lb::head_flags(host), out);
  lb::segmented_reduce(lb::cpu::on(), in, lb::known_offsets(numbers), out);
  lb::segmented_reduce(lb::cpu::on(), in, lb::keys(array, lb::equal_to{}), out);
  lb::spmv(on, lb::csr_view{1, 10, in, in, in}, in, out);
  lb::spmv(lb::cpu::on(), lb::csr_view{1, 10, host, in, array}, in, out);
  lb::select_flagged(lb::cpu::on(), in, lb::packed_flags(text), out);
  lb::radix_sort(lb::cpu::on(), out, lb::offsets(in, host));
#endif
#if WRONG_CALL == 1  // gpu::on does not reach std::vector
  lb::inclusive_segmented_scan(on, in, lb::head_flags(host), out);
#elif WRONG_CALL == 2   // gpu::on does not reach std::vector
  lb::exclusive_segmented_scan(on, in, lb::head_bits(text), out);
#elif WRONG_CALL == 3   // gpu::on does not reach std::vector
  lb::segmented_reduce(on, in, lb::offsets(host), out);
#elif WRONG_CALL == 4   // gpu::on does not reach std::vector
  lb::segmented_reduce(on, in, lb::known_offsets(numbers), out);
#elif WRONG_CALL == 5   // gpu::on does not reach std::vector
  lb::inclusive_segmented_scan(on, in, lb::keys(array), out);
#elif WRONG_CALL == 6   // gpu::on does not reach std::vector
  lb::segmented_reduce(on, in, lb::keys(host, lb::equal_to{}), out);
#elif WRONG_CALL == 7   // gpu::on does not reach std::vector
  lb::inclusive_segmented_scan(on, in, lb::head_flags(host), out, lb::plus<>{}, in);
#elif WRONG_CALL == 8   // gpu::on does not reach std::vector
  lb::spmv(on, lb::csr_view{1, 10, in, in, array}, in, out, 1, 1);
#elif WRONG_CALL == 9   // gpu::on does not reach std::vector
  lb::spmm<2>(on, lb::csr_view{1, 10, in, host, in}, in, out);
#elif WRONG_CALL == 10  // gpu::on does not reach std::vector
  lb::spmm<2>(on, lb::csr_view{1, 10, host, in, in}, in, out, 1, 1);
#elif WRONG_CALL == 11  // gpu::on does not reach std::vector
  lb::spmv_plan const plan(on, lb::csr_view{1, 10, in, in, array});
#elif WRONG_CALL == 12  // gpu::on does not reach std::vector
  lb::select_flagged(on, in, lb::packed_flags(text), out);
#elif WRONG_CALL == 13  // gpu::on does not reach std::vector
  lb::select_flagged(on, in, host, out);
#elif WRONG_CALL == 14  // gpu::on does not reach std::vector
  lb::radix_sort(on, out, lb::offsets(host));
#elif WRONG_CALL == 15  // gpu::on does not reach std::vector
  lb::radix_sort(on, out, lb::descending, lb::offsets(in, host));
#elif WRONG_CALL == 16  // gpu::on does not reach std::vector
  lb::segmented_reduce(on, in, lb::offsets(host), out, lb::plus<>{}, 0);
#elif WRONG_CALL == 17  // gpu::on does not reach std::vector
  lb::exclusive_segmented_scan(on, in, lb::keys(array), out, lb::plus<>{}, 0);
#elif WRONG_CALL == 18  // a plan must be used on the back end that it was made for
  lb::spmv(on, lb::spmv_plan(lb::cpu::on(), lb::csr_view{1, 10, host, in, in}), in, out);
#endif
}
