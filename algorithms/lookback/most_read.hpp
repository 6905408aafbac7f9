// Elements of an array that indices ask for most often: a back end may rename the indices once, so that calls keep those elements
// near. Which back ends do: most_read.cuh.
#pragma once
#include <cstddef>
#include <lookback/source.hpp>

namespace lookback {

/// Thresholds for renaming, chosen between measured wins and losses (docs/lab/gpu.md, When a plan pays).
struct keeping {
  index_t least_reads = 12 << 20;  // as many indices, for one kernel more in a call not to show
  index_t least_size = 64 << 10;   // of an array of as many elements, which no cache of the first level holds anyway
  index_t least_each = 64;         // an element is asked for that often: every block reads a copy
  double least_share = 0.2;        // that share of the indices asks for those that are kept and not near
  index_t near_of = 1024;          // what more than one index in so many asks for is near anyway, in a cache of the first level
};

namespace detail {

/// Room for what is kept, as every multiprocessor has it, of elements of so many bytes (docs/tuning.md).
constexpr int cached_bytes(std::size_t element_bytes) { return (element_bytes > 4 ? 55 : 63) << 10; }
/// How many they are: a multiple of 16.
constexpr index_t cached_elements(std::size_t element_bytes) {
  return cached_bytes(element_bytes) / static_cast<index_t>(element_bytes) / 16 * 16;
}

/// Where a back end renames nothing.
template <class BackEnd>
struct nothing_renamed {
  using back_end = BackEnd;
  static constexpr bool renames = false;
  static bool device_has_room() { return false; }
  index_t cached() const { return 0; }
  double share() const { return 0; }
};

/// Calls of such a policy wait in a stream: on a GPU.
template <class On>
concept queues_calls = requires(On const& on) {
  on.stream;
};

/// What the back end of `on` makes of `count` indices into [0, size), of which it may keep `most`.
template <class On, class Index>
auto most_read_of([[maybe_unused]] On const& on, [[maybe_unused]] Index const* indices, [[maybe_unused]] index_t count,
                  [[maybe_unused]] index_t size, [[maybe_unused]] index_t most, [[maybe_unused]] keeping const& when) {
  if constexpr (requires { rename_most_read(on, indices, count, size, most, when); })
    return rename_most_read(on, indices, count, size, most, when);
  else {
    static_assert(!queues_calls<On>,
                  "a plan on a GPU needs lookback/spmv_plan.cuh, where columns are renamed, instead of the .hpp");
    return nothing_renamed<typename On::back_end>{};
  }
}

}  // namespace detail

}  // namespace lookback
