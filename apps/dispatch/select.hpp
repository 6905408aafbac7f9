// Keeping items of an array, by run-time values: what `select` of the program calls instead of the templates.
#pragma once
#include "scan.hpp"

namespace lookback::dispatch {

/// One selection. All memory but low and high is readable where the call runs.
///   in         n elements of `type`
///   low, high  one element each in host memory: x is kept if low <= x and x <= high. Null where there are flags
///   flags      n bytes, of which any non-zero keeps its item, or null
///   kept       room for n elements; may be exactly in, where nothing goes to `rejected`
///   rejected   room for n elements for what is not kept, in order, or null: then it is dropped
///   counts     one number, or two where there is `rejected`: how many went to each
struct select_request {
  void const* in = nullptr;
  index_t n = 0;
  element type = element::i32;
  void const* low = nullptr;
  void const* high = nullptr;
  std::uint8_t const* flags = nullptr;
  void* kept = nullptr;
  void* rejected = nullptr;
  index_t* counts = nullptr;
  strategy how = strategy::best;
};

/// Was this strategy compiled for such a selection? Of the pointers only which of them are null is looked at.
bool offers_select(back_end where, strategy how, select_request const& request);

/// Runs it; on the GPU only enqueues it. Throws unavailable if `offers_select` says no; what the library throws.
void select(place const& on, select_request const& request);

}  // namespace lookback::dispatch
