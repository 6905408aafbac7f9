// The CPU's peers of sorting records: the standard library's sorts of their places, by a function that looks at one column after
// another.
#include <algorithm>
#include <execution>
#include <numeric>
#include <string_view>

#include "peer_tables.hpp"

namespace lookback::dispatch {

namespace {

// Negative if record a comes first, upwards; NaNs are equal and come last in both directions.
template <class T>
int compare_numbers(void const* numbers, index_t a, index_t b, bool descending) {
  T const x = static_cast<T const*>(numbers)[a], y = static_cast<T const*>(numbers)[b];
  if (x < y || x > y) return (x < y) == descending ? 1 : -1;
  return (x != x) - (y != y);
}

int compare_texts(record_column const& column, index_t a, index_t b, bool descending) {
  auto const text = [&](index_t i) {
    return std::string_view(column.characters + column.begins[i],
                            static_cast<std::size_t>(column.begins[i + 1] - column.begins[i]));
  };
  return descending ? text(b).compare(text(a)) : text(a).compare(text(b));
}

struct records_before {
  records_request const& r;
  bool operator()(index_t a, index_t b) const {
    for (auto const& column : r.columns)
      if (int const order = compare(column, a, b); order != 0) return order < 0;
    return false;
  }
  int compare(record_column const& column, index_t a, index_t b) const {
    if (column.is_text) return compare_texts(column, a, b, r.descending);
    if (column.type == element::i64) return compare_numbers<std::int64_t>(column.numbers, a, b, r.descending);
    if (column.type == element::u64) return compare_numbers<std::uint64_t>(column.numbers, a, b, r.descending);
    return compare_numbers<double>(column.numbers, a, b, r.descending);
  }
};

}  // namespace

std::vector<peer_of<records_request>> records_peers_on_cpu() {
  auto const any = [](records_request const&) { return true; };
  return {{"std::stable_sort", back_end::cpu, false, any,
           [](place const&, records_request const& r) {
             std::iota(r.order, r.order + r.n, index_t{0});
             std::stable_sort(r.order, r.order + r.n, records_before{r});
           }},
          {"std::stable_sort par", back_end::cpu, false, any, [](place const&, records_request const& r) {
             std::iota(r.order, r.order + r.n, index_t{0});
             std::stable_sort(std::execution::par, r.order, r.order + r.n, records_before{r});
           }}};
}

}  // namespace lookback::dispatch
