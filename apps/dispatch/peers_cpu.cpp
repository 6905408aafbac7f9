// The CPU's peers: the standard library, serial and parallel, oneTBB, and the loop that one writes for segments.
// libstdc++ 12 gives 0 for the first item of a parallel exclusive maximum from -infinity: `compare --validate` shows it as it is.
#include <tbb/parallel_scan.h>

#include <execution>
#include <iterator>
#include <numeric>

#include "arena.hpp"
#include "peer_tables.hpp"

namespace lookback::dispatch {

namespace {

bool takes_plain(scan_request const& r) { return !r.heads && has_peers(r.type, r.op); }
bool takes_forward(scan_request const& r) { return has_peers(r.type, r.op) && (!r.heads || !r.reverse); }
bool takes_segments(scan_request const& r) { return has_peers(r.type, r.op) && r.heads && !r.reverse; }

template <class T, class Op, class Policy, class In, class Out>
void standard_scan(Policy const& policy, scan_request const& r, In first, In last, Out out) {
  if (r.exclusive) std::exclusive_scan(policy, first, last, out, initial_of<T, Op>(r), Op{});
  else if (r.initial) std::inclusive_scan(policy, first, last, out, Op{}, initial_of<T, Op>(r));
  else std::inclusive_scan(policy, first, last, out, Op{});
}
struct no_policy {};
template <class T, class Op, class In, class Out>
void standard_scan(no_policy, scan_request const& r, In first, In last, Out out) {
  if (r.exclusive) std::exclusive_scan(first, last, out, initial_of<T, Op>(r), Op{});
  else if (r.initial) std::inclusive_scan(first, last, out, Op{}, initial_of<T, Op>(r));
  else std::inclusive_scan(first, last, out, Op{});
}

template <class Policy>
void standard(Policy const& policy, scan_request const& r) {
  with_peer_types(r, [&]<class T, class Op>() {
    auto const* const in = static_cast<T const*>(r.in);
    auto* const out = static_cast<T*>(r.out);
    if (!r.reverse) return standard_scan<T, Op>(policy, r, in, in + r.n, out);
    using std::make_reverse_iterator;
    standard_scan<T, Op>(policy, r, make_reverse_iterator(in + r.n), make_reverse_iterator(in), make_reverse_iterator(out + r.n));
  });
}

// Tells at rising positions whether a segment begins there.
class head_cursor {
 public:
  head_cursor(segments const* s, index_t begin) : segments_{s} {
    if (s && is_offsets(*s)) next_ = first_offset_at_or_after(*s, begin, 0, s->count);
  }
  bool at(index_t i) {
    if (!segments_ || i == 0) return false;
    if (!is_offsets(*segments_)) return head_at(*segments_, i);
    bool const head = next_ < segments_->count && offset_at(*segments_, next_) == i;
    while (next_ < segments_->count && offset_at(*segments_, next_) <= i) ++next_;
    return head;
  }

 private:
  segments const* segments_;
  index_t next_ = 0;
};

// Without segments: a loop with nothing in it but the scan, as its users would write it.
template <class T, class Op, class Pointer, class Out>
T plain_loop(scan_request const& r, Pointer in, Out out, index_t begin, index_t end, T value, bool stores) {
  if (!stores)
    for (index_t k = begin; k < end; ++k) value = Op{}(value, in[k]);
  else if (r.exclusive)
    for (index_t k = begin; k < end; ++k) {
      T const x = in[k];
      out[k] = value;
      value = Op{}(value, x);
    }
  else
    for (index_t k = begin; k < end; ++k) out[k] = value = Op{}(value, in[k]);
  return value;
}

// The loop itself; returns what is accumulated at its end.
template <class T, class Op>
T loop(scan_request const& r, index_t begin, index_t end, T value, bool stores, bool& any_head) {
  auto const* const in = static_cast<T const*>(r.in);
  auto* const out = static_cast<T*>(r.out);
  using std::make_reverse_iterator;
  if (!r.heads && !r.reverse) return plain_loop<T, Op>(r, in, out, begin, end, value, stores);
  if (!r.heads)
    return plain_loop<T, Op>(r, make_reverse_iterator(in + r.n), make_reverse_iterator(out + r.n), begin, end, value, stores);
  T const first = initial_of<T, Op>(r);
  head_cursor heads(r.heads, begin);
  for (index_t i = begin; i < end; ++i) {
    if (heads.at(i)) value = first, any_head = true;
    T const before = value;
    value = Op{}(value, in[i]);
    if (stores) out[i] = r.exclusive ? before : value;
  }
  return value;
}

template <class T, class Op>
struct tbb_body {
  scan_request const& r;
  T value;
  bool head = false;
  explicit tbb_body(scan_request const& request) : r{request}, value{initial_of<T, Op>(request)} {}
  tbb_body(tbb_body& other, tbb::split) : r{other.r}, value{Op::identity()} {}
  template <class Tag>
  void operator()(tbb::blocked_range<index_t> const& range, Tag) {
    value = loop<T, Op>(r, range.begin(), range.end(), value, Tag::is_final_scan(), head);
  }
  void reverse_join(tbb_body const& before) {
    if (!head) value = Op{}(before.value, value);
    head = head || before.head;
  }
  void assign(tbb_body const& other) { value = other.value, head = other.head; }
};

void run_std(place const&, scan_request const& r) { standard(no_policy{}, r); }

void run_std_par(place const& on, scan_request const& r) {
  in_arena(on, [&] { standard(std::execution::par, r); });
}
void run_tbb(place const& on, scan_request const& r) {
  in_arena(on, [&] {
    with_peer_types(r, [&]<class T, class Op>() {
      tbb_body<T, Op> body(r);
      tbb::parallel_scan(tbb::blocked_range<index_t>(0, r.n), body);
    });
  });
}
void run_loop(place const&, scan_request const& r) {
  with_peer_types(r, [&]<class T, class Op>() {
    bool any = false;
    loop<T, Op>(r, 0, r.n, initial_of<T, Op>(r), true, any);
  });
}

void run_copy(place const& on, scan_request const& r) {
  copy_in_arena(on, r.out, r.in, static_cast<std::size_t>(r.n) * size_of(r.type));
}

}  // namespace

std::vector<peer> peers_on_cpu() {
  return {{"std", back_end::cpu, false, takes_plain, run_std},
          {"std par", back_end::cpu, false, takes_plain, run_std_par},
          {"tbb", back_end::cpu, false, takes_forward, run_tbb},
          {"loop", back_end::cpu, false, takes_segments, run_loop},
          {"memcpy", back_end::cpu, true, [](scan_request const&) { return true; }, run_copy}};
}

}  // namespace lookback::dispatch
