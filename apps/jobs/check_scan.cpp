#include "check_scan.hpp"

#include "reference.hpp"

namespace lookback::app {

namespace {

// Where segments begin, asked for items in the order of the scan.
class segment_heads {
 public:
  explicit segment_heads(scan_job const& job)
      : segments_{job.heads ? &*job.heads : nullptr},
        step_{job.reverse ? -1 : 1},
        next_{job.heads && job.reverse ? job.heads->count - 1 : 0} {}

  /// Does one begin at item i > 0?
  bool at(index_t i) {
    if (!segments_) return false;
    auto const& s = *segments_;
    if (!is_offsets(s)) return head_at(s, i);
    for (; next_ >= 0 && next_ < s.count; next_ += step_)
      if (auto const place = offset_at(s, next_); step_ > 0 ? place >= i : place <= i) return place == i;
    return false;
  }

 private:
  segments const* segments_;
  index_t step_, next_;  // of offsets
};

// Goes through the items in the order of the scan; tells `state` where a segment starts anew.
template <class State>
std::string walk(scan_job const& job, State state, std::byte const* got) {
  using T = typename State::value_type;
  segment_heads heads(job);
  auto const* const in = reinterpret_cast<T const*>(job.values.data);
  auto const* const out = reinterpret_cast<T const*>(got);
  index_t const n = job.values.n;
  for (index_t k = 0; k < n; ++k) {
    auto const i = static_cast<std::size_t>(job.reverse ? n - 1 - k : k);
    // From right to left a segment ends where it began in memory: behind its head.
    bool const anew = k == 0 || heads.at(static_cast<index_t>(job.reverse ? i + 1 : i));
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
