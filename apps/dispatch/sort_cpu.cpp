// Sorts on the CPU: which unit takes a request.
#include "arena.hpp"
#include "on_workers.hpp"
#include "sort_table.hpp"

namespace lookback::dispatch {

void sort_on_cpu(place const& on, sort_request const& r) {
  with_unit(r, on, sort_cpu_8, sort_cpu_16, sort_cpu_32, sort_cpu_64, sort_cpu_f32, sort_cpu_f64);
}

void number_on_cpu(place const& on, index_t* numbers, index_t n) { number(on_workers(on), numbers, n); }

void gather_on_cpu(place const& on, gather_request const& r) {
  auto const gather = [&]<class Word>(Word) {
    in_arena(on, [&] {
      tbb::parallel_for(tbb::blocked_range<index_t>(0, r.n, 1 << 14), [&](auto const& part) {
        for (index_t i = part.begin(); i < part.end(); ++i)
          static_cast<Word*>(r.out)[i] = static_cast<Word const*>(r.in)[r.places[i]];
      });
    });
  };
  with_width_of(r.bytes_each, gather);
}

}  // namespace lookback::dispatch
