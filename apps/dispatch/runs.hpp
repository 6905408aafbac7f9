// Runs of equal neighbours, by run-time values: what `unique`, `rle encode` and `reduce-by-key` of the program call.
#pragma once
#include "scan.hpp"

namespace lookback::dispatch {

/// The first item of every run and, where asked for, its length. All memory is readable where the call runs.
///   in        n elements of `type`; equal by ==, or `by_bits`: then a NaN equals itself and 0 differs from -0
///   firsts    room for n elements
///   lengths   room for n numbers, or null
///   count     how many runs there are
///   state     null, or that of the chunks of one call, of which this is one: on the CPU, by `best`, without lengths. The
///             first item of a run is stored by the chunk in which it begins
struct runs_request {
  void const* in = nullptr;
  index_t n = 0;
  element type = element::i32;
  bool by_bits = false;
  void* firsts = nullptr;
  index_t* lengths = nullptr;
  index_t* count = nullptr;
  scan_state* state = nullptr;
  strategy how = strategy::best;
};

/// Runs written out. All memory is readable where the call runs.
///   values   `runs` elements of `type`
///   lengths  `runs` numbers, none negative
///   out      room for n elements, as many as the lengths sum up to
///   count    how many elements the runs have; negative if a length is, or if they are more than 2^63 - 1
struct decode_request {
  void const* values = nullptr;
  index_t const* lengths = nullptr;
  index_t runs = 0;
  element type = element::i32;
  void* out = nullptr;
  index_t n = 0;
  index_t* count = nullptr;
  strategy how = strategy::best;
};

/// What a reduction that is cut into chunks hands from one to the next, in their order; zero before the first.
struct reduce_state {
  scan_state values, keys;
  bool is_last = false;  // ends what is open
  index_t new_keys = 0;  // how many were stored
};

/// One result for every run of equal keys. All memory is readable where the call runs.
///   keys, values          n elements each, of `key_type` and of `type`, which is also what is accumulated; keys equal by ==
///   keys_out, values_out  room for n elements each
///   count                 how many runs there are
///   state                 null, or that of the chunks of one call, of which this is one: on the CPU, by `best`. A chunk
///                         stores keys of runs that begin in it and results of those that end in it: the last has room for one
///                         more. `count` says how many end
///   reproducible          results of floats have the same bits on every run and for any number of threads, on one back end
struct reduce_request {
  void const* keys = nullptr;
  void const* values = nullptr;
  index_t n = 0;
  element key_type = element::i32;
  element type = element::i32;
  operation op = operation::plus;
  void* keys_out = nullptr;
  void* values_out = nullptr;
  index_t* count = nullptr;
  strategy how = strategy::best;
  reduce_state* state = nullptr;
  bool reproducible = false;  // on the CPU always
};

/// Chunks of a multiple of so many items give the bits of one call on the CPU, of floats too.
index_t chunk_multiple(reduce_request const& request);

/// Was it compiled for this back end?
bool offers_runs(back_end where, strategy how, element type);
bool offers_decode(back_end where, strategy how);
bool offers_reduce(back_end where, strategy how, element type, operation op);

/// Runs it; on the GPU only enqueues it. Throws unavailable if there is no such table; what the library throws.
void find_runs(place const& on, runs_request const& request);
void write_runs(place const& on, decode_request const& request);
void reduce_runs(place const& on, reduce_request const& request);

}  // namespace lookback::dispatch
