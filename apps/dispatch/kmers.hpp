// Counting the words of k letters in sequences, by run-time values: what `kmers` of the program calls.
#pragma once
#include "scan.hpp"

namespace lookback::dispatch {

/// All memory is readable where the call runs.
///   letters   n of them: 0 to 3, or anything above for what belongs to no word
///   k         from 1 to 31
///   kmers     room for n: the different words, two bits a letter, the first letter highest; first those that are there most often,
///             and alphabetically where that is equal
///   lengths   room for n: how often each is there
///   windows   room for n, which the call works in
///   counts    how many words there are, and how many different ones
struct kmers_request {
  std::uint8_t const* letters = nullptr;
  index_t n = 0;
  int k = 1;
  std::uint64_t* kmers = nullptr;
  index_t* lengths = nullptr;
  std::uint64_t* windows = nullptr;
  index_t* counts = nullptr;
  strategy how = strategy::best;
};

/// Was it compiled for this back end?
bool offers_kmers(back_end where, strategy how);

/// Runs it; on the GPU only enqueues it. Throws unavailable if `offers_kmers` says no; what the library throws.
void count_kmers(place const& on, kmers_request const& request);

}  // namespace lookback::dispatch
