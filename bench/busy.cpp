// The engine of the CPU beside other load: threads that never sleep, as many as half of the cores, all of them, twice as many.
// Users have browsers, and CI has neighbours. Every contender meets the same load, in turn; what counts is the mean, and the
// slowest calls (the 95th percentile), over the better of one thread of ours and what a user would write instead (std, parallel).
#include <algorithm>
#include <atomic>
#include <execution>
#include <lookback/cpu/executor_threads.hpp>
#include <lookback/reduce_by_key.hpp>
#include <lookback/run_length_encode.hpp>
#include <lookback/scan.hpp>
#include <lookback/segmented_scan.hpp>
#include <lookback/select_if.hpp>
#include <lookback/spmv.hpp>
#include <lookback/unique.hpp>
#include <memory>
#include <numeric>
#include <thread>

#include "main.hpp"

namespace bench {

/// Threads that want a core all the time, while it lives.
class busy_threads {
 public:
  explicit busy_threads(int count) {
    for (int i = 0; i < count; ++i)
      threads_.emplace_back([this] {
        while (!stop_.load(std::memory_order_relaxed)) {
        }
      });
  }
  busy_threads(busy_threads const&) = delete;
  busy_threads& operator=(busy_threads const&) = delete;
  ~busy_threads() {
    stop_ = true;
    for (auto& thread : threads_) thread.join();
  }

