// The order of records for peers that compare: one column after another, and the first that differs decides.
#pragma once
#include "records.hpp"

namespace lookback::dispatch {

/// Negative if record a comes before record b, upwards; NaNs are equal and come last in both directions.
template <class T>
LOOKBACK_FN int compare_numbers(void const* numbers, index_t a, index_t b, bool descending) {
  T const x = static_cast<T const*>(numbers)[a], y = static_cast<T const*>(numbers)[b];
  if (x < y || x > y) return (x < y) == descending ? 1 : -1;
  return (x != x) - (y != y);
}

/// A text of one record.
struct record_text {
  char const* characters;
  index_t length;
};
LOOKBACK_FN record_text text_of(record_column const& column, index_t i) {
  return {column.characters + column.begins[i], column.begins[i + 1] - column.begins[i]};
}

/// Is record a before record b? `columns` is readable where it is asked.
///   CompareTexts  int(record_text, record_text), by bytes as unsigned numbers: negative if the first comes first. A CPU has a
///                 fast function for that, which a device has not
template <class CompareTexts>
struct records_before {
  record_column const* columns;
  index_t count;
  bool descending;
  CompareTexts compare_texts;

  LOOKBACK_CALLS_USER
  LOOKBACK_FN bool operator()(index_t a, index_t b) const {
    for (index_t k = 0; k < count; ++k)
      if (int const order = compare(columns[k], a, b); order != 0) return order < 0;
    return false;
  }

 private:
  LOOKBACK_CALLS_USER
  LOOKBACK_FN int compare(record_column const& column, index_t a, index_t b) const {
    if (column.is_text) return compare_texts(text_of(column, descending ? b : a), text_of(column, descending ? a : b));
    if (column.type == element::i64) return compare_numbers<std::int64_t>(column.numbers, a, b, descending);
    if (column.type == element::u64) return compare_numbers<std::uint64_t>(column.numbers, a, b, descending);
    return compare_numbers<double>(column.numbers, a, b, descending);
  }
};
template <class CompareTexts>
records_before<CompareTexts> before_in(records_request const& r, record_column const* columns, CompareTexts compare_texts) {
  return {columns, std::ssize(r.columns), r.descending, compare_texts};
}

}  // namespace lookback::dispatch
