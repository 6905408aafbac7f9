// Every verb of the library on the CPU, as a program calls it whose own warnings are errors (tests/warnings/run.sh).
#include <cstdint>
#include <lookback/cpu.hpp>
#include <lookback/partition_if.hpp>
#include <lookback/quicksort.hpp>
#include <lookback/radix_sort.hpp>
#include <lookback/reduce_by_key.hpp>
#include <lookback/run_length_decode.hpp>
#include <lookback/run_length_encode.hpp>
#include <lookback/scan.hpp>
#include <lookback/segmented_scan.hpp>
#include <lookback/select_if.hpp>
#include <lookback/sort_strings.hpp>
#include <lookback/split.hpp>
#include <lookback/split_by.hpp>
#include <lookback/spmm.hpp>
#include <lookback/spmv.hpp>
#include <lookback/unique.hpp>
#include <vector>

namespace lb = lookback;

template <class T>
struct arrays_of {
  std::vector<T> in = std::vector<T>(1000, T{1}), out = std::vector<T>(1000), other = std::vector<T>(1000);
  std::vector<std::int32_t> keys = std::vector<std::int32_t>(1000), offsets{0, 10, 1000};
  std::vector<std::uint8_t> flags = std::vector<std::uint8_t>(1000);
};

template <class T>
long long scans(arrays_of<T>& a) {
  auto const on = lb::cpu::on(2);
  lb::inclusive_scan(on, a.in, a.out);
  lb::exclusive_scan(on.with(lb::right_to_left), a.in, a.out, lb::maximum<T>{}, T{0});
  lb::inclusive_segmented_scan(on, a.in, lb::head_flags(a.flags), a.out);
  lb::inclusive_segmented_scan(on, a.in, lb::keys(a.keys), a.out);
  lb::inclusive_scan(on.with(lb::reduce_then_scan{}), lb::mapped(a.in, [](T x) { return x; }), a.out);
  return static_cast<long long>(a.out.back());
}

template <class T>
long long compactions(arrays_of<T>& a) {
  auto const on = lb::cpu::on(2);
  auto const positive = [](T x) { return x > T{0}; };
  auto n = lb::select_if(on, a.in, a.out, positive);
  n += lb::select_if(on, a.in, positive);
  n += lb::partition_if(on, a.in, a.out, a.other, positive);
  n += lb::unique(on, a.in, a.out);
  n += lb::run_length_encode(on, a.in, a.out, a.keys);
  n += lb::reduce_by_key(on, a.keys, a.in, a.keys, a.out);
  n += lb::run_length_decode(on, a.in, a.keys, a.out);
  lb::segmented_reduce(on, a.in, lb::offsets(a.offsets), a.out);
  return n;
}

template <class T>
long long products(arrays_of<T>& a) {
  auto const on = lb::cpu::on(2);
  lb::csr_view const matrix{lb::index_t{2}, lb::index_t{1000}, a.offsets, a.keys, a.in};
  lb::spmv(on, matrix, a.in, a.out);
  lb::spmv(on, matrix, a.in, a.out, T{2}, T{1});
  return static_cast<long long>(a.out[0]);
}

template <class T>
long long sorts(arrays_of<T>& a) {
  auto const on = lb::cpu::on(2);
  auto const before = [](T x, T y) { return x < y; };
  lb::radix_sort(on, a.in);
  lb::radix_sort(on, a.in, a.out, lb::descending);
  lb::quicksort(on, a.in, before);
  lb::quicksort(on, a.in, a.out, before, lb::unstable);
  lb::segmented_quicksort(on, a.in, lb::offsets(a.offsets), before);
  lb::argsort(on, a.in, a.keys, before);
  lb::split(on, a.in, a.flags, a.out);
  std::vector<lb::index_t> starts(3);
  lb::split_by<2>(
      on, a.in, a.out, [](T x) { return x > T{0} ? 1 : 0; }, starts);
  lb::sort_strings(on, a.flags, lb::offsets(a.offsets), std::span(a.keys).first(2), lb::terminated);
  return lb::is_sorted(on, a.in, before) + static_cast<long long>(a.in[0]);
}

int main() {
  arrays_of<float> floats;
  arrays_of<std::int32_t> ints;
  return scans(floats) + scans(ints) + compactions(ints) + compactions(floats) + products(floats) + sorts(ints) + sorts(floats) ==
         0;
}
