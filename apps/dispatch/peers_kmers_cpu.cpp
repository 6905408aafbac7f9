// The CPU's peer of counting words: the loops and sorts that one writes with the standard library.
#include <algorithm>
#include <numeric>

#include "peer_tables.hpp"

namespace lookback::dispatch {

namespace {

void run_std(place const&, kmers_request const& r) {
  std::uint64_t word = 0, *end = r.windows;
  std::uint64_t const mask = ~std::uint64_t{0} >> (64 - 2 * r.k);
  int held = 0;
  for (index_t i = 0; i < r.n; ++i) {
    held = r.letters[i] > 3 ? 0 : std::min(held + 1, r.k);
    word = (word << 2 | (r.letters[i] & 3u)) & mask;
    if (held == r.k) *end++ = word;
  }
  std::sort(r.windows, end);
  struct counted {
    std::uint64_t word;
    index_t length;
  };
  static std::vector<counted> runs;
  runs.clear();
  for (auto const* at = r.windows; at != end;) {
    auto const* const next = std::upper_bound(at, static_cast<std::uint64_t const*>(end), *at);
    runs.push_back({*at, next - at});
    at = next;
  }
  std::stable_sort(runs.begin(), runs.end(), [](counted const& a, counted const& b) { return a.length > b.length; });
  for (std::size_t k = 0; k < runs.size(); ++k) r.kmers[k] = runs[k].word, r.lengths[k] = runs[k].length;
  r.counts[0] = end - r.windows, r.counts[1] = std::ssize(runs);
}

}  // namespace

std::vector<peer_of<kmers_request>> kmers_peers_on_cpu() {
  return {{"std::sort", back_end::cpu, false, [](kmers_request const&) { return true; }, run_std}};
}

}  // namespace lookback::dispatch
