// The strategies: each a way to run the same work, tile by tile, and a file.
//
// A work says   hold(room, id, slot)      claim-time facts of a tile; compacting work reads and gathers the tile here, results of
//                                         segments by heads are folded: a strategy that reads twice does it in both passes
//               reduce(room, held)        its aggregate
//               scan(room, held, before)  stores it, given what comes before
//               scan(.., next)            the same, reducing the next tile in the same loop, where `reduces_ahead`
//               serial(room, held, before)  stores it without a look-back; returns what comes before the next tile
//               first(), combine(before, aggregate), aggregate.complete
//               needs_prefix(held)        true of every tile whose aggregate is not complete
//               rereads()                 may a worker hold and reduce a tile of another
//               propagate(held, before)   puts that before what scan(.., nothing) has stored; of a work that stores what it scans
// A room is what one worker keeps for itself. Scratch for all workers is had before the first tile is claimed.
#pragma once
#include "strategies/auxiliary_block.hpp"
#include "strategies/chained.hpp"
#include "strategies/decoupled_look_back.hpp"
#include "strategies/immediate_look_back.hpp"
#include "strategies/reduce_then_scan.hpp"
#include "strategies/scan_then_propagate.hpp"
#include "strategies/sequential.hpp"
#include "strategies/waiting_look_back.hpp"
