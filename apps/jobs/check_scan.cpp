#include "check_scan.hpp"

#include <vector>

#include "reference.hpp"

namespace lookback::app {

namespace {

// One byte an item: does a segment begin here? Empty for a plain scan.
std::vector<std::uint8_t> heads_of(scan_job const& job) {
  if (!job.heads) return {};
  auto const n = static_cast<std::size_t>(job.values.n);
  std::vector<std::uint8_t> heads(n);
  if (is_offsets(*job.heads)) {
    for (index_t k = 0; k < job.heads->count; ++k)
      if (auto const at = offset_at(*job.heads, k); at < job.values.n) heads[static_cast<std::size_t>(at)] = 1;
  } else {
    for (std::size_t i = 1; i < n; ++i) heads[i] = head_at(*job.heads, static_cast<index_t>(i));
  }
  return heads;
}

// Goes through the items in the order of the scan; tells `state` where a segment starts anew.
template <class State>
std::string walk(scan_job const& job, State state, std::byte const* got) {
  using T = typename State::value_type;
  auto const heads = heads_of(job);
  auto const* const in = reinterpret_cast<T const*>(job.values.data);
  auto const* const out = reinterpret_cast<T const*>(got);
  index_t const n = job.values.n;
  for (index_t k = 0; k < n; ++k) {
    auto const i = static_cast<std::size_t>(job.reverse ? n - 1 - k : k);
    // From right to left a segment ends where it began in memory: behind its head.
    bool const anew = k == 0 || (!heads.empty() && heads[job.reverse ? i + 1 : i] != 0);
    if (anew) state.restart();
    if (!job.exclusive) state.take(in[i]);
    if (!state.accepts(out[i]))
      return "item " + grouped(static_cast<index_t>(i)) + ": found " + text_of(out[i]) + ", expected " + state.wanted();
    if (job.exclusive) state.take(in[i]);
  }
  return {};
}

}  // namespace

std::string first_difference(scan_job const& job, std::byte const* got) {
  return with_reference(job.values.type, job.op, job.initial ? job.initial->bytes : nullptr,
                        [&](auto const& state) { return walk(job, state, got); });
}

}  // namespace lookback::app
