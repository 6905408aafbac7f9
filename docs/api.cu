// Every call of the library on a GPU, by example. Compiles and runs as a test; needs nvcc, and --extended-lambda for the lambdas.
// docs/api.cpp has the same calls on the CPU. What is different here:
//
//   where data lies    arrays, counts and carries are read and written by the device (a carry may lie in host memory, too)
//   when it is done    a call enqueues its work in the order of a stream; only a form that returns a number waits
//   scratch memory     a workspace keeps it from call to call: without one, each call allocates and frees in stream order
#include <cuda_runtime_api.h>

#include <iostream>
#include <limits>
#include <lookback/gpu.cuh>
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
#include <lookback/spmv_plan.cuh>
#include <lookback/unique.hpp>

#include "device.cuh"

void scans(lb::gpu::workspace& workspace) {
  auto const on = lb::gpu::on(page_stream).with(workspace);
  ints const in({3, 1, 4, 1, 5});
  ints out(5);

  lb::inclusive_scan(on, in, out);
  shows("inclusive_scan", out, {3, 4, 8, 9, 14});
  lb::exclusive_scan(on, in, out);
  shows("exclusive_scan", out, {0, 3, 4, 8, 9});
  lb::exclusive_scan(on.with(lb::right_to_left), in, out, lb::maximum<int>{}, 2);
  shows("exclusive maximum after an initial value, right to left", out, {5, 5, 5, 5, 2});
  lb::inclusive_scan(on, in, out, [] __host__ __device__(int a, int b) { return a < b ? a : b; });
  shows("any associative operator, a lambda too", out, {3, 1, 1, 1, 1});
  device<std::int64_t> wide(5);
  lb::inclusive_scan(on, in, wide, lb::plus<std::int64_t>{});
  shows("accumulated in 64 bits", wide, {3, 4, 8, 9, 14});
  ints data({3, 1, 4, 1, 5});
  lb::inclusive_scan(on, data, data);
  shows("in place", data, {3, 4, 8, 9, 14});
  auto const square = [] __host__ __device__(int x) { return x * x; };
  auto const mean = [] __host__ __device__(lb::index_t i, int sum) { return sum / static_cast<int>(i + 1); };
  lb::inclusive_scan(on, lb::mapped(in, square), lb::into(out, mean));
  shows("a map in front and one behind that asks for the place", out, {9, 5, 8, 6, 10});

  auto const odd_number = [] __host__ __device__(lb::index_t i) { return static_cast<int>(2 * i + 1); };
  lb::inclusive_scan(on, lb::generate(5, odd_number), out);
  shows("input in no memory", out, {1, 4, 9, 16, 25});
}

void segmented(lb::gpu::workspace& workspace) {
  auto const on = lb::gpu::on(page_stream).with(workspace);
  ints const in({3, 1, 4, 1, 5, 9});
  ints out(6);

  device<std::uint8_t> const flags({1, 0, 1, 0, 0, 1}), bits({0b100101});
  lb::inclusive_segmented_scan(on, in, lb::head_flags(flags), out);
  shows("segments by head flags", out, {3, 4, 4, 5, 10, 9});
  lb::exclusive_segmented_scan(on, in, lb::head_bits(bits), out);
  shows("by packed bits", out, {0, 3, 0, 4, 5, 0});

  ints const offsets({0, 2, 2, 5, 6});  // the second segment is empty
  lb::exclusive_segmented_scan(on, in, lb::offsets(offsets), out, lb::plus<int>{}, 100);
  shows("by offsets, after an initial value", out, {100, 103, 100, 104, 105, 100});
  ints const first_of_each({100, 200, 300, 400});  // the empty segment has one too
  lb::inclusive_segmented_scan(on, in, lb::offsets(offsets), out, lb::plus<int>{}, first_of_each);
  shows("one initial value per segment", out, {103, 104, 304, 305, 310, 409});

  ints const keys({7, 7, 2, 2, 2, 7});
  lb::inclusive_segmented_scan(on, in, lb::keys(keys), out);
  shows("by keys", out, {3, 4, 4, 5, 10, 9});
  lb::exclusive_scan_by_key(on, keys, in, out);
  shows("exclusive_scan_by_key", out, {0, 3, 0, 4, 5, 0});
  auto const both_odd_or_even = [] __host__ __device__(int a, int b) { return a % 2 == b % 2; };
  lb::inclusive_segmented_scan(on, in, lb::keys(in, both_odd_or_even), out);
  shows("by keys under an equality", out, {3, 4, 4, 1, 6, 15});

  lb::inclusive_segmented_scan(on.with(lb::right_to_left), in, lb::rows_of(3), out);
  shows("by rows, right to left", out, {8, 5, 4, 15, 14, 9});
}

