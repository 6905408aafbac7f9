// From a place on the CPU to a policy.
#pragma once
#include <lookback/cpu.hpp>

#include "scan.hpp"

namespace lookback::dispatch {

/// `sequential` is one worker: it has no other tile to wait for, so that its protocol changes nothing.
inline auto on_workers(place const& on, strategy how) { return cpu::on(how == strategy::sequential ? 1 : on.threads); }

}  // namespace lookback::dispatch
