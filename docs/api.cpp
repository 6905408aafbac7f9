// Every call of the library, by example. Compiles and runs as a test, on the CPU. On a GPU the calls are the same, with another
// `on` and with data, counts and carries in memory that the device reads: docs/api.cu.
#include <cstdint>
#include <iostream>
#include <limits>
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
#include <lookback/spmv_plan.hpp>
#include <lookback/unique.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace lb = lookback;
using ints = std::vector<int>;

// Prints what a call gave, and stops at the first surprise.
template <class T>
void shows(std::string const& call, std::vector<T> const& got, std::vector<T> const& want) {
  std::cout << call << " =";
  for (auto const& x : got) std::cout << ' ' << x;
  std::cout << '\n';
  if (got != want) throw std::logic_error("not what this page says: " + call);
}

void scans() {
  auto const on = lb::cpu::on(8);  // at most 8 threads; lb::cpu::seq is the calling thread alone
  ints const in{3, 1, 4, 1, 5};
  ints out(5);

  lb::inclusive_scan(on, in, out);
  shows("inclusive_scan", out, {3, 4, 8, 9, 14});

  lb::exclusive_scan(on, in, out);
  shows("exclusive_scan", out, {0, 3, 4, 8, 9});

  lb::inclusive_scan(on, in, out, lb::maximum<int>{});
  shows("running maximum", out, {3, 3, 4, 4, 5});

  lb::inclusive_scan(on, in, out, [](int a, int b) { return a < b ? a : b; });
  shows("any associative operator, a lambda too", out, {3, 1, 1, 1, 1});

  lb::exclusive_scan(on, in, out, lb::maximum<int>{}, 2);
  shows("after an initial value", out, {2, 3, 3, 4, 4});

  lb::inclusive_scan(on.with(lb::right_to_left), in, out);
  shows("right to left", out, {14, 11, 10, 6, 5});

  std::vector<std::int64_t> wide(5);
  lb::inclusive_scan(on, in, wide, lb::plus<std::int64_t>{});
  shows("accumulated in 64 bits", wide, {3, 4, 8, 9, 14});

  ints data = in;
  lb::inclusive_scan(on, data, data);
  shows("in place", data, {3, 4, 8, 9, 14});
}

void fused() {
  auto const on = lb::cpu::on(8);
  ints const in{3, 1, 4, 1, 5};
  ints out(5);

  lb::inclusive_scan(on, lb::mapped(in, [](int x) { return x * x; }), out);
  shows("a map in front", out, {9, 10, 26, 27, 52});

  lb::inclusive_scan(on, in, lb::into(out, [](int sum) { return -sum; }));
  shows("a map behind", out, {-3, -4, -8, -9, -14});

  lb::inclusive_scan(on, in, lb::into(out, [](lb::index_t i, int sum) { return sum / static_cast<int>(i + 1); }));
  shows("a map behind that asks for the place: running means", out, {3, 2, 2, 2, 2});

  lb::inclusive_scan(on, lb::generate(5, [](lb::index_t i) { return static_cast<int>(2 * i + 1); }), out);
  shows("input in no memory", out, {1, 4, 9, 16, 25});

  ints front(3);
  lb::inclusive_scan(on, lb::first(in, 3), front);
  shows("the first items only", front, {3, 4, 8});
}

