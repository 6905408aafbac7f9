// Calls that must not compile, one for each number that run.sh gives as WRONG_CALL: the line of it holds the sentence to be
// printed. Without a number nothing is wrong.
#include <array>
#include <deque>
#include <forward_list>
#include <functional>
#include <lookback/cpu.hpp>
#include <lookback/radix_sort.hpp>
#include <lookback/reduce_by_key.hpp>
#include <lookback/run_length_encode.hpp>
#include <lookback/scan.hpp>
#include <lookback/segmented_scan.hpp>
#include <lookback/select_if.hpp>
#include <lookback/split_by.hpp>
#include <lookback/spmv.hpp>
#include <lookback/unique.hpp>
#include <memory>
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

/// Owns nothing: a view that says so by its destructor alone.
struct slice {
  int* data;
  std::size_t size;
  int* begin() const { return data; }
  int* end() const { return data + size; }
};
/// An own container that hands out a smart pointer.
struct buffer {
  std::shared_ptr<int[]> memory;
  std::shared_ptr<int[]> const& data() const { return memory; }
  std::size_t size() const { return 10; }
  int* begin() const { return memory.get(); }
  int* end() const { return memory.get() + 10; }
};
/// A value that can be iterated.
struct mask {
  unsigned bits = 0;
  std::forward_list<int>::const_iterator begin() const { return {}; }
  std::forward_list<int>::const_iterator end() const { return {}; }
  friend mask operator|(mask a, mask b) { return {a.bits | b.bits}; }
};

int main() {
  std::vector<int> in(10, 1), out(10);
  auto const on = lb::cpu::on();
  auto const in_pairs = on.with(lb::lifted<lb::decoupled_look_back>{});
#if !WRONG_CALL  // what is right
  lb::inclusive_scan(on, in, out, std::plus<>{});
  lb::inclusive_scan(on, std::span(in), std::span(out), lb::maximum<>{}, 0);
  lb::inclusive_scan(on, lb::mapped(std::span(in), [](int x) { return x; }), out);
  lb::inclusive_scan(on, lb::mapped(slice{in.data(), 10}, [](int x) { return x; }), out);
  lb::inclusive_scan(on, buffer{std::make_shared<int[]>(10)}, out);
  std::vector<mask> masks(10);
  lb::inclusive_segmented_scan(
      on, masks, lb::rows_of(5), masks, [](mask a, mask b) { return a | b; }, mask{});
  lb::inclusive_segmented_scan(in_pairs, in, lb::rows_of(5), out);
  lb::inclusive_scan(in_pairs.with(lb::carry<int>{}), in, out);
#endif
#if WRONG_CALL == 1  // op is called as op(a, b)
  lb::inclusive_scan(on, in, out, 0, lb::plus<int>{});
#elif WRONG_CALL == 2   // op is called as op(a, b)
  lb::exclusive_segmented_scan(on, in, lb::rows_of(5), out, 0, lb::plus<int>{});
#elif WRONG_CALL == 3   // op is called as op(a, b)
  lb::segmented_reduce(on, in, lb::rows_of(5), out, 0, lb::plus<int>{});
#elif WRONG_CALL == 4   // a range must be contiguous
  lb::inclusive_scan(on, std::deque<int>(10), out);
#elif WRONG_CALL == 5   // a range must be contiguous
  std::vector<bool> flags(10);
  lb::inclusive_scan(on, in, flags);
#elif WRONG_CALL == 6   // use a struct with the same members
  std::vector<std::pair<int, int> > pairs(10);
  lb::inclusive_scan(on, pairs, pairs, [](auto a, auto) { return a; });
#elif WRONG_CALL == 7   // use a struct with the same members
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
#elif WRONG_CALL == 15  // an initial value or an operator with identity()
  struct point {
    int x, y;
    bool operator<(point const& other) const { return x < other.x; }
    bool operator!=(point const& other) const { return x != other.x; }
  };
  std::vector<point> points(10);
  lb::exclusive_scan(on, points, points, lb::minimum<>{});
#elif WRONG_CALL == 16  // op is called as op(a, b)
  std::vector<float> numbers(10);
  lb::inclusive_scan(on, numbers, numbers, lb::bit_and<>{});
#elif WRONG_CALL == 17  // op is called as op(a, b)
  lb::exclusive_scan(on, in, out, 0);
#elif WRONG_CALL == 14  // an initial value or an operator with identity()
  lb::exclusive_scan(on, in, out, [](int a, int b) { return a < b ? a : b; });
#elif WRONG_CALL == 18  // an option of a sort is given once
  std::vector<int> rows{0, 5, 10};
  lb::radix_sort(on, in, lb::offsets(rows), lb::offsets(rows));
#elif WRONG_CALL == 19  // keys_out has elements of the type of keys
  std::vector<float> sorted(10);
  lb::radix_sort_copy(on, in, sorted);
#elif WRONG_CALL == 21  // this strategy has no CPU form
  lb::inclusive_scan(on.with(lb::fenced_look_back{}), in, out);
#elif WRONG_CALL == 22  // scan_then_propagate is for scans that store every value of the operator
  lb::select_if(on.with(lb::scan_then_propagate{}), in, out, [](int x) { return x > 0; });
#elif WRONG_CALL == 23  // scan_then_propagate is for scans that store every value of the operator
  lb::inclusive_scan(on.with(lb::scan_then_propagate{}), in, lb::into(out, [](int x) { return x + 1; }));
#elif WRONG_CALL == 24  // scan_then_propagate has no carry
  lb::inclusive_scan(on.with(lb::scan_then_propagate{}).with(lb::carry<int>{}), in, out);
#elif WRONG_CALL == 20  // f(item) is the number of a class
  std::vector<lb::index_t> starts(3);
  lb::split_by<2>(
      on, in, out, [](int x) { return x * 0.5; }, starts);
#elif WRONG_CALL == 25  // lifted is a strategy of scans
  lb::select_if(in_pairs, in, out, [](int x) { return x > 0; });
#elif WRONG_CALL == 26  // lifted is a strategy of scans
  lb::segmented_reduce(in_pairs, in, lb::rows_of(5), out);
#elif WRONG_CALL == 27  // a carry is not combined with the strategy lifted
  lb::inclusive_segmented_scan(in_pairs.with(lb::carry<int>{}), in, lb::rows_of(5), out);
#elif WRONG_CALL == 28  // a value that is lifted has at most 64 bytes together with the head beside it
  struct row {
    int x[16];
  };
  std::vector<row> rows(10);
  lb::inclusive_segmented_scan(in_pairs, rows, lb::rows_of(5), rows, [](row const& a, row const&) { return a; });
#elif WRONG_CALL == 29  // lifted has a base that stores results once, and not scan_then_propagate
  lb::inclusive_segmented_scan(on.with(lb::lifted<lb::scan_then_propagate>{}), in, lb::rows_of(5), out);
#elif WRONG_CALL == 30  // a compaction takes carry<index_t, Key>
  lb::select_if(on.with(lb::carry<int>{}), in, out, [](int x) { return x > 0; });
#elif WRONG_CALL == 31  // the key in the carry has the type of the keys
  lb::unique(on.with(lb::carry<lb::index_t>{}), in, out, [](int a, int b) { return a == b; });
#elif WRONG_CALL == 32  // non_trivial_runs has no carry
  lb::non_trivial_runs(on.with(lb::carry<lb::index_t, int>{}), in, out, out);
#elif WRONG_CALL == 33  // a carry is for scans, compactions and results of segments
  lb::radix_sort(on.with(lb::carry<int>{}), in);
#endif
}
