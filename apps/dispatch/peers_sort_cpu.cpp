// The CPU's peers of sorts: the standard library, serial and parallel, oneTBB, and sorters that are installed.
#include <tbb/parallel_sort.h>

#include <algorithm>
#include <numeric>

#include "compaction_tables.hpp"
#include "peers_sort.hpp"

namespace lookback::dispatch {

namespace {

using request = sort_request;

bool sorts_rising(request const& r) { return !r.offsets && r.end_bit < 0 && !r.nan_first && !r.descending && size_of(r.type) >= 4; }
bool sorts_pairs(request const& r) { return sorts_rising(r) && r.values && !r.indices && r.value_bytes >= 4; }
bool sorts_places(request const& r) { return sorts_rising(r) && r.indices && !r.keys_out; }
bool sorts_stably(request const& r) { return sorts_keys(r) || sorts_pairs(r) || sorts_places(r); }

template <class T, class V, class Policy>
void stable_pairs(Policy const& policy, request const& r) {
  auto const order = [](auto const& a, auto const& b) { return peer_order<false>{}(a.key, b.key); };
  sort_as_pairs<T, V>(
      r, [&](auto first, auto last) { policy([&](auto const&... how) { std::stable_sort(how..., first, last, order); }); });
}

template <class T, class Policy>
void stable_places(Policy const& policy, request const& r) {
  auto const keys = items_at<T>(r.keys, r.n);
  std::iota(r.indices, r.indices + r.n, index_t{0});
  policy([&](auto const&... how) {
    std::stable_sort(how..., r.indices, r.indices + r.n, [keys](index_t a, index_t b) {
      return peer_order<false>{}(keys[static_cast<std::size_t>(a)], keys[static_cast<std::size_t>(b)]);
    });
  });
}

template <class Policy>
void stable(Policy const& policy, place const& on, request const& r) {
  if (sorts_keys(r))
    return sort_copy(on, r, [&](auto* first, auto* last, auto order) {
      policy([&](auto const&... how) { std::stable_sort(how..., first, last, order); });
    });
  with_wide_type(r.type, [&]<class T>() {
    if (!r.values) stable_places<T>(policy, r);
    else if (r.value_bytes == 4) stable_pairs<T, std::uint32_t>(policy, r);
    else stable_pairs<T, std::uint64_t>(policy, r);
  });
}

template <class Policy>
void unstable(Policy const& policy, place const& on, request const& r) {
  sort_copy(on, r, [&](auto* first, auto* last, auto order) {
    policy([&](auto const&... how) { std::sort(how..., first, last, order); });
  });
}

auto const std_sort = [](auto* first, auto* last, auto order) { std::sort(first, last, order); };
void std_segments(place const& on, request const& r) {
  auto const in_turn = [](index_t count, auto const& f) {
    for (index_t s = 0; s < count; ++s) f(s);
  };
  sort_segments_copy(on, r, in_turn, std_sort);
}
void tbb_segments(place const& on, request const& r) {
  auto const side_by_side = [](index_t count, auto const& f) { tbb::parallel_for(index_t{0}, count, f); };
  in_arena(on, [&] { sort_segments_copy(on, r, side_by_side, std_sort); });
}

void run_tbb(place const& on, request const& r) {
  in_arena(on, [&] { sort_copy(on, r, [](auto* first, auto* last, auto order) { tbb::parallel_sort(first, last, order); }); });
}

bool has_keys(request const& r) { return r.keys_out != nullptr; }
void run_copy(place const& on, request const& r) {
  copy_in_arena(on, r.keys_out, r.keys, static_cast<std::size_t>(r.n) * size_of(r.type));
}

}  // namespace

std::vector<peer_of<sort_request>> sort_peers_on_cpu() {
  std::vector<peer_of<sort_request>> list{
      {"std::sort", back_end::cpu, false, sorts_keys, [](place const& on, request const& r) { unstable(serially, on, r); }},
      {"std::stable_sort", back_end::cpu, false, sorts_stably, [](place const& on, request const& r) { stable(serially, on, r); }},
      {"std::sort par", back_end::cpu, false, sorts_keys,
       [](place const& on, request const& r) { in_arena(on, [&] { unstable(in_parallel, on, r); }); }},
      {"std::stable_sort par", back_end::cpu, false, sorts_stably,
       [](place const& on, request const& r) { in_arena(on, [&] { stable(in_parallel, on, r); }); }},
      {"tbb::parallel_sort", back_end::cpu, false, sorts_keys, run_tbb},
      {"std::sort each", back_end::cpu, false, sorts_segments, std_segments},
      {"std::sort each, by tbb::parallel_for", back_end::cpu, false, sorts_segments, tbb_segments}};
  add_installed_sorters(list);
  list.push_back({"memcpy", back_end::cpu, true, has_keys, run_copy});
  return list;
}

}  // namespace lookback::dispatch
