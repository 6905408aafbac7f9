// On a CPU lanes of a pack are scanned in one way, and items loaded in one.
#pragma once

namespace bench {

template <class Enter>
void each_network(Enter const&) {}
template <class Enter>
void each_way_to_load(Enter const&) {}

}  // namespace bench