struct is_odd {
  __host__ __device__ bool operator()(int x) const { return x % 2 == 1; }
};
struct below_four {
  __host__ __device__ bool operator()(int x) const { return x < 4; }
};

// Forms that return a number wait for it.
void compacted(lb::gpu::workspace& workspace) {
  auto const on = lb::gpu::on(page_stream).with(workspace);
  ints const in({3, 1, 4, 1, 5, 9});
  ints out(6), rest(6), more(6);

  shows("select_if keeps", lb::select_if(on, in, out, is_odd{}), 5);
  shows("select_if", out, {3, 1, 1, 5, 9});
  ints data({3, 1, 4, 1, 5, 9});
  shows("in place it keeps", lb::select_if(on, data, is_odd{}), 5);
  shows("in place", data, {3, 1, 1, 5, 9});

  ints const weights({0, 7, 0, 7, 7, 0});
  shows("by a predicate on another array it keeps", lb::select_if(on, in, lb::stencil(weights), out, is_odd{}), 3);
  shows("by a predicate on another array", out, {1, 1, 5});
  device<std::uint8_t> const flags({1, 0, 1, 0, 0, 1}), bits({0b100101});
  lb::select_flagged(on, in, flags, out);
  shows("by flags", out, {3, 4, 9});
  lb::select_flagged(on, in, lb::packed_flags(bits), out);
  shows("by packed flags", out, {3, 4, 9});

  shows("partition_if keeps", lb::partition_if(on, in, out, rest, below_four{}), 3);
  shows("partition_if, kept", out, {3, 1, 1});
  shows("partition_if, rejected", rest, {4, 5, 9});
  lb::partition_if(on, in, out, below_four{});
  shows("to one output, the rejected in reverse", out, {3, 1, 1, 9, 5, 4});
  lb::partition_if(on.with(lb::stable), in, out, below_four{});
  shows("stable", out, {3, 1, 1, 4, 5, 9});
  auto const parts = lb::partition_if(on, in, out, rest, more, below_four{}, is_odd{});
  shows("in three parts, the second has", parts[1], 2);
  shows("the second part", rest, {5, 9});

  ints const runs({7, 7, 2, 2, 2, 7});
  shows("unique keeps", lb::unique(on, runs, out), 3);
  shows("unique", out, {7, 2, 7});
  ints keys({7, 7, 2, 2, 2, 7}), values({3, 1, 4, 1, 5, 9});
  lb::unique_by_key(on, keys, values);
  shows("unique_by_key, in place: the values beside the keys", values, {3, 4, 9});
}

void reduced(lb::gpu::workspace& workspace) {
  auto const on = lb::gpu::on(page_stream).with(workspace);
  ints const keys({7, 7, 2, 2, 2, 7}), in({3, 1, 4, 1, 5, 9});
  ints values(6), lengths(6), places(6), out(6);

  shows("run_length_encode finds", lb::run_length_encode(on, keys, values, lengths, places), 3);
  shows("run_length_encode, values", values, {7, 2, 7});
  shows("lengths", lengths, {2, 3, 1});
  shows("places", places, {0, 2, 5});

  auto const three = [](ints& some) { return lb::first(some, 3); };
  shows("decoded_size", lb::decoded_size(on, three(lengths)), 6);
  lb::run_length_decode(on, three(values), three(lengths), out);
  shows("run_length_decode", out, {7, 7, 2, 2, 2, 7});

  shows("non_trivial_runs finds", lb::non_trivial_runs(on, keys, places, lengths), 2);
  shows("places of runs of two or more", places, {0, 2});
  shows("their lengths", lengths, {2, 3});

  shows("reduce_by_key finds", lb::reduce_by_key(on, keys, in, values, out), 3);
  shows("reduce_by_key", out, {4, 10, 9});
  ints const offsets({0, 2, 2, 5, 6});
  lb::segmented_reduce(on, in, lb::offsets(offsets), out, lb::maximum<int>{}, 0);
  shows("segmented_reduce", out, {3, 0, 5, 9});
}

