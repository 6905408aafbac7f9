// The sink `each` on the GPU: what is scanned is gathered in the tile's own slot and leaves by one bulk store.
#pragma once
#include "../device/store_run.cuh"
#include "../tiles/folded_tiles.cuh"

namespace lookback::gpu {

template <class Parts, class Form, class Exchange>
struct each_work : folded_tiles<Parts, Form, false, Exchange> {
  using base = folded_tiles<Parts, Form, false, Exchange>;
  using base::array_count;
  using base::call;
  using base::N;
  using typename base::Out;
  using typename base::runs;
  using typename base::summary;
  using typename base::T;

  struct held {};  // nothing: every thread reads its items again when it scans them
  __device__ __forceinline__ void hold(int, int, summary const&, held&) const {}

  /// After barrier B: scan and gather the output in the slot, at the 16-byte phase of its destination.
  __device__ __forceinline__ void scan(int s, int parity, summary const& mine, held const&) const {
    tile const t = this->tile_in(s);
    int const place = threadIdx.x * N;
    int const items = this->items_of_thread(t);
    room<T> run;
    bool const has = this->before_thread(t, parity, mine, run);
    gpu::run<Out, N> out;
    if (items == N) {
      runs staged;
      this->load_items(staged, s, t, place);
      this->each_item([&](int j, bool first) {
        T const before = this->advance(run, first && !has, this->value(staged, t.begin + place, j), mine.heads.test(j));
        out.set(j, call.sink(t.begin + place + j, before, run.value));
      });
    } else {
      this->each_item_of_short_run(s, t, place, items, [&](int j, bool first, T const& x) {
        T const before = this->advance(run, first && !has, x, mine.heads.test_at(j));
        call.sink.out[t.begin + place + j] = call.sink(t.begin + place + j, before, run.value);
      });
    }
    if (gather_moves(t)) __syncthreads();  // others still read where this thread will write
    if (items == N) out.store(this->slot(s) + phase_of(call.sink.out + t.begin) + place * static_cast<int>(sizeof(Out)));
    ptx::fence_for_copy_engine();
  }
  /// Does the output lie elsewhere in the slot than the input? If not, every thread overwrites only what it alone has read. Askew
  /// it reads the vectors that its items touch, and with them words of its neighbours.
  __device__ __forceinline__ bool gather_moves(tile t) const {
    if constexpr (array_count == 0) return false;
    else if constexpr (base::lead > 0) return true;
    else if constexpr (array_count == 1 && sizeof(*call.from.items.arrays().data) == sizeof(Out))
      return (phase_of(call.from.items.arrays().data + t.begin) | phase_of(call.sink.out + t.begin)) != 0;
    else return true;
  }

  /// After barrier C: the gathered tile leaves.
  __device__ __forceinline__ void store(int s, int) const {
    auto const by = this->stores();
    if (!by.any) return;
    tile const t = this->tile_in(s);
    int const gathered_items = static_cast<int>(t.end - t.begin) / N * N;  // a short run has been stored by its thread
    char* const begin = reinterpret_cast<char*>(call.sink.out + t.begin);
    char* const end = reinterpret_cast<char*>(call.sink.out + t.begin + gathered_items);
    store_run<Out>(begin, end, slot_memory() + this->slot(s) + phase_of(begin), by.thread, by.threads);
    if (ptx::has_copy_engine() && by.thread == 0) ptx::bulk_commit();
  }
  __device__ __forceinline__ void end_call() const {}
};

}  // namespace lookback::gpu
