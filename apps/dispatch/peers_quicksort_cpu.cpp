// The CPU's peers of sorts by comparisons, which ask the same function: the standard library, serial and parallel, and oneTBB.
#include <tbb/parallel_sort.h>

#include <algorithm>

#include "peers_sort.hpp"

namespace lookback::dispatch {

namespace {

using request = quicksort_request;

bool is_wide(request const& r) { return !r.offsets && size_of(r.type) >= 4; }
bool sorts_stably(request const& r) { return is_wide(r) && (!r.values || r.value_bytes >= 4); }
bool sorts_unstably(request const& r) { return sorts_stably(r) && (r.unstable || r.has_one_result()); }

/// Calls sort(first, last, order): on the keys in their output, or on pairs.
template <class Bits, class Sort>
void sort_of(place const& on, request const& r, Sort const& sort) {
  lower_rank<Bits> const less{key_rank_of<Bits>(r.type, r.order)};
  auto const by_key = [less](auto const& a, auto const& b) { return less(a.key, b.key); };
  auto const sort_pairs = [&](auto first, auto last) { sort(first, last, by_key); };
  if (r.values && r.value_bytes == 4) return sort_as_pairs<Bits, std::uint32_t>(r, sort_pairs);
  if (r.values) return sort_as_pairs<Bits, std::uint64_t>(r, sort_pairs);
  copy_in_arena(on, r.keys_out, r.keys, static_cast<std::size_t>(r.n) * sizeof(Bits));
  auto* const first = static_cast<Bits*>(r.keys_out);
  sort(first, first + r.n, less);
}
template <class Sort>
void sort_on(place const& on, request const& r, Sort const& sort) {
  if (size_of(r.type) == 4) sort_of<std::uint32_t>(on, r, sort);
  else sort_of<std::uint64_t>(on, r, sort);
}

template <class Policy>
void stable(Policy const& policy, place const& on, request const& r) {
  sort_on(on, r, [&](auto first, auto last, auto order) {
    policy([&](auto const&... how) { std::stable_sort(how..., first, last, order); });
  });
}
template <class Policy>
void unstable(Policy const& policy, place const& on, request const& r) {
  sort_on(on, r,
          [&](auto first, auto last, auto order) { policy([&](auto const&... how) { std::sort(how..., first, last, order); }); });
}

void run_tbb(place const& on, request const& r) {
  in_arena(on, [&] { sort_on(on, r, [](auto first, auto last, auto order) { tbb::parallel_sort(first, last, order); }); });
}
void run_copy(place const& on, request const& r) {
  copy_in_arena(on, r.keys_out, r.keys, static_cast<std::size_t>(r.n) * size_of(r.type));
}

}  // namespace

std::vector<peer_of<quicksort_request>> quicksort_peers_on_cpu() {
  return {
      {"std::sort", back_end::cpu, false, sorts_unstably, [](place const& on, request const& r) { unstable(serially, on, r); }},
      {"std::stable_sort", back_end::cpu, false, sorts_stably, [](place const& on, request const& r) { stable(serially, on, r); }},
      {"std::sort par", back_end::cpu, false, sorts_unstably,
       [](place const& on, request const& r) { in_arena(on, [&] { unstable(in_parallel, on, r); }); }},
      {"std::stable_sort par", back_end::cpu, false, sorts_stably,
       [](place const& on, request const& r) { in_arena(on, [&] { stable(in_parallel, on, r); }); }},
      {"tbb::parallel_sort", back_end::cpu, false, sorts_unstably, run_tbb},
      {"memcpy", back_end::cpu, true, [](request const&) { return true; }, run_copy}};
}

}  // namespace lookback::dispatch