 private:
  std::atomic<bool> stop_{false};
  std::vector<std::thread> threads_;
};

/// A verb with all that its calls touch: `ours` by any policy of the CPU, `peer` the parallel form of std, where there is one;
/// `prepare` puts back what a call in place has changed, and is not timed.
struct verb {
  std::function<void(lookback::cpu::policy<> const&)> ours;
  std::function<void()> one_thread, peer{}, prepare{};
};

template <class On>
void call_everyone(verb const& v, On const& on, benchmark::State& state, int busy, double bar_over_best) {
  struct contender {
    char const* name;
    std::function<void()> call;
    std::vector<double> seconds{};
  };
  std::vector<contender> all{{"lookback", [&] { v.ours(on); }}, {"one_thread", v.one_thread}};
  if (v.peer) all.push_back({"std_par", v.peer});
  auto const take = [&](contender& c) {
    if (v.prepare) v.prepare();
    double const start = now();
    c.call();
    return now() - start;
  };
  for (auto& c : all) take(c);
  {
    busy_threads const others(busy);
    for (auto _ : state) {
      for (auto& c : all) c.seconds.push_back(take(c));
      state.SetIterationTime(all[0].seconds.back());
    }
  }
  double best = std::numeric_limits<double>::infinity(), ours = 0;
  for (auto& c : all) {
    std::sort(c.seconds.begin(), c.seconds.end());
    double const mean = std::accumulate(c.seconds.begin(), c.seconds.end(), 0.0) / static_cast<double>(c.seconds.size());
    state.counters[std::string("us:") + c.name] = mean * 1e6;
    state.counters[std::string("p95_us:") + c.name] = c.seconds[c.seconds.size() * 95 / 100] * 1e6;
    if (c.name == std::string("lookback")) ours = mean;
    else best = std::min(best, mean);
  }
  state.counters["x_best"] = best / ours;
  if (bar_over_best > 0) state.counters["bar:x_best"] = state.counters["aim:x_best"] = 1 / bar_over_best;
}

template <class T>
std::shared_ptr<array<T>> shared_array(std::vector<T> const& values) {
  auto a = std::make_shared<array<T>>(device{}.filled(values));
  return a;
}
template <class T>
std::shared_ptr<array<T>> shared_array(std::size_t n) {
  return std::make_shared<array<T>>(device{}.empty<T>(n));
}

verb make_scan(std::size_t n) {
  auto in = shared_array(uniform<std::int32_t>(n)), out = shared_array<std::int32_t>(n);
  auto const run = [=](auto const& on) { lookback::inclusive_scan(on, *in, *out); };
  return {run, [=] { run(lookback::cpu::seq); },
          [=] { std::inclusive_scan(std::execution::par, in->begin(), in->end(), out->begin(), std::plus<>{}); }};
}

verb make_scan_in_place(std::size_t n) {
  auto data = shared_array(uniform<std::int32_t>(n));
  auto const run = [=](auto const& on) { lookback::inclusive_scan(on, *data, *data); };
  return {run, [=] { run(lookback::cpu::seq); },
          [=] { std::inclusive_scan(std::execution::par, data->begin(), data->end(), data->begin(), std::plus<>{}); }};
}

verb make_segmented_scan(std::size_t n) {
  auto in = shared_array(uniform<float>(n)), out = shared_array<float>(n);
  auto flags = shared_array(flags_at(starts(n, 100)));
  auto const run = [=](auto const& on) { lookback::inclusive_segmented_scan(on, *in, lookback::head_flags(*flags), *out); };
  return {run, [=] { run(lookback::cpu::seq); }};
}

struct is_even {
  bool operator()(std::uint32_t x) const { return x % 2 == 0; }
};

verb make_select_if(std::size_t n) {
  auto in = shared_array(uniform<std::uint32_t>(n)), out = shared_array<std::uint32_t>(n);
  auto const run = [=](auto const& on) { benchmark::DoNotOptimize(lookback::select_if(on, *in, *out, is_even{})); };
  return {run, [=] { run(lookback::cpu::seq); },
          [=] { std::copy_if(std::execution::par, in->begin(), in->end(), out->begin(), is_even{}); }};
}

verb make_select_if_in_place(std::size_t n) {
  auto in = shared_array(uniform<std::uint32_t>(n)), data = shared_array<std::uint32_t>(n);
  auto const run = [=](auto const& on) { benchmark::DoNotOptimize(lookback::select_if(on, *data, is_even{})); };
  return {
      run, [=] { run(lookback::cpu::seq); },
      [=] { benchmark::DoNotOptimize(std::remove_if(std::execution::par, data->begin(), data->end(), std::not_fn(is_even{}))); },
      [=] { std::copy(in->begin(), in->end(), data->begin()); }};
}

verb make_unique(std::size_t n) {
  auto in = shared_array(keys_at(starts(n, 10))), out = shared_array<std::int32_t>(n);
  auto const run = [=](auto const& on) { benchmark::DoNotOptimize(lookback::unique(on, *in, *out)); };
  return {run, [=] { run(lookback::cpu::seq); },
          [=] { std::unique_copy(std::execution::par, in->begin(), in->end(), out->begin()); }};
}

verb make_run_length_encode(std::size_t n) {
  auto in = shared_array(keys_at(starts(n, 10)));
  auto values = shared_array<std::int32_t>(n), lengths = shared_array<std::int32_t>(n);
  auto const run = [=](auto const& on) { benchmark::DoNotOptimize(lookback::run_length_encode(on, *in, *values, *lengths)); };
  return {run, [=] { run(lookback::cpu::seq); }};
}

verb make_reduce_by_key(std::size_t n) {
  auto keys = shared_array(keys_at(starts(n, 10)));
  auto in = shared_array(uniform<float>(n));
  auto keys_out = shared_array<std::int32_t>(n);
  auto sums = shared_array<float>(n);
  auto const run = [=](auto const& on) { benchmark::DoNotOptimize(lookback::reduce_by_key(on, *keys, *in, *keys_out, *sums)); };
  return {run, [=] { run(lookback::cpu::seq); }};
}

/// Rows of 10 nonzeros on average, their columns near the diagonal.
verb make_spmv(std::size_t n) {
  auto const at = starts(n, 10);
  std::size_t const rows = at.size() - 1;
  generator random(n);
  std::vector<std::int32_t> columns(n);
  for (std::size_t row = 0; row < rows; ++row)
    for (auto k = static_cast<std::size_t>(at[row]); k < static_cast<std::size_t>(at[row + 1]); ++k)
      columns[k] = static_cast<std::int32_t>(std::min(rows - 1, row / 64 * 64 + random.next() % 4096));
  auto offsets = shared_array(at), column_indices = shared_array(columns);
  auto values = shared_array(uniform<float>(n)), x = shared_array(uniform<float>(rows)), y = shared_array<float>(rows);
  auto const run = [=](auto const& on) {
    lookback::csr_view const a{static_cast<lookback::index_t>(rows), static_cast<lookback::index_t>(rows), *offsets,
                               *column_indices, *values};
    lookback::spmv(on, a, *x, *y);
  };
  return {run, [=] { run(lookback::cpu::seq); }};
}

void add_cases() {
  constexpr int rounds = 100;
  int const cores = std::max(1, lookback::cpu::on().executor.workers(0));
  struct named {
    char const* name;
    verb (*make)(std::size_t);
  };
  auto const add = [&](named const& v, std::string const& load, std::size_t n, int busy, lookback::cpu::policy<> const& on,
                       double bar) {
    std::string const name = std::string(v.name) + "/2^" + (n == std::size_t{1} << 24 ? "24" : "26") + load;
    add_case(name, rounds, [=](benchmark::State& state) { call_everyone(v.make(n), on, state, busy, bar); });
  };
  named const verbs[] = {
      {"scan", make_scan},     {"segmented_scan", make_segmented_scan},       {"select_if", make_select_if},
      {"unique", make_unique}, {"run_length_encode", make_run_length_encode}, {"reduce_by_key", make_reduce_by_key},
      {"spmv", make_spmv}};
  named const in_place[] = {{"scan_in_place", make_scan_in_place}, {"select_if_in_place", make_select_if_in_place}};
  auto const on = lookback::cpu::on();
  lookback::cpu::policy<> many = on;
  many.threads = 4 * cores, many.executor = lookback::cpu::std_threads;
  for (std::size_t const n : {std::size_t{1} << 24, std::size_t{1} << 26}) {
    double const bar = n == std::size_t{1} << 24 ? 1.5 : 1.3;
    for (auto const& v : verbs) {
      for (int const busy : {0, cores / 2, cores, 2 * cores}) add(v, "/busy:" + std::to_string(busy), n, busy, on, bar);
      add(v, "/threads:" + std::to_string(many.threads), n, 0, many, 2.0);
    }
    for (auto const& v : in_place) {
      for (int const busy : {0, cores / 2, cores, 2 * cores})
        add(v, "/busy:" + std::to_string(busy), n, busy, on, n == std::size_t{1} << 24 && busy == cores ? 3.0 : 0.0);
      add(v, "/threads:" + std::to_string(many.threads), n, 0, many, 0.0);
    }
  }
}

}  // namespace bench

int main(int argc, char** argv) {
  bench::settings().pinned = false;  // nobody who shares a machine is bound to a core
  return bench::run_cases(argc, argv, bench::add_cases);
}
