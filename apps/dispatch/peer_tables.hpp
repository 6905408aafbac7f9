// What each back end's peers supply to peers.cpp.
#pragma once
#include <lookback/operators.hpp>
#include <utility>

#include "peers.hpp"

namespace lookback::dispatch {

std::vector<peer> peers_on_cpu();
std::vector<peer> peers_on_gpu();
std::vector<peer> chunk_peers_on_gpu();
std::vector<peer_of<select_request>> select_peers_on_cpu();
std::vector<peer_of<select_request>> select_peers_on_gpu();
std::vector<peer_of<runs_request>> unique_peers_on_cpu();
std::vector<peer_of<runs_request>> unique_peers_on_gpu();
std::vector<peer_of<runs_request>> encode_peers_on_cpu();
std::vector<peer_of<runs_request>> encode_peers_on_gpu();
std::vector<peer_of<decode_request>> decode_peers_on_cpu();
std::vector<peer_of<decode_request>> decode_peers_on_gpu();
std::vector<peer_of<reduce_request>> reduce_peers_on_cpu();
std::vector<peer_of<reduce_request>> reduce_peers_on_gpu();
std::vector<peer_of<sort_request>> sort_peers_on_cpu();
std::vector<peer_of<sort_request>> sort_peers_on_gpu();
std::vector<peer_of<quicksort_request>> quicksort_peers_on_cpu();
std::vector<peer_of<quicksort_request>> quicksort_peers_on_gpu();
std::vector<peer_of<kmers_request>> kmers_peers_on_cpu();
std::vector<peer_of<lines_request>> lines_peers_on_cpu();
std::vector<peer_of<lines_request>> lines_peers_on_gpu();
std::vector<peer_of<records_request>> records_peers_on_cpu();
std::vector<peer_of<records_request>> records_peers_on_gpu();
std::vector<spmv_peer> spmv_peers_on_cpu();
std::vector<spmv_peer> spmv_peers_on_gpu();

constexpr bool has_peers(element type, operation op) {
  return (op == operation::plus || op == operation::min || op == operation::max) && size_of(type) >= 4 && type != element::u32 &&
         type != element::u64;
}

/// Calls f.template operator()<T, Op>() for the request; sums of integers run as unsigned, so that they may wrap.
template <class F>
void with_peer_types(scan_request const& request, F&& f) {
  auto const extreme = [&]<class T>(T) {
    if (request.op == operation::min) f.template operator()<T, minimum<T>>();
    else f.template operator()<T, maximum<T>>();
  };
  bool const sum = request.op == operation::plus;
  switch (request.type) {
    case element::i32:
      return sum ? f.template operator()<std::uint32_t, plus<std::uint32_t>>() : extreme(std::int32_t{});
    case element::i64:
      return sum ? f.template operator()<std::uint64_t, plus<std::uint64_t>>() : extreme(std::int64_t{});
    case element::f32:
      return sum ? f.template operator()<float, plus<float>>() : extreme(float{});
    default:
      return sum ? f.template operator()<double, plus<double>>() : extreme(double{});
  }
}

/// The initial value, else the identity.
template <class T, class Op>
T initial_of(scan_request const& request) {
  return request.initial ? *static_cast<T const*>(request.initial) : Op::identity();
}

}  // namespace lookback::dispatch
