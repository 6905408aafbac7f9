// Plain scans: what they reach of a copy, and of what a user would take instead. The cases stand in cpu/ and gpu/scan_cases.hpp.
#include <lookback/scan.hpp>

#include "main.hpp"
#include "matrices.hpp"
#include "peers.hpp"
#include "verify.hpp"

namespace bench {

/// How one case differs from the next.
struct scan_case {
  std::size_t n;
  bool exclusive = false;
  bool in_place = false;
  std::size_t misaligned = 0;
  bool reverse = false;
  bool reproducible = false;
  bool beside_plain = false;  // our own plain scan is the peer
  timing how = timing::single;
  std::vector<bar> bars{};
};

template <class T, class On, class In, class Out>
void scan_once(On const& on, In const& in, Out const& out, bool exclusive) {
  if (exclusive) lookback::exclusive_scan(on, in, out, lookback::plus<T>{});
  else lookback::inclusive_scan(on, in, out, lookback::plus<T>{});
}

template <class T>
void sum(benchmark::State& state, scan_case const& how) {
  device d;
  auto input = d.filled(uniform<T>(how.n + how.misaligned));
  auto output = d.template empty<T>(how.in_place ? 1 : how.n + how.misaligned);
  std::span<T> const in(input.data() + how.misaligned, how.n);
  std::span<T> const out = how.in_place ? in : std::span<T>(output.data() + how.misaligned, how.n);
  double const bytes = 2.0 * static_cast<double>(how.n * sizeof(T));

  contest c(bytes, bytes);
  auto const plain = [&d, in, out, &how] { scan_once<T>(d.on(), in, out, how.exclusive); };
  // The anchor runs beside the case, out of place and aligned, and so does our own plain scan. Where that reads what the case has
  // read, each finds the caches as the same copy has left them (on a GPU they are cold anyway).
  auto from = d.template empty<T>(how.n), to = d.template empty<T>(how.n);
  bool const apart = how.in_place || how.misaligned != 0;
  auto const sweep = [&d, in = from.data(), out = to.data(), &how] { d.put_back(in, out, how.n * sizeof(T)); };
  auto const enter = [&](char const* name, auto const& call) {
    c.enter(name, !on_gpu && how.beside_plain && !apart ? d.timed_after(sweep, call) : d.timed(how.how, call));
  };
  if (how.reproducible) {
    enter("lookback", [&d, in, out, &how] { scan_once<T>(d.on().with(lookback::reproducible), in, out, how.exclusive); });
  } else if (how.reverse) {
    enter("lookback", [&d, in, out, &how] { scan_once<T>(d.on().with(lookback::right_to_left), in, out, how.exclusive); });
  } else {
    enter("lookback", plain);
  }
  if (how.beside_plain) {
    std::span<T> const from_all(from.data(), how.n), to_all(to.data(), how.n);
    if (!apart) enter("plain", plain);
    else enter("plain", [&d, from_all, to_all, &how] { scan_once<T>(d.on(), from_all, to_all, how.exclusive); });
  } else {
    enter_scan_peers(c, d, how.how, in.data(), out.data(), how.n, how.exclusive);
  }
  c.enter("copy", d.copy(how.how, from.data(), to.data(), how.n * sizeof(T)));
  for (auto const& b : how.bars) c.must(b);
  c.run(state);
  if (how.in_place || how.reverse) return;  // the tests' business
  if (how.reproducible) scan_once<T>(d.on().with(lookback::reproducible), in, out, how.exclusive);
  else plain();
  auto values = uniform<T>(how.n + how.misaligned, std::min(how.n, verified_items) + how.misaligned);
  values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(how.misaligned));
  expect_sums(values, d.fetched(out.data(), values.size()), how.exclusive);
}

void matrix_products(benchmark::State& state, std::size_t n) {
  device d;
  std::vector<matrices> values(n);
  generator random(n);
  for (auto& x : values)
    for (auto& m : x.m)
      for (auto& entry : m) entry = static_cast<std::uint32_t>(random.next());
  auto in = d.filled(values), out = d.empty<matrices>(n);
  double const bytes = 2.0 * static_cast<double>(n * sizeof(matrices));
  contest c(bytes, bytes);
  c.enter("lookback", d.timed(timing::single, [&] { lookback::inclusive_scan(d.on(), in, out, times_matrices{}); }));
  enter_matrix_peers(c, d, in.data(), out.data(), n);
  c.enter("copy", d.copy(timing::single, in.data(), out.data(), n * sizeof(matrices)));
  c.run(state);
}

template <class T>
void add(std::string const& name, scan_case how, int rounds) {
  add_case("scan/" + name, rounds, [how](benchmark::State& state) { sum<T>(state, how); });
}
inline void add_matrices(std::size_t n, int rounds) {
  add_case("scan/matrices_64_bytes", rounds, [n](benchmark::State& state) { matrix_products(state, n); });
}

}  // namespace bench

#include "scan_cases.hpp"

int main(int argc, char** argv) { return bench::run_cases(argc, argv, bench::add_scan_cases); }
