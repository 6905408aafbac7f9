// Sorting, by run-time values: what `sort` of the program calls instead of the templates.
#pragma once
#include <optional>

#include "scan.hpp"

namespace lookback::dispatch {

/// What any sort reads and writes. All memory is readable where the call runs.
///   keys        n elements of `type`
///   keys_out    room for n elements, or null: then the order alone is asked for, which goes to `indices`
///   values      n values of `value_bytes` (1, 2, 4 or 8) that move with their keys to values_out, or null
///   indices     room for n numbers, the places that the keys had; or null
///   offsets     of segments that are sorted each by itself, where there are some
struct sort_arrays {
  void const* keys = nullptr;
  index_t n = 0;
  element type = element::i32;
  void* keys_out = nullptr;
  void const* values = nullptr;
  void* values_out = nullptr;
  std::size_t value_bytes = 0;
  index_t* indices = nullptr;
  std::optional<segments> offsets{};
  strategy how = strategy::best;
};

/// One stable sort by digits.
///   begin_bit,  bits [begin_bit, end_bit) of the number that a key stands for decide (see lookback/model/radix_order.hpp). An
///   end_bit     end_bit of -1: all of them do
/// With offsets, all but keys alone by all bits needs `indices`, by which the rest is gathered; they are places in the whole.
/// Floating-point keys alone, by all bits, have an order of equal ones, too: -0 before +0, NaNs by their bits.
struct sort_request : sort_arrays {
  bool descending = false;
  bool nan_first = false;
  int begin_bit = 0, end_bit = -1;
};

/// Was it compiled for this back end?
bool offers_sort(back_end where, strategy how, bool by_segments = false);

/// Runs it; on the GPU only enqueues it. Throws unavailable if `offers_sort` says no; what the library throws.
void sort(place const& on, sort_request const& request);

}  // namespace lookback::dispatch
