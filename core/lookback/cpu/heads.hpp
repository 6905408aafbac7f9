// Where segments begin, for one chunk of a call: the description, what a carry says of the items before it, the direction.
#pragma once
#include <cstring>
#include <type_traits>

#include "../error.hpp"
#include "../policy.hpp"
#include "../segments.hpp"

namespace lookback::cpu {

/// `head(i)`: a segment begins at item i of the chunk. Item 0 begins one unless the carry continues a segment there.
template <class Segments>
struct heads {
  Segments described;
  index_t n;        // items of the chunk
  index_t base;     // position in the whole of item 0 of the chunk: what offsets and rows speak of
  bool first_head;  // does a segment begin at item 0

  bool operator()(index_t i) const {
    if (i == 0) return first_head;
    if constexpr (std::is_same_v<Segments, segments>) {
      if (is_offsets(described)) {
        index_t const k = first_offset_at_or_after(described, base + i, 0, described.count);
        return k < described.count && offset_at(described, k) == base + i;
      }
      if (described.kind == segment_kind::rows) return (base + i) % described.count == 0;
    }
    return head_at(described, i);
  }
};

}  // namespace lookback::cpu