void segmented() {
  auto const on = lb::cpu::on(8);
  ints const in{3, 1, 4, 1, 5, 9};
  ints out(6);

  std::vector<std::uint8_t> const flags{1, 0, 1, 0, 0, 1};
  lb::inclusive_segmented_scan(on, in, lb::head_flags(flags), out);
  shows("segments by head flags", out, {3, 4, 4, 5, 10, 9});

  std::vector<std::uint8_t> const bits{0b100101};
  lb::exclusive_segmented_scan(on, in, lb::head_bits(bits), out);
  shows("by packed bits", out, {0, 3, 0, 4, 5, 0});

  ints const offsets{0, 2, 2, 5, 6};  // the second segment is empty
  lb::exclusive_segmented_scan(on, in, lb::offsets(offsets), out, lb::plus<int>{}, 100);
  shows("by offsets", out, {100, 103, 100, 104, 105, 100});

  ints const first_of_each{100, 200, 300, 400};  // the empty segment has one too
  lb::inclusive_segmented_scan(on, in, lb::offsets(offsets), out, lb::plus<int>{}, first_of_each);
  shows("one initial value per segment", out, {103, 104, 304, 305, 310, 409});

  ints const keys{7, 7, 2, 2, 2, 7};
  lb::inclusive_segmented_scan(on, in, lb::keys(keys), out);
  shows("by keys", out, {3, 4, 4, 5, 10, 9});

  lb::inclusive_segmented_scan(on, in, lb::keys(in, [](int a, int b) { return a % 2 == b % 2; }), out);
  shows("by keys under an equality", out, {3, 4, 4, 1, 6, 15});

  lb::inclusive_segmented_scan(on.with(lb::right_to_left), in, lb::rows_of(3), out, lb::maximum<int>{});
  shows("by rows, right to left", out, {4, 4, 4, 9, 9, 9});
}

// The first `count` elements, which is what a compaction returns.
ints front(ints const& out, lb::index_t count) { return {out.begin(), out.begin() + count}; }

void compacted() {
  auto const on = lb::cpu::on(8);
  ints const in{3, 1, 4, 1, 5, 9};
  ints out(6);
  auto const odd = [](int x) { return x % 2 == 1; };

  lb::index_t const kept = lb::select_if(on, in, out, odd);
  shows("select_if", front(out, kept), {3, 1, 1, 5, 9});

  ints data = in;
  lb::index_t const left = lb::select_if(on, data, [](int x) { return x > 2; });
  shows("in place", front(data, left), {3, 4, 5, 9});

  ints const weights{0, 7, 0, 7, 7, 0};
  lb::index_t const heavy = lb::select_if(on, in, lb::stencil(weights), out, odd);
  shows("by a predicate on another array", front(out, heavy), {1, 1, 5});

  std::vector<std::uint8_t> const flags{1, 0, 1, 0, 0, 1}, bits{0b100101};
  lb::index_t const flagged = lb::select_flagged(on, in, flags, out);
  shows("by flags", front(out, flagged), {3, 4, 9});
  lb::index_t const packed = lb::select_flagged(on, in, lb::packed_flags(bits), out);
  shows("by packed flags", front(out, packed), {3, 4, 9});

  ints places(6);
  auto const place = [](lb::index_t i) { return static_cast<int>(i); };
  lb::index_t const found = lb::select_if(on, lb::generate(6, place), lb::stencil(in), places, odd);
  shows("where they are", front(places, found), {0, 1, 3, 4, 5});

  ints rest(6);
  lb::index_t const odds = lb::partition_if(on, in, out, rest, odd);
  shows("partition_if, kept", front(out, odds), {3, 1, 1, 5, 9});
  shows("partition_if, rejected", front(rest, 6 - odds), {4});
  lb::partition_if(on, in, out, [](int x) { return x < 4; });
  shows("partition_if to one output, the rejected in reverse", out, {3, 1, 1, 9, 5, 4});
  lb::partition_if(on.with(lb::stable), in, out, [](int x) { return x < 4; });
  shows("stable", out, {3, 1, 1, 4, 5, 9});

  ints const runs{7, 7, 2, 2, 2, 7};
  lb::index_t const number = lb::unique(on, runs, out);
  shows("unique", front(out, number), {7, 2, 7});
  data = in;
  lb::index_t const ascents = lb::unique(on, data, [](int a, int b) { return a <= b; });
  shows("under an equality, in place: where an ascent begins", front(data, ascents), {3, 1, 1});

  ints keys = runs, values = in;
  lb::index_t const firsts = lb::unique_by_key(on, keys, values);
  shows("unique_by_key, in place: the keys", front(keys, firsts), {7, 2, 7});
  shows("and the values beside them", front(values, firsts), {3, 4, 9});

  // The number kept stays in memory that is readable where `on` runs, and the next call reads it there: nobody waits on a GPU.
  std::vector<lb::index_t> count(1);
  lb::select_if_async(on, in, out, odd, count.data());
  lb::unique_async(on, lb::first(out, {6, count.data()}), out, count.data());
  shows("select_if, then unique", front(out, count[0]), {3, 1, 5, 9});
}

