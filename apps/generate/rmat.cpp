#include "rmat.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "io/matrix_rows.hpp"

namespace lookback::app {

namespace {

template <class T>
T multiplied(index_t times, T value) {
  if constexpr (std::is_arithmetic_v<T>) return static_cast<T>(times) * value;
  else return static_cast<typename T::value_type>(times) * value;
}

// The edges sorted by row, then column, as numbers (row << 32) + column. Edges are drawn twice: to count those of each bin, which
// is a run of rows, and to place them there; a bin is small enough to be sorted in a cache. Which thread comes first decides where
// in its bin an edge lands, until that is sorted.
class sorted_edges {
 public:
  sorted_edges(rmat_edges const& edges, int scale, int threads)
      : keys_memory_(static_cast<std::size_t>(edges.count()) * sizeof(std::uint64_t)),
        begins_memory_(static_cast<std::size_t>(edges.vertices() + 1) * sizeof(index_t)),
        keys_{keys_memory_.as<std::uint64_t>()},
        begins_{begins_memory_.as<index_t>()} {
    int const shift = std::max(0, scale - bin_bits);
    auto const bin_of = [&](std::uint64_t key) { return static_cast<std::size_t>(key >> 32 >> shift); };
    std::vector<std::atomic<index_t>> at(most_bins);
    each_chunk(edges, threads, [&](std::span<std::uint64_t const> drawn) {
      index_t count[most_bins] = {};
      for (auto const key : drawn) ++count[bin_of(key)];
      for (std::size_t b = 0; b < most_bins; ++b)
        if (count[b] > 0) at[b].fetch_add(count[b], std::memory_order_relaxed);
    });
    index_t before = 0;
    for (auto& bin : at) before += bin.exchange(before);
    each_chunk(edges, threads, [&](std::span<std::uint64_t const> drawn) {
      index_t to[most_bins] = {};
      for (auto const key : drawn) ++to[bin_of(key)];
      for (std::size_t b = 0; b < most_bins; ++b)
        if (to[b] > 0) to[b] = at[b].fetch_add(to[b], std::memory_order_relaxed);
      for (auto const key : drawn) keys_[to[bin_of(key)]++] = key;
    });
    // `at` is now where each bin ends.
    auto const sort_bin = [&](index_t bin) {
      auto const b = static_cast<std::size_t>(bin);
      index_t k = b == 0 ? 0 : at[b - 1].load();
      std::sort(keys_ + k, keys_ + at[b]);
      for (index_t row = bin << shift; row < (bin + 1) << shift; ++row) {
        begins_[row] = k;
        while (k < at[b] && static_cast<index_t>(keys_[k] >> 32) == row) ++k;
      }
    };
    in_parts(
        edges.vertices() >> shift, threads,
        [&](index_t begin, index_t end) {
          for (index_t bin = begin; bin < end; ++bin) sort_bin(bin);
        },
        1);
    begins_[edges.vertices()] = edges.count();
  }

  /// Calls visit(column, times) for each column of a row, times: how often it was drawn.
  template <class Visit>
  void each_column(index_t row, Visit const& visit) const {
    auto const* const end = keys_ + begins_[row + 1];
    for (auto const* at = keys_ + begins_[row]; at != end;) {
      auto const* const next = std::find_if(at, end, [&](auto key) { return key != *at; });
      visit(static_cast<index_t>(*at & 0xffffffff), next - at);
      at = next;
    }
  }

 private:
  static constexpr int bin_bits = 10;
  static constexpr std::size_t most_bins = std::size_t{1} << bin_bits;

  // Drawn in chunks, so that one step of `at` moves several edges of a bin.
  template <class Work>
  static void each_chunk(rmat_edges const& edges, int threads, Work const& work) {
    constexpr index_t size = 4096;
    in_parts(
        edges.count(), threads,
        [&](index_t begin, index_t end) {
          std::uint64_t drawn[size];
          for (; begin < end; begin += size) {
            index_t const n = std::min(size, end - begin);
            for (index_t i = 0; i < n; ++i) {
              auto const [from, to] = edges(begin + i);
              drawn[i] = (static_cast<std::uint64_t>(from) << 32) + static_cast<std::uint64_t>(to);
            }
            work({drawn, static_cast<std::size_t>(n)});
          }
        },
        size);
  }

  host_memory keys_memory_, begins_memory_;
  std::uint64_t* keys_;
  index_t* begins_;
};

}  // namespace

matrix rmat(rmat_law const& law, generation const& how) {
  expect_between("--scale", law.scale, 0, 31);
  expect_between("--edge-factor", law.edge_factor, 0, 1 << 20);
  expect_value_type(how.type);
  rmat_edges const edges(law, how.seed);
  sorted_edges const sorted(edges, law.scale, how.threads);
  auto const copies = [&](index_t times) { return law.keep_duplicates ? times : 1; };
  auto made = matrix_of_rows(
      edges.vertices(), edges.vertices(), how,
      [&](index_t row) {
        index_t length = 0;
        sorted.each_column(row, [&](index_t, index_t times) { length += copies(times); });
        return length;
      },
      [&](index_t row, auto columns) {
        auto out = columns.begin();
        sorted.each_column(row, [&](index_t column, index_t times) {
          out = std::fill_n(out, copies(times), static_cast<typename decltype(columns)::value_type>(column));
        });
      });
  made.values = make_array(how.type, made.column_indices.n);
  with_value_type(how.type, [&]<class T>(std::type_identity<T>) {
    T* const values = made.values.memory.as<T>();
    in_parts(made.rows, how.threads, [&](index_t begin, index_t end) {
      for (index_t row = begin; row < end; ++row) {
        T* out = values + offset_at(made, row);
        sorted.each_column(row, [&](index_t column, index_t times) {
          T const one = rmat_value<T>(how.seed, law.scale, {row, column});
          out = std::fill_n(out, copies(times), law.keep_duplicates ? one : multiplied(times, one));
        });
      }
    });
  });
  return made;
}

}  // namespace lookback::app
