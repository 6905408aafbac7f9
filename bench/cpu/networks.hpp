// On a CPU lanes of a pack are scanned in one way.
#pragma once

namespace bench {

template <class Enter>
void each_network(Enter const&) {}

}  // namespace bench
