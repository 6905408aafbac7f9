// The host side of one call of the pipeline: its scratch, how its slots are laid out, what its kernels are given.
#pragma once
#include <algorithm>

#include "../../segments.hpp"
#include "../pipelines/call.cuh"
#include "../strategies/prefix_exchange.cuh"
#include "carry.cuh"
#include "check.cuh"
#include "choose.cuh"

namespace lookback::gpu {

namespace detail {

inline bool aligned_16(void const* p) { return reinterpret_cast<std::uintptr_t>(p) % 16 == 0; }
inline bool aligned_16(arrays<> const&) { return true; }
template <class T, class... Rest>
bool aligned_16(arrays<T, Rest...> const& a) {
  return aligned_16(static_cast<void const*>(a.data)) && aligned_16(a.rest);
}

/// Descriptors of one kind in a workspace's memory for them.
template <class Tiles>
Tiles descriptors_in(scratch const& room) {
  Tiles tiles{};
  if constexpr (Tiles::value_bytes != 0) {
    tiles.tags = room.words_64;
    tiles.values = reinterpret_cast<decltype(tiles.values)>(room.values);
  } else if constexpr (Tiles::words_128 != 0) {
    tiles.words = room.words_128;
  } else {
    tiles.words = room.words_64;
  }
  return tiles;
}

/// What a carry holds; of one that there is not, beside values of type T.
template <class Carry, class T>
struct state_of_carry {
  using type = carried<T, char>;
};
template <class S, class Key, class T>
struct state_of_carry<carry<S, Key>, T> {
  using type = carried<S, Key>;
};

/// The parts of a scan whose results are told when they end.
template <class Items, class Segments, class T, class Op, class Sink, class Carry>
using chunk_parts =
    scan_parts<Items, Segments, T, Op, Sink, typename state_of_carry<Carry, T>::type, !std::is_same_v<Carry, no_carry>>;

template <class Key>
constexpr bool is_key_of(segment_kind kind) {
  if constexpr (std::is_arithmetic_v<Key> && !std::is_same_v<Key, char>) return lookback::detail::kind_of_keys<Key>() == kind;
  else return false;
}
/// Is the key in a carry that of the segments? Another would be compared with what is no key. `char` stands for no key.
template <class Carried, class Segments, class Arrays>
void expects_key(Segments const& segments_of_call, Arrays const&) {
  using Key = decltype(Carried::last_key);
  if constexpr (is_key_segments<Segments>)
    static_assert(std::is_same_v<Key const*, decltype(segments_of_call.data)>, "the key in the carry has the type of the keys");
  else if constexpr (is_runs<Segments>)
    static_assert(std::is_same_v<Key const*, decltype(Arrays::data)>, "the key in the carry has the type of the keys");
  else if constexpr (std::is_same_v<Segments, segments>)
    expects(!is_keys(segments_of_call) || std::is_same_v<Key, any_key> || is_key_of<Key>(segments_of_call.kind),
            "the key in the carry has the type of the keys, or is any_key");
}

}  // namespace detail

/// One call of a scan: its scratch, its launch shape, and what its kernels are given.
template <class Strategy, class Carry, class Parts, class Form, template <class, class, class> class Work>
class scan_launch {
  using T = typename Parts::value_type;
  using Segments = typename Parts::segments_type;
  using Sink = typename Parts::sink_type;
  using any_work = Work<Parts, Form, descriptor_types<Strategy>>;  // of every part of a call these types are the same
  using tiles_type = typename any_work::tiles_type;
  using call_type = typename any_work::call_type;
  static constexpr bool has_segments = !std::is_same_v<Segments, no_segments>;
  static_assert(sizeof(typename Sink::value_type) <= 64 && sizeof(T) <= 64, "items have at most 64 bytes");