void reduced() {
  auto const on = lb::cpu::on(8);
  ints const keys{7, 7, 2, 2, 2, 7}, in{3, 1, 4, 1, 5, 9};
  ints values(6), lengths(6), places(6), out(6);

  lb::index_t const runs = lb::run_length_encode(on, keys, values, lengths, places);
  shows("run_length_encode, values", front(values, runs), {7, 2, 7});
  shows("lengths", front(lengths, runs), {2, 3, 1});
  shows("places", front(places, runs), {0, 2, 5});
  lb::index_t const longer = lb::non_trivial_runs(on, keys, places, lengths);
  shows("places of runs of two or more", front(places, longer), {0, 2});
  shows("their lengths", front(lengths, longer), {2, 3});

  lb::run_length_encode(on, keys, values, lengths);
  ints const of_runs = front(values, runs), lasting = front(lengths, runs);
  ints items(static_cast<std::size_t>(lb::decoded_size(on, lasting)));
  lb::run_length_decode(on, of_runs, lasting, items);
  shows("run_length_decode", items, keys);
  lb::run_length_decode(on, lb::mapped(of_runs, [](int x) { return -x; }), ints{1, 0, 2}, items);
  shows("of values through a function, and of no item", front(items, 3), {-7, -7, -7});

  lb::index_t const sums = lb::reduce_by_key(on, keys, in, values, out);
  shows("reduce_by_key", front(out, sums), {4, 10, 9});
  lb::reduce_by_key(on, keys, in, values, out, lb::maximum<int>{}, [](int a, int b) { return a % 5 == b % 5; });
  shows("another operator, another equality", front(out, 1), {9});

  ints const offsets{0, 2, 2, 5, 6};  // the second segment is empty
  lb::index_t const rows = lb::segmented_reduce(on, in, lb::offsets(offsets), out, lb::maximum<int>{}, 0);
  shows("segmented_reduce", front(out, rows), {3, 0, 5, 9});

  lb::inclusive_scan_by_key(on, keys, in, out);
  shows("inclusive_scan_by_key", out, {3, 4, 4, 5, 10, 9});
  lb::exclusive_scan_by_key(on, keys, in, out);
  shows("exclusive_scan_by_key", out, {0, 3, 0, 4, 5, 0});
}

