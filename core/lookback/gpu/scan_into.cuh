// The host side of a GPU scan: scratch, launch shape, launch. Only enqueues.
#pragma once
#include <array>
#include <atomic>

#include "../overlap.hpp"
#include "aggregates.cuh"
#include "carry.cuh"
#include "check.cuh"
#include "scan_kernel.cuh"

namespace lookback::gpu {

namespace detail {

inline constexpr int most_devices = 64;

inline int current_device() {
  int device;
  check(cudaGetDevice(&device));
  return device;
}

inline int multiprocessors(int device) {
  static std::array<std::atomic<int>, most_devices> known{};
  int count = known[device % most_devices];
  if (count == 0) {
    check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
    known[device % most_devices] = count;
  }
  return count;
}

/// Blocks of Kernel that fit on the device at once with `shared_bytes` of slots; asked of the driver once per device and size.
template <auto Kernel, int Variants>
int resident_blocks(int threads, int shared_bytes, int variant) {
  static std::array<std::array<std::atomic<int>, Variants>, most_devices> known{};
  int const device = current_device();
  auto& slot = known[device % most_devices][variant];
  int blocks = slot;
  if (blocks == 0) {
    int most = 0;
    check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    check(cudaFuncSetAttribute(Kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most - 4096));
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, Kernel, threads, shared_bytes));
    expects(blocks > 0, "a tile of this tuning fits into the device's shared memory");
    slot = blocks *= multiprocessors(device);
  }
  return blocks;
}

inline bool aligned_16(void const* p) { return reinterpret_cast<std::uintptr_t>(p) % 16 == 0; }
inline bool aligned_16(arrays<> const&) { return true; }
template <class T, class... Rest>
bool aligned_16(arrays<T, Rest...> const& a) {
  return aligned_16(static_cast<void const*>(a.data)) && aligned_16(a.rest);
}

template <class Op>
Op const& plain(Op const& op) {
  return op;
}
template <class Op>
Op const& plain(segmented<Op> const& op) {
  return op.op;
}

template <class Carry>
struct carry_types {
  using value = char;
  using key = char;
};
template <class T, class K>
struct carry_types<carry<T, K>> {
  using value = T;
  using key = K;
};

}  // namespace detail

/// One call of a scan: its scratch, its launch shape, and what its kernels are given.
template <class Carry, class Tuning, class Items, class Segments, class T, class Op, class Sink>
class scan_launch {
  using key = typename detail::carry_types<Carry>::key;
  using call_type = scan_call<Items, Segments, T, Op, Sink, key>;
  using form = shape<Items, typename Sink::value_type, Tuning>;
  using told = descriptors<T>;
  static constexpr bool has_segments = !std::is_same_v<Segments, no_segments>;
  static_assert(sizeof(typename Sink::value_type) <= 64 && sizeof(T) <= 64, "items have at most 64 bytes");

 public:
  template <class Strategy>
  scan_launch(policy<Strategy, Carry, Tuning> const& on, size n, source<Items, Segments, T> const& from, Op const& op,
              Sink const& sink)
      : stream_{on.stream},
        tile_count_{tiles_of(n.bound, form::tile_items)},
        by_offsets_{described_by_offsets(from.segments)},
        memory_(on.scratch, checked((told::words_64 + by_offsets_) * tile_count_), told::words_128 * tile_count_,
                told::value_bytes * tile_count_, on.stream),
        carried_(on, on.stream),
        call_{from, op, sink, n, {}, memory_.get(), nullptr, nullptr, nullptr, on.direction == right_to_left, on.is_reproducible,
              0,    0,  0,    0} {
    lay_out_slots();
    scratch const& room = memory_.get();
    if (by_offsets_) call_.first_offsets = room.words_64 + told::words_64 * tile_count_;
    if constexpr (told::value_bytes != 0) call_.tiles.tags = room.words_64, call_.tiles.values = reinterpret_cast<T*>(room.values);
    else if constexpr (told::words_128 != 0) call_.tiles.words = room.words_128;
    else call_.tiles.words = room.words_64;
    if constexpr (!std::is_same_v<Carry, no_carry>) call_.carry_in = carried_.in(), call_.carry_out = carried_.out();
  }