 public:
  /// `steps`: what the tiles divide; `counters`: what each of them tells; `begun`: the scratch of a call of which a kernel went
  /// over the same tiles before.
  template <class Policy>
  scan_launch(Policy const& on, size n, index_t steps, index_t counters,
              source<typename Parts::items_type, Segments, T> const& from, typename Parts::operator_type const& op,
              Sink const& sink, scratch const* begun = nullptr)
      : stream_{on.stream},
        tile_count_{tiles_of(steps, Form::tile_items)},
        boundaries_{described_by_offsets(from.segments) ? checked(tile_count_) + 1 : 0},
        memory_(begun ? scratch_of_call(*begun)
                      : scratch_of_call(on.scratch, tiles_type::words_64 * counters * checked(tile_count_) + boundaries_,
                                        tiles_type::words_128 * counters * tile_count_,
                                        tiles_type::value_bytes * counters * tile_count_, on.stream)),
        carried_(on, on.stream),
        call_{.from = from,
              .op = op,
              .sink = sink,
              .size = n,
              .memory = memory_.get(),
              .reversed = on.direction == right_to_left,
              .in_order = on.is_reproducible} {
    // What is added to stored values of segments depends on where they end.
    constexpr bool again = reads_twice<Strategy> || propagates<Strategy>, by_segments = propagates<Strategy> && has_segments;
    if (!begun)
      detail::observe_way(Form::along_path ? detail::way::merge_path : detail::way::staged_tiles, Strategy::name, tile_count_,
                          Form::tile_items,
                          by_segments ? 0
                          : again     ? 2
                                      : 1,
                          by_segments            ? 0
                          : propagates<Strategy> ? 2
                                                 : 1);
    lay_out_slots();
    scratch const& room = memory_.get();
    call_.boundaries = room.words_64 + tiles_type::words_64 * counters * tile_count_;
    call_.tiles = detail::descriptors_in<tiles_type>(room);
    if constexpr (!std::is_same_v<Carry, no_carry>) {
      call_.carry_in = carried_.in(), call_.carry_out = carried_.out();
    }
  }

  /// Loads the kernel and asks the driver what enqueue will need to know: what can fail fails here. Returns the blocks of the
  /// kernel that are resident at once.
  template <class Exchange>
  int prepare() {
    constexpr auto kernel = kernel_of<Work<Parts, Form, Exchange>, Exchange>::value;
    detail::load<kernel>();
    return detail::resident_blocks<kernel, 16>(block_threads<Form>, shared_bytes_, variant_);
  }
  template <class Exchange>
  void enqueue() {
    constexpr auto kernel = kernel_of<Work<Parts, Form, Exchange>, Exchange>::value;
    int const resident = prepare<Exchange>();
    // Far enough to hide the memory, near enough to stay in L2 (docs/tuning.md).
    if constexpr (!Form::along_path) call_.layout.prefetch = resident / 4;
    int const grid = static_cast<int>(std::clamp<index_t>(tile_count_, 1, resident));
    detail::enqueue<kernel>(grid, block_threads<Form>, shared_bytes_, stream_, call_);
  }
  /// After the last kernel of the call.
  void finish() { carried_.finish(); }

  call_type const& call() const { return call_; }

