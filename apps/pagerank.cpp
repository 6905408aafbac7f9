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
          "Square matrix of links, .mtx, .mtx.gz or .npz. Page i links to page j if row i has an entry in column j. The value of "
          "the entry is the weight of the link, which is not negative (in a pattern matrix 1). Duplicate entries are added up")
      ->required();
  command
      .add_option("-o,--output", a->out,
                  "Output file of the ranks, f64, which add up to 1: .npy, .mtx, .csv, .tsv; any other name: raw")
      ->type_name("RANKS");
  command
      .add_option(
          "--damping", p.law.damping,
          "Probability of following a link. Otherwise, and from a page without links, all pages are equally likely to be next")
      ->type_name("D")
      ->capture_default_str();
  command.add_option("--tolerance", p.law.tolerance, "Stop when the sum of the absolute changes of all ranks is at most T")
      ->type_name("T")
      ->capture_default_str();
  command
      .add_option("--iterations", p.law.most_iterations,
                  "Largest number of iterations. If the ranks have not converged by then, they are stored and the exit code is 1")
      ->type_name("N")
      ->capture_default_str();
  command.add_flag("--unweighted", p.unweighted, "Give every link the weight 1, whatever its value");
  command.add_option("--top", p.top, "Show the K pages with the highest ranks; the first page has number 1")
      ->type_name("K")
      ->capture_default_str();
  return {[a](input_reading* times) { return read_pagerank_job(a->pagerank, times); },
          [a, compared] { return a->out.empty() && !compared ? std::vector<std::string>() : std::vector{a->out}; },
          [a] { return std::vector{a->pagerank.matrix}; }, [a] { return a->pagerank.matrix; }};
}

}  // namespace lookback::app
