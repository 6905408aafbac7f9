// What a user would call instead: other libraries behind the same requests, to be compared with.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "kmers.hpp"
#include "lines.hpp"
#include "quicksort.hpp"
#include "records.hpp"
#include "runs.hpp"
#include "scan.hpp"
#include "select.hpp"
#include "sort.hpp"
#include "spmv.hpp"

namespace lookback::dispatch {

template <class Request>
struct peer_of {
  char const* name;
  back_end where;
  bool is_ceiling;  // moves the same items and does nothing else: nobody can be faster
  /// Has it a form for this request, compiled here? Asked before anything has its place.
  bool (*takes)(Request const&);
  /// Runs it; on the GPU only enqueues it.
  void (*run)(place const&, Request const&);
};
using peer = peer_of<scan_request>;

/// One that prepares itself for a matrix, at its first call for it: start() makes such a one anew, and it is for one matrix alone.
using spmv_function = std::function<void(place const&, spmv_request const&)>;
struct spmv_peer {
  char const* name;
  back_end where;
  bool is_ceiling;
  bool (*takes)(spmv_request const&);
  spmv_function (*start)();
};

/// All that this build has, the CPU's first. Scans: i32, i64, f32, f64 with plus, min, max.
std::vector<peer> const& peers();
/// Of chunks, from whose state they go on; a zero one before the first.
std::vector<peer> const& chunk_peers();
/// In place where kept is in.
std::vector<peer_of<select_request>> const& select_peers();
std::vector<peer_of<runs_request>> const& unique_peers();
std::vector<peer_of<runs_request>> const& encode_peers();
std::vector<peer_of<decode_request>> const& decode_peers();
std::vector<peer_of<reduce_request>> const& reduce_peers();
std::vector<peer_of<sort_request>> const& sort_peers();
std::vector<peer_of<quicksort_request>> const& quicksort_peers();
std::vector<peer_of<kmers_request>> const& kmers_peers();
std::vector<peer_of<lines_request>> const& lines_peers();
std::vector<peer_of<records_request>> const& records_peers();
std::vector<spmv_peer> const& spmv_peers();
/// Once a peer has been timed: those of its threads that would look for more work are ended, and what is timed next has all CPUs.
void end_peer_threads();
/// Why the GPU's peers of sparse products are not all there; empty if they are. Loads their library.
std::string why_no_spmv_peers();

}  // namespace lookback::dispatch
