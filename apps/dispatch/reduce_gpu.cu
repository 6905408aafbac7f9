// Reductions by key on the GPU.
//
//   sums by integer keys of 4 or 8 bytes, of values of 4 or 8   one pass: what people reduce
//   everything else                                             marks where runs begin, a byte an item; a reduction by these, whose
//                                                               operator is chosen at run time; the keys by `unique`
//
// The second form needs as many kernels as values have widths, for all keys and operators.
#include <algorithm>
#include <lookback/reduce_by_key.hpp>

#include "any_operator.hpp"
#include "as_bits.hpp"
#include "by_strategy.hpp"
#include "call_scan.hpp"
#include "compaction_tables.hpp"
#include "gpu.hpp"
#include "on_queue.cuh"

namespace lookback::dispatch {

namespace {

// ---- where runs begin

template <class Bits>
__device__ bool begins_at(void const* keys, same_bits<std::uint64_t> const& same, index_t i) {
  auto const* const key = static_cast<Bits const*>(keys);
  return i == 0 || !same(key[i - 1], key[i]);
}

// One kernel for all widths: it waits for memory, not for a switch.
__global__ void __launch_bounds__(256)
    mark_kernel(void const* keys, int size, same_bits<std::uint64_t> same, index_t n, std::uint8_t* marks) {
  for (index_t i = blockIdx.x * index_t{256} + threadIdx.x; i < n; i += gridDim.x * index_t{256})
    marks[i] = size == 1   ? begins_at<std::uint8_t>(keys, same, i)
               : size == 2 ? begins_at<std::uint16_t>(keys, same, i)
               : size == 4 ? begins_at<std::uint32_t>(keys, same, i)
                           : begins_at<std::uint64_t>(keys, same, i);
}

void mark(place const& on, reduce_request const& r, std::uint8_t* marks) {
  if (r.n == 0) return;
  int const blocks = static_cast<int>(std::min<index_t>((r.n + 255) / 256, index_t{1} << 16));
  gpu::detail::enqueue_after<&mark_kernel>(blocks, 256, static_cast<cudaStream_t>(on.stream), r.keys,
                                           static_cast<int>(size_of(r.key_type)), same_keys_of(r.key_type), r.n, marks);
}

/// Of marks: the right one continues the run that the left one belongs to.
struct continues {
  LOOKBACK_FN bool operator()(std::uint8_t const&, std::uint8_t const& mark) const { return mark == 0; }
};

// ---- reductions

auto queue_of(place const& on, reduce_request const& r) {
  auto const queue = on_queue(on);
  return r.reproducible ? queue.with(reproducible) : queue;
}

template <class T, class On>
void reduce_marked(place const& on, On const& queue, reduce_request const& r) {
  using bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::conditional_t<sizeof(T) == 8, std::uint64_t, T>>;
  auto const asked = flipped_operation_of<bits>(r.op, r.type);
  flip<T, bits> const f{asked.mask};
  // The marks of runs that are stored are of no use. They go over those that are read, unless these are read again.
  constexpr bool again = reads_twice<typename On::strategy_type>;
  auto const room = scratch_for(on_queue(on), again ? 2 * r.n : r.n, std::type_identity<std::uint8_t>{});
  auto const marks = room_at<std::uint8_t>(room.data(), r.n);
  mark(on, r, room.data());
  reduce_by_key_async(queue, marks, mapped(items_at<T>(r.values, r.n), f),
                      room_at<std::uint8_t>(room.data() + (again ? r.n : 0), r.n), into(room_at<T>(r.values_out, r.n), f), r.count,
                      any_operator<T>{asked.which}, continues{});
  // By the default strategy, whose kernels are there: which of them finds the keys changes nothing.
  runs_request keys;
  keys.in = r.keys, keys.n = r.n, keys.type = r.key_type, keys.firsts = r.keys_out, keys.count = r.count;
  runs_gpu(on, keys);
}

template <class Key, class T, class On>
void sum(On const& queue, reduce_request const& r) {
  reduce_by_key_async(queue, items_at<Key>(r.keys, r.n), items_at<T>(r.values, r.n), room_at<Key>(r.keys_out, r.n),
                      room_at<T>(r.values_out, r.n), r.count);
}

template <class T, class On>
void reduce_on(place const& on, On const& queue, reduce_request const& r) {
  if constexpr (sizeof(T) >= 4)
    if (r.op == operation::plus && !is_float(r.key_type)) {
      if (size_of(r.key_type) == 4) return sum<std::uint32_t, T>(queue, r);
      if (size_of(r.key_type) == 8) return sum<std::uint64_t, T>(queue, r);
    }
  reduce_marked<T>(on, queue, r);
}

template <class T>
void reduce_of(place const& on, reduce_request const& r) {
  constexpr bool every = std::is_floating_point_v<T> || sizeof(T) == 4;
  by_strategy<every>(queue_of(on, r), r.how, [&](auto const& queue) { reduce_on<T>(on, queue, r); });
}

}  // namespace

void reduce_gpu(place const& on, reduce_request const& r) {
  if (r.type == element::f32) return reduce_of<float>(on, r);
  if (r.type == element::f64) return reduce_of<double>(on, r);
  switch (size_of(r.type)) {
    case 1:
      return reduce_of<std::uint8_t>(on, r);
    case 2:
      return reduce_of<std::uint16_t>(on, r);
    case 4:
      return reduce_of<std::uint32_t>(on, r);
    default:
      return reduce_of<std::uint64_t>(on, r);
  }
}

}  // namespace lookback::dispatch
