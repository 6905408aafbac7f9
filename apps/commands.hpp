// The commands. Each file declares its options and does its work when the command line names it; only main catches.
#pragma once
namespace CLI {
class App;
}

namespace lookback::app {

void add_scan(CLI::App& program);
void add_compare(CLI::App& program);
void add_demo(CLI::App& program);
void add_gen(CLI::App& program);
void add_info(CLI::App& program);

}  // namespace lookback::app
