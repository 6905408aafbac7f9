// The CPU's peers of compaction and runs: the standard library, serial and parallel, and the loop that one writes by hand.
#include <algorithm>
#include <execution>
#include <numeric>

#include "arena.hpp"
#include "compaction_tables.hpp"
#include "peer_tables.hpp"

namespace lookback::dispatch {

namespace {

/// Calls f.template operator()<T>() with the integer or float of a type's width: what a loop needs to know of it.
template <class F>
void with_width(element type, bool by_bits, F&& f) {
  if (!by_bits && type == element::f32) return f.template operator()<float>();
  if (!by_bits && type == element::f64) return f.template operator()<double>();
  with_width(type, [&]<class T>(T) { f.template operator()<T>(); });
}

/// With the type itself; the standard's parallel forms are compiled for these alone.
bool has_standard(element type) { return type == element::u8 || type == element::i32 || type == element::i64 || is_float(type); }
template <class F>
void with_element(element type, F&& f) {
  switch (type) {
    case element::u8:
      return f.template operator()<std::uint8_t>();
    case element::i32:
      return f.template operator()<std::int32_t>();
    case element::i64:
      return f.template operator()<std::int64_t>();
    case element::f32:
      return f.template operator()<float>();
    default:
      return f.template operator()<double>();
  }
}

// ---- select

template <class T>
auto in_range(select_request const& r) {
  T low, high;
  std::memcpy(&low, r.low, sizeof low), std::memcpy(&high, r.high, sizeof high);
  return [low, high](T x) { return low <= x && x <= high; };
}

template <class Policy>
void standard_select(Policy const& policy, select_request const& r) {
  with_element(r.type, [&]<class T>() {
    auto const* const in = static_cast<T const*>(r.in);
    auto* const kept = static_cast<T*>(r.kept);
    auto const keep = in_range<T>(r);
    if (r.rejected) {
      auto const [a, b] = policy(
          [&](auto const&... how) { return std::partition_copy(how..., in, in + r.n, kept, static_cast<T*>(r.rejected), keep); });
      r.counts[0] = a - kept, r.counts[1] = b - static_cast<T*>(r.rejected);
    } else if (r.kept == r.in) {
      r.counts[0] = policy(
          [&](auto const&... how) { return std::remove_if(how..., kept, kept + r.n, [&](T x) { return !keep(x); }) - kept; });
    } else {
      r.counts[0] = policy([&](auto const&... how) { return std::copy_if(how..., in, in + r.n, kept, keep) - kept; });
    }
  });
}

// Serial is another overload, not another policy: std::execution::seq has code of its own.
auto const serially = [](auto const& call) { return call(); };
auto const in_parallel = [](auto const& call) { return call(std::execution::par); };

// Every item is stored, and only the place of the next one depends on it: no branch to be guessed.
template <class T, class Keeps>
index_t branchless(T const* in, T* out, index_t n, Keeps const& keeps) {
  T* to = out;
  for (index_t i = 0; i < n; ++i) {
    T const x = in[i];
    *to = x;
    to += keeps(i, x);
  }
  return to - out;
}

void loop_select(place const&, select_request const& r) {
  with_width(r.type, r.flags != nullptr, [&]<class T>() {
    auto const* const in = static_cast<T const*>(r.in);
    auto* const kept = static_cast<T*>(r.kept);
    auto* const rejected = static_cast<T*>(r.rejected);
    index_t k = 0, l = 0;
    auto const run = [&](auto const& keeps) {
      if (rejected)
        for (index_t i = 0; i < r.n; ++i) {
          bool const keep = keeps(i, in[i]);
          kept[k] = in[i], rejected[l] = in[i];
          k += keep, l += !keep;
        }
      else k = branchless(in, kept, r.n, keeps);
    };
    if (r.flags) run([&](index_t i, T) { return r.flags[i] != 0; });
    else if constexpr (std::is_floating_point_v<T>) run([keep = in_range<T>(r)](index_t, T x) { return keep(x); });
    else {
      // One comparison for both ends: what lies below the first is above the last, once the first is taken off.
      T low, high;
      std::memcpy(&low, r.low, sizeof low), std::memcpy(&high, r.high, sizeof high);
      using number = std::make_signed_t<T>;
      bool const any = is_signed_integer(r.type) ? static_cast<number>(low) <= static_cast<number>(high) : low <= high;
      if (any) run([low, width = static_cast<T>(high - low)](index_t, T x) { return static_cast<T>(x - low) <= width; });
      else run([](index_t, T) { return false; });
    }
    r.counts[0] = k;
    if (rejected) r.counts[1] = l;
  });
}

bool takes_range(select_request const& r) { return !r.flags && has_standard(r.type); }

// ---- runs

/// A type with a standard form whose items are equal where those of `type` are, if there is one.
element equal_alike(element type) {
  if (is_float(type) || size_of(type) == 2) return type;
  return size_of(type) == 1 ? element::u8 : size_of(type) == 4 ? element::i32 : element::i64;
}
template <class Policy>
void standard_unique(Policy const& policy, runs_request const& r) {
  with_element(equal_alike(r.type), [&]<class T>() {
    auto const* const in = static_cast<T const*>(r.in);
    auto* const out = static_cast<T*>(r.firsts);
    r.count[0] = policy([&](auto const&... how) { return std::unique_copy(how..., in, in + r.n, out) - out; });
  });
}
bool takes_unique(runs_request const& r) { return !r.by_bits && has_standard(equal_alike(r.type)); }

void loop_runs(place const&, runs_request const& r) {
  with_width(r.type, r.by_bits, [&]<class T>() {
    auto const* const in = static_cast<T const*>(r.in);
    auto* const firsts = static_cast<T*>(r.firsts);
    index_t run = -1, begin = 0;
    for (index_t i = 0; i < r.n; ++i)
      if (i == 0 || !(in[i] == in[i - 1])) {
        if (run >= 0 && r.lengths) r.lengths[run] = i - begin;
        firsts[++run] = in[i];
        begin = i;
      }
    if (r.lengths && run >= 0) r.lengths[run] = r.n - begin;
    *r.count = run + 1;
  });
}

void loop_decode(place const&, decode_request const& r) {
  with_width(r.type, true, [&]<class T>() {
    auto const* const values = static_cast<T const*>(r.values);
    T* to = static_cast<T*>(r.out);
    for (index_t k = 0; k < r.runs; ++k) to = std::fill_n(to, r.lengths[k], values[k]);
    *r.count = to - static_cast<T*>(r.out);
  });
}

template <class Policy>
void standard_decode(Policy const& policy, decode_request const& r) {
  static std::vector<index_t> kept;  // as its users would keep it between calls: one at a time
  auto const runs = static_cast<std::size_t>(r.runs);
  if (kept.size() < runs) kept.resize(runs);
  auto const begins = std::span(kept).first(runs);
  std::span<index_t const> const lengths(r.lengths, runs);
  policy([&](auto const&... how) {
    return std::exclusive_scan(how..., lengths.begin(), lengths.end(), begins.begin(), index_t{0}), 0;
  });
  with_width(r.type, true, [&]<class T>() {
    auto const* const values = static_cast<T const*>(r.values);
    auto* const out = static_cast<T*>(r.out);
    auto const write = [&](index_t const& begin) {
      auto const k = static_cast<std::size_t>(&begin - begins.data());
      std::fill_n(out + begin, lengths[k], values[k]);
    };
    policy([&](auto const&... how) { return std::for_each(how..., begins.begin(), begins.end(), write), 0; });
  });
  *r.count = r.n;
}

// ---- reductions

template <class T, class Key>
void loop_reduce_of(reduce_request const& r) {
  auto const* const keys = static_cast<Key const*>(r.keys);
  auto const* const values = static_cast<T const*>(r.values);
  auto* const keys_out = static_cast<Key*>(r.keys_out);
  auto* const out = static_cast<T*>(r.values_out);
  index_t run = -1;
  T sum{};
  for (index_t i = 0; i < r.n; ++i)
    if (i == 0 || !(keys[i] == keys[i - 1])) {
      if (run >= 0) out[run] = sum;
      keys_out[++run] = keys[i];
      sum = values[i];
    } else {
      sum += values[i];
    }
  if (run >= 0) out[run] = sum;
  *r.count = run + 1;
}

void loop_reduce(place const&, reduce_request const& r) {
  with_width(r.type, false, [&]<class T>() { with_width(r.key_type, false, [&]<class Key>() { loop_reduce_of<T, Key>(r); }); });
}
bool takes_sum(reduce_request const& r) { return r.op == operation::plus; }

template <class Request>
bool takes_any(Request const&) {
  return true;
}

}  // namespace

std::vector<peer_of<select_request>> select_peers_on_cpu() {
  return {{"std", back_end::cpu, false, takes_range, [](place const&, select_request const& r) { standard_select(serially, r); }},
          {"std par", back_end::cpu, false, takes_range,
           [](place const& on, select_request const& r) { in_arena(on, [&] { standard_select(in_parallel, r); }); }},
          {"loop", back_end::cpu, false, takes_any<select_request>, loop_select},
          {"memcpy", back_end::cpu, true, takes_any<select_request>, [](place const& on, select_request const& r) {
             if (r.kept != r.in) copy_in_arena(on, r.kept, r.in, static_cast<std::size_t>(r.n) * size_of(r.type));
           }}};
}

std::vector<peer_of<runs_request>> unique_peers_on_cpu() {
  return {{"std", back_end::cpu, false, takes_unique, [](place const&, runs_request const& r) { standard_unique(serially, r); }},
          {"std par", back_end::cpu, false, takes_unique,
           [](place const& on, runs_request const& r) { in_arena(on, [&] { standard_unique(in_parallel, r); }); }},
          {"loop", back_end::cpu, false, takes_any<runs_request>, loop_runs},
          {"memcpy", back_end::cpu, true, takes_any<runs_request>, [](place const& on, runs_request const& r) {
             copy_in_arena(on, r.firsts, r.in, static_cast<std::size_t>(r.n) * size_of(r.type));
           }}};
}

// The standard has no form with lengths.
std::vector<peer_of<runs_request>> encode_peers_on_cpu() {
  auto const all = unique_peers_on_cpu();
  return {all[2], all[3]};
}

std::vector<peer_of<decode_request>> decode_peers_on_cpu() {
  return {{"std par", back_end::cpu, false, takes_any<decode_request>,
           [](place const& on, decode_request const& r) { in_arena(on, [&] { standard_decode(in_parallel, r); }); }},
          {"loop", back_end::cpu, false, takes_any<decode_request>, loop_decode}};
}

std::vector<peer_of<reduce_request>> reduce_peers_on_cpu() {
  return {{"loop", back_end::cpu, false, takes_sum, loop_reduce},
          {"memcpy", back_end::cpu, true, takes_any<reduce_request>, [](place const& on, reduce_request const& r) {
             copy_in_arena(on, r.values_out, r.values, static_cast<std::size_t>(r.n) * size_of(r.type));
           }}};
}

}  // namespace lookback::dispatch
