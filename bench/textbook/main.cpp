// The scans of the textbooks, how many steps they take and how much work they do: textbook_scans [N ...]
//
// For teaching, and to see what the engine does not do: it reads each item once, and no step of all processors waits for another.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include "blelloch.hpp"
#include "brent_kung.hpp"
#include "horn.hpp"
#include "naive_copy.hpp"
#include "sklansky.hpp"
#include "tree_segmented.hpp"

namespace {

using values = std::vector<std::uint32_t>;

bool row(char const* name, textbook::machine const& on, std::size_t n, values const& found, values const& wanted) {
  bool const is_right = found == wanted;
  std::printf("%-24s %10zu items %4zu steps %12zu operations %6.2f an item  %s\n", name, n, on.steps(), on.operations(),
              n > 0 ? static_cast<double>(on.operations()) / static_cast<double>(n) : 0.0, is_right ? "right" : "WRONG");
  return is_right;
}

bool show(std::size_t n) {
  values in(n), inclusive(n), exclusive(n), segmented(n);
  std::vector<std::uint8_t> heads(n);
  for (std::size_t i = 0; i < n; ++i) in[i] = static_cast<std::uint32_t>(i * 2654435761u), heads[i] = i == 0 || in[i] % 10 == 0;
  std::uint32_t sum = 0, open = 0;
  for (std::size_t i = 0; i < n; ++i) {
    open = heads[i] ? 0 : open;
    exclusive[i] = sum, segmented[i] = open;
    inclusive[i] = sum += in[i], open += in[i];
  }
  std::plus<std::uint32_t> const plus;
  textbook::machine copy, horn, sklansky, brent_kung, blelloch, tree, loop;
  bool right = row("naive copy, no scan", copy, n, textbook::naive_copy(copy, in), in);
  right &= row("Horn", horn, n, textbook::horn_scan(horn, in, plus), inclusive);
  right &= row("Sklansky", sklansky, n, textbook::sklansky_scan(sklansky, in, plus), inclusive);
  right &= row("Brent and Kung", brent_kung, n, textbook::brent_kung_scan(brent_kung, in, plus), inclusive);
  right &= row("Blelloch", blelloch, n, textbook::blelloch_scan(blelloch, in, plus, 0u), exclusive);
  right &= row("by a tree, segmented", tree, n, textbook::tree_segmented_scan(tree, in, heads, plus, 0u), segmented);
  values serial = in;
  for (std::size_t i = 1; i < n; ++i) loop.step(1, [&](std::size_t) { serial[i] = loop.apply(plus, serial[i - 1], serial[i]); });
  return row("plain loop", loop, n, serial, inclusive) && right;
}

}  // namespace

int main(int count, char** words) {
  std::vector<std::size_t> sizes{16, 1000, 1 << 20};
  if (count > 1) sizes.clear();
  for (int k = 1; k < count; ++k) {
    char* end = nullptr;
    auto const n = std::strtoull(words[k], &end, 10);
    if (*end != 0 || end == words[k] || words[k][0] == '-' || n > std::size_t{1} << 32) {
      std::fprintf(stderr, "textbook_scans: '%s': expected a number of items up to 2^32\n", words[k]);
      return 64;
    }
    sizes.push_back(n);
  }
  bool right = true;
  for (std::size_t const n : sizes) right &= show(n);
  return right ? 0 : 70;
}
