// The host side of a GPU scan: scratch, launch shape, launch. Only enqueues.
#pragma once
#include "../overlap.hpp"
#include "aggregates.cuh"
#include "carry.cuh"
#include "check.cuh"
#include "compact.cuh"
#include "each.cuh"
#include "in_place.cuh"
#include "launch.cuh"
#include "one_wave.cuh"
#include "per_segment.cuh"
#include "pipeline.cuh"

namespace lookback::gpu {

namespace detail {

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
template <class Carry, class Parts, class Form, template <class, class, pass> class Work>
class scan_launch {
  using T = typename Parts::value_type;
  using Segments = typename Parts::segments_type;
  using Sink = typename Parts::sink_type;
  using tiles_type = typename Work<Parts, Form, pass::look_back>::tiles_type;
  using call_type = scan_call<Parts, tiles_type>;
  static constexpr bool has_segments = !std::is_same_v<Segments, no_segments>;
  static_assert(sizeof(typename Sink::value_type) <= 64 && sizeof(T) <= 64, "items have at most 64 bytes");

 public:
  /// `steps`: what the tiles divide; `counters`: what each of them tells.
  template <class Policy>
  scan_launch(Policy const& on, size n, index_t steps, index_t counters,
              source<typename Parts::items_type, Segments, T> const& from, typename Parts::operator_type const& op,
              Sink const& sink)
      : stream_{on.stream},
        tile_count_{tiles_of(steps, Form::tile_items)},
        boundaries_{described_by_offsets(from.segments) ? checked(tile_count_) + 1 : 0},
        memory_(on.scratch, tiles_type::words_64 * counters * checked(tile_count_) + boundaries_,
                tiles_type::words_128 * counters * tile_count_, tiles_type::value_bytes * counters * tile_count_, on.stream),
        carried_(on, on.stream),
        call_{from,
              op,
              sink,
              n,
              {},
              memory_.get(),
              nullptr,
              nullptr,
              nullptr,
              on.direction == right_to_left,
              on.is_reproducible,
              0,
              0,
              0,
              0,
              0,
              0,
              0} {
    lay_out_slots();
    scratch const& room = memory_.get();
    call_.boundaries = room.words_64 + tiles_type::words_64 * counters * tile_count_;
    call_.tiles = detail::descriptors_in<tiles_type>(room);
    if constexpr (!std::is_same_v<Carry, no_carry>) call_.carry_in = carried_.in(), call_.carry_out = carried_.out();
  }

