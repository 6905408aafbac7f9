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
command_words declare_sort(CLI::App& command, bool compared);
command_words declare_quicksort(CLI::App& command, bool compared);
command_words declare_sort_lines(CLI::App& command, bool compared);
command_words declare_sort_table(CLI::App& command, bool compared);
command_words declare_kmers(CLI::App& command, bool compared);
command_words declare_spmv(CLI::App& command, bool compared);
command_words declare_pagerank(CLI::App& command, bool compared);

/// A command that only holds others.
CLI::App& add_parent(CLI::App& parent, char const* name, char const* what);

/// Calls add(parent, name, what, declare) for each of them, in the order of the help; `rle` is a parent of two.
template <class Add>
void each_command(CLI::App& parent, Add add) {
  add(parent, "scan", "Compute an inclusive or exclusive scan (prefix sums and other operators), of all items or by segments",
      declare_scan);
  add(parent, "select", "Select the items that meet a condition, in order", declare_select);
  add(parent, "unique", "Keep the first item of every run of equal items", declare_unique);
  auto& rle = add_parent(parent, "rle", "Encode and decode runs of equal items (run-length encoding)");
  add(rle, "encode", "Store the value and the length of every run of equal items", declare_rle_encode);
  add(rle, "decode", "Store every value as many times as its length says", declare_rle_decode);
  add(parent, "reduce-by-key", "Reduce the values of every run of equal keys to one result", declare_reduce_by_key);
  add(parent, "sort", "Sort items by the digits of their keys, alone or with values; or find their order", declare_sort);
  add(parent, "quicksort", "Sort items by comparisons, in an order that digits need not have, alone or with values",
      declare_quicksort);
  add(parent, "sort-lines", "Sort the lines of a text by their bytes; drop or count equal ones", declare_sort_lines);
  add(parent, "sort-table", "Sort the rows of a .csv or another delimited text by columns, as numbers or as text",
      declare_sort_table);
  add(parent, "kmers", "Count the words of k letters in the sequences of a genome, and show the most frequent ones", declare_kmers);
  add(parent, "spmv", "Multiply a sparse matrix by a vector", declare_spmv);
  add(parent, "pagerank", "Compute the PageRank of every page of a graph of links", declare_pagerank);
}

void add_compare(CLI::App& program);
void add_demo(CLI::App& program);
void add_explain(CLI::App& program);
void add_gen(CLI::App& program);
void add_info(CLI::App& program);
void add_report(CLI::App& program);
void add_tune(CLI::App& program);

}  // namespace lookback::app
