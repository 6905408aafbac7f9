// Enters what a user would write instead into a contest: std, std with execution::par, a loop without branches.
#pragma once
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <execution>
#include <memory>
#include <numeric>

#include "harness.hpp"

namespace bench {

/// Every item is stored, and the place moves on if it is kept.
template <class T, class Kept>
std::int64_t branchless(T const* in, T* out, std::size_t n, Kept kept) {
  T* to = out;
  for (std::size_t i = 0; i < n; ++i) {
    *to = in[i];
    to += kept(i);
  }
  return to - out;
}

template <class T>
void enter_select_peers(contest& c, device& d, timing how, T const* in, T* out, std::int64_t* count, std::size_t n, below<T> keep) {
  c.enter("std", d.timed(how, [=] { *count = std::copy_if(in, in + n, out, keep) - out; }));
  c.enter("std_par", d.timed(how, [=] { *count = std::copy_if(std::execution::par, in, in + n, out, keep) - out; }));
  c.enter("loop", d.timed(how, [=] { *count = branchless(in, out, n, [=](std::size_t i) { return keep(in[i]); }); }));
}
template <class T>
void enter_flagged_peers(contest& c, device& d, T const* in, std::uint8_t const* flags, T* out, std::int64_t* count,
                         std::size_t n) {
  c.enter("loop", d.timed(timing::single, [=] { *count = branchless(in, out, n, [=](std::size_t i) { return flags[i] != 0; }); }));
}
template <class T, class PutBack>
void enter_select_in_place_peers(contest& c, device& d, PutBack put_back, T* data, std::int64_t* count, std::size_t n,
                                 below<T> keep) {
  auto const drop = [=](T const& x) { return !keep(x); };
  c.enter("std", d.timed_after(put_back, [=] { *count = std::remove_if(data, data + n, drop) - data; }));
  c.enter("std_par", d.timed_after(put_back, [=] { *count = std::remove_if(std::execution::par, data, data + n, drop) - data; }));
}
template <class T>
void enter_partition_peers(contest& c, device& d, T const* in, T* kept, T* rejected, std::int64_t* count, std::size_t n,
                           below<T> keep, bool one_output) {
  if (one_output) return;
  c.enter("std", d.timed(timing::single, [=] { *count = std::partition_copy(in, in + n, kept, rejected, keep).first - kept; }));
  c.enter("std_par", d.timed(timing::single, [=] {
    *count = std::partition_copy(std::execution::par, in, in + n, kept, rejected, keep).first - kept;
  }));
}
template <class T>
void enter_unique_peers(contest& c, device& d, timing how, T const* in, T* out, std::int64_t* count, std::size_t n) {
  c.enter("std", d.timed(how, [=] { *count = std::unique_copy(in, in + n, out) - out; }));
  c.enter("std_par", d.timed(how, [=] { *count = std::unique_copy(std::execution::par, in, in + n, out) - out; }));
  c.enter("loop",
          d.timed(how, [=] { *count = branchless(in, out, n, [=](std::size_t i) { return i == 0 || in[i] != in[i - 1]; }); }));
}

/// Runs of equal neighbours by a plain loop, one thread: f(begin, end) for each.
template <class F>
void each_run(std::uint32_t const* in, std::size_t n, F f) {
  for (std::size_t i = 0; i < n;) {
    std::size_t const begin = i++;
    while (i < n && in[i] == in[begin]) ++i;
    f(begin, i);
  }
}
inline void enter_encode_peers(contest& c, device& d, timing how, std::uint32_t const* in, std::uint32_t* values,
                               std::int32_t* lengths, std::int64_t* count, std::size_t n) {
  c.enter("loop", d.timed(how, [=] {
    std::size_t r = 0;
    each_run(in, n, [&](std::size_t begin, std::size_t end) {
      values[r] = in[begin], lengths[r] = static_cast<std::int32_t>(end - begin), ++r;
    });
    *count = static_cast<std::int64_t>(r);
  }));
}
inline void enter_non_trivial_peers(contest& c, device& d, timing how, std::uint32_t const* in, std::int32_t* offsets,
                                    std::int32_t* lengths, std::int64_t* count, std::size_t n) {
  c.enter("loop", d.timed(how, [=] {
    std::size_t r = 0;
    each_run(in, n, [&](std::size_t begin, std::size_t end) {
      if (end - begin > 1) offsets[r] = static_cast<std::int32_t>(begin), lengths[r] = static_cast<std::int32_t>(end - begin), ++r;
    });
    *count = static_cast<std::int64_t>(r);
  }));
}
/// A plain loop of std::fill_n, one thread. And what the two algorithms of std make of it with execution::par: where runs begin,
/// then each run by whoever has time.
inline void enter_decode_peers(contest& c, device& d, timing how, std::uint32_t const* values, std::int32_t const* lengths,
                               std::size_t runs, std::uint32_t* out, std::size_t) {
  c.enter("loop", d.timed(how, [=] {
    std::uint32_t* to = out;
    for (std::size_t r = 0; r < runs; ++r) to = std::fill_n(to, lengths[r], values[r]);
  }));
  c.enter("std_par", d.timed(how, [=, begins = std::make_shared<array<std::int64_t>>(d.empty<std::int64_t>(runs))] {
    std::int64_t* const at = begins->data();
    std::exclusive_scan(std::execution::par, lengths, lengths + runs, at, std::int64_t{0});
    std::for_each(std::execution::par, values, values + runs, [=](std::uint32_t const& value) {
      auto const r = &value - values;
      std::fill_n(out + at[r], lengths[r], value);
    });
  }));
}
/// A plain loop over the runs that begin in [begin, end), stored from `begin` on; returns how many there are.
inline std::size_t sum_runs(std::uint32_t const* keys, float const* values, std::uint32_t* keys_out, float* sums, std::size_t n,
                            std::size_t begin, std::size_t end) {
  std::size_t i = begin, r = begin;
  while (i > 0 && i < end && keys[i] == keys[i - 1]) ++i;
  while (i < end) {
    std::uint32_t const key = keys[i];
    float sum = values[i++];
    for (; i < n && keys[i] == key; ++i) sum += values[i];
    keys_out[r] = key, sums[r] = sum, ++r;
  }
  return r - begin;
}
/// On one thread; and by all threads, a part of the items each, whose results stay where the parts begin: nobody puts them
/// together.
inline void enter_reduce_peers(contest& c, device& d, timing how, std::uint32_t const* keys, float const* values,
                               std::uint32_t* keys_out, float* sums, std::int64_t* count, std::size_t n) {
  c.enter("loop",
          d.timed(how, [=] { *count = static_cast<std::int64_t>(sum_runs(keys, values, keys_out, sums, n, std::size_t{0}, n)); }));
  c.enter("loop_parts", d.timed(how, [=] {
    auto const threads = static_cast<std::size_t>(settings().threads), part = (n + threads - 1) / threads;
    std::atomic<std::size_t> runs = 0;
    tbb::parallel_for(
        std::size_t{0}, threads,
        [&](std::size_t k) {
          runs += sum_runs(keys, values, keys_out, sums, n, std::min(n, k * part), std::min(n, (k + 1) * part));
        },
        tbb::static_partitioner{});
    *count = static_cast<std::int64_t>(runs);
  }));
}

}  // namespace bench
