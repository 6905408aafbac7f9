// sort_strings: the lines of texts of three kinds. A peer sorts views of the same strings.
#include <algorithm>
#include <lookback/sort_strings.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "main.hpp"
#include "sort_strings_peers.hpp"

namespace bench {

/// Strings side by side, and where each begins.
struct text {
  std::vector<char> characters;
  std::vector<lookback::index_t> begins{0};
  void add(std::string const& s) {
    characters.insert(characters.end(), s.begin(), s.end());
    begins.push_back(static_cast<lookback::index_t>(characters.size()));
  }
};

/// words: most of them often; records: 20 characters in common, then numbers; bytes: any, told apart by the first seven.
inline text text_named(std::string const& name, std::size_t n) {
  generator random(n);
  auto const below = [&](std::uint64_t most) { return random.next() % most; };
  auto const letters = [&](std::uint64_t number) {
    std::string s;
    for (; number > 0; number /= 26) s += static_cast<char>('a' + number % 26);
    return s;
  };
  text made;
  for (std::size_t i = 0; i < n; ++i) {
    if (name == "words") made.add(letters(below(1 + below(1 + below(1'000'000))) * 7919));
    else if (name == "records")
      made.add("2026-11-27T00:00:00 /" + letters(below(1000) * 7919) + "/" + std::to_string(below(1'000'000)));
    else {
      std::string s(16, ' ');
      for (auto& c : s) c = static_cast<char>(below(256));
      made.add(s);
    }
  }
  return made;
}

/// Throws unless `order` is that of a stable sort.
inline void expect_order(text const& of, std::vector<std::uint32_t> const& order) {
  auto const string = [&](std::uint32_t i) {
    return std::string_view(of.characters.data() + of.begins[i], static_cast<std::size_t>(of.begins[i + 1] - of.begins[i]));
  };
  for (std::size_t k = 1; k < order.size(); ++k) {
    int const difference = string(order[k - 1]).compare(string(order[k]));
    if (difference > 0 || (difference == 0 && order[k - 1] >= order[k]))
      throw std::runtime_error("wrong order at string " + std::to_string(k));
  }
}

/// Fewest bytes: characters are read once, an order is written.
inline void sort_text(benchmark::State& state, std::size_t n, std::string const& name) {
  device d;
  auto const made = text_named(name, n);
  auto const characters = d.filled(made.characters);
  auto const begins = d.filled(made.begins);
  auto order = d.template empty<std::uint32_t>(n);
  double const moved = static_cast<double>(made.characters.size()) + 4.0 * static_cast<double>(n);
  contest c(moved, moved);
  auto const ours = [&] { lookback::sort_strings(d.on(), characters, lookback::offsets(begins), order); };
  c.enter("lookback", d.timed(timing::single, ours));
  enter_sort_strings_peers(c, d, characters.data(), begins.data(), n);
  auto a = d.template empty<char>(made.characters.size()), b = d.template empty<char>(made.characters.size());
  c.enter("copy", d.copy(timing::single, a.data(), b.data(), made.characters.size()));
  c.run(state);
  ours();
  expect_order(made, d.fetched(std::as_const(order).data(), n));
}

inline void add_sort_strings_cases() {
  for (std::string const name : {"words", "records", "bytes"})
    for (int const power : {16, on_gpu ? 24 : 20})
      add_case("sort_strings/" + name + "/2^" + std::to_string(power), power < 20 ? 15 : 5,
               [=](benchmark::State& state) { sort_text(state, std::size_t{1} << power, name); });
}

}  // namespace bench

int main(int argc, char** argv) { return bench::run_cases(argc, argv, bench::add_sort_strings_cases); }
