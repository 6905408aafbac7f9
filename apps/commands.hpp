// The commands. Each file declares its options; only main catches.
#pragma once
#include "common/command.hpp"

namespace lookback::app {

// Commands that make arrays of arrays, which `compare` knows too.
command_words declare_scan(CLI::App& command, bool compared);
command_words declare_select(CLI::App& command, bool compared);
command_words declare_unique(CLI::App& command, bool compared);
command_words declare_rle_encode(CLI::App& command, bool compared);
command_words declare_rle_decode(CLI::App& command, bool compared);
command_words declare_reduce_by_key(CLI::App& command, bool compared);

/// Calls add(parent, name, what, declare) for each of them, in the order of the help; `rle` is a parent of two.
template <class Add>
void each_command(CLI::App& parent, Add add) {
  add(parent, "scan", "Prefix sums and their relatives, plain or by segments", declare_scan);
}

void add_compare(CLI::App& program);
void add_demo(CLI::App& program);
void add_gen(CLI::App& program);
void add_info(CLI::App& program);

}  // namespace lookback::app
