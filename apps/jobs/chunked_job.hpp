// A job that runs chunk by chunk: what it asks of the one who reads, runs and writes (run_chunks.hpp).
#pragma once
#include <string>
#include <vector>

#include "job.hpp"

namespace lookback::app {

/// Items of a chunk, by their numbers in what is cut.
struct item_range {
  index_t begin, count;
};

/// Where a chunk runs: its inputs and their bytes, its outputs, behind them the counts of a job that leaves some; and on a GPU what
/// goes from chunk to chunk, zero before the first.
struct chunk_places : places {
  std::vector<std::size_t> in_bytes;
  std::vector<void const*> constants;  // of a GPU
  void* state_in = nullptr;
  void* state_out = nullptr;
};

/// What a job remembers from chunk to chunk. One is for one run, from the first chunk to the last. Of a chunk run() is called, and
/// then finish(), which on a GPU is another thread.
class chunked_job {
 public:
  virtual ~chunked_job() = default;

  /// Whose kernels run.
  virtual std::string kernels_of() const { return "lookback"; }
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
  /// Bytes of what a chunk counts, and on a GPU of what goes from chunk to chunk.
  virtual std::size_t count_bytes() const { return 0; }
  virtual std::size_t state_bytes() const { return 0; }
  /// What all chunks read: a GPU is brought it once.
  virtual std::vector<std::span<std::byte const>> constants() const { return {}; }
  /// The inputs of a chunk. For a GPU they are copied before the next chunk is loaded; on a CPU they are asked for when the chunk
  /// runs, and stay as long as the job.
  virtual std::vector<std::span<std::byte const>> inputs(item_range) const { return {}; }
  /// How many bytes each of them may have.
  virtual std::vector<std::size_t> input_room(index_t) const { return {}; }
  /// Runs a chunk; on a GPU only enqueues it.
  virtual void run(dispatch::place const& on, item_range chunk, chunk_places const& at) = 0;
  /// How many elements each output of a chunk holds that has run.
  virtual std::vector<index_t> made(item_range chunk, void const* counts) const = 0;
  /// With these in host memory, at `out`: returns for each output what is to be written, by the numbers of its elements, and moves
  /// `out` to the first of them.
  virtual std::vector<item_range> finish(item_range chunk, void const* counts, std::vector<void*>& out) = 0;
  /// Type and shape of each output: the largest that it may have, and behind the last chunk what it has.
  virtual std::vector<array_view> largest() const = 0;
  virtual std::vector<array_view> results() const { return largest(); }
  /// Is largest() what it has in the end?
  virtual bool has_known_lengths() const { return true; }
  /// The counts of a job that leaves some, as job::finding() and its like read them.
  virtual outputs counts() const { return {}; }
};

/// How many of `items` items make a chunk whose results take at most so many bytes, and its inputs, too, if they are `brought` to a
/// GPU: a multiple of multiple(). The limit for inputs is at least twice what multiple() items need.
index_t items_of_chunk(chunked_job const& chunks, index_t items, std::size_t bytes, bool brought);

}  // namespace lookback::app