  template <pass Pass>
  void enqueue() {
    constexpr auto kernel = &scan_kernel<Items, Segments, T, Op, Sink, key, Tuning, Pass>;
    int const resident = detail::resident_blocks<kernel, 8>(form::threads, shared_bytes_, variant_);
    call_.prefetch = resident / 4;  // far enough to hide the memory, near enough to stay in L2 (docs/tuning.md)
    int const grid = static_cast<int>(std::clamp<index_t>(tile_count_, 1, resident));
    kernel<<<grid, form::threads, shared_bytes_, stream_>>>(call_);
    check(cudaGetLastError());
  }
  /// After the last kernel of the call.
  void finish() {
    carried_.finish();
    memory_.release();
  }

  call_type const& call() const { return call_; }

 private:
  static bool described_by_offsets(segments const& s) { return is_offsets(s); }
  template <class S>
  static bool described_by_offsets(S const&) {
    return false;
  }
  index_t checked(index_t words) const {
    expects(tile_count_ < (index_t{1} << 31), "the number of tiles is below 2^31");
    return words;
  }
  void lay_out_slots() {
    int bits_an_item = has_segments ? 1 : 0;
    bool aligned = detail::aligned_16(call_.from.items.arrays()) && detail::aligned_16(call_.sink.out);
    if constexpr (std::is_same_v<Segments, segments>) {
      int const staged = staged_head_bits(call_.from.segments.kind);
      bits_an_item = std::max(1, staged);
      if (staged) aligned = aligned && detail::aligned_16(call_.from.segments.data);
    }
    call_.pad = aligned ? 0 : 128;
    call_.item_bytes = form::item_bytes(call_.pad);
    // From right to left one flag more than the tile has items is staged.
    int const slack = aligned && !call_.reversed ? 0 : 32;
    int const head_bytes = bits_an_item ? form::tile_items * bits_an_item / 8 + slack : 0;
    bool const tight = bits_an_item == 8 && aligned;  // two blocks just fit
    int const slot_bytes = call_.item_bytes + head_bytes;
    call_.slot_bytes = tight ? slot_bytes : (slot_bytes + 127) / 128 * 128;
    shared_bytes_ = form::slots * call_.slot_bytes + 32;  // reads of vectors may pass the last slot's end by a few bytes
    variant_ = !aligned + 2 * (bits_an_item == 8) + 4 * (slack != 0);
  }

  cudaStream_t stream_;
  index_t tile_count_;
  bool by_offsets_;
  scratch_of_call memory_;
  carry_of_call<Carry> carried_;
  call_type call_;
  int shared_bytes_ = 0, variant_ = 0;
};

namespace detail {
template <class T, class Op, class Form>
void expects_reproducible(bool asked) {
  if (!asked) return;
  expects(is_reproducible<Op>, "reproducible is asked for with a built-in operator");
  expects(!std::is_floating_point_v<T> || (Form::threads == 384 && Form::items * sizeof(T) == 80),
          "reproducible is asked for with the default tuning, and input, sum and output of one size");
}
}  // namespace detail

/// Scans `from` by `op` into `sink` on the GPU; see core/README.md for the protocol.
template <class Carry, class Tuning, class Items, class Segments, class T, class Op, class Out, class F>
void scan_into(policy<decoupled_look_back, Carry, Tuning> const& on, size n, source<Items, Segments, T> const& from, Op const& op,
               each<Out, F> const& sink) {
  detail::expects_reproducible<T, unlifted_t<Op>, shape<Items, Out, Tuning>>(on.is_reproducible);
  scan_launch launch(on, n, from, detail::plain(op), sink);
  launch.template enqueue<pass::look_back>();
  launch.finish();
}

/// The same in two passes over the tiles, with a scan of their aggregates between.
template <class Carry, class Tuning, class Items, class Segments, class T, class Op, class Out, class F>
void scan_into(policy<reduce_then_scan, Carry, Tuning> const& on, size n, source<Items, Segments, T> const& from, Op const& op,
               each<Out, F> const& sink) {
  expects(!on.is_reproducible, "reproducible is asked for with the strategy decoupled_look_back");
  scan_launch launch(on, n, from, detail::plain(op), sink);
  launch.template enqueue<pass::reduce_only>();
  scan_aggregates(launch.call(), shape<Items, Out, Tuning>::tile_items, on.stream);
  launch.template enqueue<pass::scan_from_prefixes>();
  launch.finish();
}

}  // namespace lookback::gpu
