// How the parts of a scan are run. An algorithm never names one; a policy carries it: `on.with(reduce_then_scan{})`.
#pragma once

namespace lookback {

/// One pass: every tile publishes its aggregate, then looks back for its prefix (Merrill & Garland 2016). The default.
struct decoupled_look_back {
  using is_strategy = void;
  static constexpr bool reads_twice = false, has_gpu_form = true;
};

/// One pass: every tile waits for the prefix of the tile before it, and publishes its own (Yan, Long & Zhang 2013).
struct chained {
  using is_strategy = void;
  static constexpr bool reads_twice = false, has_gpu_form = true;
};

/// One pass: every tile publishes its aggregate, and one worker at a time makes the prefixes of all (a course project of 2023).
struct auxiliary_block {
  using is_strategy = void;
  static constexpr bool reads_twice = false, has_gpu_form = true;
};

/// Two passes: reduce every tile, scan the aggregates, scan every tile again from its prefix (Sengupta et al. 2007; the form
/// of most libraries). Reads the input twice, so compact sinks in place go through scratch memory.
struct reduce_then_scan {
  using is_strategy = void;
  static constexpr bool reads_twice = true, has_gpu_form = true;
};

/// One worker, one pass, no tiles: the plain loop. CPU only, and the reference for everything else.
struct sequential {
  using is_strategy = void;
  static constexpr bool reads_twice = false, has_gpu_form = false;
};

/// Does a call under it read its input twice?
template <class Strategy>
inline constexpr bool reads_twice = Strategy::reads_twice;
template <class Strategy>
inline constexpr bool has_gpu_form = Strategy::has_gpu_form;

}  // namespace lookback
