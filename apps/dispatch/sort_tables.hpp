// What each back end's units supply to sort.cpp, kmers.cpp, lines.cpp and records.cpp, and how they call the library.
#pragma once
#include <lookback/radix_sort.hpp>

#include "compaction_tables.hpp"
#include "kmers.hpp"
#include "lines.hpp"
#include "records.hpp"
#include "sort.hpp"

namespace lookback::dispatch {

/// Calls f with the option that says how to sort, or with none.
template <class F>
void with_method(strategy how, F&& f) {
  if (how == strategy::textbook) f(textbook{});
  else f();
}

/// Strategies that sorts have on any back end.
constexpr bool is_sort_strategy(strategy how) {
  return how == strategy::best || how == strategy::textbook || how == strategy::decoupled_look_back || how == strategy::sequential;
}

// One unit per type of keys, or per width of them, so that they compile side by side.
void sort_cpu_8(place const& on, sort_request const& request);
void sort_cpu_16(place const& on, sort_request const& request);
void sort_cpu_32(place const& on, sort_request const& request);
void sort_cpu_64(place const& on, sort_request const& request);
void sort_cpu_f32(place const& on, sort_request const& request);
void sort_cpu_f64(place const& on, sort_request const& request);
void sort_gpu_8(place const& on, sort_request const& request);
void sort_gpu_16(place const& on, sort_request const& request);
void sort_gpu_32(place const& on, sort_request const& request);
void sort_gpu_64(place const& on, sort_request const& request);
void sort_gpu_f32(place const& on, sort_request const& request);
void sort_gpu_f64(place const& on, sort_request const& request);

bool offers_sort_on_gpu(strategy how);
void sort_on_cpu(place const& on, sort_request const& request);
void sort_on_gpu(place const& on, sort_request const& request);
/// numbers[i] = i
void number_on_cpu(place const& on, index_t* numbers, index_t n);
void number_on_gpu(place const& on, index_t* numbers, index_t n);
/// out[i] = in[places[i]], n elements of so many bytes each.
struct gather_request {
  void const* in;
  void* out;
  std::size_t bytes_each;
  index_t const* places;
  index_t n;
};
void gather_on_cpu(place const& on, gather_request const& request);
void gather_on_gpu(place const& on, gather_request const& request);
void sort_lines_on_cpu(place const& on, lines_request const& request);
void sort_lines_on_gpu(place const& on, lines_request const& request);
/// One stable step: records that stand in some order, by a column of texts.
void sort_by_texts_on_cpu(place const& on, records_request const& request, record_column const& column);
void sort_by_texts_on_gpu(place const& on, records_request const& request, record_column const& column);
/// Keys and values to their outputs, by the order that `indices` holds.
void gather_by_order(place const& on, sort_arrays const& arrays);
void count_kmers_on_cpu(place const& on, kmers_request const& request);
void count_kmers_on_gpu(place const& on, kmers_request const& request);

/// The unit of a request's type: the six of one back end.
template <class Unit>
void with_unit(sort_request const& r, place const& on, Unit i8, Unit i16, Unit i32, Unit i64, Unit f32, Unit f64) {
  if (r.type == element::f32) return f32(on, r);
  if (r.type == element::f64) return f64(on, r);
  Unit const by_width[] = {i8, i16, i32, i64};
  by_width[size_of(r.type) == 1 ? 0 : size_of(r.type) == 2 ? 1 : size_of(r.type) == 4 ? 2 : 3](on, r);
}

}  // namespace lookback::dispatch