// Sorts are stable: equal keys keep the order that they had.
void sorted() {
  auto const on = lb::cpu::on(8);
  ints const in{3, 1, 4, 1, 5, 9};

  ints data = in;
  lb::radix_sort(on, data);
  shows("radix_sort", data, {1, 1, 3, 4, 5, 9});
  ints out(6);
  lb::radix_sort_copy(on, in, out, lb::descending);
  shows("to another array, the largest first", out, {9, 5, 4, 3, 1, 1});

  ints keys = in, values{10, 20, 30, 40, 50, 60};
  lb::radix_sort(on, keys, values);
  shows("with values", values, {20, 40, 10, 30, 50, 60});
  keys = in;
  ints more{0, 1, 2, 3, 4, 5};
  values = {10, 20, 30, 40, 50, 60};
  lb::radix_sort(on, keys, lb::zip(values, more));
  shows("with two arrays of values, the first", values, {20, 40, 10, 30, 50, 60});
  shows("and the second", more, {1, 3, 0, 2, 4, 5});

  struct row {
    int id;
    float score;
  };
  std::vector<row> rows{{0, 2.5f}, {1, -1.0f}, {2, 7.0f}};
  lb::radix_sort(on, rows, lb::by(&row::score), lb::descending);
  shows("structs, by a member", ints{rows[0].id, rows[1].id, rows[2].id}, {2, 0, 1});

  std::vector<std::uint32_t> words{0x30, 0x12, 0x22, 0x11};
  lb::radix_sort(on, words, lb::bits{0, 4});
  shows("by some of the bits", words, {0x30, 0x11, 0x12, 0x22});

  ints const offsets{0, 2, 2, 6};  // the second segment is empty
  lb::radix_sort_copy(on, in, out, lb::offsets(offsets));
  shows("inside of segments", out, {1, 3, 1, 4, 5, 9});
  ints all(6);
  lb::argsort(on, in, all, lb::offsets(offsets));
  shows("argsort inside of segments: places in the whole", all, {1, 0, 3, 2, 4, 5});

  float const infinity = std::numeric_limits<float>::infinity();
  std::vector<float> const numbers{1, std::numeric_limits<float>::quiet_NaN(), -infinity};
  ints order(3);
  lb::argsort(on, numbers, order);
  shows("argsort: the places of the keys in order, NaN last", order, {2, 0, 1});
  lb::argsort(on, numbers, order, lb::nan_first);
  shows("NaN first", order, {1, 2, 0});

  // A stable split into classes, which a function gives: class c is starts[c] to below starts[c + 1].
  std::vector<lb::index_t> starts(4);
  lb::split_by<3>(
      on, in, out, [](int x) { return x % 3; }, starts);
  shows("split_by", out, {3, 9, 1, 4, 1, 5});
  shows("where classes begin", starts, {0, 2, 5, 6});

  std::vector<std::uint8_t> const flags{1, 0, 1, 0, 0, 1};
  lb::index_t const without = lb::split(on, in, flags, out);
  shows("split: items without a flag, then those with one", out, {1, 1, 5, 3, 4, 9});
  shows("without a flag are", ints{static_cast<int>(without)}, {3});
  ints before(6);
  lb::enumerate(on, flags, before);
  shows("enumerate: the flags that are set before each", before, {0, 1, 1, 2, 2, 2});
}

void sparse() {
  // 2 0 1
  // 0 0 0
  // 0 3 4
  ints const offsets{0, 2, 2, 4}, column_indices{0, 2, 1, 2};
  std::vector<float> const values{2, 1, 3, 4}, x{1, 2, 3};
  std::vector<float> y(3);
  lb::csr_view const matrix{3, 3, offsets, column_indices, values};
  auto const on = lb::cpu::on(2);

  lb::spmv(on, matrix, x, y);
  shows("spmv", y, {5, 0, 18});
  lb::spmv(on, matrix, x, y, 2.0f, -1.0f);
  shows("twice that, less what is there", y, {5, 0, 18});
  lb::spmv(on, matrix, x, y, lb::max_times<float>{});
  shows("over another semiring: the largest product", y, {3, -std::numeric_limits<float>::infinity(), 12});

  lb::spmv_plan const plan(on, matrix);  // for many products: on a GPU it keeps x of columns that many nonzeros are in
  lb::spmv(on, plan, x, y);
  shows("spmv by a plan", y, {5, 0, 18});

  std::vector<float> const columns{1, 0, 2, 1, 3, 0};  // x, and 0 1 0, row by row
  std::vector<float> products(6);
  lb::spmm<2>(on, matrix, columns, products);
  shows("spmm", products, {5, 0, 0, 0, 18, 3});
  lb::spmm<2>(on, matrix, columns, products, 2.0f, -1.0f);
  shows("twice that, less what is there", products, {5, 0, 0, 0, 18, 3});
}

