// How flat the cost of a sort is, by digits and by a function: nanoseconds an item over the number of items, the entropy of keys,
// their skew, and the number of segments. In the end the worst over the best of each row of cases.
#include <algorithm>
#include <cstdio>
#include <lookback/quicksort.hpp>
#include <map>
#include <utility>

#include "compared.hpp"
#include "main.hpp"
#include "sorted_segments.hpp"

namespace bench {

/// Nanoseconds an item, by what varies, then by the case.
inline std::map<std::string, std::map<std::string, double>>& costs() {
  static std::map<std::string, std::map<std::string, double>> all;
  return all;
}

/// Key i is the AND of so many random words.
struct and_of_words {
  std::uint64_t words;
  LOOKBACK_FN std::uint32_t operator()(std::size_t i) const {
    std::uint64_t all = ~std::uint64_t{0};
    for (std::uint64_t k = 0; k < words; ++k) all &= random_at(words * i + k);
    return static_cast<std::uint32_t>(all);
  }
};
/// So many different keys, each as often.
struct one_of {
  std::uint64_t distinct;
  LOOKBACK_FN std::uint32_t operator()(std::size_t i) const {
    return static_cast<std::uint32_t>(random_at(random_at(i) % distinct));
  }
};
/// Half of the items have one key, the others any.
struct half_alike {
  LOOKBACK_FN std::uint32_t operator()(std::size_t i) const {
    std::uint64_t const x = random_at(i);
    return x >> 63 ? 0x12345678u : static_cast<std::uint32_t>(x);
  }
};

struct by_digits {
  static constexpr char const* name = "";
  template <class On, class In, class Out, class... Segments>
  void operator()(On const& on, In const& in, Out&& out, Segments const&... segments) const {
    lookback::radix_sort_copy_async(on, in, out, segments...);
  }
};
struct by_function {
  static constexpr char const* name = "by_function/";
  template <class On, class In, class Out, class... Segments>
  void operator()(On const& on, In const& in, Out&& out, Segments const&... segments) const {
    lookback::quicksort_copy_async(on, in, out, asked_less{}, segments...);
  }
};

inline void keep(benchmark::State& state, contest& c, std::string const& what, std::string const& name, std::size_t n) {
  c.run(state);
  double const cost = state.counters["us:lookback"] * 1e3 / static_cast<double>(n);
  state.counters["ns_per_item"] = cost;
  costs()[what][name] = cost;
}

template <class Sort, class Keys>
void add(Sort sort, std::string const& of, std::string const& name, std::size_t n, int rounds, Keys keys) {
  std::string const what = Sort::name + of;
  add_case("sort_flatness/" + what + "/" + name, rounds, [=](benchmark::State& state) {
    device d;
    auto const in = generated<std::uint32_t>(d, n, keys);
    auto out = d.empty<std::uint32_t>(n);
    double const moved = 8.0 * static_cast<double>(n);
    contest c(moved, moved);
    auto const ours = [&] { sort(d.on(), in, out); };
    c.enter("lookback", d.timed(timing::single, ours));
    keep(state, c, what, name, n);
    ours();
    expect_sorted(d, in.data(), std::as_const(out).data(), n);
  });
}

template <class Sort>
void add_segments(Sort sort, std::string const& name, std::size_t n, std::size_t count, int rounds) {
  std::string const what = std::string(Sort::name) + "segments";
  add_case("sort_flatness/" + what + "/" + name, rounds, [=](benchmark::State& state) {
    device d;
    auto const at = equal_segments(n, count);
    auto const in = generated<std::uint32_t>(d, n, keys_of<std::uint32_t>("uniform", n));
    auto const offsets = d.filled(at);
    auto out = d.empty<std::uint32_t>(n);
    double const moved = 8.0 * static_cast<double>(n);
    contest c(moved, moved);
    auto const ours = [&] { sort(d.on(), in, out, lookback::offsets(offsets)); };
    c.enter("lookback", d.timed(timing::single, ours));
    keep(state, c, what, name, n);
    ours();
    expect_sorted_segments(d, in.data(), std::as_const(out).data(), at);
  });
}

template <class Sort>
void add_cases_of(Sort sort) {
  int const largest = on_gpu ? 30 : 26, middle = on_gpu ? 26 : 24, rounds = on_gpu ? 15 : 5;
  auto const n = std::size_t{1} << middle;
  for (int power = 10; power <= largest; power += 2) {
    auto const items = std::size_t{1} << power;
    add(sort, "items", "2^" + std::to_string(power), items, power < 28 ? rounds : 5, keys_of<std::uint32_t>("uniform", items));
  }
  for (std::uint64_t words = 1; words <= 8; ++words)
    add(sort, "entropy", "and" + std::to_string(words), n, rounds, and_of_words{words});
  for (int bits = 0; bits <= 20; bits += 4)
    add(sort, "distinct", "2^" + std::to_string(bits), n, rounds, one_of{std::uint64_t{1} << bits});
  for (std::string const name : {"uniform", "zipf", "distinct3", "equal", "sorted", "reversed", "organ_pipe", "bits16"})
    add(sort, "skew", name, n, rounds, keys_of<std::uint32_t>(name, n));
  add(sort, "skew", "half_alike", n, rounds, half_alike{});
  for (int power = 0; power <= middle; power += 2)
    add_segments(sort, "2^" + std::to_string(power), n, std::size_t{1} << power, rounds);
}
inline void add_sort_flatness_cases() {
  add_cases_of(by_digits{});
  add_cases_of(by_function{});
}

}  // namespace bench

int main(int argc, char** argv) {
  int const status = bench::run_cases(argc, argv, bench::add_sort_flatness_cases);
  for (auto const& [what, of] : bench::costs()) {
    auto const [best, worst] =
        std::minmax_element(of.begin(), of.end(), [](auto const& a, auto const& b) { return a.second < b.second; });
    std::fprintf(stderr, "%s: worst over best %.1f (%s: %.3f ns an item, %s: %.3f)\n", what.c_str(), worst->second / best->second,
                 worst->first.c_str(), worst->second, best->first.c_str(), best->second);
  }
  return status;
}
