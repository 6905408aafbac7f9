// A sparse matrix in compressed sparse rows (CSR), wherever its arrays lie.
#pragma once
#include <algorithm>
#include <limits>
#include <lookback/complex.hpp>
#include <lookback/error.hpp>
#include <lookback/segments.hpp>
#include <span>

namespace lookback {

/// Row r holds nonzeros [offsets[r], offsets[r + 1]); nonzero k is values[k], in column column_indices[k]. Columns of a row may
/// stand in any order and more than once (they add up); rows may be empty, values zero.
///
///   offsets         rows + 1 signed or unsigned integers, of 4 bytes for fewer than 2^31 nonzeros, else of 8; never
///                   decreasing, from 0 to the number of nonzeros, which nobody checks: others give wrong results
///   column_indices  integers in [0, columns), which nobody checks
///   values          arithmetic, std::complex or any trivially copyable type
template <class Value, class Column, class Offset, bool OnHost = false>
struct csr_view {
  static_assert(std::is_integral_v<Column> && std::is_integral_v<Offset>, "column indices and offsets must be integers");
  index_t rows, columns;
  std::span<Offset const> offsets;
  std::span<Column const> column_indices;
  std::span<Value const> values;
};
/// A view of arrays of which at least one lies in a container whose memory is the host's. One whose types are named, not deduced,
/// does not know.
template <class Value, class Column, class Offset>
struct csr_view<Value, Column, Offset, true> : csr_view<Value, Column, Offset> {
  csr_view(index_t r, index_t c, std::span<Offset const> o, std::span<Column const> i, std::span<Value const> v)
      : csr_view<Value, Column, Offset>{r, c, o, i, v} {}
  using csr_view<Value, Column, Offset>::operator=;
};
namespace detail {
/// The elements of a range that lives longer than a view of it.
template <class R>
struct lasting {
  static_assert((expects_lasting<R>(), true));
  using type = value_t<std::remove_reference_t<R>>;
};
}  // namespace detail
template <class Offsets, class Columns, class Values>
requires contiguous<std::remove_reference_t<Offsets>> && contiguous<std::remove_reference_t<Columns>> &&
    contiguous<std::remove_reference_t<Values>>
    csr_view(index_t, index_t, Offsets&&, Columns&&, Values&&)
->csr_view<typename detail::lasting<Values>::type, typename detail::lasting<Columns>::type, typename detail::lasting<Offsets>::type,
           (detail::is_host_container<std::remove_cvref_t<Offsets>> || detail::is_host_container<std::remove_cvref_t<Columns>> ||
            detail::is_host_container<std::remove_cvref_t<Values>>)>;

namespace detail {
template <class Value, class Column, class Offset>
void expects_matrix(csr_view<Value, Column, Offset> const& a) {
  expects_size(std::min(a.rows, a.columns), 0, "the numbers of rows and columns are not negative");
  expects(a.rows < std::numeric_limits<index_t>::max(), "there are fewer than 2^63 - 1 rows");
  expects_count(std::ssize(a.offsets), a.rows + 1, "there is one more offset than there are rows");
  expects_count(std::ssize(a.column_indices), std::ssize(a.values), "there are as many column indices as values");
  expects(sizeof(Offset) == 8 || a.values.size() < std::size_t{1} << 31,
          "a matrix with 4-byte offsets has fewer than 2^31 nonzeros");
}
}  // namespace detail

}  // namespace lookback
