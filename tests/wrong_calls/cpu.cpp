// Calls that must not compile, one for each number that run.sh gives as WRONG_CALL: the line of it holds the sentence to be
// printed. Without a number nothing is wrong.
#include <array>
#include <deque>
#include <functional>
#include <lookback/cpu.hpp>
#include <lookback/reduce_by_key.hpp>
#include <lookback/scan.hpp>
#include <lookback/spmv.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#ifndef WRONG_CALL
#define WRONG_CALL 0
#endif

namespace lb = lookback;

/// As thrust::device_vector: its data() is no pointer.
struct device_vector {
  struct pointer {
    int* get() const { return nullptr; }
  };
  pointer data() const { return {}; }
  std::size_t size() const { return 0; }
};

int main() {
  std::vector<int> in(10, 1), out(10);
  auto const on = lb::cpu::on();
  lb::inclusive_scan(on, in, out, std::plus<>{});
  lb::inclusive_scan(on, std::span(in), std::span(out), lb::maximum<>{}, 0);
  lb::inclusive_scan(on, lb::mapped(std::span(in), [](int x) { return x; }), out);
#if WRONG_CALL == 1  // op is called with two values
  lb::inclusive_scan(on, in, out, 0, lb::plus<int>{});
#elif WRONG_CALL == 2   // op is called with two values
  lb::exclusive_segmented_scan(on, in, lb::rows_of(5), out, 0, lb::plus<int>{});
#elif WRONG_CALL == 3   // op is called with two values
  lb::segmented_reduce(on, in, lb::rows_of(5), out, 0, lb::plus<int>{});
#elif WRONG_CALL == 4   // ranges are contiguous
  lb::inclusive_scan(on, std::deque<int>(10), out);
#elif WRONG_CALL == 5   // ranges are contiguous
  std::vector<bool> flags(10);
  lb::inclusive_scan(on, in, flags);
#elif WRONG_CALL == 6   // write a struct of the members
  std::vector<std::pair<int, int> > pairs(10);
  lb::inclusive_scan(on, pairs, pairs, [](auto a, auto) { return a; });
#elif WRONG_CALL == 7   // write a struct of the members
  std::vector<std::string> words(10);
  lb::inclusive_scan(on, words, words, std::plus<>{});
#elif WRONG_CALL == 8   // a temporary that owns its elements
  lb::inclusive_scan(on, lb::mapped(std::vector<int>(10), [](int x) { return x; }), out);
#elif WRONG_CALL == 9   // a temporary that owns its elements
  lb::inclusive_scan(on, lb::first(std::vector<int>(10), 5), out);
#elif WRONG_CALL == 10  // a temporary that owns its elements
  lb::csr_view const matrix{1, 1, std::vector<int>{0, 1}, in, out};
  lb::spmv(on, matrix, in, out);
#elif WRONG_CALL == 11  // std::span(thrust::raw_pointer_cast(v.data()), v.size())
  lb::inclusive_scan(on, device_vector{}, out);
#elif WRONG_CALL == 12  // std::span(thrust::raw_pointer_cast(v.data()), v.size())
  lb::inclusive_scan(on, in, device_vector{});
#elif WRONG_CALL == 13  // std::span(thrust::raw_pointer_cast(v.data()), v.size())
  lb::inclusive_scan_by_key(on, device_vector{}, in, out);
#elif WRONG_CALL == 14  // an initial value or an operator with identity()
  lb::exclusive_scan(on, in, out, [](int a, int b) { return a < b ? a : b; });
#endif
}
