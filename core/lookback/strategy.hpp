// How the parts of a scan are run. An algorithm never names one; a policy carries it: `on.with(reduce_then_scan{})`.
#pragma once

namespace lookback {

/// What a strategy is unless it says otherwise.
struct any_strategy {
  using is_strategy = void;
  static constexpr bool reads_twice = false;  // a call under it reads its input twice
  static constexpr bool propagates = false;   // it adds to values that it has stored
  static constexpr bool repeats_bits = true;  // with `reproducible`, sums of floats by heads do not depend on when blocks run
  static constexpr bool has_gpu_form = true, has_cpu_form = true;
};

/// One pass: every tile publishes its aggregate, then looks back for its prefix (Merrill & Garland 2016). The default.
struct decoupled_look_back : any_strategy {
  static constexpr char const* name = "decoupled_look_back";
};

/// The same, a tile at a time: one thread looks back, where the default has a warp that reads many tiles at once (Merrill & Garland
/// 2016, 4.1 and 4.4). GPU only: on a CPU the default does that.
struct sequential_look_back : any_strategy {
  static constexpr char const* name = "sequential_look_back";
  static constexpr bool repeats_bits = false, has_cpu_form = false;
};

/// The same by several warps, a window of tiles each: many tiles are asked at once, and the warps wait for each other. GPU only.
struct wide_look_back : any_strategy {
  static constexpr char const* name = "wide_look_back";
  static constexpr bool repeats_bits = false, has_cpu_form = false;
};

/// The same, asked for at once: a worker looks back for a tile when it has published its aggregate, before it reduces another one,
/// which the default has done by then. (On a CPU it has where every value of a scan is stored; elsewhere it asks at once itself.)
struct immediate_look_back : any_strategy {
  static constexpr char const* name = "immediate_look_back";
};

/// The same, but a tile of segments does not wait for all of its threads if a segment begins in its last warp: that warp says the
/// prefix (van den Hurk 2022, fast-tracked inclusive values). GPU only, and where segments are not numbered; elsewhere the default.
struct fast_tracked_look_back : any_strategy {
  static constexpr char const* name = "fast_tracked_look_back";
  static constexpr bool has_cpu_form = false;
};

/// The same, with values and what tells of them in words of their own, and a fence between (Merrill & Garland 2016, 4.4). GPU only:
/// the default of a CPU has no other descriptors.
struct fenced_look_back : any_strategy {
  static constexpr char const* name = "fenced_look_back";
  static constexpr bool has_cpu_form = false;
};

/// The same, without help for a worker that has lost its core: others wait for it (Merrill & Garland 2016, as it stands). CPU only:
/// blocks of a GPU keep their cores, and the default has nothing else there.
struct waiting_look_back : any_strategy {
  static constexpr char const* name = "waiting_look_back";
  static constexpr bool has_gpu_form = false;
};

/// One pass: every tile waits for the prefix of the tile before it, and publishes its own (Yan, Long & Zhang 2013).
struct chained : any_strategy {
  static constexpr char const* name = "chained";
};

/// One pass: every tile publishes its aggregate, and one worker at a time makes the prefixes of all (a course project of 2023).
struct auxiliary_block : any_strategy {
  static constexpr char const* name = "auxiliary_block";
  static constexpr bool repeats_bits = false;
};

/// Two passes: reduce every tile, scan the aggregates, scan every tile again from its prefix (Sengupta et al. 2007; the form
/// of most libraries). Reads the input twice, so compact sinks in place go through scratch memory.
struct reduce_then_scan : any_strategy {
  static constexpr char const* name = "reduce_then_scan";
  static constexpr bool reads_twice = true;
};

/// Two passes: scan every tile by itself, scan the aggregates, add its prefix to every value (Merrill & Garland 2016, 3.2). Only
/// scans that store values of the operator as they are have it; it reads and writes twice.
struct scan_then_propagate : any_strategy {
  static constexpr char const* name = "scan_then_propagate";
  static constexpr bool propagates = true;
};

/// One worker, one pass, no tiles: the plain loop. CPU only, and the reference for everything else.
struct sequential : any_strategy {
  static constexpr char const* name = "sequential";
  static constexpr bool has_gpu_form = false;
};

/// A segmented scan as a plain scan, which Base runs, of pairs (value, head) by the lifted operator of Blelloch (1990): what van
/// den Hurk (2022) measured segmented scans against. Plain scans are run by Base. The pair of a value has at most 64 bytes. Heads
/// are flags, bits, keys or rows; flags of one byte are staged beside the items, others are read item by item. Offsets are refused,
/// and so are a carry, `reproducible` floats, sinks that do not store every value, and scan_then_propagate as Base.
template <class Base>
struct lifted : Base {
  using base = Base;
};

template <class Strategy>
inline constexpr bool is_lifted = false;
template <class Base>
inline constexpr bool is_lifted<lifted<Base>> = true;

template <class Strategy>
inline constexpr bool reads_twice = Strategy::reads_twice;
template <class Strategy>
inline constexpr bool propagates = Strategy::propagates;
template <class Strategy>
inline constexpr bool repeats_bits = Strategy::repeats_bits;
template <class Strategy>
inline constexpr bool has_gpu_form = Strategy::has_gpu_form;
template <class Strategy>
inline constexpr bool has_cpu_form = Strategy::has_cpu_form;

}  // namespace lookback
