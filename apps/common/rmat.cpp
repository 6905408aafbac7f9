#include "rmat.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "matrix_rows.hpp"

namespace lookback::app {

namespace {

// The edges by their first end, sorted: row r holds columns [begin(r), begin(r + 1)), duplicates too. Edges are drawn twice, to
// count and to place them: that takes less than to keep them. Which thread comes first decides where an edge lands, until rows are
// sorted.
class sorted_edges {
 public:
  sorted_edges(rmat_edges const& edges, int threads)
      : ends_memory_(static_cast<std::size_t>(edges.vertices()) * sizeof(index_t)),
        columns_memory_(static_cast<std::size_t>(edges.count()) * sizeof(std::uint32_t)),
        ends_{ends_memory_.as<index_t>()},
        columns_{columns_memory_.as<std::uint32_t>()} {
    auto const each_edge = [&](auto const& work) {
      in_parts(edges.count(), threads, [&](index_t begin, index_t end) {
        for (index_t e = begin; e < end; ++e) work(edges(e));
      });
    };
    each_edge([&](edge of) { std::atomic_ref(ends_[of.from]).fetch_add(1, std::memory_order_relaxed); });
    index_t before = 0;
    for (index_t row = 0; row < edges.vertices(); ++row) before += std::exchange(ends_[row], before);
    each_edge([&](edge of) {
      columns_[std::atomic_ref(ends_[of.from]).fetch_add(1, std::memory_order_relaxed)] = static_cast<std::uint32_t>(of.to);
    });
    in_parts(edges.vertices(), threads, [&](index_t begin, index_t end) {
      for (index_t r = begin; r < end; ++r) std::sort(row(r).begin(), row(r).end());
    });
  }

  std::span<std::uint32_t> row(index_t r) const { return {columns_ + (r == 0 ? 0 : ends_[r - 1]), columns_ + ends_[r]}; }

  /// Calls visit(column, times) for each column of a row, or for each edge with 1 time.
  template <class Visit>
  void each_column(index_t r, Visit const& visit) const {
    auto const all = row(r);
    for (auto at = all.begin(); at != all.end();) {
      auto const next = std::find_if(at, all.end(), [&](auto column) { return column != *at; });
      visit(*at, next - at);
      at = next;
    }
  }

 private:
  host_memory ends_memory_, columns_memory_;
  index_t* ends_;
  std::uint32_t* columns_;
};

}  // namespace

matrix rmat(rmat_law const& law, generation const& how) {
  expect_between("--scale", law.scale, 0, 31);
  expect_between("--edge-factor", law.edge_factor, 0, 1 << 20);
  expect_value_type(how.type);
  rmat_edges const edges(law, how.seed);
  sorted_edges const sorted(edges, how.threads);
  auto const copies = [&](index_t times) { return law.keep_duplicates ? times : 1; };
  auto made = matrix_of_rows(
      edges.vertices(), edges.vertices(), how,
      [&](index_t row) {
        index_t length = 0;
        sorted.each_column(row, [&](auto, index_t times) { length += copies(times); });
        return length;
      },
      [&](index_t row, auto columns) {
        auto out = columns.begin();
        sorted.each_column(row, [&](auto column, index_t times) {
          out = std::fill_n(out, copies(times), static_cast<typename decltype(columns)::value_type>(column));
        });
      });
  made.values = make_array(how.type, made.column_indices.n);
  with_value_type(how.type, [&]<class T>(std::type_identity<T>) {
    T* const values = made.values.memory.as<T>();
    in_parts(made.rows, how.threads, [&](index_t begin, index_t end) {
      for (index_t row = begin; row < end; ++row) {
        T* out = values + offset_at(made, row);
        sorted.each_column(row, [&](auto column, index_t times) {
          T const one = rmat_value<T>(how.seed, law.scale, {row, static_cast<index_t>(column)});
          out = std::fill_n(out, copies(times), law.keep_duplicates ? one : static_cast<T>(times) * one);
        });
      }
    });
  });
  return made;
}

}  // namespace lookback::app
