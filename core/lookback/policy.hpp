// Where and how an algorithm runs: the first argument of every call, extended by `.with(...)`.
#pragma once
#include <concepts>
#include <type_traits>
#include <utility>

#include "fn.hpp"
#include "source.hpp"

namespace lookback {

enum class direction : bool { left_to_right, right_to_left };
inline constexpr auto left_to_right = direction::left_to_right;
inline constexpr auto right_to_left = direction::right_to_left;

/// Asks for the same bits on every run, thread count, SIMD level and back end, for the built-in operators on float and double: of
/// every value of a scan, and of results of segments by offsets. Of results by rows, heads and keys: on every run and thread count,
/// on one back end and SIMD level. What a caller's own functions make of items must be the same everywhere, too, and a NaN is a
/// NaN.
struct reproducible_t {};
inline constexpr reproducible_t reproducible{};

/// Asks for items that go to one array to keep their order there, should that cost a pass more.
struct stable_t {};
inline constexpr stable_t stable{};

/// A policy with `stable`.
template <class Policy>
struct stably : Policy {
  static constexpr bool is_stable = true;
  template <class Change>
  requires requires(Policy const& p, Change&& change) { p.with(std::forward<Change>(change)); }
  auto with(Change&& change) const {
    using changed = decltype(Policy::with(std::forward<Change>(change)));
    return stably<changed>{Policy::with(std::forward<Change>(change))};
  }
  stably with(stable_t) const { return *this; }
};
template <class Policy>
inline constexpr bool is_stable = requires {
  std::remove_cvref_t<Policy>::is_stable;
};

/// What one call leaves for the next: a call cut into chunks, each given the state of the chunk before it, gives the result of
/// one call (floats bit for bit on the CPU, and with `reproducible` everywhere, if cut at tile multiples, `tile_items(on, ...)`).
/// From right to left the chunks come right to left.
///   value     scanned so far, of the open segment;  any   is there one
///   count     items so far: offsets and rows_of speak of positions in the whole, flags, bits and keys are the chunk's own. From
///             right to left the whole has whole rows: else results are wrong, and nobody can see it
///   last_key  of the item next to the chunk, for keys
/// Not only scans are cut. Outputs are the chunk's own:
///   what is kept          select_if, partition_if, unique and their kin take carry<index_t, Key>: value is how many were kept
///   results of segments   reduce_by_key, segmented_reduce and run_length_encode leave results of segments that end in the chunk,
///                         and first items (keys, values and places of runs) of those that begin in it. A chunk without `out` is
///                         the last: what is open ends with it, so that it has room for a result more than it has items. Places
///                         of runs are those in the whole. By offsets, and of spmv, results lie where the whole has them; on a
///                         GPU such a call has a strategy that reads once. Floats have the bits of one call if cut at multiples
///                         of the tile of whichever has the most bytes: what is read of an item, the sum, the result, what is
///                         stored of a first item; by offsets and rows never
template <class T, class Key = char>
struct carried {
  T value;
  Key last_key;
  bool any;
  index_t count;
};

/// The key of a chunk where keys have whatever type of number a description says: its bytes come first.
struct any_key {
  alignas(8) unsigned char bytes[8];
};

/// `in` may be null (nothing came before), `out` too (nothing comes after). Host memory or memory readable where the scan runs;
/// in device memory `in` and `out` are two places.
template <class T, class Key = char>
struct carry {
  carried<T, Key> const* in = nullptr;
  carried<T, Key>* out = nullptr;
};

struct no_carry {};

template <class P>
concept policy = requires {
  typename std::remove_cvref_t<P>::back_end;
};

template <class S>
concept strategy = std::is_empty_v<S> && requires {
  typename S::is_strategy;
};

}  // namespace lookback