void how() {
  ints const in{3, 1, 4, 1, 5};
  ints out(5);
  lb::inclusive_scan(lb::cpu::on(2).with(lb::reduce_then_scan{}), in, out);
  shows("another strategy", out, {3, 4, 8, 9, 14});
  std::vector<float> const x{0.1f, 0.2f, 0.3f};
  std::vector<float> once(3), again(3);
  lb::inclusive_scan(lb::cpu::on(1).with(lb::reproducible), x, once);
  lb::inclusive_scan(lb::cpu::on(8).with(lb::reproducible), x, again);
  shows("the same bits on any number of threads", again, once);

  // A call cut into chunks: each is given what the one before it left.
  lb::carried<int> state;
  auto const on = lb::cpu::on(2);
  ints low{3, 1, 4}, high{1, 5}, sums(3);
  lb::inclusive_scan(on.with(lb::carry<int>{nullptr, &state}), low, low);
  lb::inclusive_scan(on.with(lb::carry<int>{&state, &state}), high, high);
  shows("the second chunk of a call", high, {9, 14});
  // Keys are stored where a run begins, its result where it ends: the last chunk is the one whose carry leads nowhere.
  lb::carried<int, int> open;
  ints const days{1, 1, 2}, more_days{2, 3}, sales{5, 6, 7}, more_sales{8, 9};
  lb::reduce_by_key(on.with(lb::carry<int, int>{nullptr, &open}), days, sales, low, sums);
  lb::reduce_by_key(on.with(lb::carry<int, int>{&open, nullptr}), more_days, more_sales, low, sums);
  shows("runs that end in the last chunk", front(sums, 2), {15, 9});
  try {
    lb::inclusive_scan(on, in, low);
    throw std::logic_error("not refused");
  } catch (lb::invalid_argument const& refused) {
    std::cout << "refused: " << refused.what() << '\n';
  }
}

// Any order of any items: less(a, b) says whether a comes before b.
void compared() {
  auto const on = lb::cpu::on(8);
  auto const shorter = [](std::string const* a, std::string const* b) { return a->size() < b->size(); };
  std::vector<std::string> const names{"three", "one", "fourteen", "two"};
  std::vector<std::string const*> pointers;
  for (auto const& name : names) pointers.push_back(&name);
  lb::quicksort(on, pointers, shorter);  // what moves is trivially copyable; equal ones keep their order
  shows("quicksort by a function: the first two", std::vector<std::string>{*pointers[0], *pointers[1]}, {"one", "two"});

  auto const nearer = [](int a, int b) { return std::abs(a - 4) < std::abs(b - 4); };
  ints data{3, 1, 4, 1, 5, 9}, values{10, 20, 30, 40, 50, 60};
  lb::quicksort(on, data, values, nearer);
  shows("with values", data, {4, 3, 5, 1, 1, 9});
  shows("which move along", values, {30, 10, 50, 20, 40, 60});
  shows("is_sorted", ints{lb::is_sorted(on, data, nearer)}, {1});

  ints const in{3, 1, 4, 1, 5, 9}, offsets{0, 3, 6};
  ints out(6), order(6);
  lb::quicksort_copy(on, in, out, nearer, lb::offsets(offsets));
  shows("inside of segments", out, {4, 3, 1, 5, 1, 9});
  lb::argsort(on, in, order, nearer);
  shows("the order alone", order, {2, 0, 4, 1, 3, 5});
  data = in;
  lb::quicksort(on, data, std::greater<>{});  // natural orders of numbers go by digits; opaque(f) is asked
  shows("by a natural order", data, {9, 5, 4, 3, 1, 1});
  data = in;
  lb::quicksort(on, data, nearer, lb::textbook{});
  shows("by the textbook", data, {4, 3, 5, 1, 1, 9});
}

// Strings of any lengths, one behind the other in one array.
void strings() {
  auto const on = lb::cpu::on(8);
  std::string const text = "pear\nfig\n\npeach\nfig\n";
  ints const lines{0, 5, 9, 10, 16, 20};
  ints order(5), some(3);
  lb::sort_strings(on, text, lb::offsets(lines), order, lb::terminated);  // without the newline that ends each
  shows("sort_strings, lines of a text", order, {2, 1, 4, 3, 0});
  lb::sort_strings(on, text, lb::offsets(ints{0, 5, 10}, ints{4, 8, 13}), some, lb::descending);
  shows("of any parts of it: pear, pea, fig", some, {0, 2, 1});
}

int main() {
  scans();
  fused();
  segmented();
  compacted();
  reduced();
  sorted();
  compared();
  strings();
  sparse();
  how();
}