struct row {
  int id;
  float score;
};
struct score_of {
  __host__ __device__ float operator()(row const& r) const { return r.score; }
};
struct rest_of_three {
  __host__ __device__ int operator()(int x) const { return x % 3; }
};

struct nearer_to_four {
  __host__ __device__ int distance(int x) const { return x < 4 ? 4 - x : x - 4; }
  __host__ __device__ bool operator()(int a, int b) const { return distance(a) < distance(b); }
};

// Any order of any items: less(a, b) says whether a comes before b.
void compared(lb::gpu::workspace& workspace) {
  auto const on = lb::gpu::on(page_stream).with(workspace);
  ints data({3, 1, 4, 1, 5, 9}), values({10, 20, 30, 40, 50, 60});
  lb::quicksort(on, data, values, nearer_to_four{});
  shows("quicksort by a function, with values", data, {4, 3, 5, 1, 1, 9});
  shows("which move along", values, {30, 10, 50, 20, 40, 60});
  shows("is_sorted", lb::index_t{lb::is_sorted(on, data, nearer_to_four{})}, 1);
  ints const in({3, 1, 4, 1, 5, 9}), offsets({0, 3, 6});
  ints out(6), order(6);
  lb::quicksort_copy(on, in, out, nearer_to_four{}, lb::offsets(offsets));
  shows("inside of segments", out, {4, 3, 1, 5, 1, 9});
  lb::argsort(on, in, order, nearer_to_four{});
  shows("the order alone", order, {2, 0, 4, 1, 3, 5});
  device<char> const text({'b', 'a', '\n', 'b', '\n', 'a', '\n'});
  ints const lines({0, 3, 5, 7});
  ints of_lines(3);
  lb::sort_strings(on, text, lb::offsets(lines), of_lines, lb::terminated);  // waits after every round
  shows("sort_strings, lines of a text", of_lines, {2, 1, 0});
}

