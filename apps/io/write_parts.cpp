#include "write_parts.hpp"

#include "npy.hpp"

namespace lookback::app {

bool takes_parts(output_file const& out) {
  auto const ending = extension_of(out.path());
  return out.takes_parts() && ending != ".csv" && ending != ".tsv" && ending != ".mtx";
}

array_parts::array_parts(output_file& out, element type, std::vector<index_t> const& most)
    : out_{out}, type_{type}, has_header_{extension_of(out.path()) == ".npy"} {
  if (has_header_) begin_ = format_npy_header(type, most).size();
}

void array_parts::write(index_t first, std::span<std::byte const> elements) {
  out_.write_at(begin_ + static_cast<std::size_t>(first) * dispatch::size_of(type_), elements);
}

void array_parts::finish(std::vector<index_t> const& shape) {
  if (has_header_) {
    auto const header = format_npy_header(type_, shape, begin_);
    out_.write_at(0, std::as_bytes(std::span(header)));
  }
  out_.finish();
}

array read_parts(output_file const& out, element type) {
  if (extension_of(out.path()) == ".npy") return read_npy(out.written(), {.flags = false, .complex = true});
  array made;
  made.type = type;
  made.file = out.written();
  made.data = made.file.data();
  made.n = static_cast<index_t>(made.file.size() / dispatch::size_of(type));
  made.shape = {made.n};
  return made;
}

}  // namespace lookback::app
