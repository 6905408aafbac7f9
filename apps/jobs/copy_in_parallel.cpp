#include "copy_in_parallel.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstring>

namespace lookback::app {

void copy_in_parallel(tbb::task_arena& workers, void* to, std::span<std::byte const> from) {
  constexpr std::size_t block = std::size_t{1} << 20;
  workers.execute([&] {
    tbb::parallel_for(std::size_t{0}, (from.size() + block - 1) / block, [&](std::size_t b) {
      auto const part = from.subspan(b * block, std::min(block, from.size() - b * block));
      std::memcpy(static_cast<std::byte*>(to) + b * block, part.data(), part.size());
    });
  });
}

}  // namespace lookback::app
