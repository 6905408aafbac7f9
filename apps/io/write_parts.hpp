// An array to a file part by part, as they come: its length may be known only at the end.
#pragma once
#include <span>
#include <vector>

#include "array.hpp"
#include "output_file.hpp"

namespace lookback::app {

/// Is that an array whose parts can be written anywhere: .npy, or raw, in a file that is no pipe?
bool takes_parts(output_file const& out);

/// Writes elements of an array of `type` to `out`, which takes_parts().
class array_parts {
 public:
  /// `most`: the shape with as many elements as there may be; so long is the header.
  array_parts(output_file& out, element type, std::vector<index_t> const& most);

  /// Elements that begin with number `first`. May be called by another thread than the rest.
  void write(index_t first, std::span<std::byte const> elements);
  /// The header says `shape`; finishes the file. Committing it is the caller's.
  void finish(std::vector<index_t> const& shape);

 private:
  output_file& out_;
  element type_;
  bool has_header_;
  std::size_t begin_ = 0;
};

/// The array of `type` that was written to `out`, of a finished file: mapped, so that it may be larger than the memory.
array read_parts(output_file const& out, element type);

}  // namespace lookback::app
