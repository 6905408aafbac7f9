// The commands. Each file declares its options; only main catches.
#pragma once
#include "jobs/command.hpp"

namespace lookback::app {

// Commands that make arrays of arrays, which `compare` knows too.
command_words declare_scan(CLI::App& command, bool compared);
command_words declare_select(CLI::App& command, bool compared);
command_words declare_unique(CLI::App& command, bool compared);
command_words declare_rle_encode(CLI::App& command, bool compared);
command_words declare_rle_decode(CLI::App& command, bool compared);
command_words declare_reduce_by_key(CLI::App& command, bool compared);
command_words declare_spmv(CLI::App& command, bool compared);
command_words declare_pagerank(CLI::App& command, bool compared);

/// A command that only holds others.
CLI::App& add_parent(CLI::App& parent, char const* name, char const* what);

/// Calls add(parent, name, what, declare) for each of them, in the order of the help; `rle` is a parent of two.
template <class Add>
void each_command(CLI::App& parent, Add add) {
  add(parent, "scan", "Prefix sums and their relatives, plain or by segments", declare_scan);
  add(parent, "select", "The items of which a condition holds, in order", declare_select);
  add(parent, "unique", "The first item of every run of equal ones", declare_unique);
  auto& rle = add_parent(parent, "rle", "Runs of equal items as a value and a length each, and back");
  add(rle, "encode", "Values and lengths of runs", declare_rle_encode);
  add(rle, "decode", "The items again", declare_rle_decode);
  add(parent, "reduce-by-key", "One result for every run of equal keys", declare_reduce_by_key);
  add(parent, "spmv", "A sparse matrix times a vector", declare_spmv);
  add(parent, "pagerank", "The ranks of the pages of a graph", declare_pagerank);
}

void add_compare(CLI::App& program);
void add_demo(CLI::App& program);
void add_gen(CLI::App& program);
void add_info(CLI::App& program);

}  // namespace lookback::app
