// Counting the words of k letters in the sequences of a file, as the command line describes it.
#pragma once
#include "command.hpp"
#include "dispatch/kmers.hpp"
#include "io/fasta.hpp"

namespace lookback::app {

struct kmers_options {
  std::string in, out;
  int k = 0;
  index_t top = 0;
};

inline constexpr int longest_kmer = 31;

/// Everything in memory and checked.
struct kmers_job final : job {
  text_file file;
  sequences read;
  int k = 1;
  index_t top = 1;
  bool shows_table = false;  // to people, where no file takes it

  kmers_job() { command = "kmers"; }

  array const& items() const override { return read.letters; }
  std::vector<std::span<std::byte const>> inputs() const override { return {{read.letters.data, read.letters.bytes()}}; }
  std::vector<std::size_t> room() const override;
  std::vector<std::size_t> used(outputs const& out) const override;
  bool leaves_counts() const override { return true; }
  bool offers(back_end where, strategy how) const override { return dispatch::offers_kmers(where, how); }
  void run(dispatch::place const& on, strategy how, bool reproducible, places const& at) const override;
  std::vector<peer_call> peers(back_end where) const override;
  std::vector<array_view> results(outputs const&) const override { return {}; }
  std::optional<std::string> text_result(outputs const& out) const override;
  byte_counts moved(outputs const& out) const override;
  std::string moved_text() const override { return "letters and table"; }
  std::string first_difference(outputs const& out) const override;
  std::string reference() const override { return "a plain loop and std::map"; }
  std::string finding(outputs const& out) const override;

  dispatch::kmers_request request(places const& at) const;
};

/// Tells of windows that hold another letter. Throws what reading throws.
std::unique_ptr<kmers_job> make_kmers_job(kmers_options const& options, input_reading* times = nullptr);

}  // namespace lookback::app