// Sorts are stable: equal keys keep the order that they had. The host never waits for one.
void sorted(lb::gpu::workspace& workspace) {
  auto const on = lb::gpu::on(page_stream).with(workspace);
  ints const in({3, 1, 4, 1, 5, 9});
  ints data({3, 1, 4, 1, 5, 9}), out(6);

  lb::radix_sort(on, data);
  shows("radix_sort", data, {1, 1, 3, 4, 5, 9});
  lb::radix_sort_copy(on, in, out, lb::descending);
  shows("to another array, the largest first", out, {9, 5, 4, 3, 1, 1});

  ints keys({3, 1, 4, 1, 5, 9}), values({10, 20, 30, 40, 50, 60}), more({0, 1, 2, 3, 4, 5});
  lb::radix_sort(on, keys, values);
  shows("with values", values, {20, 40, 10, 30, 50, 60});
  lb::radix_sort(on, keys, lb::zip(values, more), lb::bits{0, 1});
  shows("with two arrays of values, by the lowest bit of the keys, the first", values, {30, 20, 40, 10, 50, 60});
  shows("and the second", more, {3, 0, 1, 2, 4, 5});

  device<row> rows({{0, 2.5f}, {1, -1.0f}, {2, 7.0f}});
  ints ids(3);
  lb::radix_sort(on, rows, lb::by(score_of{}), lb::descending);
  auto const id_of = [] __host__ __device__(row const& r) { return r.id; };
  auto const always = [] __host__ __device__(int) { return true; };
  lb::select_if(on, lb::mapped(rows, id_of), ids, always);
  shows("structs, by what a function says of them", ids, {2, 0, 1});

  ints const offsets({0, 2, 2, 6});  // the second segment is empty
  lb::radix_sort_copy(on, in, out, lb::offsets(offsets));
  shows("inside of segments", out, {1, 3, 1, 4, 5, 9});
  ints order(6);
  lb::argsort(on, in, order, lb::offsets(offsets));
  shows("argsort inside of segments: places in the whole", order, {1, 0, 3, 2, 4, 5});

  device<float> const numbers({1, std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity()});
  ints places(3);
  lb::argsort(on, numbers, places);
  shows("argsort, NaN last", places, {2, 0, 1});
  lb::argsort(on, numbers, places, lb::nan_first);
  shows("NaN first", places, {1, 2, 0});

  // A stable split into classes, which a function gives: class c is starts[c] to below starts[c + 1].
  device<lb::index_t> starts(4);
  lb::split_by<3>(on, in, out, rest_of_three{}, starts);
  shows("split_by", out, {3, 9, 1, 4, 1, 5});
  shows("where classes begin", starts, {0, 2, 5, 6});

  device<std::uint8_t> const flags({1, 0, 1, 0, 0, 1});
  shows("without a flag are", lb::split(on, in, flags, out), 3);
  shows("split: items without a flag, then those with one", out, {1, 1, 5, 3, 4, 9});
  lb::enumerate(on, flags, out);
  shows("enumerate: the flags that are set before each", out, {0, 1, 1, 2, 2, 2});

  // A call whose scratch is reserved allocates nothing, and may be captured in a graph.
  lb::gpu::workspace reserved;
  reserved.reserve(lb::gpu::radix_sort_scratch<int, int>(6), page_stream);
  cudaGraph_t graph;
  cudaGraphExec_t replay;
  must(cudaStreamBeginCapture(page_stream, cudaStreamCaptureModeThreadLocal));
  lb::radix_sort(lb::gpu::on(page_stream).with(reserved), keys, values);
  must(cudaStreamEndCapture(page_stream, &graph));
  must(cudaGraphInstantiate(&replay, graph, 0));
  keys.write({6, 5, 4, 3, 2, 1}), values.write({0, 1, 2, 3, 4, 5});
  must(cudaGraphLaunch(replay, page_stream));
  shows("in a graph, of other data", values, {5, 4, 3, 2, 1, 0});
  must(cudaGraphExecDestroy(replay));
  must(cudaGraphDestroy(graph));
}

// Nobody waits: each call leaves its count in device memory, where the next one reads how many items it has. So a graph holds them.
void chained() {
  lb::gpu::workspace workspace;
  workspace.reserve(lb::gpu::scratch_bytes(6, sizeof(int)), page_stream);  // it does not grow while a stream is captured
  auto const on = lb::gpu::on(page_stream).with(workspace);
  ints in({3, 1, 4, 1, 5, 9});
  ints kept(6), keys(6), values(6), items(6);
  device<lb::index_t> count(1), runs(1), total(1);

  auto const chain = [&] {
    lb::select_if_async(on, in, kept, is_odd{}, count.data());
    auto const some = lb::first(kept, {6, count.data()});  // at most 6, and as many as the device finds there
    lb::run_length_encode_async(on, some, keys, values, runs.data());
    lb::unique_async(on, some, kept, count.data());  // in place; its count takes the place of the number of items
    lb::run_length_decode_async(on, lb::first(keys, {6, runs.data()}), lb::first(values, {6, runs.data()}), items, total.data());
  };
  chain();
  shows("select_if, then unique", kept, {3, 1, 5, 9});
  shows("which are", count, {4});
  shows("encoded, then decoded", items, {3, 1, 1, 5, 9});

  cudaGraph_t graph;
  cudaGraphExec_t replay;
  must(cudaStreamBeginCapture(page_stream, cudaStreamCaptureModeThreadLocal));
  chain();
  lb::reduce_by_key_async(on, lb::first(items, {6, total.data()}), in, keys, values, runs.data());
  must(cudaStreamEndCapture(page_stream, &graph));
  must(cudaGraphInstantiate(&replay, graph, 0));
  in.write({7, 7, 2, 2, 5, 5});
  must(cudaGraphLaunch(replay, page_stream));
  shows("the same in a graph, of other data", kept, {7, 5});
  shows("and reduce_by_key of what it decoded", values, {14, 4});
  shows("which are", runs, {2});
  must(cudaGraphExecDestroy(replay));
  must(cudaGraphDestroy(graph));
}

