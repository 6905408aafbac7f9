// Counting words, on any back end: four calls of the library, each of which takes what the one before left in memory.
#pragma once
#include <bit>
#include <lookback/run_length_encode.hpp>
#include <lookback/select_if.hpp>

#include "sort_tables.hpp"

namespace lookback::dispatch {

/// The word that begins at a letter, or all ones where there is none.
struct word_at {
  std::uint8_t const* letters;
  index_t n;
  int k;
  LOOKBACK_FN std::uint64_t operator()(index_t begin) const {
    if (begin > n - k) return ~std::uint64_t{0};
    std::uint64_t word = 0;
    for (int j = 0; j < k; ++j) {
      std::uint8_t const letter = letters[begin + j];
      if (letter > 3) return ~std::uint64_t{0};
      word = word << 2 | letter;
    }
    return word;
  }
};
struct is_word {
  LOOKBACK_FN bool operator()(std::uint64_t word) const { return word != ~std::uint64_t{0}; }
};

template <class On>
void count_kmers_of(On const& on, kmers_request const& r) {
  auto const windows = room_at<std::uint64_t>(r.windows, r.n), kmers = room_at<std::uint64_t>(r.kmers, r.n);
  auto const lengths = room_at<index_t>(r.lengths, r.n);
  size const words{r.n, r.counts}, different{r.n, r.counts + 1};
  bits const letters{0, 2 * r.k}, numbers{0, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(r.n)))};

  select_if_async(on, generate(r.n, word_at{r.letters, r.n, r.k}), windows, is_word{}, r.counts);
  with_method(r.how, [&](auto... method) { radix_sort_copy(on, first(windows, words), windows, letters, method...); });
  run_length_encode_async(on, first(windows, words), kmers, lengths, r.counts + 1);
  // Words are in order already, and the sort is stable.
  with_method(r.how, [&](auto... method) {
    radix_sort_copy(on, first(lengths, different), kmers, lengths, kmers, numbers, descending, method...);
  });
}

}  // namespace lookback::dispatch
