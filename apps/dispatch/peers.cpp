#include "peers.hpp"

#include "peer_tables.hpp"

namespace lookback::dispatch {

std::vector<peer> const& peers() {
  static std::vector<peer> const all = [] {
    auto list = peers_on_cpu();
    for (auto const& one : peers_on_gpu()) list.push_back(one);
    return list;
  }();
  return all;
}

}  // namespace lookback::dispatch
