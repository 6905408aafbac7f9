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

/// Runs a request by the form of a place, where there is one. Throws unavailable if it does not take it: nobody is given another
/// one than was asked for.
template <class Request>
bool run_by_form(bool (*tuned_form::*how)(place const&, Request const&), place const& on, Request const& request) {
  if (!on.form) return false;
  auto const run = on.form->*how;
  if (!run || !run(on, request)) throw unavailable("lookback_tunings has no configurations of such a call");
  return true;
}

}  // namespace lookback::dispatch
