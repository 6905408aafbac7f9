// lookback pagerank A.mtx: the ranks of the pages of a graph, by power iteration.
#include <CLI/CLI.hpp>

#include "commands.hpp"
#include "jobs/pagerank_job.hpp"

namespace lookback::app {

command_words declare_pagerank(CLI::App& command, bool compared) {
  struct arguments {
    pagerank_options pagerank;
    std::string out;
  };
  auto const a = std::make_shared<arguments>();
  auto& p = a->pagerank;
  command
      .add_option(
          "A", p.matrix,
          "Square matrix of links, .mtx, .mtx.gz or .npz: page i links to page j where row i has an entry in column j, which "
          "is the link's weight (pattern: 1; entries of one place add up; none may be negative)")
      ->required();
  command.add_option("-o,--output", a->out, "Ranks, f64, which add up to 1: .npy, .mtx, .csv, .tsv, any other name raw")
      ->type_name("RANKS");
  command
      .add_option("--damping", p.law.damping,
                  "Probability of following a link; otherwise, and from a page without links, any page comes next")
      ->type_name("D")
      ->capture_default_str();
  command.add_option("--tolerance", p.law.tolerance, "Iterate until the sum of |changes| of all ranks is at most this")
      ->type_name("T")
      ->capture_default_str();
  command
      .add_option("--iterations", p.law.most_iterations,
                  "At most so many; if they are not enough the ranks so far are written, and the exit code is 1")
      ->type_name("N")
      ->capture_default_str();
  command.add_flag("--unweighted", p.unweighted, "Every entry is a link of weight 1, whatever its value");
  command.add_option("--top", p.top, "Show the K pages of the highest rank, counted from 1")->type_name("K")->capture_default_str();
  return {[a](read_times* times) { return read_pagerank_job(a->pagerank, times); },
          [a, compared] { return a->out.empty() && !compared ? std::vector<std::string>() : std::vector{a->out}; },
          [a] { return std::vector{a->pagerank.matrix}; }, [a] { return a->pagerank.matrix; }};
}

}  // namespace lookback::app
