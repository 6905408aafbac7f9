// lookback kmers FILE.fa -k K --top N: the words of K letters that a genome holds most often.
#include <CLI/CLI.hpp>

#include "commands.hpp"
#include "jobs/kmers_job.hpp"

namespace lookback::app {

command_words declare_kmers(CLI::App& command, bool compared) {
  auto const a = std::make_shared<kmers_options>();
  command
      .add_option("FILE", a->in,
                  "FASTA file, or .gz of one. A line that begins with '>' begins a sequence; no word crosses from one sequence to "
                  "the next. Lower case is upper case. Windows with other letters than A, C, G and T are skipped")
      ->required();
  command.add_option("-k", a->k, "Number of letters of a word")->type_name("K")->check(CLI::Range(1, longest_kmer))->required();
  command.add_option("--top", a->top, "Number of words in the table: those that are there most often")
      ->type_name("N")
      ->check(CLI::Range(index_t{1}, std::numeric_limits<index_t>::max()))
      ->required();
  command
      .add_option("-o,--output", a->out,
                  "Output file, CSV: kmer,count, the largest count first, equal counts in the order of the alphabet (default: the "
                  "table is shown)")
      ->type_name("TABLE");
  return {[a](input_reading* times) { return make_kmers_job(*a, times); },
          [a, compared] {
            for (std::string const ending : {".npy", ".mtx", ".tsv"})
              if (extension_of(a->out) == ending) throw usage_error(a->out + ": found the ending " + ending + ", expected .csv");
            return a->out.empty() && !compared ? std::vector<std::string>() : std::vector{a->out};
          },
          [a] { return std::vector{a->in}; }};
}

}  // namespace lookback::app
