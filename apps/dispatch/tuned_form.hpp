// A command's kernels of other sizes than the library chooses, compiled ahead in a library of its own (lookback_tunings), which the
// program loads where it is there: what the tuner tries on a GPU.
#pragma once
#include "runs.hpp"
#include "select.hpp"

namespace lookback::dispatch {

/// What gpu::tuning has. A thread may have an even number of vectors: any_strides. Of blocks that share a multiprocessor there are
/// so many, or as many as fit, which is this number, too.
struct gpu_sizes {
  int threads = 0, bytes_per_thread = 0, slots = 3, blocks = 0;
  char const* network = "kogge_stone";
  char const* loads = "by_copy_engine";
  bool fits = true;
};

/// One of the four runs, and answers whether it has taken the request: types and operators that it was not compiled for, chunks,
/// `reproducible` and strategies other than the default it does not take.
struct tuned_form {
  gpu_sizes sizes;
  bool (*scan)(place const&, scan_request const&) = nullptr;
  bool (*select)(place const&, select_request const&) = nullptr;
  bool (*runs)(place const&, runs_request const&) = nullptr;
  bool (*reduce)(place const&, reduce_request const&) = nullptr;
};

/// The forms of a command for items of a type. `library` is what the library takes by itself.
struct tuned_forms {
  char const* command;  // as job::command says it
  element type;
  int item_bytes;  // of the widest array, which bytes_per_thread speaks of
  gpu_sizes library;
  tuned_form const* forms;
  std::size_t count;
};

/// What the library of them exports as lookback_tunings(). Only that of the program's own version and commit is taken.
struct tuned_table {
  char const* version;
  char const* commit;
  tuned_forms const* commands;
  std::size_t count;
  void (*use_device)(int);  // of the calling thread, before the first run
};
using tuned_table_function = tuned_table const* (*)();

}  // namespace lookback::dispatch
