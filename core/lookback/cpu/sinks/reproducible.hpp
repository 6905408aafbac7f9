// The work of a scan that gives the same bits on every run, thread count, SIMD level and back end: built-in operators on float
// and double in one fixed tree, version 1.
//
//   tile      384 threads of 20 floats or 10 doubles each, in memory order; cut from the left, the last one may be short
//   thread    a serial fold of its items
//   warp      an inclusive Kogge-Stone scan of the folds of 32 threads: steps 1, 2, 4, 8, 16, all lanes at once
//   in a tile a serial fold of the totals of its 12 warps: B before each warp, A for all
//   tiles     the chain P' = P op A, from the initial value, if there is one
//   item      ((P op B) op lane to the left in the warp) op items of the thread before it, op itself
//
// What does not exist (no initial value, the first warp's B, items beyond the end) takes part as the identity, which for these
// operators is the same bits as leaving it out. From right to left everything inside a tile is mirrored. With segments the same
// tree of the lifted operator: what holds a start ignores all before it.
#pragma once
#include <algorithm>
#include <array>

#include "../simd/unit.hpp"
#include "each.hpp"

namespace lookback::cpu::inline LOOKBACK_UNIT {

template <class Parts, class Heads>
class reproducible_work {
  using T = typename Parts::value_type;
  using shape = tree<T>;

 public:
  /// Most tiles of the tree in one of the engine's: 240 KB of input.
  static constexpr int most = 8;
  struct aggregate {
    std::array<T, most> of;  // in the order of the scan
    std::uint32_t starts;    // bit k: a segment starts in of[k]
    int number;
    bool complete;
  };
  using prefix = T;
  static constexpr bool reduces_ahead = true;
  struct nothing {};
  nothing second_pass(memory const&, maybe<T> const&) const { return {}; }
  void end_second_pass(nothing) const {}

  struct threads {
    T lane[shape::threads];             // inclusive within the warp
    unsigned char has[shape::threads];  // with segments: does a start lie in it
  };
  struct room {
    T* values;
    typename Parts::result* results;
    threads* of[2];
    std::uint64_t* words[2];
  };
  struct held {
    tile t;
    threads* of;
    std::uint64_t* words;
    bool starts_anew;
  };

  reproducible_work(Parts const& parts, Heads const& heads, maybe<T> const& before, index_t n, index_t items_per_tile,
                    simd_level level)
      : parts_{parts}, heads_{heads}, before_{before}, n_{n}, items_{items_per_tile}, level_{level} {
    if (!before_.has) before_ = maybe<T>{identity()};
  }

  index_t tiles() const { return tiles_of(n_, items_); }
  index_t room_bytes() const { return values_bytes + results_bytes + 2 * (threads_bytes() + words_bytes()); }
  room room_at(std::byte* here) const {
    auto const take = [&](index_t bytes) { return here += bytes, here - bytes; };
    room r;
    r.values = reinterpret_cast<T*>(take(values_bytes));
    r.results = reinterpret_cast<typename Parts::result*>(take(results_bytes));
    for (auto& t : r.of) t = reinterpret_cast<threads*>(take(threads_bytes()));
    for (auto& w : r.words) w = reinterpret_cast<std::uint64_t*>(take(words_bytes()));
    return r;
  }

  maybe<T> first() const { return before_; }
  T combine(T before, aggregate const& a) const {
    for (int k = 0; k < a.number; ++k) before = a.starts >> k & 1 ? a.of[k] : op(before, a.of[k]);
    return before;
  }
  T combine(maybe<T> const& before, aggregate const& a) const { return combine(before.has ? before.value : identity(), a); }

  [[gnu::noinline]] held hold(room const& r, index_t id, int slot) const {
    held h{tile_at(id, n_, items_, parts_.reversed), r.of[slot], r.words[slot], false};
    if constexpr (Parts::is_segmented) {
      heads_.start_words(level_, h.t, h.words);
      h.starts_anew = starts_at(h, parts_.reversed ? h.t.end - 1 : h.t.begin);
    }
    return h;
  }
  bool needs_prefix(held const& h) const { return !h.starts_anew; }
  /// f(i) of the caller's may read what lies where out[i] is stored.
  rereading rereads() const {
    return lookback::detail::calls_user<decltype(parts_.items)> || detail::reads_from(parts_.arrays, parts_.sink.out)
               ? rereading::as_guest
               : rereading::freely;
  }

