// A job that runs chunk by chunk: what it asks of the one who reads, runs and writes (run_chunks.hpp).
#pragma once
#include <vector>

#include "job.hpp"

namespace lookback::app {

/// Items of a chunk, by their numbers in what is cut.
struct item_range {
  index_t begin, count;
};

/// What a job remembers from chunk to chunk. One is for one run, from the first chunk to the last.
class chunked_job {
 public:
  virtual ~chunked_job() = default;

  /// Do chunks come from the end of the input to its front?
  virtual bool is_reversed() const { return false; }
  /// What is cut: the items of the input, unless said otherwise.
  virtual index_t items(job const& whole) const { return whole.items().n; }
  /// Brings the inputs of a chunk into memory: chunk after chunk, while others run.
  virtual void load(item_range chunk) = 0;
  /// Chunks are cut at multiples of so many items.
  virtual index_t multiple() const = 0;
  /// Bytes that the results of a chunk of `items` items may take, for each output.
  virtual std::vector<std::size_t> room(index_t items) const = 0;
  /// Runs it on the CPU, with its results at `out`. Returns for each output what is to be written, by the numbers of its elements.
  virtual std::vector<item_range> run(dispatch::place const& on, item_range chunk, std::vector<void*> const& out) = 0;
  /// Type and shape of each output: the largest that it may have, and behind the last chunk what it has.
  virtual std::vector<array_view> largest() const = 0;
  virtual std::vector<array_view> results() const { return largest(); }
  /// Is largest() what it has in the end?
  virtual bool has_known_lengths() const { return true; }
  /// The counts of a job that leaves some, as job::finding() and its like read them.
  virtual outputs counts() const { return {}; }
};

}  // namespace lookback::app