  template <pass Pass>
  void enqueue() {
    constexpr auto kernel = &scan_kernel<Work<Parts, Form, Pass>, Pass>;
    int const resident = detail::resident_blocks<kernel, 16>(Form::threads, shared_bytes_, variant_);
    call_.prefetch = resident / 4;  // far enough to hide the memory, near enough to stay in L2 (docs/tuning.md)
    int const grid = static_cast<int>(std::clamp<index_t>(tile_count_, 1, resident));
    detail::enqueue<kernel>(grid, Form::threads, shared_bytes_, stream_, call_);
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
  static index_t checked(index_t tiles) {
    expects(tiles < (index_t{1} << 31), "the number of tiles is below 2^31");
    return tiles;
  }
  static bool out_aligned(Sink const& sink) {
    if constexpr (requires { sink.out; }) return detail::aligned_16(sink.out);
    else return true;
  }
  void lay_out_slots() {
    int bits_an_item = has_segments && !Form::along_path ? 1 : 0;
    bool aligned = !Form::along_path && detail::aligned_16(call_.from.items.arrays()) && out_aligned(call_.sink);
    if constexpr (std::is_same_v<Segments, segments>) {
      int const staged = staged_head_bits(call_.from.segments.kind);
      bits_an_item = std::max(bits_an_item, staged);
      if (staged) aligned = aligned && detail::aligned_16(call_.from.segments.data);
      if (boundaries_ > 0) bits_an_item = 0;
    }
    call_.pad = aligned ? 0 : 128;
    call_.item_bytes = Form::item_bytes(call_.pad);
    // From right to left one flag more than the tile has items is staged.
    int const slack = aligned && !call_.reversed ? 0 : 32;
    int const head_bytes = bits_an_item ? Form::tile_items * bits_an_item / 8 + slack : 0;
    bool const tight = bits_an_item == 8 && aligned;  // two blocks just fit
    int const slot_bytes = call_.item_bytes + head_bytes;
    call_.slot_bytes = tight ? slot_bytes : (slot_bytes + 127) / 128 * 128;
    shared_bytes_ = Form::slots * call_.slot_bytes + 32;  // reads of vectors may pass the last slot's end by a few bytes
    bool const window = boundaries_ > 0 && !Form::along_path;
    call_.bitmap_at = boundaries_ > 0 ? shared_bytes_ : 0;  // else nobody reads it, and a slot is zeroed in vain
    if (boundaries_ > 0) shared_bytes_ += Form::tile_items / 8 + 32;
    if (window) {
      call_.window_at = (shared_bytes_ + 15) / 16 * 16;
      call_.window_bytes = window_bytes(call_.window_at);
      shared_bytes_ = call_.window_at + call_.window_bytes;
    }
    variant_ = !aligned + 2 * (bits_an_item == 8) + 4 * (slack != 0) + 8 * window;
  }
  /// The offsets of one tile are staged if they fit into what the slots leave of a block's share of shared memory.
  static int window_bytes(int taken) {
    using state = typename Work<Parts, Form, pass::look_back>::state_type;
    int const share = detail::shared_bytes_of_a_block(Form::blocks) - static_cast<int>(sizeof(state));
    return std::clamp((share - taken) / 128 * 128, 0, 24 << 10);
  }

  cudaStream_t stream_;
  index_t tile_count_, boundaries_;
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

/// One pass, or two with `resolve` between them, which turns what the tiles told into prefixes.
template <class Strategy, class Launch, class Resolve>
void run_passes(Strategy, Launch& launch, [[maybe_unused]] Resolve resolve) {
  if constexpr (std::is_same_v<Strategy, reduce_then_scan>) {
    launch.template enqueue<pass::reduce_only>();
    resolve(0);  // generic, so that its kernel is built only here
    launch.template enqueue<pass::scan_from_prefixes>();
  } else {
    launch.template enqueue<pass::look_back>();
  }
  launch.finish();
}

template <class Op>
using plain_t = std::remove_cvref_t<decltype(plain(std::declval<Op const&>()))>;

/// The call for few items.
template <class Parts, class Form, class Policy, class Items, class T, class Op, class Sink>
void scan_in_one_wave(Policy const& on, size n, source<Items, no_segments, T> const& from, Op const& op, Sink const& sink,
                      int threads) {
  using told = descriptors<T>;
  index_t const tiles = tiles_of(n.bound, index_t{threads} * Form::items_per_thread);
  scratch_of_call memory(on.scratch, told::words_64 * tiles, told::words_128 * tiles, told::value_bytes * tiles, on.stream);
  bool const aligned = runs_aligned(from.items.arrays(), Form::items) &&
                       reinterpret_cast<std::uintptr_t>(sink.out) % (Form::items * sizeof(typename Sink::value_type)) == 0;
  scan_call<Parts, told> const call{from,
                                    op,
                                    sink,
                                    n,
                                    descriptors_in<told>(memory.get()),
                                    memory.get(),
                                    nullptr,
                                    nullptr,
                                    nullptr,
                                    false,
                                    false,
                                    0,
                                    0,
                                    aligned ? 0 : 128,
                                    0,
                                    0,
                                    0,
                                    0};
  enqueue<&one_wave_kernel<Parts>>(static_cast<int>(std::max<index_t>(tiles, 1)), threads, 0, on.stream, call);
  memory.release();
}

template <class Policy, class Items, class Segments, class T, class Op, class Sink>
void scan_each(Policy const& on, size n, source<Items, Segments, T> const& from, Op const& op, Sink const& sink) {
  using carry = typename Policy::carry_type;
  using parts = scan_parts<Items, Segments, T, Op, Sink, typename carry_types<carry>::key>;
  using form = shape<Items, typename Sink::value_type, typename Policy::tuning_type>;
  using strategy = typename Policy::strategy_type;
  expects_reproducible<T, Op, form>(on.is_reproducible);
  expects(!on.is_reproducible || std::is_same_v<strategy, decoupled_look_back>,
          "reproducible is asked for with the strategy decoupled_look_back");
  using wave = wave_shape<Items, T, typename Sink::value_type>;
  if constexpr (std::is_same_v<strategy, decoupled_look_back> && std::is_same_v<carry, no_carry> &&
                std::is_same_v<Segments, no_segments> && wave::possible) {
    int const threads = wave::threads(n.bound, multiprocessors(current_device()));
    bool const another_tree = on.is_reproducible && std::is_floating_point_v<T>;
    if (threads > 0 && !another_tree && on.direction == left_to_right)
      return scan_in_one_wave<parts, wave>(on, n, from, op, sink, threads);
  }
  scan_launch<carry, parts, form, each_work> launch(on, n, n.bound, 1, from, op, sink);
  run_passes(strategy{}, launch, [&](auto) {
    scan_aggregates<T>(launch.call(), 1, directed<Op>{op, launch.call().reversed}, 0, form::tile_items, on.stream);
  });
}

template <class Policy, class Items, class Segments, class T, class Op, class Sink>
void scan_compact(Policy const& on, size n, source<Items, Segments, T> const& from, Op const& op, Sink const& sink) {
  using strategy = typename Policy::strategy_type;
  expects(n.bound < count_descriptors::count_limit, "fewer than 2^40 items are counted");
  using parts = scan_parts<Items, no_segments, int, Op, Sink, char>;
  constexpr int classes = Sink::classes;
  using form = shape<Items, typename Sink::value_type, typename Policy::tuning_type, 32 * classes>;
  source<Items, no_segments, int> const classified{from.items, {}, {}};
  auto const into = [&](Sink const& to) {
    scan_launch<no_carry, parts, form, compact_work> launch(on, n, n.bound, classes, classified, op, to);
    run_passes(strategy{}, launch, [&](auto) {
      scan_aggregates<index_t>(launch.call(), classes, directed<plus<index_t>>{{}, false}, 0, form::tile_items, on.stream);
    });
  };
  if constexpr (std::is_same_v<strategy, reduce_then_scan>) compact_elsewhere(from.items.arrays(), sink, n.bound, on.stream, into);
  else into(sink);
}

template <class Policy, class Items, class Segments, class T, class Op, class Sink>
void scan_per_segment(Policy const& on, size n, source<Items, Segments, T> const& from, Op const& op, Sink const& sink) {
  static_assert(!std::is_same_v<Segments, no_segments>, "one result per segment needs segments");
  using strategy = typename Policy::strategy_type;
  using tuning = typename Policy::tuning_type;
  using parts = scan_parts<Items, Segments, T, Op, Sink, char>;
  expects(n.bound < count_descriptors::count_limit, "fewer than 2^40 items are counted");
  auto const forwards = on.with(left_to_right);
  if constexpr (std::is_same_v<Segments, segments>) {
    if (is_offsets(from.segments)) {
      expects(has_identity<Op> || from.initial.has, "an operator without identity() has an initial value for empty segments");
      expects(n.bound + from.segments.count < count_descriptors::count_limit, "fewer than 2^40 items and segments are counted");
      using form = path_shape<Items, T, tuning>;
      index_t const segments = from.segments.count - 1;
      scan_launch<no_carry, parts, form, per_end_work> launch(forwards, n, n.bound + segments, 1, from, op, sink);
      return run_passes(strategy{}, launch, [&](auto) {
        scan_aggregates<T>(launch.call(), 1, directed<Op>{op, false}, segments, form::tile_items, on.stream);
      });
    }
  }
  using form = shape<Items, typename Sink::value_type, tuning>;
  scan_launch<no_carry, parts, form, per_head_work> launch(forwards, n, n.bound, 1, from, op, sink);
  run_passes(strategy{}, launch, [&](auto) {
    scan_aggregates<counted<T>>(launch.call(), 1, counted_fold<Op>{{op, false}}, 0, form::tile_items, on.stream);
  });
}

}  // namespace detail

/// Scans `from` by `op` into `sink` on the GPU; see core/README.md for the protocol.
template <class Strategy, class Carry, class Tuning, class Items, class Segments, class T, class Op, class Sink>
void scan_into(policy<Strategy, Carry, Tuning> const& on, size n, source<Items, Segments, T> const& from, Op const& op,
               Sink const& sink) {
  static_assert(std::is_same_v<Strategy, decoupled_look_back> || std::is_same_v<Strategy, reduce_then_scan>,
                "this strategy has no GPU form");
  auto const& plain = detail::plain(op);
  if constexpr (is_each<Sink>) {
    detail::scan_each(on, n, from, plain, sink);
  } else {
    static_assert(std::is_same_v<Carry, no_carry>, "a carry is for sinks that store every value");
    if constexpr (is_compact<Sink>) detail::scan_compact(on, n, from, plain, sink);
    else detail::scan_per_segment(on, n, from, plain, sink);
  }
}

}  // namespace lookback::gpu
