// The host side of a GPU scan: scratch, launch shape, launch. Only enqueues.
#pragma once
#include <array>
#include <atomic>

#include "../overlap.hpp"
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

/// Scans `from` by `op` into `sink` on the GPU; see core/README.md for the protocol.
template <class Carry, class Tuning, class Items, class Segments, class T, class Op, class Out, class F>
void scan_into(policy<decoupled_look_back, Carry, Tuning> const& on, size n, source<Items, Segments, T> const& from, Op const& op,
               each<Out, F> const& sink) {
  using key = typename detail::carry_types<Carry>::key;
  using plain_op = unlifted_t<Op>;
  using sink_type = each<Out, F>;
  using call_type = scan_call<Items, Segments, T, plain_op, sink_type, key>;
  using form = shape<Items, Out, Tuning>;
  static_assert(sizeof(Out) <= 64 && sizeof(T) <= 64, "items have at most 64 bytes");

  constexpr auto kernel = &scan_kernel<Items, Segments, T, plain_op, sink_type, key, Tuning>;
  constexpr bool has_segments = !std::is_same_v<Segments, no_segments>;
  int head_bits_an_item = has_segments ? 1 : 0;
  bool aligned = detail::aligned_16(from.items.arrays()) && detail::aligned_16(sink.out);
  if constexpr (std::is_same_v<Segments, segments>) {
    head_bits_an_item = std::max(1, staged_head_bits(from.segments.kind));
    if (staged_head_bits(from.segments.kind)) aligned = aligned && detail::aligned_16(from.segments.data);
  }
  int const pad = aligned ? 0 : 128;
  int const item_bytes = form::item_bytes(pad);
  // From right to left one flag more than the tile has items is staged.
  int const head_bytes =
      head_bits_an_item ? form::tile_items * head_bits_an_item / 8 + (aligned && on.direction == left_to_right ? 0 : 32) : 0;
  bool const tight = head_bits_an_item == 8 && aligned;  // two blocks just fit
  int const slot_bytes = tight ? item_bytes + head_bytes : (item_bytes + head_bytes + 127) / 128 * 128;
  int const shared_bytes = form::slots * slot_bytes + 32;  // reads of vectors may pass the last slot's end by a few bytes
  int const resident = detail::resident_blocks<kernel, 8>(form::threads, shared_bytes,
                                                          (pad != 0) + 2 * (head_bits_an_item == 8) + 4 * (head_bytes % 128 != 0));
  index_t const tile_count = tiles_of(n.bound, form::tile_items);
  expects(tile_count < (index_t{1} << 31), "the number of tiles is below 2^31");

  bool by_offsets = false;
  if constexpr (std::is_same_v<Segments, segments>) by_offsets = is_offsets(from.segments);

  using told = descriptors<T>;
  scratch_of_call memory(on.scratch, (told::words_64 + by_offsets) * tile_count, told::words_128 * tile_count,
                         told::value_bytes * tile_count, on.stream);
  scratch const& room = memory.get();
  call_type call{from,
                 detail::plain(op),
                 sink,
                 n,
                 {},
                 room,
                 nullptr,
                 nullptr,
                 nullptr,
                 on.direction == right_to_left,
                 on.is_reproducible,
                 slot_bytes,
                 item_bytes,
                 pad,
                 resident / 4};
  if (by_offsets) call.first_offsets = room.words_64 + told::words_64 * tile_count;
  if constexpr (told::value_bytes != 0) call.tiles.tags = room.words_64, call.tiles.values = reinterpret_cast<T*>(room.values);
  else if constexpr (told::words_128 != 0) call.tiles.words = room.words_128;
  else call.tiles.words = room.words_64;

  carry_of_call<Carry> carried(on, on.stream);
  if constexpr (!std::is_same_v<Carry, no_carry>) call.carry_in = carried.in(), call.carry_out = carried.out();
  int const grid = static_cast<int>(std::clamp<index_t>(tile_count, 1, resident));
  kernel<<<grid, form::threads, shared_bytes, on.stream>>>(call);
  check(cudaGetLastError());
  carried.finish();
  memory.release();
}

}  // namespace lookback::gpu