 private:
  static bool described_by_offsets(segments const& s) { return is_offsets(s); }
  template <class S>
  static bool described_by_offsets(S const&) {
    return false;
  }
  static index_t checked(index_t tiles) {
    expects(tiles < (index_t{1} << 31), "the number of tiles is below 2^31");
    return tiles;
  }
  static bool out_aligned(Sink const& sink) {
    if constexpr (requires { sink.out; }) return detail::aligned_16(sink.out);
    else return true;
  }
  void lay_out_slots() {
    if constexpr (Form::along_path) lay_out_path();
    else lay_out_items();
  }
  void lay_out_path() {
    int const offset_bytes = call_.from.segments.kind == segment_kind::offsets32 ? 4 : 8;
    auto const layout = Form::layout_for(offset_bytes);
    call_.layout.pad = 128;
    call_.layout.slot_bytes = layout.slot_bytes;
    call_.layout.input_regions_at = Form::slots * layout.slot_bytes;
    call_.layout.input_region_bytes = layout.input_region_bytes;
    shared_bytes_ = call_.layout.cache_at = call_.layout.input_regions_at + Form::input_regions * layout.input_region_bytes;
    if constexpr (caches_values<typename Parts::items_type>) {
      constexpr auto most = Form::layout_for(8);
      static_assert(
          Form::slots * most.slot_bytes + Form::input_regions * most.input_region_bytes + Parts::items_type::cached_bytes <=
              192 << 10,
          "beside 8 KB of a block's state that is what every device has that it is kept on (spmv_plan.cuh)");
      shared_bytes_ += Parts::items_type::cached_bytes;
    }
    variant_ = offset_bytes == 8;  // nothing else decides how many blocks are resident
  }
  void lay_out_items() {
    int bits_an_item = has_segments && !is_runs<Segments> ? 1 : 0;
    bool aligned = detail::aligned_16(call_.from.items.arrays()) && out_aligned(call_.sink);
    if constexpr (std::is_same_v<Segments, segments>) {
      int const staged = staged_head_bits(call_.from.segments.kind);
      bits_an_item = std::max(bits_an_item, staged);
      if (staged) aligned = aligned && detail::aligned_16(call_.from.segments.data);
      if (boundaries_ > 0) bits_an_item = 0;
    }
    call_.layout.pad = aligned ? 0 : 128;
    call_.layout.item_bytes = Form::item_bytes(call_.layout.pad);
    // From right to left one flag more than the tile has items is staged; bits of a tile begin and end inside of 16 bytes if it is
    // so cut.
    bool const whole = bits_an_item == 8 || Form::tile_items % 128 == 0;
    int const slack = aligned && whole && !call_.reversed ? 0 : 32;
    int const head_bytes = bits_an_item ? Form::tile_items * bits_an_item / 8 + slack : 0;
    bool const tight = bits_an_item == 8 && aligned;  // two blocks just fit
    int const slot_bytes = call_.layout.item_bytes + head_bytes;
    call_.layout.slot_bytes = tight ? slot_bytes : (slot_bytes + 127) / 128 * 128;
    shared_bytes_ = Form::slots * call_.layout.slot_bytes + 32;  // reads of vectors may pass the last slot's end by a few bytes
    bool const window = boundaries_ > 0;
    if constexpr (Form::aside_bytes > 0) {
      call_.layout.aside_at = (shared_bytes_ + 15) / 16 * 16;
      shared_bytes_ = call_.layout.aside_at + Form::aside_bytes;
    }
    call_.layout.bitmap_at = window ? shared_bytes_ : 0;  // else nobody reads it, and a slot is zeroed in vain
    if (window) {
      shared_bytes_ += Form::tile_items / 8 + 32;
      call_.layout.window_at = (shared_bytes_ + 15) / 16 * 16;
      call_.layout.window_bytes = window_bytes(call_.layout.window_at);
      shared_bytes_ = call_.layout.window_at + call_.layout.window_bytes;
    }
    variant_ = !aligned + 2 * (bits_an_item == 8) + 4 * (slack != 0) + 8 * window;
  }
  /// The offsets of one tile are staged if they fit into what the slots leave of a block's share of shared memory.
  static int window_bytes(int taken) {
    using state = typename any_work::state_type;
    int const of_block = static_cast<int>(sizeof(state)) + bytes_beside_state<Strategy, T>;
    int const share = detail::shared_bytes_of_a_block(Form::blocks) - (of_block + 127) / 128 * 128;
    return std::clamp((share - taken) / 128 * 128, 0, 24 << 10);
  }

  cudaStream_t stream_;
  index_t tile_count_, boundaries_;
  scratch_of_call memory_;
  carry_of_call<Carry> carried_;
  call_type call_;
  int shared_bytes_ = 0, variant_ = 0;
};

}  // namespace lookback::gpu