void sparse(lb::gpu::workspace& workspace) {
  // 2 0 1
  // 0 0 0
  // 0 3 4
  ints const offsets({0, 2, 2, 4}), column_indices({0, 2, 1, 2});
  device<float> const values({2, 1, 3, 4}), x({1, 2, 3});
  device<float> y(3);
  lb::csr_view const matrix{3, 3, offsets, column_indices, values};
  auto const on = lb::gpu::on(page_stream).with(workspace);

  lb::spmv(on, matrix, x, y);
  shows("spmv", y, {5, 0, 18});
  lb::spmv(on, matrix, x, y, 2.0f, -1.0f);
  shows("twice that, less what is there", y, {5, 0, 18});
  lb::spmv(on, matrix, x, y, lb::max_times<float>{});
  shows("over another semiring: the largest product", y, {3, -std::numeric_limits<float>::infinity(), 12});

  lb::spmv_plan const plan(on, matrix);  // for many products: keeps x of columns that many nonzeros are in, if that pays
  lb::spmv(on, plan, x, y);
  shows("spmv by a plan", y, {5, 0, 18});

  device<float> const columns({1, 0, 2, 1, 3, 0});  // x, and 0 1 0, row by row
  device<float> products(6);
  lb::spmm<2>(on, matrix, columns, products);
  shows("spmm", products, {5, 0, 0, 0, 18, 3});
}

void how() {
  ints const in({3, 1, 4, 1, 5});
  ints out(5);

  lb::inclusive_scan(lb::gpu::on(page_stream).with(lb::reduce_then_scan{}), in, out);
  shows("another strategy, without a workspace", out, {3, 4, 8, 9, 14});

  device<float> const x({0.1f, 0.2f, 0.3f});
  device<float> once(3), again(3);
  lb::inclusive_scan(lb::gpu::on(page_stream).with(lb::reproducible), x, once);
  lb::inclusive_scan(lb::gpu::on(page_stream).with(lb::reproducible), x, again);
  shows("the same bits whenever it runs, and on the CPU", again, once.host());

  // A call cut into chunks: each is given what the one before it left, in device memory.
  device<lb::carried<int>> state(2);
  auto const on = lb::gpu::on(page_stream);
  ints const low({3, 1, 4}), high({1, 5});
  ints low_out(3), high_out(2);
  lb::inclusive_scan(on.with(lb::carry<int>{nullptr, state.data()}), low, low_out);
  lb::inclusive_scan(on.with(lb::carry<int>{state.data(), state.data() + 1}), high, high_out);
  shows("the second chunk of a call", high_out, {9, 14});

  // A workspace serves one stream at a time. Another one may go on when the first is done, or, as here, waits for it.
  lb::gpu::workspace workspace;
  cudaStream_t other;
  cudaEvent_t first_is_done;
  must(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  must(cudaEventCreateWithFlags(&first_is_done, cudaEventDisableTiming));
  lb::inclusive_scan(lb::gpu::on(page_stream).with(workspace), in, out);
  must(cudaEventRecord(first_is_done, page_stream));
  must(cudaStreamWaitEvent(other, first_is_done));
  workspace.hand_over(other);
  lb::inclusive_scan(lb::gpu::on(other).with(workspace), out, out);
  must(cudaStreamSynchronize(other));
  shows("handed over to another stream", out, {3, 7, 15, 24, 38});
  must(cudaEventDestroy(first_is_done));
  must(cudaStreamDestroy(other));

  try {
    ints too_short(4);
    lb::inclusive_scan(on, in, too_short);
    throw std::logic_error("not refused");
  } catch (lb::invalid_argument const& refused) {
    std::cout << "refused: " << refused.what() << '\n';
  }
}

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::cout << "SKIPPED: no GPU in this machine\n";
    return 0;
  }
  must(cudaStreamCreateWithFlags(&page_stream, cudaStreamNonBlocking));
  {
    lb::gpu::workspace workspace;  // one for all of these: it grows as they ask for more
    scans(workspace);
    segmented(workspace);
    compacted(workspace);
    reduced(workspace);
    sorted(workspace);
    compared(workspace);
    sparse(workspace);
  }
  chained();
  how();
  must(cudaStreamDestroy(page_stream));
}