  aggregate reduce(room const& r, held const& h) const {
    aggregate a = none();
    for (int k = 0; k < number_of(h); ++k) reduce(r, h, k, a);
    return a;
  }
  aggregate scan(room const& r, held const& h, maybe<T> const& before, held const& next) const {
    aggregate a = none();
    T running = before.has ? before.value : identity();
    int const scans = number_of(h), reduces = number_of(next);
    for (int k = 0; k < std::max(scans, reduces); ++k) {
      if (k < reduces) reduce(r, next, k, a);
      if (k < scans) scan(r, h, k, running, k + 1 < reduces ? &next : nullptr);
    }
    return a;
  }
  /// Reduces `h` once more: in a second pass nobody has.
  void scan(room const& r, held const& h, maybe<T> const& before) const {
    reduce(r, h);
    T running = before.has ? before.value : identity();
    for (int k = 0; k < number_of(h); ++k) scan(r, h, k, running, nullptr);
  }
  maybe<T> serial(room const& r, held const& h, maybe<T> const& before) const { return {combine(before, scan(r, h, before, h))}; }

 private:
  static constexpr index_t values_bytes = (shape::items * static_cast<index_t>(sizeof(T)) + 63) / 64 * 64;
  static constexpr index_t results_bytes =
      (shape::items * static_cast<index_t>(std::max(sizeof(typename Parts::result), sizeof(T))) + 63) / 64 * 64;
  index_t threads_bytes() const { return (items_ / shape::items * static_cast<index_t>(sizeof(threads)) + 63) / 64 * 64; }
  index_t words_bytes() const { return Parts::is_segmented ? items_ / 64 * 8 : 0; }
  static T identity() { return detail::lane_identity<decltype(Parts::op), T>; }
  static aggregate none() { return {{}, 0, 0, false}; }

  // `earlier` and `later` in the order of the scan; operands stay in the order of memory.
  T op(T earlier, T later) const { return parts_.reversed ? parts_.op(later, earlier) : parts_.op(earlier, later); }
  static bool starts_at(held const& h, index_t i) { return (h.words[(i - h.t.begin) / 64] >> ((i - h.t.begin) % 64) & 1) != 0; }
  static int number_of(held const& h) { return static_cast<int>(tiles_of(h.t.end - h.t.begin, shape::items)); }
  // Tile k of the tree in h, in the order of the scan; its place in memory.
  tile tree_tile(held const& h, int k) const {
    tile t = tile_at(k, h.t.end - h.t.begin, shape::items, parts_.reversed);
    t.begin += h.t.begin, t.end += h.t.begin;
    return t;
  }
  threads& threads_of(held const& h, tile const& t) const { return h.of[(t.begin - h.t.begin) / shape::items]; }
  // Thread number m in the order of the scan; its place in memory.
  index_t place(index_t m) const { return parts_.reversed ? shape::threads - 1 - m : m; }

  // The items of a tile of the tree, all of them: those that do not exist are identities.
  T const* fetch(room const& r, tile const& t) const {
    index_t const n = t.end - t.begin;
    if constexpr (Parts::reads_values)
      if (n == shape::items) return parts_.values() + t.begin;
    at_level(level_, [&](auto simd) { simd.evaluate(parts_, t.begin, n, r.values); });
    std::fill(r.values + n, r.values + shape::items, identity());
    return r.values;
  }

  [[gnu::noinline]] void reduce(room const& r, held const& h, int k, aggregate& a) const {
    tile const t = tree_tile(h, k);
    threads& of = threads_of(h, t);
    T const* const items = fetch(r, t);
    if constexpr (Parts::is_segmented) segmented_threads(h, t, items, of);
    else at_narrow_level(level_, [&](auto simd) { simd.tree_threads(parts_.op, items, of.lane, parts_.reversed); });
    T sum = identity();
    bool starts = false;
    for (index_t warp = 0; warp < shape::warps; ++warp) join(sum, starts, of, place(warp * shape::lanes + shape::lanes - 1));
    a.of[static_cast<std::size_t>(k)] = sum, a.number = k + 1;
    if (starts) a.starts |= std::uint32_t{1} << k, a.complete = true;
  }

