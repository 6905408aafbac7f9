// Every scan of the program, by run-time values: what the program calls instead of the templates.
#pragma once
#include <lookback/segments.hpp>

#include "types.hpp"

namespace lookback::dispatch {

/// What cpu::tuning has of it; 0 is the library's own choice.
struct cpu_sizes {
  index_t tile_bytes = 0, stream_above_bytes = 0;
  int simd = 0;  // a cpu::simd_level
};

struct tuned_form;

/// Where a call runs. For the GPU see gpu.hpp, whose `gpu_queue::place()` fills the pointers.
struct place {
  back_end where = back_end::cpu;
  int threads = 0;                   // cpu: workers, 0 for one per core
  void* stream = nullptr;            // gpu: a cudaStream_t of the current device
  void* workspace = nullptr;         // gpu: scratch that outlives the call
  cpu_sizes sizes{};                 // cpu; a reproducible call of floats takes none of them
  tuned_form const* form = nullptr;  // gpu: what runs the request in the place of the library's own sizes (tuned_form.hpp)
};

/// What a scan that is cut into chunks hands from one to the next, in their order; zero before the first.
struct scan_state {
  alignas(16) unsigned char bytes[64];
};

/// One scan. All memory is readable where the call runs.
///   in, out    n elements of `type`, which is also what is accumulated; out may be exactly in
///   heads      null for one segment from end to end
///   state      null, or that of the chunks of one scan, of which this is one: by `best`, in reverse with whole rows, and on a GPU
///              not by offsets or keys, nor by rows in reverse. Goes to state_out, where there is one: on a GPU another place.
///              All chunks have the same initial value; offsets and rows speak of the whole, bits begin at a multiple of 8 items
///   initial    null, or one element in host memory; an exclusive scan without it starts from the operator's identity
struct scan_request {
  void const* in = nullptr;
  void* out = nullptr;
  index_t n = 0;
  element type = element::i32;
  operation op = operation::plus;
  segments const* heads = nullptr;
  void const* initial = nullptr;
  scan_state* state = nullptr;
  bool exclusive = false;
  bool reverse = false;
  bool reproducible = false;
  strategy how = strategy::best;
  scan_state* state_out = nullptr;
};

/// Was this (strategy, type, operator) compiled for this back end, for a scan of one segment or of such as are described?
bool offers(back_end where, strategy how, element type, operation op, values_of what = values_of::scan);
/// What a scan of these segments stores; null: of one.
inline values_of scanned_by(segments const* heads) {
  return !heads ? values_of::scan : is_offsets(*heads) ? values_of::scan_by_offsets : values_of::scan_by_heads;
}

/// Chunks of a multiple of so many items give the bits of one call on the CPU, of floats too; on a GPU if they are reproducible.
index_t chunk_multiple(element type, bool reproducible);

/// Runs it; on the GPU only enqueues it.
/// Throws: unavailable if `offers` says no; invalid_argument for an operator that the type lacks; what the library throws.
void scan(place const& on, scan_request const& request);

}  // namespace lookback::dispatch
