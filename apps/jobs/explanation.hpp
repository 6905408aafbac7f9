// Why a run takes as long as it does: what it reads and writes, how long a copy of as many bytes takes on this machine, which way
// the library took, and what is known of the rest.
#pragma once
#include <lookback/observe.hpp>
#include <string>
#include <vector>

#include "contenders.hpp"
#include "report/json.hpp"

namespace lookback::app {

/// A machine's speed, measured when it is asked for.
struct copy_speed {
  double seconds = 0;           // of a copy that reads one half of so many bytes and writes the other; 0: not measured
  double bytes_per_second = 0;  // of that copy, read and written
  double start = 0;             // seconds of one kernel more behind others, or to hand work to the workers and wait for them
  std::string why_none;         // it was not measured
};
/// Of `bytes`, read and written together: the median of 9, after one that is not counted. On a CPU the faster of memcpy by all
/// threads and of the library's own stores, which bypass the caches where that is faster. Of more than 2 x `most` bytes a part is
/// copied (0: a gigabyte, on a CPU 256 MB). Needs as much memory; says so where there is none.
copy_speed measure_copy(runner const& on, double bytes, std::size_t most = 0);

struct explanation {
  back_end where = back_end::cpu;
  byte_counts least;     // that the command must read and write
  observation seen;      // of one call; nothing of a peer's
  bool is_ours = true;   // not a peer's
  double seconds = 0;    // of the kernel alone, or of the workers
  copy_speed copy;       // of as many bytes
  double repeated = -1;  // bytes that the way reads and writes again; -1: not known

  /// 1: as fast as a copy; 0: not known.
  double share_of_copy() const { return seconds > 0 ? copy.seconds / seconds : 0; }
};

/// Runs a job of ours once more, and looks: behind runs that were timed, so that it runs as they did.
observation look_at(job const& of, job_function const& how, job_memory& memory);

explanation explanation_of(job const& of, back_end where, observation seen, byte_counts const& least, double seconds,
                           copy_speed const& copy);
/// Of a peer, which tells nothing.
explanation explanation_of_peer(back_end where, byte_counts const& least, double seconds, copy_speed const& copy);

/// For people: lines, with a head.
std::string text_of(explanation const& of, std::string const& head);
/// One line of it: "1 kernel, 240 kB of scratch, staged tiles".
std::string summary_of(explanation const& of);
/// bytes_read, bytes_written, floor_seconds, explained_seconds, share_of_copy; of ours bytes_moved where they are known,
/// scratch_bytes, launches, way, why, passes and gap.
void add_to(json_object& measured, explanation const& of);

}  // namespace lookback::app
