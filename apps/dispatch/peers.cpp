#include "peers.hpp"

#include "peer_tables.hpp"
#include "spmv_eigen.hpp"

namespace lookback::dispatch {

namespace {
template <class Peer>
std::vector<Peer> joined(std::vector<Peer> list, std::vector<Peer> const& more) {
  list.insert(list.end(), more.begin(), more.end());
  return list;
}
}  // namespace

std::vector<peer> const& peers() {
  static auto const all = joined(peers_on_cpu(), peers_on_gpu());
  return all;
}
std::vector<peer> const& chunk_peers() {
  static auto const all = chunk_peers_on_gpu();
  return all;
}
std::vector<peer_of<select_request>> const& select_peers() {
  static auto const all = joined(select_peers_on_cpu(), select_peers_on_gpu());
  return all;
}
std::vector<peer_of<runs_request>> const& unique_peers() {
  static auto const all = joined(unique_peers_on_cpu(), unique_peers_on_gpu());
  return all;
}
std::vector<peer_of<runs_request>> const& encode_peers() {
  static auto const all = joined(encode_peers_on_cpu(), encode_peers_on_gpu());
  return all;
}
std::vector<peer_of<decode_request>> const& decode_peers() {
  static auto const all = joined(decode_peers_on_cpu(), decode_peers_on_gpu());
  return all;
}
std::vector<peer_of<reduce_request>> const& reduce_peers() {
  static auto const all = joined(reduce_peers_on_cpu(), reduce_peers_on_gpu());
  return all;
}
std::vector<peer_of<sort_request>> const& sort_peers() {
  static auto const all = joined(sort_peers_on_cpu(), sort_peers_on_gpu());
  return all;
}
std::vector<peer_of<quicksort_request>> const& quicksort_peers() {
  static auto const all = joined(quicksort_peers_on_cpu(), quicksort_peers_on_gpu());
  return all;
}
std::vector<peer_of<kmers_request>> const& kmers_peers() {
  static auto const all = kmers_peers_on_cpu();
  return all;
}
std::vector<peer_of<lines_request>> const& lines_peers() {
  static auto const all = joined(lines_peers_on_cpu(), lines_peers_on_gpu());
  return all;
}
std::vector<peer_of<records_request>> const& records_peers() {
  static auto const all = joined(records_peers_on_cpu(), records_peers_on_gpu());
  return all;
}
std::vector<spmv_peer> const& spmv_peers() {
  static auto const all = joined(spmv_peers_on_cpu(), spmv_peers_on_gpu());
  return all;
}
void end_peer_threads() { end_eigen_threads(); }

}  // namespace lookback::dispatch
