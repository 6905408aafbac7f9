// How the three parts of a scan are run. An algorithm never names one; a policy carries it: `on.with(reduce_then_scan{})`.
#pragma once

namespace lookback {

/// One pass: every tile publishes its aggregate, then looks back for its prefix (Merrill & Garland 2016). The default.
struct decoupled_look_back {
  using is_strategy = void;
};

/// Two passes: reduce every tile, scan the aggregates, scan every tile again from its prefix (Sengupta et al. 2007; the form
/// of most libraries). Reads the input twice, so compact sinks in place go through scratch memory.
struct reduce_then_scan {
  using is_strategy = void;
};

/// One worker, one pass, no tiles: the plain loop. CPU only, and the reference for everything else.
struct sequential {
  using is_strategy = void;
};

}  // namespace lookback