  // sum becomes sum op thread, or the thread where a start lies in it.
  void join(T& sum, bool& starts, threads const& of, index_t thread) const {
    bool const has = Parts::is_segmented && of.has[thread];
    sum = has ? of.lane[thread] : op(sum, of.lane[thread]);
    starts |= has;
  }

  // `next`: of what tile k + 1 is reduced next.
  [[gnu::noinline]] void scan(room const& r, held const& h, int k, T& running, held const* next) const {
    tile const t = tree_tile(h, k);
    threads const& of = threads_of(h, t);
    T before[shape::threads];
    T warp_start = running;  // P op B
    T warps = identity();    // B
    bool warps_start = false;
    for (index_t warp = 0; warp < shape::warps; ++warp) {
      warp_start = warps_start ? warps : op(running, warps);
      before[place(warp * shape::lanes)] = warp_start;
      for (index_t l = 1; l < shape::lanes; ++l) {
        T start = warp_start;
        bool ignored = false;
        join(start, ignored, of, place(warp * shape::lanes + l - 1));
        before[place(warp * shape::lanes + l)] = start;
      }
      join(warps, warps_start, of, place(warp * shape::lanes + shape::lanes - 1));
    }
    store(r, h, t, before, next ? tree_tile(*next, k + 1).begin : t.begin);
    running = warps_start ? warps : op(running, warps);
  }

  void store(room const& r, held const& h, tile const& t, T const* before, index_t ahead) const {
    index_t const n = t.end - t.begin;
    T const* const items = fetch(r, t);
    auto* const out = parts_.sink.out + t.begin;
    T* to = r.values;
    if constexpr (Parts::stores_values)
      if (n == shape::items && !parts_.streaming) to = out;
    if constexpr (Parts::is_segmented) segmented_items(h, t, items, before, to);
    else
      at_narrow_level(level_, [&](auto simd) {
        simd.tree_items(parts_.op, items, before, to, parts_.sink.exclusive, simd.line_of(parts_, ahead), parts_.reversed);
      });
    if (static_cast<void const*>(to) != static_cast<void const*>(out))
      at_level(level_, [&](auto simd) { simd.put_values(parts_, r, t.begin, n); });
  }

  // ---- with segments: the lifted operator, thread by thread

  void segmented_threads(held const& h, tile const& t, T const* items, threads& of) const {
    for (index_t m = 0; m < shape::threads; ++m) {
      T sum = identity();
      bool has = false;
      each_item(h, t, items, m, [&](index_t, T x, bool starts) {
        sum = starts ? x : op(sum, x);
        has |= starts;
      });
      of.lane[place(m)] = sum, of.has[place(m)] = has;
    }
    for (index_t warp = 0; warp < shape::threads; warp += shape::lanes)
      for (index_t d = 1; d < shape::lanes; d *= 2)
        for (index_t l = shape::lanes - 1; l >= d; --l) {  // downwards: l - d is still the old one
          index_t const to = place(warp + l), from = place(warp + l - d);
          if (!of.has[to]) of.lane[to] = op(of.lane[from], of.lane[to]);
          of.has[to] |= of.has[from];
        }
  }
  void segmented_items(held const& h, tile const& t, T const* items, T const* before, T* to) const {
    for (index_t m = 0; m < shape::threads; ++m) {
      T sum = before[place(m)];
      each_item(h, t, items, m, [&](index_t i, T x, bool starts) {
        T const left = starts ? (parts_.initial.has ? parts_.initial.value : identity()) : sum;
        sum = starts ? x : op(sum, x);
        to[i] = parts_.sink.exclusive ? left : sum;
      });
    }
  }
  // body(place in the tile, value, starts) for the existing items of thread m; a start has the initial value before it.
  template <class Body>
  void each_item(held const& h, tile const& t, T const* items, index_t m, Body body) const {
    index_t const run = shape::items_per_thread, at = place(m) * run;
    for (index_t k = 0; k < run; ++k) {
      index_t const i = at + (parts_.reversed ? run - 1 - k : k);
      if (t.begin + i >= t.end) continue;
      bool const starts = starts_at(h, t.begin + i);
      body(i, starts && parts_.initial.has ? op(parts_.initial.value, items[i]) : items[i], starts);
    }
  }

  Parts parts_;
  Heads heads_;
  maybe<T> before_;
  index_t n_, items_;
  simd_level level_;
};

}  // namespace lookback::cpu::inline LOOKBACK_UNIT
